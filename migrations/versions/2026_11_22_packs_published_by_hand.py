"""A pack version that was published on the command line says who did: the account and the machine."""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE pack_version ADD COLUMN published_from varchar NOT NULL DEFAULT ''")


def downgrade() -> None:
    op.execute("ALTER TABLE pack_version DROP COLUMN published_from")
