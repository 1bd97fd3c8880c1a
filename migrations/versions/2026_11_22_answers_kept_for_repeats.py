"""Answers to acts, kept for a day for whoever asks again with the same key."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answered_request",
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("rights", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("media_type", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column(
            "made_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_answered_request")),
    )
    op.create_index(op.f("ix_answered_request_made_at"), "answered_request", ["made_at"])
    # An answer is given once and never changed. The workers answer nobody; *desk* purges what is older than a day, by its age alone.
    op.execute("REVOKE ALL ON answered_request FROM plumbline_hands, plumbline_desk")
    op.execute("REVOKE UPDATE ON answered_request FROM plumbline_api")
    op.execute("GRANT DELETE, SELECT (made_at) ON answered_request TO plumbline_desk")


def downgrade() -> None:
    op.drop_table("answered_request")
