"""Watches that a job starts.

Revision ID: 0053
Revises: 0052
"""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043).
is_additive = True


def upgrade() -> None:
    op.add_column("host_watch", sa.Column("job_id", sa.Integer(), sa.ForeignKey("job.id"), nullable=True))
    op.create_index("ix_host_watch_job_id", "host_watch", ["job_id"], unique=True, postgresql_where=sa.text("job_id IS NOT NULL"))
    op.execute("GRANT INSERT (host_id, requested_by, job_id, seconds, end_words, readings) ON host_watch TO plumbline_executor")


def downgrade() -> None:
    op.execute("REVOKE INSERT (host_id, requested_by, job_id, seconds, end_words, readings) ON host_watch FROM plumbline_executor")
    op.drop_column("host_watch", "job_id")
