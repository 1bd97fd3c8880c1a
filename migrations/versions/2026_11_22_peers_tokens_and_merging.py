"""What hosts tell their neighbours; API tokens with roles and a group; hosts that went on as another; views that open by default."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    op.create_table(
        "host_peers",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("domains", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("adapters", JSON, nullable=False),
        sa.Column("answers", JSON, nullable=False),
        sa.Column("asked", TEXT, nullable=False),
        sa.Column("is_silent", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_host_peers_host_id_host")),
        sa.PrimaryKeyConstraint("host_id", name=op.f("pk_host_peers")),
    )
    op.create_index("ix_host_peers_domains", "host_peers", ["domains"], postgresql_using="gin")
    op.create_table(
        "peer_domain",
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_peer_domain")),
    )
    op.create_table(
        "peer_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("domain", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peer_change")),
    )
    op.create_table(
        "peer_lag",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peer_lag")),
    )
    op.create_index(op.f("ix_peer_lag_host_id"), "peer_lag", ["host_id"])
    for table in ("host_peers", "peer_domain", "peer_change", "peer_lag"):
        op.execute(f"REVOKE ALL ON {table} FROM plumbline_hands")

    # No token was ever made before this: there was no way to.
    op.drop_column("api_token", "role")
    op.add_column("api_token", sa.Column("service", TEXT, server_default="", nullable=False))
    op.add_column("api_token", sa.Column("last_used_from", TEXT, server_default="", nullable=False))
    op.add_column("api_token", sa.Column("roles", postgresql.ARRAY(sa.Text()), server_default="{viewer}", nullable=False))
    op.add_column("api_token", sa.Column("group_id", sa.Integer(), server_default="1", nullable=False))
    for column in ("service", "last_used_from", "roles", "group_id"):
        op.alter_column("api_token", column, server_default=None)
    op.create_foreign_key(op.f("fk_api_token_group_id_host_group"), "api_token", "host_group", ["group_id"], ["id"])

    op.add_column("host", sa.Column("merged_into", sa.Text(), nullable=True))
    op.create_foreign_key(op.f("fk_host_merged_into_host"), "host", "host", ["merged_into"], ["id"])
    op.add_column("saved_view", sa.Column("is_default", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.alter_column("saved_view", "is_default", server_default=None)
    # Every host is judged again, which is how its neighbours learn what it has to tell.
    op.execute("UPDATE installation SET judging_epoch = judging_epoch + 1")


def downgrade() -> None:
    op.drop_column("saved_view", "is_default")
    op.drop_column("host", "merged_into")
    op.drop_column("api_token", "group_id")
    op.drop_column("api_token", "roles")
    op.drop_column("api_token", "last_used_from")
    op.drop_column("api_token", "service")
    op.add_column("api_token", sa.Column("role", TEXT, server_default="viewer", nullable=False))
    op.alter_column("api_token", "role", server_default=None)
    for table in ("peer_lag", "peer_change", "peer_domain", "host_peers"):
        op.drop_table(table)
