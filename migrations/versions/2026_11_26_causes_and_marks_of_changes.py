"""The job behind a change of a setting, and changes that people marked as expected.

The purge of changes leaves marks; a mark without changes shows nowhere.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.add_column("setting_change", sa.Column("job_id", sa.Integer(), nullable=True))
    op.create_table(
        "change_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("ticket", TEXT, nullable=False),
        sa.Column("marked_by", sa.Integer(), nullable=False),
        sa.Column("marked_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_by", sa.Integer(), nullable=True),
        sa.Column("ended_at", time, nullable=True),
        sa.ForeignKeyConstraint(["ended_by"], ["person.id"], name=op.f("fk_change_mark_ended_by_person")),
        sa.ForeignKeyConstraint(["marked_by"], ["person.id"], name=op.f("fk_change_mark_marked_by_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_mark")),
    )
    op.create_table(
        "marked_change",
        sa.Column("change_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mark_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_marked_change_host_id_host")),
        sa.ForeignKeyConstraint(["mark_id"], ["change_mark.id"], name=op.f("fk_marked_change_mark_id_change_mark")),
        sa.PrimaryKeyConstraint("change_id", name=op.f("pk_marked_change")),
    )
    op.create_index(op.f("ix_marked_change_mark_id"), "marked_change", ["mark_id"])
    op.create_index(op.f("ix_marked_change_host_id"), "marked_change", ["host_id"])
    op.execute("REVOKE INSERT, UPDATE, DELETE ON change_mark, marked_change FROM plumbline_executor, plumbline_background")


def downgrade() -> None:
    op.drop_table("marked_change")
    op.drop_table("change_mark")
    op.drop_column("setting_change", "job_id")
