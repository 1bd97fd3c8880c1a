"""Credentials belong to groups; endpoints remember what a host showed and who confirmed it; sign-ins that people ask for."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()
# Only for rows that are there already: the models give every new row its values.
NONE = sa.text("''")


def upgrade() -> None:
    op.add_column("vault_secret", sa.Column("group_id", sa.Integer(), server_default="1", nullable=False))
    op.create_foreign_key(op.f("fk_vault_secret_group_id_host_group"), "vault_secret", "host_group", ["group_id"], ["id"])
    op.alter_column("vault_secret", "group_id", server_default=None)
    for name in ("shown_pin", "look_error", "confirmed_by"):
        op.add_column("collection_endpoint", sa.Column(name, TEXT, server_default=NONE, nullable=False))
        op.alter_column("collection_endpoint", name, server_default=None)
    for name in ("shown_at", "confirmed_at"):
        op.add_column("collection_endpoint", sa.Column(name, TIME, nullable=True))
    op.create_table(
        "credential_trial",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("asked_by", TEXT, nullable=False),
        sa.Column("asked_at", TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("words", TEXT, nullable=False),
        sa.Column("finished_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["credential_id"], ["vault_secret.id"], name=op.f("fk_credential_trial_credential_id_vault_secret")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_credential_trial_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credential_trial")),
    )
    op.create_index("ix_credential_trial_credential_id", "credential_trial", ["credential_id"])
    op.execute("REVOKE ALL ON credential_trial FROM plumbline_desk")


def downgrade() -> None:
    op.drop_table("credential_trial")
    for name in ("shown_at", "confirmed_at", "shown_pin", "look_error", "confirmed_by"):
        op.drop_column("collection_endpoint", name)
    op.drop_column("vault_secret", "group_id")
