"""The clusters of a group and its subgroups that have the most of something, by the counts that are kept of them: a fleet has thousands."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session

from plumbline.infra.database import sql

# The first of the folded counts, as many as are wanted and one more for each cluster that waits to be folded; these; and those chosen. Only
# the folded counts of the first are read, one by one (`OFFSET 0`): PostgreSQL expects them to be a tenth of all, and would read all.
_LARGEST = """
WITH waiting AS MATERIALIZED (
  SELECT value, sum(hosts) AS hosts, sum(n_pass) AS n_pass, sum(n_fail) AS n_fail, sum(n_unknown) AS n_unknown
  FROM host_count_delta WHERE kind = 'cluster' AND {which} AND group_id = ANY(:groups) GROUP BY value),
first AS (
  SELECT value FROM host_count WHERE group_id = :root AND kind = 'cluster' AND {which} AND subtree_hosts > 0
  ORDER BY subtree_{by} DESC, value LIMIT CAST(:most + cardinality(CAST(:chosen AS text[])) AS int) + (SELECT count(*) FROM waiting)),
named AS (SELECT value FROM first UNION SELECT value FROM waiting UNION SELECT unnest(CAST(:chosen AS text[]))),
counted AS (
  SELECT n.value, coalesce(k.subtree_hosts, 0) + coalesce(w.hosts, 0) AS hosts,
    coalesce(k.subtree_n_pass, 0) + coalesce(w.n_pass, 0) AS n_pass,
    coalesce(k.subtree_n_fail, 0) + coalesce(w.n_fail, 0) AS n_fail,
    coalesce(k.subtree_n_unknown, 0) + coalesce(w.n_unknown, 0) AS n_unknown
  FROM named n LEFT JOIN LATERAL (
    SELECT * FROM host_count h WHERE h.group_id = :root AND h.kind = 'cluster' AND h.value = n.value OFFSET 0) AS k ON true
  LEFT JOIN waiting w ON w.value = n.value)
SELECT value, hosts, n_pass, n_fail, n_unknown{also} FROM counted WHERE hosts > 0
ORDER BY value = ANY(:chosen) DESC, {by} DESC, value LIMIT :most
"""
# Those with folded counts, and what waits to be folded makes of them.
_OF = """,
  (SELECT count(*) FROM host_count WHERE group_id = :root AND kind = 'cluster' AND subtree_hosts > 0)
  + (SELECT count(*) FILTER (WHERE coalesce(f.hosts, 0) + w.hosts > 0) - count(*) FILTER (WHERE f.hosts > 0) FROM waiting w
     LEFT JOIN LATERAL (SELECT h.subtree_hosts AS hosts FROM host_count h
       WHERE h.group_id = :root AND h.kind = 'cluster' AND h.value = w.value OFFSET 0) AS f ON true) AS of"""


def most_failing_clusters() -> str:
    """SQL that reads the clusters with the most failing findings: value, hosts, n_pass, n_fail, n_unknown. Parameters: `root`, a group;
    `groups`, this one and all below it; `most`; `chosen`, an empty list.
    """
    return _LARGEST.format(by="n_fail", also="", which="value <> ''")


def largest_clusters(session: Session, root: int, groups: Sequence[int], *, most: int, chosen: Sequence[str]) -> Sequence[Row[Any]]:
    """At most so many of the clusters of known hosts with the most hosts, those chosen first; an empty name: hosts without one. A row has
    `value`, `hosts`, and in `of` how many clusters there are. `groups` are the group `root` and all below it. One query.
    """
    values = {"root": root, "groups": list(groups), "most": most, "chosen": list(chosen)}
    return session.execute(sql(_LARGEST.format(by="hosts", also=_OF, which="true")), values).all()
