"""vCenters that Plumbline asks about its ESXi hosts, and what they tell."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()
JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    op.create_table(
        "vcenter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.Integer(), nullable=False),
        sa.Column("pin", TEXT, nullable=False),
        sa.Column("shown_pin", TEXT, nullable=False),
        sa.Column("shown_at", TIME, nullable=True),
        sa.Column("look_error", TEXT, nullable=False),
        sa.Column("confirmed_by", TEXT, nullable=False),
        sa.Column("confirmed_at", TIME, nullable=True),
        sa.Column("product", TEXT, nullable=False),
        sa.Column("claimed_until", TIME, nullable=True),
        sa.Column("next_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("last_tried_at", TIME, nullable=True),
        sa.Column("last_ok_at", TIME, nullable=True),
        sa.Column("last_error", TEXT, nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("created_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_vcenter_group_id_host_group")),
        sa.ForeignKeyConstraint(["credential_id"], ["vault_secret.id"], name=op.f("fk_vcenter_credential_id_vault_secret")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vcenter")),
    )
    op.create_table(
        "vcenter_host",
        sa.Column("vcenter_id", sa.Integer(), nullable=False),
        sa.Column("moid", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("matched_words", TEXT, nullable=False),
        sa.Column("is_linked_by_hand", sa.Boolean(), nullable=False),
        sa.Column("cluster", TEXT, nullable=False),
        sa.Column("addresses", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("connection", TEXT, nullable=False),
        sa.Column("is_in_maintenance", sa.Boolean(), nullable=True),
        sa.Column("lockdown", TEXT, nullable=True),
        sa.Column("exception_users", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("is_ssh_running", sa.Boolean(), nullable=True),
        sa.Column("shell_timeout_seconds", sa.Integer(), nullable=True),
        sa.Column("idle_timeout_seconds", sa.Integer(), nullable=True),
        sa.Column("certificate_sha256", TEXT, nullable=True),
        sa.Column("reads", JSON, server_default="{}", nullable=False),
        sa.Column("unread", JSON, server_default="{}", nullable=False),
        sa.Column("read_at", TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.ForeignKeyConstraint(["vcenter_id"], ["vcenter.id"], name=op.f("fk_vcenter_host_vcenter_id_vcenter"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_vcenter_host_host_id_host")),
        sa.PrimaryKeyConstraint("vcenter_id", "moid", name=op.f("pk_vcenter_host")),
    )
    op.create_index(op.f("ix_vcenter_host_host_id"), "vcenter_host", ["host_id"])
    # Reports and rescoring read what was told; only people and *hands* write it.
    op.execute("REVOKE ALL ON vcenter FROM plumbline_desk")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON vcenter_host FROM plumbline_desk")


def downgrade() -> None:
    op.drop_table("vcenter_host")
    op.drop_table("vcenter")
