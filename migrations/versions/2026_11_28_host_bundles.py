"""Hosts of the fleet that are known from a support bundle, and the section bodies of assessed hosts, from which they become ones.

Revision ID: 0050
Revises: 0049
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
WORKERS = "plumbline_executor, plumbline_background"


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "assessment_host_sections",
        sa.Column("assessed_id", sa.Integer(), sa.ForeignKey("assessment_host.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "host_bundle",
        sa.Column("host_id", sa.Text(), sa.ForeignKey("host.id"), primary_key=True),
        sa.Column("bundle", TEXT, nullable=False),
        sa.Column("sha256", TEXT, nullable=False),
        sa.Column("kind_label", TEXT, nullable=False),
        sa.Column("captured_at", time, nullable=True),
        sa.Column("added_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("members", postgresql.JSONB(), nullable=False),
    )
    op.execute(f"REVOKE ALL ON assessment_host_sections, host_bundle FROM {WORKERS}")
    op.execute(f"GRANT SELECT ON host_bundle TO {WORKERS}")


def downgrade() -> None:
    op.drop_table("host_bundle")
    op.drop_table("assessment_host_sections")
