"""Jobs that can still be undone are found by an index.

Revision ID: 0048
Revises: 0047
"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_job_undo_until", "job", ["undo_until"], postgresql_where=sa.text("kind = 'change'"))


def downgrade() -> None:
    op.drop_index("ix_job_undo_until", table_name="job")
