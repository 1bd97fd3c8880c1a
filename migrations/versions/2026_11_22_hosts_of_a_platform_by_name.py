"""An index of the hosts of each platform by name, for walking through the hosts that a rule for one platform can fail on."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE INDEX ix_host_platform_lower_name ON host (platform, lower(name), id)")


def downgrade() -> None:
    op.drop_index("ix_host_platform_lower_name")
