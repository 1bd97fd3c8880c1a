"""*Desk* reads which account a credential is, to plan nothing on a host that shuts it out; never what is sealed."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT SELECT (id, account) ON vault_secret TO plumbline_desk")


def downgrade() -> None:
    op.execute("REVOKE SELECT (id, account) ON vault_secret FROM plumbline_desk")
