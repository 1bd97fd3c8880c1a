"""What people say about open problems: who took one on, who put one off, until when."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "problem_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("problem", TEXT, nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("parts", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("by", TEXT, nullable=False),
        sa.Column("made_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("until", time, nullable=False),
        sa.Column("ended_at", time, nullable=True),
        sa.Column("ended_by", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["person.id"], name=op.f("fk_problem_note_by_id_person")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_problem_note_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem_note")),
    )
    op.create_index("ix_problem_note_open", "problem_note", ["problem"], unique=True, postgresql_where=sa.text("ended_at IS NULL"))
    op.create_index("ix_problem_note_host_id", "problem_note", ["host_id"])
    # Only people write them, through the API; desk reads them before it sends a notice.
    op.execute("REVOKE ALL ON problem_note FROM plumbline_hands")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON problem_note FROM plumbline_desk")


def downgrade() -> None:
    op.drop_table("problem_note")
