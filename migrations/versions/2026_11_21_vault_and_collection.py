"""Sealed credentials, and where hosts are read by us."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    op.create_table(
        "vault_secret",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("purpose", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("stopped_at", TIME, nullable=True),
        sa.Column("stopped_reason", TEXT, nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("created_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vault_secret")),
    )
    op.create_table(
        "collection_endpoint",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("channel", TEXT, nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.Integer(), nullable=False),
        sa.Column("pins", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("ca_certificate", TEXT, nullable=False),
        sa.Column("check_in_secret_id", sa.Integer(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("claimed_until", TIME, nullable=True),
        sa.Column("next_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("last_tried_at", TIME, nullable=True),
        sa.Column("last_ok_at", TIME, nullable=True),
        sa.Column("last_error", TEXT, nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_collection_endpoint_host_id_host")),
        sa.ForeignKeyConstraint(["credential_id"], ["vault_secret.id"], name=op.f("fk_collection_endpoint_credential_id_vault_secret")),
        sa.ForeignKeyConstraint(
            ["check_in_secret_id"], ["vault_secret.id"], name=op.f("fk_collection_endpoint_check_in_secret_id_vault_secret")
        ),
        sa.PrimaryKeyConstraint("host_id", name=op.f("pk_collection_endpoint")),
    )
    op.create_table(
        "log_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.Integer(), nullable=False),
        sa.Column("credential_version", sa.Integer(), nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("at", TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["credential_id"], ["vault_secret.id"], name=op.f("fk_log_in_credential_id_vault_secret")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log_in")),
    )
    op.create_index("ix_log_in_credential_id_at", "log_in", ["credential_id", "at"])
    # Reports, notices and rescoring have no business with credentials, sealed or not.
    for table in ("vault_secret", "log_in"):
        op.execute(f"REVOKE ALL ON {table} FROM plumbline_desk")


def downgrade() -> None:
    op.drop_table("log_in")
    op.drop_table("collection_endpoint")
    op.drop_table("vault_secret")
