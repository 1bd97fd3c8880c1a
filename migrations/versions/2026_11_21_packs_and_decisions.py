"""The life of packs: drafts, runs that judge without changing anything, decisions on conflicts, the end of grace."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()
JSON = postgresql.JSONB(astext_type=sa.Text())
NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    op.add_column("pack_activation", sa.Column("grace_ended_at", TIME, nullable=True))
    op.add_column("pack_activation", sa.Column("is_inherited", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("pack_activation", sa.Column("reason", TEXT, server_default="", nullable=False))
    op.add_column("fleet_event", sa.Column("group_id", sa.Integer(), nullable=True))
    op.create_table(
        "conflict_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contradiction", TEXT, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("holds", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("asked", JSON, server_default="{}", nullable=False),
        sa.Column("proposed_by", sa.Integer(), nullable=False),
        sa.Column("proposed_at", TIME, server_default=NOW, nullable=False),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("decided_at", TIME, nullable=True),
        sa.Column("decided_reason", TEXT, nullable=False),
        sa.Column("ended_by", sa.Integer(), nullable=True),
        sa.Column("ended_at", TIME, nullable=True),
        sa.Column("end_reason", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_conflict_decision_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conflict_decision")),
    )
    op.create_index(op.f("ix_conflict_decision_group_id"), "conflict_decision", ["group_id"])
    for state in ("active", "proposed"):
        op.create_index(
            f"uq_conflict_decision_{state}",
            "conflict_decision",
            ["contradiction", "group_id"],
            unique=True,
            postgresql_where=sa.text(f"state = '{state}'"),
        )
    op.create_table(
        "pack_draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pack", TEXT, nullable=False),
        sa.Column("version", TEXT, nullable=False),
        sa.Column("content_hash", TEXT, nullable=False),
        sa.Column("document", JSON, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=False),
        sa.Column("made_at", TIME, server_default=NOW, nullable=False),
        sa.Column("published_version_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["published_version_id"], ["pack_version.id"], name=op.f("fk_pack_draft_published_version_id_pack_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack_draft")),
    )
    op.create_table(
        "judging_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("as_of", TIME, nullable=False),
        sa.Column("choices", JSON, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("error", TEXT, nullable=False),
        sa.Column("judging_epoch", sa.BigInteger(), nullable=False),
        sa.Column("cursor", sa.Text(), nullable=False),
        sa.Column("hosts_total", sa.Integer(), nullable=False),
        sa.Column("hosts_done", sa.Integer(), nullable=False),
        sa.Column("sums", JSON, nullable=False),
        sa.Column("requested_by", sa.Integer(), nullable=False),
        sa.Column("requested_at", TIME, server_default=NOW, nullable=False),
        sa.Column("finished_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_judging_run_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judging_run")),
    )
    op.create_index(op.f("ix_judging_run_group_id"), "judging_run", ["group_id"])
    op.create_index("ix_judging_run_open", "judging_run", ["id"], postgresql_where=sa.text("state IN ('queued', 'running')"))
    op.create_table(
        "judging_run_host",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("score_before", sa.Integer(), nullable=True),
        sa.Column("score_after", sa.Integer(), nullable=True),
        sa.Column("capped_before", TEXT, nullable=False),
        sa.Column("capped_after", TEXT, nullable=False),
        sa.Column("newly_failing", sa.Integer(), nullable=False),
        sa.Column("no_longer_failing", sa.Integer(), nullable=False),
        sa.Column("absent", TEXT, nullable=False),
        sa.Column("counts", JSON, nullable=False),
        sa.Column("changes", JSON, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["judging_run.id"], name=op.f("fk_judging_run_host_run_id_judging_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "host_id", name=op.f("pk_judging_run_host")),
    )
    # Which findings wait for a decision is asked on every overview.
    op.create_index("ix_finding_conflict", "finding", ["rule_no"], postgresql_where=sa.text("excluded_by = 'conflict'"))
    # Packs and decisions are the API's business; the desk ends a time of grace and works runs off, hands do neither.
    for table in ("conflict_decision", "pack_draft"):
        for role in ("plumbline_hands", "plumbline_desk"):
            op.execute(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}")
    for table in ("judging_run", "judging_run_host"):
        op.execute(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM plumbline_hands")
    op.execute("GRANT UPDATE (grace_ended_at) ON pack_activation TO plumbline_desk")


def downgrade() -> None:
    op.execute("REVOKE UPDATE (grace_ended_at) ON pack_activation FROM plumbline_desk")
    op.drop_index("ix_finding_conflict", "finding")
    op.drop_table("judging_run_host")
    op.drop_table("judging_run")
    op.drop_table("pack_draft")
    op.drop_table("conflict_decision")
    op.drop_column("fleet_event", "group_id")
    for name in ("reason", "is_inherited", "grace_ended_at"):
        op.drop_column("pack_activation", name)
