"""An index of the days of counters, for dropping the old ones without reading all of them."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_counter_day_day", "counter_day", ["day"], postgresql_using="brin")


def downgrade() -> None:
    op.drop_index("ix_counter_day_day")
