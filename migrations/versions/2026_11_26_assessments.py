"""Assessments: hosts evaluated from support bundles that a person uploaded.

The purge deletes nothing of these: a person deletes their own, and makes room for a new one by deleting an old one. The uploaded files are
not in the database; they are deleted as soon as they were read, and a day after they began to arrive in any case.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
WORKERS = "plumbline_executor, plumbline_background"


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "assessment",
        sa.Column("about", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("read_bytes", sa.BigInteger(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("error", TEXT, nullable=False),
        sa.Column("sha256", TEXT, nullable=False),
        sa.Column("created_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_at", time, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_assessment_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assessment")),
    )
    op.create_index(op.f("ix_assessment_person_id"), "assessment", ["person_id"])
    op.create_table(
        "assessment_host",
        sa.Column("assessment_id", sa.Integer(), nullable=False),
        sa.Column("told", postgresql.JSONB(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("kind_label", TEXT, nullable=False),
        sa.Column("os", TEXT, nullable=False),
        sa.Column("captured_at", TEXT, nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("failing", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.Column("passing", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("applicable", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessment.id"], name=op.f("fk_assessment_host_assessment_id_assessment"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assessment_host")),
    )
    op.create_index(op.f("ix_assessment_host_assessment_id"), "assessment_host", ["assessment_id"])
    # The API receives and reads them; no worker has to do with what people upload.
    op.execute(f"REVOKE ALL ON assessment, assessment_host FROM {WORKERS}")


def downgrade() -> None:
    op.drop_table("assessment_host")
    op.drop_table("assessment")
