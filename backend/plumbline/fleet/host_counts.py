"""Counts over the hosts of a group and its subgroups: scores, findings by system and by cluster, and how fresh they are.

The database groups by plain columns; labels are added here, once for each group instead of once for each host.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session

from plumbline.auth.scope import GroupScope, groups_below
from plumbline.core.freshness import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS
from plumbline.fleet.schemas import OutcomeBar, SilentHost
from plumbline.hosts.cluster_counts import most_failing_clusters
from plumbline.hosts.labels import os_label
from plumbline.hosts.summary_counts import are_late_hosts_noted
from plumbline.infra.database import sql
from plumbline.infra.schemas import Schema
from plumbline.models.host_summaries import kept_counts
from plumbline.models.hosts import COUNTED, CheckInSource

MOST_BARS = 40
MOST_SILENT = 50

KNOWN = f"group_id = ANY(:groups) AND {COUNTED}"
_IS_SILENT = f"(last_seen_at IS NULL OR last_seen_at < now() - interval_seconds * interval '{SILENT_AFTER_INTERVALS} seconds')"
_FRESH = f"last_seen_at >= now() - interval_seconds * interval '{LATE_AFTER_INTERVALS} seconds'"
# Three counts: 0 by system, 1 by score, 2 by cluster; there are many clusters, so only those shown are returned.
_COUNTS = f"""
WITH own AS (SELECT CAST(value AS bigint) AS combination_id, hosts, n_pass, n_fail, n_unknown FROM ({kept_counts("combination")}) AS kept),
scores AS (SELECT CAST(value AS int) AS score, sum(hosts) AS hosts FROM ({kept_counts("score")}) AS kept GROUP BY 1)
SELECT 0 AS counting, '' AS cluster, c.os_release, c.os_name, c.platform, NULL AS score, sum(o.hosts) AS hosts,
  sum(o.hosts) FILTER (WHERE NOT c.is_bundle) AS reporting, sum(o.n_pass) AS n_pass, sum(o.n_fail) AS n_fail, sum(o.n_unknown) AS n_unknown
FROM own o JOIN host_combination c ON c.id = o.combination_id WHERE c.{COUNTED} GROUP BY c.os_release, c.os_name, c.platform
UNION ALL SELECT 1, NULL, NULL, NULL, NULL, score, hosts, NULL, NULL, NULL, NULL FROM scores WHERE hosts <> 0
UNION ALL SELECT 2, value, NULL, NULL, NULL, NULL, hosts, NULL, n_pass, n_fail, n_unknown FROM ({most_failing_clusters()}) AS clusters
"""  # noqa: S608 - constants
# Of hosts that may be late: how many are, and those without check-ins for longest.
_LATE = f"""
WITH late AS MATERIALIZED (
  SELECT h.id, h.name, h.last_seen_at, h.source, h.alarm, {_FRESH} AS is_fresh, {_IS_SILENT} AS is_silent
  FROM host_summary s JOIN host_combination c ON c.id = s.combination_id JOIN host h ON h.id = s.host_id
  WHERE {{scope}} AND c.{COUNTED} AND NOT c.is_bundle AND {{late}})
SELECT t.hosts, t.fresh, t.silent, l.id, l.name, l.last_seen_at, l.source, l.alarm
FROM (SELECT count(*) AS hosts, count(*) FILTER (WHERE is_fresh) AS fresh, count(*) FILTER (WHERE is_silent) AS silent FROM late) AS t
LEFT JOIN (SELECT * FROM late WHERE is_silent ORDER BY last_seen_at NULLS FIRST, id LIMIT :most_silent) AS l ON true
ORDER BY l.last_seen_at NULLS FIRST, l.id
"""  # noqa: S608 - constants


class LateHosts(Schema):
    """Known hosts that may be late together: how many there are, are up to date after all, and don't report; and those without check-ins
    for longest.
    """

    hosts: int
    fresh: int
    silent: int
    silent_hosts: list[SilentHost]


@dataclass(frozen=True, slots=True)
class HostCounts:
    """Known hosts together. `scores`: hosts by score, without those that have none. `silent_hosts`: those without check-ins for longest."""

    known: int
    fresh: int
    silent: int
    silent_hosts: list[SilentHost]
    scores: Mapping[int, int]
    by_os: list[OutcomeBar]
    by_cluster: list[OutcomeBar]

    @property
    def scored(self) -> int:
        """Hosts with a score."""
        return sum(self.scores.values())

    @property
    def mean(self) -> float | None:
        """The mean score to one decimal; None without a scored host."""
        return round(sum(score * hosts for score, hosts in self.scores.items()) / self.scored, 1) if self.scores else None

    @property
    def median(self) -> float | None:
        """The median score."""
        if not self.scores:
            return None
        return (self._score_at((self.scored - 1) // 2) + self._score_at(self.scored // 2)) / 2

    def _score_at(self, place: int) -> int:
        """The score of the host at this place, counted from 0 from the lowest."""
        for score in sorted(self.scores):
            place -= self.scores[score]
            if place < 0:
                return score
        raise IndexError(place)


def read_host_counts(session: Session, scope: GroupScope, *, prepared: LateHosts | None = None) -> HostCounts:
    """The known hosts of a group and of those below it that a person may read. Three queries at most. `prepared`: the hosts that may be
    late, if known.
    """
    values: dict[str, Any] = {"groups": scope.below, "root": scope.group.id, "most": MOST_BARS, "chosen": []}
    rows = session.execute(sql(_COUNTS), values).all()
    by_os = [row for row in rows if row.counting == 0]
    late = prepared or _late_hosts(session, scope.below, is_all=scope.is_all)
    reporting = sum(int(row.reporting or 0) for row in by_os)
    return HostCounts(
        known=sum(int(row.hosts) for row in by_os),
        fresh=reporting - late.hosts + late.fresh,
        silent=late.silent,
        silent_hosts=late.silent_hosts,
        scores={row.score: int(row.hosts) for row in rows if row.counting == 1},
        by_os=_by_os([row for row in by_os if row.os_release and row.hosts]),
        by_cluster=[_bar(row.cluster, row.cluster, [row]) for row in rows if row.counting == 2],
    )


def prepare_silent(session: Session, group_id: int, _: datetime) -> LateHosts:
    """The hosts of a group with many that may be late, for its overview."""
    return _late_hosts(session, groups_below(session, group_id), is_all=False)


def _late_hosts(session: Session, groups: Sequence[int], *, is_all: bool) -> LateHosts:
    is_noted = are_late_hosts_noted(session)
    scope = "true" if is_all else "s.group_id = ANY(:groups)"
    values = {"groups": list(groups), "most_silent": MOST_SILENT}
    rows = session.execute(sql(_LATE.format(scope=scope, late="s.may_be_late" if is_noted else "true")), values).all()
    hosts = [
        SilentHost(id=row.id, name=row.name, last_seen_at=row.last_seen_at, why=_why_silent(row.last_seen_at, row.source, row.alarm))
        for row in rows
        if row.id is not None
    ]
    return LateHosts(hosts=rows[0].hosts, fresh=rows[0].fresh, silent=rows[0].silent, silent_hosts=hosts)


def _why_silent(last_seen_at: datetime | None, source: str, alarm: str) -> str:
    if alarm:
        return alarm
    if last_seen_at is None:
        return "Enrolled but never checked in"
    return "Could not be read" if source == CheckInSource.COLLECTOR else "Agent stopped or can't reach the server"


def _by_os(rows: Sequence[Row[Any]]) -> list[OutcomeBar]:
    """A bar for each release, under the first of its names."""
    releases: dict[str, list[Row[Any]]] = {}
    for row in rows:
        releases.setdefault(row.os_release, []).append(row)
    bars = [_bar(release, min(os_label(*_system(row)) for row in alike), alike) for release, alike in releases.items()]
    return sorted(bars, key=lambda bar: (-bar.fail, bar.value))[:MOST_BARS]


def _system(row: Row[Any]) -> tuple[str, str, str]:
    return row.platform, row.os_name, row.os_release


def _bar(value: str, label: str, rows: Sequence[Row[Any]]) -> OutcomeBar:
    passing, failing, unknown = (int(sum(getattr(row, name) for row in rows)) for name in ("n_pass", "n_fail", "n_unknown"))
    return OutcomeBar(value=value, label=label, pass_=passing, fail=failing, unknown=unknown)
