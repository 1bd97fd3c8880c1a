"""Rollups count each group with all below it too, so that a scope costs the same however many groups lie in it."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# What is not folded yet is spread over the groups above when it is folded; here is what was folded before.
_FILL = """
INSERT INTO rollup (group_id, rule_no, bucket, hosts, subjects, amount, subtree_hosts, subtree_subjects, subtree_amount)
SELECT above.id, r.rule_no, r.bucket, 0, 0, 0, sum(r.hosts), sum(r.subjects), sum(r.amount)
FROM rollup r JOIN host_group g ON g.id = r.group_id
CROSS JOIN unnest(CAST(string_to_array(trim(both '/' from g.path), '/') AS int[])) AS above (id)
GROUP BY above.id, r.rule_no, r.bucket ORDER BY above.id, r.rule_no, r.bucket
ON CONFLICT (group_id, rule_no, bucket) DO UPDATE SET subtree_hosts = excluded.subtree_hosts,
  subtree_subjects = excluded.subtree_subjects, subtree_amount = excluded.subtree_amount
"""
COLUMNS = (("subtree_hosts", sa.Integer()), ("subtree_subjects", sa.Integer()), ("subtree_amount", sa.Float()))


def upgrade() -> None:
    for name, kind in COLUMNS:
        op.add_column("rollup", sa.Column(name, kind, server_default="0", nullable=False))
    op.execute(_FILL)
    # Without a default, a process that was left running and does not know these counts fails to fold, rather than to miscount.
    for name, _ in COLUMNS:
        op.alter_column("rollup", name, server_default=None)


def downgrade() -> None:
    for name, _ in COLUMNS:
        op.drop_column("rollup", name)
