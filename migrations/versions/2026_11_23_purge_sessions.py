"""The background worker deletes browser sessions that ended long ago. It still may not make or change one."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT DELETE ON web_session TO plumbline_background")


def downgrade() -> None:
    op.execute("REVOKE DELETE ON web_session FROM plumbline_background")
