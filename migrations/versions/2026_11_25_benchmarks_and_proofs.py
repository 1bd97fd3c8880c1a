"""Benchmark runs, and proofs that compare runs before and after a change.

The purge deletes none of these: a file goes when somebody deletes it. It keeps the configurations that runs refer to.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "benchmark_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("tool", TEXT, nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("parameter_name", TEXT, nullable=False),
        sa.Column("parameter_content", sa.LargeBinary(), nullable=True),
        sa.Column("uploaded_by", TEXT, nullable=False),
        sa.Column("uploaded_at", time, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_benchmark_file_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_benchmark_file")),
    )
    op.create_index("uq_benchmark_file_host_id_sha256", "benchmark_file", ["host_id", "sha256"], unique=True)
    op.create_table(
        "benchmark_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("tool", TEXT, nullable=False),
        sa.Column("version", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("computer", TEXT, nullable=False),
        sa.Column("started_text", TEXT, nullable=False),
        sa.Column("measured_at", time, nullable=False),
        sa.Column("is_time_known", sa.Boolean(), nullable=False),
        sa.Column("planned_seconds", sa.Float(), nullable=True),
        sa.Column("warm_up_seconds", sa.Float(), nullable=True),
        sa.Column("measured_seconds", sa.Float(), nullable=True),
        sa.Column("load", JSON, nullable=False),
        sa.Column("results", JSON, nullable=False),
        sa.Column("parameters", JSON, nullable=False),
        sa.Column("notes", JSON, nullable=False),
        sa.Column("configuration_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["file_id"], ["benchmark_file.id"], name=op.f("fk_benchmark_run_file_id_benchmark_file"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_benchmark_run_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_benchmark_run")),
    )
    op.create_index(op.f("ix_benchmark_run_file_id"), "benchmark_run", ["file_id"])
    op.create_index(op.f("ix_benchmark_run_configuration_id"), "benchmark_run", ["configuration_id"])
    op.create_index("ix_benchmark_run_host_id_measured_at", "benchmark_run", ["host_id", "measured_at"])
    op.create_table(
        "proof",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("pack", TEXT, nullable=False),
        sa.Column("rule", TEXT, nullable=False),
        sa.Column("subject_kind", TEXT, nullable=False),
        sa.Column("subject_id", TEXT, nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("answers", JSON, nullable=False),
        sa.Column("verdict", JSON, nullable=False),
        sa.Column("grade", TEXT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("decision", TEXT, nullable=False),
        sa.Column("decision_reason", TEXT, nullable=False),
        sa.Column("test_again_on", sa.Date(), nullable=True),
        sa.Column("plan_id", sa.Integer(), nullable=True),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("decided_at", time, nullable=True),
        sa.Column("made_by", sa.Integer(), nullable=False),
        sa.Column("made_at", time, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_proof_host_id_host")),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_proof_job_id_job")),
        sa.ForeignKeyConstraint(["plan_id"], ["plan.id"], name=op.f("fk_proof_plan_id_plan")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proof")),
    )
    op.create_index(op.f("ix_proof_host_id"), "proof", ["host_id"])
    op.create_index(op.f("ix_proof_job_id"), "proof", ["job_id"])
    op.create_table(
        "proof_run",
        sa.Column("proof_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("side", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["proof_id"], ["proof.id"], name=op.f("fk_proof_run_proof_id_proof"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["benchmark_run.id"], name=op.f("fk_proof_run_run_id_benchmark_run")),
        sa.PrimaryKeyConstraint("proof_id", "run_id", name=op.f("pk_proof_run")),
    )
    op.create_index(op.f("ix_proof_run_run_id"), "proof_run", ["run_id"])
    # Runs are uploaded and judged by people. The purge reads which configurations runs refer to; workers hold nothing else.
    op.execute("REVOKE ALL ON benchmark_file, benchmark_run, proof, proof_run FROM plumbline_executor, plumbline_background")
    op.execute("GRANT SELECT ON benchmark_run TO plumbline_background")


def downgrade() -> None:
    op.drop_table("proof_run")
    op.drop_table("proof")
    op.drop_table("benchmark_run")
    op.drop_table("benchmark_file")
