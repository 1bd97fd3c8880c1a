"""Where a host's runner lies, which one it is, and who asked for it."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()
_WORDS = ("runner_folder", "runner_sha256", "runner_asked_by")


def upgrade() -> None:
    for name in _WORDS:
        # The default is for rows that are there already: the models give every new row its values.
        op.add_column("remediation_endpoint", sa.Column(name, TEXT, server_default=sa.text("''"), nullable=False))
        op.alter_column("remediation_endpoint", name, server_default=None)
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.add_column("remediation_endpoint", sa.Column("runner_installed_at", time, nullable=True))
    op.execute("GRANT UPDATE (runner_folder, runner_sha256, runner_installed_at) ON remediation_endpoint TO plumbline_hands")


def downgrade() -> None:
    for name in (*_WORDS, "runner_installed_at"):
        op.drop_column("remediation_endpoint", name)
