"""Waivers over lists of hosts and their trip-wires by host, attestations, files of evidence, and scores as if no waiver stood."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()
NONE = sa.text("''")


def upgrade() -> None:
    op.add_column("host", sa.Column("score_without_waivers", sa.SmallInteger(), nullable=True))
    op.execute("UPDATE host SET score_without_waivers = score WHERE n_waived = 0")
    for column in (
        sa.Column("also_rule_nos", sa.ARRAY(sa.SmallInteger()), server_default="{}", nullable=False),
        sa.Column("is_listed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("evidence_link", TEXT, server_default=NONE, nullable=False),
        sa.Column("replaces_id", sa.Integer(), nullable=True),
        sa.Column("ended_by", sa.Integer(), nullable=True),
        sa.Column("end_words", TEXT, server_default=NONE, nullable=False),
        sa.Column("reminded_at", TIME, nullable=True),
    ):
        op.add_column("waiver", column)
    op.create_foreign_key(op.f("fk_waiver_replaces_id_waiver"), "waiver", "waiver", ["replaces_id"], ["id"])
    op.create_index("ix_waiver_state_expires_at", "waiver", ["state", "expires_at"])
    op.create_table(
        "waiver_host",
        sa.Column("waiver_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("wires", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.Column("tripped_at", TIME, nullable=True),
        sa.Column("words", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["waiver_id"], ["waiver.id"], name=op.f("fk_waiver_host_waiver_id_waiver")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_waiver_host_host_id_host")),
        sa.PrimaryKeyConstraint("waiver_id", "host_id", name=op.f("pk_waiver_host")),
    )
    op.create_index(op.f("ix_waiver_host_host_id"), "waiver_host", ["host_id"])
    op.create_table(
        "attestation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("also_rule_nos", sa.ARRAY(sa.SmallInteger()), server_default="{}", nullable=False),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("is_so", sa.Boolean(), nullable=False),
        sa.Column("statement", TEXT, nullable=False),
        sa.Column("evidence_link", TEXT, nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("made_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("ended_at", TIME, nullable=True),
        sa.Column("ended_by", sa.Integer(), nullable=True),
        sa.Column("end_words", TEXT, nullable=False),
        sa.Column("reminded_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_attestation_host_id_host")),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_attestation_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attestation")),
    )
    op.create_index("ix_attestation_state_expires_at", "attestation", ["state", "expires_at"])
    op.create_index(op.f("ix_attestation_host_id"), "attestation", ["host_id"])
    op.create_index(op.f("ix_attestation_group_id"), "attestation", ["group_id"])
    op.create_table(
        "evidence_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("waiver_id", sa.Integer(), nullable=True),
        sa.Column("attestation_id", sa.Integer(), nullable=True),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("media_type", TEXT, nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("uploaded_by", sa.Integer(), nullable=False),
        sa.Column("uploaded_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["waiver_id"], ["waiver.id"], name=op.f("fk_evidence_file_waiver_id_waiver")),
        sa.ForeignKeyConstraint(["attestation_id"], ["attestation.id"], name=op.f("fk_evidence_file_attestation_id_attestation")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence_file")),
    )
    op.create_index(op.f("ix_evidence_file_waiver_id"), "evidence_file", ["waiver_id"])
    op.create_index(op.f("ix_evidence_file_attestation_id"), "evidence_file", ["attestation_id"])
    # Pictures and documents are compressed already; what people attested is the API's business, and only it and the desk end it.
    op.execute("ALTER TABLE evidence_file ALTER COLUMN content SET STORAGE EXTERNAL")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON attestation FROM plumbline_hands")
    for role in ("plumbline_hands", "plumbline_desk"):
        op.execute(f"REVOKE ALL ON evidence_file FROM {role}")


def downgrade() -> None:
    op.drop_table("evidence_file")
    op.drop_table("attestation")
    op.drop_table("waiver_host")
    op.drop_index("ix_waiver_state_expires_at", "waiver")
    op.drop_constraint(op.f("fk_waiver_replaces_id_waiver"), "waiver")
    for name in ("reminded_at", "end_words", "ended_by", "replaces_id", "evidence_link", "is_listed", "also_rule_nos"):
        op.drop_column("waiver", name)
    op.drop_column("host", "score_without_waivers")
