"""Planning, in the background, sees whether a credential for changes is stopped, without being able to open it.

Channels that receive failed jobs also receive jobs that cannot begin.
"""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT SELECT (stopped_at, stopped_reason) ON vault_secret TO plumbline_background")
    op.execute("UPDATE notice_channel SET kinds = kinds || ARRAY['waiting_job'] WHERE 'failed_job' = ANY(kinds)")


def downgrade() -> None:
    op.execute("UPDATE notice_channel SET kinds = array_remove(kinds, 'waiting_job')")
    op.execute("REVOKE SELECT (stopped_at, stopped_reason) ON vault_secret FROM plumbline_background")
