"""Evidence bundles, one signed file about a group as of an instant; and how far changes of settings were read for notifications.

The purge keeps bundles, like reports: an auditor may come back to one after years.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "evidence_bundle",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("as_of", time, nullable=False),
        sa.Column("since", time, nullable=False),
        sa.Column("requested_by", sa.Integer(), nullable=False),
        sa.Column("requested_at", time, server_default=sa.text("now()"), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("error", TEXT, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("sha256", TEXT, nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("findings", sa.Integer(), nullable=False),
        sa.Column("finished_at", time, nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_evidence_bundle_group_id_host_group")),
        sa.ForeignKeyConstraint(["requested_by"], ["person.id"], name=op.f("fk_evidence_bundle_requested_by_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence_bundle")),
    )
    # Executors change hosts; what is handed to auditors is none of their business.
    op.execute("REVOKE ALL ON evidence_bundle FROM plumbline_executor")
    op.execute("REVOKE INSERT, DELETE ON evidence_bundle FROM plumbline_background")
    op.add_column("notice_cursor", sa.Column("changes_until", time, nullable=True))


def downgrade() -> None:
    op.drop_column("notice_cursor", "changes_until")
    op.drop_table("evidence_bundle")
