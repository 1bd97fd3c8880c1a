"""Functions with the owner's rights look at temporary objects last.

Without that PostgreSQL looks at them first, so that whoever may run statements as one of the three roles could put a table or view of their
own in the place of one of ours.

Revision ID: 0055
Revises: 0054
"""

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043).
is_additive = True


def upgrade() -> None:
    op.execute("ALTER FUNCTION make_partitions(text, text, int) SET search_path = public, pg_temp")
    op.execute("ALTER FUNCTION drop_partitions(text, timestamptz) SET search_path = public, pg_temp")


def downgrade() -> None:
    op.execute("ALTER FUNCTION make_partitions(text, text, int) SET search_path = public")
    op.execute("ALTER FUNCTION drop_partitions(text, timestamptz) SET search_path = public")
