"""Indexes for lists of large fleets: hosts by name and by cluster, the findings of a waiver, rules that turned to fail."""

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE INDEX ix_host_lower_name ON host (lower(name), id)")
    op.execute("CREATE INDEX ix_host_cluster ON host (cluster) WHERE cluster <> ''")
    op.execute("CREATE INDEX ix_finding_waiver_id ON finding (waiver_id) WHERE waiver_id IS NOT NULL")
    op.execute("CREATE INDEX ix_finding_log_turned ON finding_log (at) WHERE new = 'fail' AND old <> '' AND old <> 'fail'")


def downgrade() -> None:
    for index in ("ix_finding_log_turned", "ix_finding_waiver_id", "ix_host_cluster", "ix_host_lower_name"):
        op.drop_index(index)
