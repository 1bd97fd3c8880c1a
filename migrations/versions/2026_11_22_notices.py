"""Notices: the channels that they go to, what was told, and each delivery."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
TEXTS = postgresql.ARRAY(sa.Text())
TABLES = ("notice_channel", "notice", "notice_delivery", "notice_told", "notice_cursor")


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "notice_channel",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("way", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("kinds", TEXTS, nullable=False),
        sa.Column("shown", TEXT, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("made_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_by", TEXT, nullable=False),
        sa.Column("removed_at", time, nullable=True),
        sa.Column("ok_at", time, nullable=True),
        sa.Column("failing_since", time, nullable=True),
        sa.Column("last_words", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_notice_channel_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_channel")),
    )
    op.create_index(op.f("ix_notice_channel_group_id"), "notice_channel", ["group_id"])
    op.create_table(
        "notice",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("lines", TEXTS, nullable=False),
        sa.Column("hosts", TEXTS, nullable=False),
        sa.Column("page", TEXT, nullable=False),
        sa.Column("at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("kept_back", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_notice_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index(op.f("ix_notice_at"), "notice", ["at"])
    op.create_index("ix_notice_group_id_id", "notice", ["group_id", "id"])
    op.create_table(
        "notice_delivery",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("notice_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_at", time, nullable=True),
        sa.Column("words", TEXT, nullable=False),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'given_up')", name=op.f("ck_notice_delivery_state")),
        sa.ForeignKeyConstraint(["channel_id"], ["notice_channel.id"], name=op.f("fk_notice_delivery_channel_id_notice_channel")),
        sa.ForeignKeyConstraint(["notice_id"], ["notice.id"], name=op.f("fk_notice_delivery_notice_id_notice"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_delivery")),
    )
    op.create_index(op.f("ix_notice_delivery_channel_id"), "notice_delivery", ["channel_id"])
    op.create_index(op.f("ix_notice_delivery_notice_id"), "notice_delivery", ["notice_id"])
    op.create_index("ix_notice_delivery_due", "notice_delivery", ["due_at"], postgresql_where=sa.text("state = 'waiting'"))
    op.create_table(
        "notice_told",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("problem", TEXT, nullable=False),
        sa.Column("parts", TEXTS, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("told_at", time, nullable=False),
        sa.Column("seen_at", time, nullable=False),
        sa.Column("is_kept_back", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_notice_told_group_id_host_group")),
        sa.PrimaryKeyConstraint("group_id", "problem", name=op.f("pk_notice_told")),
    )
    op.create_table(
        "notice_cursor",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_notice_cursor_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_cursor")),
    )
    # What was done before there were notices is told to nobody.
    op.execute("INSERT INTO notice_cursor (id, number) SELECT 1, coalesce(max(number), 0) FROM audit_entry")
    # The API sets channels up and asks for tests; *desk* finds what there is to tell, and sends. *Hands* has no part in it.
    for table in TABLES:
        op.execute(f"REVOKE ALL ON {table} FROM plumbline_hands")
    op.execute("REVOKE DELETE ON notice_channel FROM plumbline_api")
    op.execute("REVOKE UPDATE, DELETE ON notice, notice_delivery FROM plumbline_api")
    op.execute("REVOKE ALL ON notice_told, notice_cursor FROM plumbline_api")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON notice_channel FROM plumbline_desk")
    op.execute("GRANT UPDATE (ok_at, failing_since, last_words) ON notice_channel TO plumbline_desk")
    op.execute("REVOKE INSERT, DELETE ON notice_cursor FROM plumbline_desk")


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
