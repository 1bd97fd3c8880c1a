"""Watches: counters of one host every few seconds, for some minutes, at a person's request.

Revision ID: 0051
Revises: 0050
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043).
is_additive = True

TEXT = sqlmodel.sql.sqltypes.AutoString()
WORKERS = "plumbline_executor, plumbline_background"


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "host_watch",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("host_id", sa.Text(), sa.ForeignKey("host.id"), nullable=False),
        sa.Column("requested_by", TEXT, nullable=False),
        sa.Column("requested_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("started_at", time, nullable=True),
        sa.Column("claimed_until", time, nullable=True),
        sa.Column("ended_at", time, nullable=True),
        sa.Column("end_words", TEXT, nullable=False),
        sa.Column("readings", sa.Integer(), nullable=False),
        sa.Column("last_at", time, nullable=True),
        sa.Column("series", postgresql.JSONB(), server_default="[]", nullable=False),
    )
    op.create_index("ix_host_watch_open", "host_watch", ["host_id"], unique=True, postgresql_where=sa.text("ended_at IS NULL"))
    op.create_index("ix_host_watch_host_id_id", "host_watch", ["host_id", "id"])
    op.create_table(
        "watch_reading",
        sa.Column("watch_id", sa.Integer(), sa.ForeignKey("host_watch.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", time, primary_key=True),
        sa.Column("uptime_ms", sa.BigInteger(), nullable=False),
        sa.Column("series_no", sa.SmallInteger(), nullable=False),
        sa.Column("values", postgresql.ARRAY(sa.Float(53)), nullable=False),
    )
    op.execute(f"REVOKE ALL ON host_watch, watch_reading FROM {WORKERS}")
    op.execute(
        "GRANT SELECT, UPDATE (started_at, claimed_until, ended_at, end_words, readings, last_at, series) ON host_watch TO plumbline_executor"
    )
    op.execute("GRANT SELECT, INSERT ON watch_reading TO plumbline_executor")
    op.execute("GRANT SELECT, UPDATE (ended_at, end_words), DELETE ON host_watch TO plumbline_background")
    op.execute("GRANT SELECT, DELETE ON watch_reading TO plumbline_background")


def downgrade() -> None:
    op.drop_table("watch_reading")
    op.drop_table("host_watch")
