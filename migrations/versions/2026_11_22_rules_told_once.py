"""Rules that ask the same are told once in the rollups, under the number that each finding names."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# Until a host is judged again each of its rules is told by itself: just what the counts of that rule say. So no finding is read here.
_TELL_EACH = """
INSERT INTO {table} (group_id, rule_no, bucket, hosts, subjects, amount)
SELECT group_id, -rule_no, bucket, hosts, subjects, amount FROM {table} WHERE rule_no > 0
"""


def upgrade() -> None:
    op.add_column("finding", sa.Column("told_as", sa.SmallInteger(), server_default="0", nullable=False))
    for table in ("rollup", "rollup_delta"):
        op.execute(_TELL_EACH.format(table=table))
    op.execute("UPDATE installation SET judging_epoch = judging_epoch + 1")


def downgrade() -> None:
    for table in ("rollup", "rollup_delta"):
        op.execute(f"DELETE FROM {table} WHERE rule_no < 0")
    op.drop_column("finding", "told_as")
