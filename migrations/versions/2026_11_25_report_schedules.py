"""Reports have a period, may be about a saved view, are made on schedules, and are mailed.

The purge deletes nothing of these: reports and what was sent of them are evidence.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
TEXTS = postgresql.ARRAY(sa.Text())
JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "report_schedule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("template", TEXT, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("filters", JSON, nullable=True),
        sa.Column("view_name", TEXT, nullable=False),
        sa.Column("every", TEXT, nullable=False),
        sa.Column("on_day", sa.Integer(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("time_zone", TEXT, nullable=False),
        sa.Column("channel_id", sa.Integer(), nullable=True),
        sa.Column("recipients", TEXTS, nullable=False),
        sa.Column("form", TEXT, nullable=False),
        sa.Column("formats", TEXTS, nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("off_words", TEXT, nullable=False),
        sa.Column("next_due_at", time, nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("created_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("removed_at", time, nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_report_schedule_group_id_host_group")),
        sa.ForeignKeyConstraint(["channel_id"], ["notice_channel.id"], name=op.f("fk_report_schedule_channel_id_notice_channel")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_schedule")),
    )
    op.create_index(op.f("ix_report_schedule_group_id"), "report_schedule", ["group_id"])
    op.create_index(op.f("ix_report_schedule_next_due_at"), "report_schedule", ["next_due_at"])
    op.create_table(
        "report_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("report_id", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.Integer(), nullable=False),
        sa.Column("recipients", TEXTS, nullable=False),
        sa.Column("form", TEXT, nullable=False),
        sa.Column("formats", TEXTS, nullable=False),
        sa.Column("requested_by", sa.Integer(), nullable=True),
        sa.Column("requested_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("ended_at", time, nullable=True),
        sa.Column("words", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_report_mail_report_id_report")),
        sa.ForeignKeyConstraint(["channel_id"], ["notice_channel.id"], name=op.f("fk_report_mail_channel_id_notice_channel")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_mail")),
    )
    op.create_index(op.f("ix_report_mail_report_id"), "report_mail", ["report_id"])
    op.create_index("ix_report_mail_due", "report_mail", ["due_at"], postgresql_where=sa.text("state = 'waiting'"))
    op.add_column("report", sa.Column("filters", JSON, nullable=True))
    op.add_column("report", sa.Column("view_name", TEXT, server_default="", nullable=False))
    op.add_column("report", sa.Column("preset", TEXT, server_default="custom", nullable=False))
    op.add_column("report", sa.Column("first_day", sa.Date(), nullable=True))
    op.add_column("report", sa.Column("last_day", sa.Date(), nullable=True))
    op.add_column("report", sa.Column("time_zone", TEXT, server_default="UTC", nullable=False))
    op.add_column("report", sa.Column("schedule_id", sa.Integer(), nullable=True))
    # Until now each report was about the 90 days before it.
    op.execute("UPDATE report SET last_day = (as_of AT TIME ZONE 'UTC')::date, first_day = (as_of AT TIME ZONE 'UTC')::date - 89")
    op.alter_column("report", "first_day", nullable=False)
    op.alter_column("report", "last_day", nullable=False)
    op.create_foreign_key(op.f("fk_report_schedule_id_report_schedule"), "report", "report_schedule", ["schedule_id"], ["id"])
    op.create_index(op.f("ix_report_schedule_id"), "report", ["schedule_id"])
    # What each role holds afterwards is in `models/worker_rights.py`.
    op.execute("REVOKE ALL ON report_schedule, report_mail FROM plumbline_executor, plumbline_background")
    op.execute("REVOKE DELETE ON report_schedule, report_mail FROM plumbline_api")
    op.execute("GRANT INSERT ON report TO plumbline_background")
    op.execute("GRANT SELECT, INSERT, UPDATE (state, tries, due_at, ended_at, words) ON report_mail TO plumbline_background")
    op.execute("GRANT SELECT, UPDATE (is_enabled, off_words, next_due_at) ON report_schedule TO plumbline_background")


def downgrade() -> None:
    op.execute("REVOKE INSERT ON report FROM plumbline_background")
    op.drop_constraint(op.f("fk_report_schedule_id_report_schedule"), "report", type_="foreignkey")
    for column in ("schedule_id", "time_zone", "last_day", "first_day", "preset", "view_name", "filters"):
        op.drop_column("report", column)
    op.drop_table("report_mail")
    op.drop_table("report_schedule")
