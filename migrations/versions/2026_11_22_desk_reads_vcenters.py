"""*Desk* reads vCenters: it finds those that are due, and plans with what they tell of a host's reach. The row holds no secret."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT SELECT ON vcenter TO plumbline_desk")


def downgrade() -> None:
    op.execute("REVOKE ALL ON vcenter FROM plumbline_desk")
