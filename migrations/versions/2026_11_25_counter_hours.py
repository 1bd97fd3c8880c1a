"""Symptoms of each host, and of each cluster in a group, by the hour: the fleet's charts are drawn and sorted from them, so that no page
reads the samples of every host.

The purge deletes hours of hosts after 31 days, and those of clusters and groups with the day chunks. The background worker folds them;
executors don't read them.
"""

import sqlalchemy as sa
from alembic import op

import plumbline.infra.database

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_AMOUNTS = (
    "segments", "retransmitted", "packets", "drops", "errors", "pauses", "adapter_bytes", "volume_bytes", "operations", "latency_us",
    "cpu_percent",
)  # fmt: skip
_TABLES = ("counter_hour", "counter_group_hour")


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "counter_hour",
        sa.Column("hour", time, nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("folded_at", time, nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=True) for name in _AMOUNTS),
        sa.Column("restarted_at", time, nullable=True),
        sa.PrimaryKeyConstraint("hour", "host_id", name=op.f("pk_counter_hour")),
    )
    op.create_index("ix_counter_hour_host_id_hour", "counter_hour", ["host_id", "hour"])
    op.create_table(
        "counter_group_hour",
        sa.Column("hour", time, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=True) for name in _AMOUNTS),
        sa.PrimaryKeyConstraint("hour", "group_id", "cluster", name=op.f("pk_counter_group_hour")),
    )
    op.execute("REVOKE ALL ON counter_hour, counter_group_hour FROM plumbline_executor")


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
