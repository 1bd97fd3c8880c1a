"""Times in which hosts did not check in, for their timelines and for counts of hosts that are late.

Revision ID: 0052
Revises: 0051
"""

import sqlalchemy as sa
from alembic import op

import plumbline.infra.database

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043).
is_additive = True

WORKERS = "plumbline_executor, plumbline_background"


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "check_in_gap",
        sa.Column("host_id", sa.Text(), sa.ForeignKey("host.id"), primary_key=True),
        sa.Column("began_at", time, primary_key=True),
        sa.Column("interval_seconds", sa.Integer(), nullable=False),
        sa.Column("noticed_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_at", time, nullable=True),
    )
    op.create_index("ix_check_in_gap_open", "check_in_gap", ["host_id"], unique=True, postgresql_where=sa.text("ended_at IS NULL"))
    op.execute(f"REVOKE ALL ON check_in_gap FROM {WORKERS}")
    op.execute("GRANT SELECT, INSERT, UPDATE (ended_at), DELETE ON check_in_gap TO plumbline_background")


def downgrade() -> None:
    op.drop_table("check_in_gap")
