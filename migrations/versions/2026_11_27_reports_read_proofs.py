"""Reports tell of the benchmark proofs of their period, so the worker that makes them reads proofs."""

from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("GRANT SELECT ON proof TO plumbline_background")


def downgrade() -> None:
    op.execute("REVOKE SELECT ON proof FROM plumbline_background")
