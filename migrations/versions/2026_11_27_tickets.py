"""Ticket systems among the channels, and the tickets that people send there.

Revision ID: 0049
Revises: 0048
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notice_channel", sa.Column("ticket_form", postgresql.JSONB(), nullable=True))
    for name in ("ticket_number", "ticket_url"):
        op.add_column("notice_delivery", sa.Column(name, sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""))
    op.create_table(
        "ticket",
        sa.Column("notice_id", sa.BigInteger(), sa.ForeignKey("notice.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("changes", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("problem", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("made_by", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
    )
    op.create_index("ix_ticket_changes", "ticket", ["changes"], postgresql_using="gin")
    op.create_index("ix_ticket_problem", "ticket", ["problem"])
    op.create_index("ix_notice_ticket_hosts", "notice", ["hosts"], postgresql_using="gin", postgresql_where=sa.text("kind = 'ticket'"))
    op.execute("REVOKE ALL ON ticket FROM plumbline_background, plumbline_executor")
    op.execute("GRANT SELECT ON ticket TO plumbline_background")
    op.execute("REVOKE UPDATE, DELETE ON ticket FROM plumbline_api")


def downgrade() -> None:
    op.drop_index("ix_notice_ticket_hosts", table_name="notice")
    op.drop_table("ticket")
    for name in ("ticket_number", "ticket_url"):
        op.drop_column("notice_delivery", name)
    op.drop_column("notice_channel", "ticket_form")
