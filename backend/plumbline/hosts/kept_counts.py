"""Hosts counted by group ahead of time (decision 0045): triggers add to `host_count_delta` what each change of a host's summary changes of
the counts, `fold_counts` adds that up for the host's group and all groups above it, and a reader takes both together.

A folded row has the hosts of the group itself, and those of it with all its subgroups. Only the holder of `TREE_LOCK` writes folded rows;
a trigger on `host_group` carries them along when a group moves.
"""

from sqlmodel import Session

from plumbline.infra.database import sql
from plumbline.models.hosts import COUNTED, TREE_LOCK

_OWN = ("hosts", "n_pass", "n_fail", "n_unknown")
_SUBTREE = tuple(f"subtree_{name}" for name in _OWN)
# The group `g` and all groups above it: the ids in its path.
_ABOVE = "unnest(CAST(string_to_array(trim(both '/' from g.path), '/') AS int[])) AS above (id)"
_FOLD = f"""
WITH taken AS (DELETE FROM host_count_delta RETURNING group_id, kind, value, {", ".join(_OWN)}),
summed AS (SELECT group_id, kind, value, {", ".join(f"sum({name}) AS {name}" for name in _OWN)}, count(*) AS n
           FROM taken GROUP BY group_id, kind, value),
folded AS (
  INSERT INTO host_count (group_id, kind, value, {", ".join((*_OWN, *_SUBTREE))})
  SELECT above.id, s.kind, s.value, {", ".join(f"sum(CAST(above.id = s.group_id AS int) * s.{name})" for name in _OWN)},
    {", ".join(f"sum(s.{name})" for name in _OWN)}
  FROM summed s JOIN host_group g ON g.id = s.group_id CROSS JOIN {_ABOVE}
  GROUP BY above.id, s.kind, s.value ORDER BY above.id, s.kind, s.value
  ON CONFLICT (group_id, kind, value)
  DO UPDATE SET {", ".join(f"{name} = host_count.{name} + excluded.{name}" for name in (*_OWN, *_SUBTREE))})
SELECT coalesce(sum(n), 0)::int FROM summed
"""  # noqa: S608 - names of columns
# Counts of values that no host of the group or below it has any more; they come to no findings either.
_DROP_EMPTY = "DELETE FROM host_count WHERE subtree_hosts = 0 AND hosts = 0"
# What `count_host` of migration 0057 counts, from the hosts themselves.
_WRONG = f"""
WITH raw AS (
  SELECT v.group_id, k.kind, k.value, count(*) AS hosts, sum(k.weight * v.n_pass) AS n_pass, sum(k.weight * v.n_fail) AS n_fail,
    sum(k.weight * v.n_unknown) AS n_unknown
  FROM host_value v CROSS JOIN LATERAL (VALUES
    ('combination', CAST(v.combination_id AS text), 1, true), ('all', '', 0, v.{COUNTED}),
    ('score', CAST(v.score AS text), 0, v.{COUNTED} AND v.score IS NOT NULL),
    ('cluster', v.cluster, 1, v.{COUNTED}),
    ('differing', CAST(v.combination_id AS text), 0, v.failing && ARRAY(SELECT no FROM rule_number WHERE is_consistency))
  ) AS k (kind, value, weight, applies)
  WHERE k.applies GROUP BY 1, 2, 3),
own AS (
  SELECT group_id, kind, value, {", ".join(f"sum({name}) AS {name}" for name in _OWN)} FROM (
    SELECT group_id, kind, value, {", ".join(_OWN)} FROM host_count
    UNION ALL SELECT group_id, kind, value, {", ".join(_OWN)} FROM host_count_delta) AS both_of GROUP BY 1, 2, 3),
below AS (
  SELECT above.id AS group_id, n.kind, n.value, {", ".join(f"sum(n.{name}) AS {name}" for name in _OWN)}
  FROM host_count n JOIN host_group g ON g.id = n.group_id CROSS JOIN {_ABOVE} GROUP BY 1, 2, 3)
SELECT 'group ' || group_id AS place, kind, value FROM raw FULL JOIN own USING (group_id, kind, value)
WHERE ({", ".join(f"coalesce(raw.{name}, 0)" for name in _OWN)}) <> ({", ".join(f"coalesce(own.{name}, 0)" for name in _OWN)})
UNION ALL
SELECT 'group ' || group_id || ' and its subgroups', kind, value FROM host_count kept FULL JOIN below USING (group_id, kind, value)
WHERE ({", ".join(f"coalesce(kept.{name}, 0)" for name in _SUBTREE)}) <> ({", ".join(f"coalesce(below.{name}, 0)" for name in _OWN)})
ORDER BY 1, 2, 3 LIMIT :most
"""  # noqa: S608 - names of columns


def fold_counts(session: Session) -> int:
    """Moves every delta into the folded counts; answers how many rows. Does nothing while another process folds, or moves a group."""
    if not session.execute(sql("SELECT pg_try_advisory_xact_lock(:key)"), {"key": TREE_LOCK}).scalar_one():
        return 0
    folded = int(session.execute(sql(_FOLD)).scalar_one())
    if folded:
        session.execute(sql(_DROP_EMPTY))
    return folded


def wrong_counts(session: Session, *, most: int = 20) -> list[str]:
    """Counts that are another than those of the hosts, or of the groups below: "group 7, score 40". One query, which reads every host."""
    rows = session.execute(sql(_WRONG), {"most": most})
    return [f"{row.place}, {row.kind} {row.value}".strip() for row in rows]
