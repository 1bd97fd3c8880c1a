"""Baselines of single settings: what a proposal is about, and what was accepted beside the whole configuration."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_OPEN = "state = 'proposed' AND host_id IS NULL"


def upgrade() -> None:
    json = postgresql.JSONB()
    op.add_column("baseline", sa.Column("settings", json, server_default=sa.text("'[]'::jsonb"), nullable=False))
    op.add_column("host_baseline", sa.Column("settings", json, server_default=sa.text("'[]'::jsonb"), nullable=False))
    op.drop_index("uq_baseline_open_group", table_name="baseline")
    where = sa.text(f"{_OPEN} AND settings = '[]'::jsonb")
    op.create_index("uq_baseline_open_group", "baseline", ["group_id"], unique=True, postgresql_where=where)


def downgrade() -> None:
    # What was accepted setting by setting has no place before: those hosts are compared with the whole baseline again.
    op.execute("UPDATE baseline SET state = 'withdrawn' WHERE state = 'proposed' AND settings <> '[]'::jsonb")
    op.drop_index("uq_baseline_open_group", table_name="baseline")
    op.create_index("uq_baseline_open_group", "baseline", ["group_id"], unique=True, postgresql_where=sa.text(_OPEN))
    op.execute(
        "UPDATE host_baseline SET compared_configuration_id = NULL, differs = NULL, unread = 0, differs_since = NULL"
        " WHERE settings <> '[]'::jsonb"
    )
    op.drop_column("host_baseline", "settings")
    op.drop_column("baseline", "settings")
