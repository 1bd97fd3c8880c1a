"""Hosts counted by group ahead of time, so that a page counts no hosts (decision 0045).

Revision ID: 0057
Revises: 0056
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043): triggers count what they write.
is_additive = True

WORKERS = "plumbline_executor, plumbline_background"
TEXT = sqlmodel.sql.sqltypes.AutoString()
COUNTS = ("hosts", "n_pass", "n_fail", "n_unknown")
# What one host adds, and to which counts. `v` is its summary, `c` its combination.
KINDS = """
CROSS JOIN LATERAL (SELECT c.state IN ('active', 'quarantined') AS is_known) AS state
CROSS JOIN LATERAL (VALUES
  ('combination', CAST(c.id AS text), 1, true),
  ('all', '', 0, is_known),
  ('score', CAST(v.score AS text), 0, is_known AND v.score IS NOT NULL),
  ('cluster', v.cluster, 1, is_known),
  ('differing', CAST(c.id AS text), 0, v.failing && ARRAY(SELECT no FROM rule_number WHERE is_consistency))) AS k (kind, value, weight, applies)
"""
COUNT_HOST = f"""
CREATE FUNCTION count_host() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO host_count_delta (group_id, kind, value, hosts, n_pass, n_fail, n_unknown)
  SELECT v.group_id, k.kind, k.value, sum(v.sign), sum(v.sign * k.weight * v.n_pass), sum(v.sign * k.weight * v.n_fail),
    sum(v.sign * k.weight * v.n_unknown)
  FROM (VALUES (OLD.group_id, OLD.combination_id, OLD.cluster, OLD.score, OLD.n_pass, OLD.n_fail, OLD.n_unknown, OLD.failing, -1),
               (NEW.group_id, NEW.combination_id, NEW.cluster, NEW.score, NEW.n_pass, NEW.n_fail, NEW.n_unknown, NEW.failing, 1))
    AS v (group_id, combination_id, cluster, score, n_pass, n_fail, n_unknown, failing, sign)
  JOIN host_combination c ON c.id = v.combination_id
  {KINDS}
  WHERE k.applies GROUP BY 1, 2, 3
  HAVING (sum(v.sign), sum(v.sign * k.weight * v.n_pass), sum(v.sign * k.weight * v.n_fail), sum(v.sign * k.weight * v.n_unknown))
    <> (0, 0, 0, 0);
  RETURN NULL;
END $$
"""
COUNTED = ("group_id", "combination_id", "cluster", "score", "n_pass", "n_fail", "n_unknown", "failing")
DIFFERS = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in COUNTED)
# Which rules compare hosts with their peers changed: hosts that fail one of these are counted again. Nobody may change a summary meanwhile.
RECOUNT = """
CREATE FUNCTION recount_differing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed smallint[] := ARRAY(SELECT no FROM newer JOIN older USING (no) WHERE newer.is_consistency <> older.is_consistency);
  now_compared smallint[];
  once_compared smallint[];
BEGIN
  IF changed = '{}' THEN
    RETURN NULL;
  END IF;
  LOCK TABLE host_summary IN SHARE ROW EXCLUSIVE MODE;
  now_compared := ARRAY(SELECT no FROM rule_number WHERE is_consistency);
  once_compared := ARRAY(SELECT no FROM rule_number WHERE is_consistency AND no <> ALL(changed))
    || ARRAY(SELECT no FROM older WHERE is_consistency AND no = ANY(changed));
  INSERT INTO host_count_delta (group_id, kind, value, hosts, n_pass, n_fail, n_unknown)
  SELECT group_id, 'differing', CAST(combination_id AS text),
    sum(CAST(failing && now_compared AS int) - CAST(failing && once_compared AS int)), 0, 0, 0
  FROM host_summary WHERE failing && changed GROUP BY group_id, combination_id
  HAVING sum(CAST(failing && now_compared AS int) - CAST(failing && once_compared AS int)) <> 0;
  RETURN NULL;
END $$
"""
# The hosts there are now, in their own group and in all groups above it.
FILL = f"""
INSERT INTO host_count (group_id, kind, value, hosts, n_pass, n_fail, n_unknown,
  subtree_hosts, subtree_n_pass, subtree_n_fail, subtree_n_unknown)
WITH counted AS (
  SELECT v.group_id, k.kind, k.value, count(*) AS hosts, sum(k.weight * v.n_pass) AS n_pass, sum(k.weight * v.n_fail) AS n_fail,
    sum(k.weight * v.n_unknown) AS n_unknown
  FROM host_summary v JOIN host_combination c ON c.id = v.combination_id
  {KINDS}
  WHERE k.applies GROUP BY 1, 2, 3)
SELECT above.id, n.kind, n.value, {", ".join(f"sum(CAST(above.id = n.group_id AS int) * n.{name})" for name in COUNTS)},
  {", ".join(f"sum(n.{name})" for name in COUNTS)}
FROM counted n JOIN host_group g ON g.id = n.group_id
CROSS JOIN unnest(CAST(string_to_array(trim(both '/' from g.path), '/') AS int[])) AS above (id)
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
# A group that moves takes its counts along. Whoever changes paths holds the lock of the tree, as the process that folds does.
CARRY = """
CREATE FUNCTION carry_host_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO host_count AS kept (group_id, kind, value, hosts, n_pass, n_fail, n_unknown,
    subtree_hosts, subtree_n_pass, subtree_n_fail, subtree_n_unknown)
  SELECT above.id, own.kind, own.value, 0, 0, 0, 0, sum(above.sign * own.hosts), sum(above.sign * own.n_pass),
    sum(above.sign * own.n_fail), sum(above.sign * own.n_unknown)
  FROM host_count own CROSS JOIN (
    SELECT CAST(id AS int) AS id, -1 AS sign FROM regexp_split_to_table(OLD.path, '/') AS id WHERE id ~ '^[0-9]+$'
    UNION ALL
    SELECT CAST(id AS int), 1 FROM regexp_split_to_table(NEW.path, '/') AS id WHERE id ~ '^[0-9]+$') AS above
  WHERE own.group_id = NEW.id AND own.hosts <> 0
  GROUP BY above.id, own.kind, own.value HAVING sum(above.sign) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (group_id, kind, value) DO UPDATE SET subtree_hosts = kept.subtree_hosts + excluded.subtree_hosts,
    subtree_n_pass = kept.subtree_n_pass + excluded.subtree_n_pass, subtree_n_fail = kept.subtree_n_fail + excluded.subtree_n_fail,
    subtree_n_unknown = kept.subtree_n_unknown + excluded.subtree_n_unknown;
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "host_count_delta",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in COUNTS),
    )
    op.create_table(
        "host_count",
        sa.Column("group_id", sa.Integer(), primary_key=True),
        sa.Column("kind", TEXT, primary_key=True),
        sa.Column("value", TEXT, primary_key=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in (*COUNTS, *(f"subtree_{name}" for name in COUNTS))),
        postgresql_with={"fillfactor": 80},
    )
    # What the rules say is noted here at the next start, which counts the hosts that fail one.
    op.add_column("rule_number", sa.Column("is_consistency", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.execute(COUNT_HOST)
    # Creating a trigger keeps everybody from writing the table until the end, so no host changes between this and the first count.
    op.execute("CREATE TRIGGER count_added AFTER INSERT OR DELETE ON host_summary FOR EACH ROW EXECUTE FUNCTION count_host()")
    op.execute(
        f"CREATE TRIGGER count_changed AFTER UPDATE OF {', '.join(COUNTED)} ON host_summary FOR EACH ROW WHEN ({DIFFERS})"
        " EXECUTE FUNCTION count_host()"
    )
    op.execute(FILL)
    is_cluster = sa.text("kind = 'cluster'")
    for name in ("subtree_n_fail", "subtree_hosts"):
        columns = ["group_id", sa.text(f"{name} DESC"), "value"]
        op.create_index(f"ix_host_count_{name}", "host_count", columns, postgresql_where=is_cluster)
    op.create_index("ix_host_count_empty", "host_count", ["group_id"], postgresql_where=sa.text("subtree_hosts = 0"))
    op.execute(RECOUNT)
    op.execute(
        "CREATE TRIGGER recount_differing AFTER UPDATE ON rule_number REFERENCING OLD TABLE AS older NEW TABLE AS newer"
        " FOR EACH STATEMENT EXECUTE FUNCTION recount_differing()"
    )
    op.execute(CARRY)
    op.execute(
        "CREATE TRIGGER carry_host_counts AFTER UPDATE OF path ON host_group FOR EACH ROW WHEN (OLD.path <> NEW.path)"
        " EXECUTE FUNCTION carry_host_counts()"
    )
    op.execute(f"REVOKE ALL ON host_count, host_count_delta FROM {WORKERS}")
    op.execute(f"GRANT SELECT ON host_count, host_count_delta TO {WORKERS}")
    op.execute("GRANT INSERT, UPDATE, DELETE ON host_count TO plumbline_background")
    op.execute("GRANT DELETE ON host_count_delta TO plumbline_background")


def downgrade() -> None:
    for name in ("count_added", "count_changed"):
        op.execute(f"DROP TRIGGER {name} ON host_summary")
    op.execute("DROP TRIGGER carry_host_counts ON host_group")
    op.execute("DROP TRIGGER recount_differing ON rule_number")
    op.execute("DROP FUNCTION count_host, carry_host_counts, recount_differing")
    op.drop_column("rule_number", "is_consistency")
    op.drop_table("host_count")
    op.drop_table("host_count_delta")
