"""What a heartbeat is compared with is on the host's row: the digest of all sections, and the counters. NULL: not known, so that the next
check-in takes the store transaction, which writes it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("host", sa.Column("sections_digest", sa.LargeBinary(), nullable=True))
    op.add_column("host", sa.Column("counters_mark", sa.LargeBinary(), nullable=True))
    op.add_column("host", sa.Column("counters_order", sa.ARRAY(sa.SmallInteger()), nullable=True))


def downgrade() -> None:
    for name in ("counters_order", "counters_mark", "sections_digest"):
        op.drop_column("host", name)
