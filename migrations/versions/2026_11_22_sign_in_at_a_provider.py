"""Signing in at an identity provider: the provider, attempts on their way, and the groups that it names."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "sign_in_provider",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("issuer", TEXT, nullable=False),
        sa.Column("client_id", TEXT, nullable=False),
        sa.Column("client_secret", sa.LargeBinary(), nullable=True),
        sa.Column("secret_key_id", TEXT, nullable=False),
        sa.Column("secret_version", sa.Integer(), nullable=False),
        sa.Column("scopes", TEXT, nullable=False),
        sa.Column("groups_claim", TEXT, nullable=False),
        sa.Column("login_claim", TEXT, nullable=False),
        sa.Column("ca_certificate", TEXT, nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("changed_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_by", TEXT, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_sign_in_provider_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_provider")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id_hash", sa.LargeBinary(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("next", TEXT, nullable=False),
        sa.Column("network", TEXT, nullable=False),
        sa.Column("session_hash", sa.LargeBinary(), nullable=True),
        sa.Column("started_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("used_at", time, nullable=True),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_sign_in_attempt")),
    )
    op.create_index(op.f("ix_sign_in_attempt_network"), "sign_in_attempt", ["network"])
    op.create_index(op.f("ix_sign_in_attempt_started_at"), "sign_in_attempt", ["started_at"])
    op.add_column("person", sa.Column("oidc_groups", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False))
    op.add_column("person", sa.Column("oidc_groups_at", time, nullable=True))
    op.create_index(
        "ix_person_oidc", "person", ["oidc_issuer", "oidc_subject"], unique=True, postgresql_where=sa.text("oidc_issuer IS NOT NULL")
    )
    op.create_check_constraint(op.f("ck_grant_one_holder"), "grant", "(person_id IS NULL) <> (oidc_group IS NULL)")
    op.create_index(op.f("ix_grant_oidc_group"), "grant", ["oidc_group"])
    op.drop_column("web_session", "oidc_groups")
    op.add_column("web_session", sa.Column("is_by_provider", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.alter_column("web_session", "is_by_provider", server_default=None)
    # Signing in is the API's business: no worker has to see the provider, its sealed secret or who is on the way to it.
    for table in ("sign_in_provider", "sign_in_attempt"):
        op.execute(f"REVOKE ALL ON {table} FROM plumbline_hands, plumbline_desk")


def downgrade() -> None:
    op.drop_column("web_session", "is_by_provider")
    op.add_column("web_session", sa.Column("oidc_groups", TEXT, server_default="", nullable=False))
    op.alter_column("web_session", "oidc_groups", server_default=None)
    op.drop_index(op.f("ix_grant_oidc_group"), table_name="grant")
    op.drop_constraint(op.f("ck_grant_one_holder"), "grant")
    op.drop_index("ix_person_oidc", table_name="person")
    op.drop_column("person", "oidc_groups_at")
    op.drop_column("person", "oidc_groups")
    op.drop_table("sign_in_attempt")
    op.drop_table("sign_in_provider")
