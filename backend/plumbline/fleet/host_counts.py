"""Counts over the hosts of some groups, in one pass over their rows: freshness, scores, and findings by system and by cluster.

The database groups by plain columns; labels are added here, once for each group instead of once for each host.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.core.freshness import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS
from plumbline.fleet.schemas import OutcomeBar
from plumbline.hosts.labels import os_label
from plumbline.models.hosts import COUNTED, REPORTS

MOST_BARS = 40

KNOWN = f"group_id = ANY(:groups) AND {COUNTED}"
SILENT = f"{REPORTS} AND (last_seen_at IS NULL OR last_seen_at < now() - interval_seconds * interval '{SILENT_AFTER_INTERVALS} seconds')"
_FRESH = f"last_seen_at >= now() - interval_seconds * interval '{LATE_AFTER_INTERVALS} seconds'"

# Three counts over the same rows; `grouping` distinguishes them: 3 by score, 1 by cluster, 2 by system. There are many clusters, so only
# those shown are returned.
_COUNTS = f"""
WITH counted AS (
  SELECT grouping(cluster, os_release) AS counting, cluster, os_release, os_name, platform, score, count(*) AS hosts,
    count(*) FILTER (WHERE {_FRESH}) AS fresh, count(*) FILTER (WHERE {SILENT}) AS silent,
    sum(n_pass) AS n_pass, sum(n_fail) AS n_fail, sum(n_unknown) AS n_unknown
  FROM host WHERE {KNOWN} GROUP BY GROUPING SETS ((cluster), (os_release, os_name, platform), (score)))
SELECT * FROM counted WHERE counting <> 1
UNION ALL (SELECT * FROM counted WHERE counting = 1 AND cluster <> '' ORDER BY n_fail DESC, cluster LIMIT :most)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class HostCounts:
    """Known hosts together. `scores`: hosts by score, without those that have none."""

    known: int
    fresh: int
    silent: int
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


def read_host_counts(session: Session, groups: Sequence[int]) -> HostCounts:
    """The known hosts of these groups. One query."""
    rows = session.execute(text(_COUNTS), {"groups": list(groups), "most": MOST_BARS}).all()
    by_score = [row for row in rows if row.counting == 3]
    return HostCounts(
        known=sum(row.hosts for row in by_score),
        fresh=sum(row.fresh for row in by_score),
        silent=sum(row.silent for row in by_score),
        scores={row.score: row.hosts for row in by_score if row.score is not None},
        by_os=_by_os([row for row in rows if row.counting == 2 and row.os_release]),
        by_cluster=[_bar(row.cluster, row.cluster, [row]) for row in rows if row.counting == 1],
    )


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
    passing, failing, unknown = (sum(getattr(row, name) for row in rows) for name in ("n_pass", "n_fail", "n_unknown"))
    return OutcomeBar(value=value, label=label, pass_=passing, fail=failing, unknown=unknown)
