"""Configurations of assessed hosts, to compare them with hosts of the fleet and to preview plans; an index that finds a host by an adapter.

Hosts that were assessed before have none: their bundle has to be uploaded again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assessment_host", sa.Column("kept", sa.LargeBinary(), nullable=True))
    op.create_index("ix_counter_series_subject", "counter_series", ["subject"])


def downgrade() -> None:
    op.drop_index("ix_counter_series_subject", "counter_series")
    op.drop_column("assessment_host", "kept")
