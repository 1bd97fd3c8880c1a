"""Second factors of local accounts: authenticator apps, passkeys and recovery codes, and whether people who approve need one.

The purge deletes nothing of these: factors go when they are removed, steps a day after they began, when the next one begins.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
WORKERS = "plumbline_executor, plumbline_background"


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.add_column("installation", sa.Column("is_second_factor_required", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("web_session", sa.Column("has_second_factor", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("web_session", sa.Column("confirmed_at", time, nullable=True))
    op.create_table(
        "second_factor",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("created_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("last_used_at", time, nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("sealed_key_id", TEXT, nullable=False),
        sa.Column("last_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=True),
        sa.Column("sign_count", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "(kind = 'authenticator' AND sealed IS NOT NULL AND credential_id IS NULL)"
            " OR (kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL AND sealed IS NULL)",
            name=op.f("ck_second_factor_kind"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_second_factor_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_second_factor")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_second_factor_credential_id")),
    )
    op.create_index(op.f("ix_second_factor_person_id"), "second_factor", ["person_id"])
    op.create_table(
        "recovery_code",
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("used_at", time, nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_recovery_code_person_id_person")),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_recovery_code")),
    )
    op.create_index(op.f("ix_recovery_code_person_id"), "recovery_code", ["person_id"])
    op.create_table(
        "second_step",
        sa.Column("id_hash", sa.LargeBinary(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("session_hash", sa.LargeBinary(), nullable=True),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("sealed_key_id", TEXT, nullable=False),
        sa.Column("started_at", time, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_second_step_person_id_person")),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_second_step")),
    )
    op.create_index(op.f("ix_second_step_person_id"), "second_step", ["person_id"])
    op.create_index(op.f("ix_second_step_started_at"), "second_step", ["started_at"])
    # Signing in is the API's business: no worker sees how a person proves who they are.
    op.execute(f"REVOKE ALL ON second_factor, recovery_code, second_step FROM {WORKERS}")


def downgrade() -> None:
    op.drop_table("second_step")
    op.drop_table("recovery_code")
    op.drop_table("second_factor")
    op.drop_column("web_session", "confirmed_at")
    op.drop_column("web_session", "has_second_factor")
    op.drop_column("installation", "is_second_factor_required")
