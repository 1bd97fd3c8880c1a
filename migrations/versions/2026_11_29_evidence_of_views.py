"""Evidence bundles about the hosts of a saved view.

Revision ID: 0056
Revises: 0055
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043).
is_additive = True


def upgrade() -> None:
    op.add_column("evidence_bundle", sa.Column("filters", JSONB(), nullable=True))
    op.add_column("evidence_bundle", sa.Column("view_name", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("evidence_bundle", "view_name")
    op.drop_column("evidence_bundle", "filters")
