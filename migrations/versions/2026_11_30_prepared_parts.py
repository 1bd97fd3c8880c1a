"""Parts of pages over groups with many hosts, prepared ahead of time (decision 0046).

Revision ID: 0058
Revises: 0057
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None
# Processes of the version before neither read nor write the tables; what they change is noted by the triggers.
is_additive = True

WORKERS = "plumbline_executor, plumbline_background"
TEXT = sqlmodel.sql.sqltypes.AutoString()
NOTE = """
CREATE FUNCTION note_prepared_part_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO prepared_part_change DEFAULT VALUES ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$
"""
DOES = "EXECUTE FUNCTION note_prepared_part_change()"
MOVED = "WHEN (OLD.group_id <> NEW.group_id OR OLD.state <> NEW.state)"
TRIGGERS = {
    "host": "note_moved",
    "host_group": "note_moved",
    "marked_change": "note_marked",
    "change_mark": "note_ended",
    "ticket": "note_sent",
}


def upgrade() -> None:
    time = sa.DateTime(timezone=True)
    op.create_table(
        "prepared_part",
        sa.Column("group_id", sa.Integer(), sa.ForeignKey("host_group.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", TEXT, primary_key=True),
        sa.Column("used_until", time, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
    )
    op.create_table(
        "prepared_part_change",
        sa.Column("xid", sa.Text(), server_default=sa.text("pg_current_xact_id()::text"), primary_key=True),
        sa.Column("at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
    )
    op.execute(NOTE)
    op.execute(f"CREATE TRIGGER note_moved AFTER UPDATE OF group_id, state ON host FOR EACH ROW {MOVED} {DOES}")
    op.execute(f"CREATE TRIGGER note_moved AFTER UPDATE OF path ON host_group FOR EACH ROW WHEN (OLD.path <> NEW.path) {DOES}")
    op.execute(f"CREATE TRIGGER note_marked AFTER INSERT OR UPDATE ON marked_change FOR EACH STATEMENT {DOES}")
    op.execute(f"CREATE TRIGGER note_ended AFTER UPDATE ON change_mark FOR EACH STATEMENT {DOES}")
    op.execute(f"CREATE TRIGGER note_sent AFTER INSERT ON ticket FOR EACH STATEMENT {DOES}")
    op.execute(f"REVOKE ALL ON prepared_part, prepared_part_change FROM {WORKERS}")
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON prepared_part TO plumbline_background")
    op.execute("GRANT SELECT, DELETE ON prepared_part_change TO plumbline_background")


def downgrade() -> None:
    for table, name in TRIGGERS.items():
        op.execute(f"DROP TRIGGER {name} ON {table}")
    op.execute("DROP FUNCTION note_prepared_part_change")
    op.drop_table("prepared_part_change")
    op.drop_table("prepared_part")
