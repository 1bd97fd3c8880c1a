"""Why the last attempt on a host or a vCenter failed, as a code beside the words.

Pages offer "Verify key…" where another key was presented. They no longer search the words for that, so the words may change.
"""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_TABLES = ("collection_endpoint", "vcenter")


def upgrade() -> None:
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN last_error_code varchar NOT NULL DEFAULT ''")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN last_error_code DROP DEFAULT")
        op.execute(
            f"UPDATE {table} SET last_error_code = 'host_identity_wrong'"
            " WHERE last_error LIKE '%not the one on record%' OR last_error LIKE '%no longer has a key%'"
        )
        # It holds the right to write some columns, and the code is one that it notes after each attempt.
        op.execute(f"GRANT UPDATE (last_error_code) ON {table} TO plumbline_executor")


def downgrade() -> None:
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN last_error_code")
