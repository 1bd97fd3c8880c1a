"""Rights are read when a job runs, passwords are a person's own, and only the background worker numbers the audit log and signs its heads.

Channels that receive break-glass also receive the new kinds: rights that were granted, passwords that were set, a changed identity provider.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

WORKERS = "plumbline_executor, plumbline_background"
NEW_KINDS = ("grant", "password", "provider")

# The table's owner is asked as well: a restore brings numbered entries, as its data comes before the triggers.
GUARD = """
CREATE FUNCTION guard_audit_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number IS NOT NULL OR NEW.hash IS NOT NULL THEN
    RAISE EXCEPTION 'an audit entry is numbered by the background worker, never when it is written';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_audit_number BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION guard_audit_number();
"""


def upgrade() -> None:
    op.add_column("person", sa.Column("must_set_password", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("person", sa.Column("rights_changed_at", sa.TIMESTAMP(timezone=True), nullable=True))
    # Before each step, a worker reads the rights of those who authorised the job; the provider's groups count while it is enabled.
    op.execute(f"GRANT SELECT (id, issuer, is_enabled) ON oidc_provider TO {WORKERS}")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON audit_head FROM plumbline_api, plumbline_executor")
    op.execute("REVOKE UPDATE, DELETE ON audit_head FROM plumbline_background")
    op.execute(GUARD)
    kinds = ", ".join(f"'{kind}'" for kind in NEW_KINDS)
    op.execute(f"UPDATE notice_channel SET kinds = kinds || ARRAY[{kinds}] WHERE 'break_glass' = ANY(kinds)")


def downgrade() -> None:
    for kind in NEW_KINDS:
        op.execute(f"UPDATE notice_channel SET kinds = array_remove(kinds, '{kind}')")
    op.execute("DROP TRIGGER guard_audit_number ON audit_entry")
    op.execute("DROP FUNCTION guard_audit_number()")
    op.execute("GRANT UPDATE, DELETE ON audit_head TO plumbline_background")
    op.execute("GRANT INSERT, UPDATE, DELETE ON audit_head TO plumbline_api, plumbline_executor")
    op.execute(f"REVOKE SELECT (id, issuer, is_enabled) ON oidc_provider FROM {WORKERS}")
    op.drop_column("person", "rights_changed_at")
    op.drop_column("person", "must_set_password")
