"""The numbers that a host left out are counted in 64 bits, like the numbers themselves: two leaps of 31 bits overflowed the column, and
every check-in after them was refused.
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("host", "seq_gaps", type_=sa.BigInteger(), existing_type=sa.Integer(), existing_nullable=False)


def downgrade() -> None:
    op.execute("UPDATE host SET seq_gaps = 2147483647 WHERE seq_gaps > 2147483647")
    op.alter_column("host", "seq_gaps", type_=sa.Integer(), existing_type=sa.BigInteger(), existing_nullable=False)
