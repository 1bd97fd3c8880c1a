"""How many steps a job has, for lists that do not read the whole plan."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("steps_total", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.alter_column("job", "steps_total", server_default=None)


def downgrade() -> None:
    op.drop_column("job", "steps_total")
