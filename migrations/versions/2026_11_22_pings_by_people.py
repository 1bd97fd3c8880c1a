"""Do-not-fragment pings that people ask for: what a frame size is proven by before it grows."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
TIME = plumbline.infra.database.UtcDateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "probe_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("asked_by", TEXT, nullable=False),
        sa.Column("asked_at", TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("words", TEXT, nullable=False),
        sa.Column("finished_at", TIME, nullable=True),
        sa.Column("pings", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'::jsonb"), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_probe_run_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_probe_run")),
    )
    op.create_index("ix_probe_run_host_id_id", "probe_run", ["host_id", "id"])
    op.create_index("ix_probe_run_open", "probe_run", ["host_id"], unique=True, postgresql_where=sa.text("state IN ('waiting', 'running')"))
    op.create_index("ix_probe_run_finished_at", "probe_run", ["finished_at"])
    # People ask through the API, *hands* fill in what came of it, planning reads it.
    op.execute("REVOKE INSERT, UPDATE, DELETE ON probe_run FROM plumbline_desk")
    op.execute("REVOKE INSERT, DELETE ON probe_run FROM plumbline_hands")


def downgrade() -> None:
    op.drop_table("probe_run")
