"""Symptoms of hosts: figures that stay past their limit, found in the amounts of hours.

A symptom opens with the second usable hour in a row above its limit and closes with the second in a row below four fifths of it, so that
one bad hour opens none and a value at the limit does not flap. Usable is an hour with 15 minutes of readings and enough traffic to speak of
a share. Pause frames have no limit: where flow control works they are how a full port says so.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from plumbline.infra.database import now_of
from plumbline.models.hosts import COUNTED
from plumbline.performance.fleet_metrics import FLEET_METRICS, FleetMetric

LOOK_BACK = timedelta(hours=24)
# What is older than this says nothing about now; a host that sends nothing is a problem of its own.
NEWEST = timedelta(hours=3)
LARGEST_GAP = timedelta(hours=3)
LEAST_SECONDS = 900
# Segments or packets of an hour: of fewer, one more or less would pass a limit.
LEAST_AMOUNT = 10_000
LEAST_PEERS = 2


class Detector(NamedTuple):
    """So many hours in a row above the limit open a symptom; so many in a row below this part of it close it."""

    opens_after: int
    closes_after: int
    closes_below: float


class OpenTime(NamedTuple):
    """A symptom from its first hour above the limit to the hour that closed it; None: it is open still."""

    began: datetime
    ended: datetime | None


DETECTOR = Detector(opens_after=2, closes_after=2, closes_below=0.8)

LIMITED = tuple(metric for metric in FLEET_METRICS if metric.limit is not None)
_IS_HIGH = " OR ".join(
    f"c.{metric.part} * {metric.factor} > {DETECTOR.closes_below * (metric.limit or 0)!r} * {f'c.{metric.whole}' if metric.whole else '1'}"
    for metric in LIMITED
)
_SUSPECTS = f"""
SELECT DISTINCT h.id, h.cluster FROM counter_hour c JOIN host h ON h.id = c.host_id
WHERE c.hour >= :newest AND c.seconds >= {LEAST_SECONDS} AND h.group_id = ANY(:groups) AND h.{COUNTED} AND (:host = '' OR h.id = :host)
  AND ({_IS_HIGH})
ORDER BY h.id LIMIT :most
"""  # noqa: S608 - constants
_COLUMNS = ", ".join(f"c.{name}" for name in dict.fromkeys(part for each in LIMITED for part in (each.part, each.whole) if part))
HOURS_OF_HOSTS = f"""
SELECT c.host_id, c.hour, 1 AS hosts, c.seconds, {_COLUMNS} FROM counter_hour c WHERE c.host_id = ANY(:hosts) AND c.hour >= :since
ORDER BY c.host_id, c.hour
"""  # noqa: S608 - constants
_PEERS = f"""
SELECT h.cluster, h.id, 1 AS hosts, c.seconds, {_COLUMNS} FROM host h JOIN counter_hour c ON c.host_id = h.id
WHERE h.cluster = ANY(:clusters) AND h.group_id = ANY(:groups) AND h.{COUNTED} AND c.hour >= :newest AND c.seconds >= {LEAST_SECONDS}
ORDER BY h.id, c.hour
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Symptom:
    """A figure of a host that is past its limit. `since` is the first hour above it, at most a day ago; `value` the mean since then.

    `peers` is how many other hosts of the cluster in these groups have that figure, `peers_value` its median on them.
    """

    metric: FleetMetric
    value: float
    since: datetime
    is_a_day: bool
    peers: int
    peers_value: float | None

    @property
    def excess(self) -> float:
        """How many times the limit it is."""
        return self.value / (self.metric.limit or 1)


def find_symptoms(session: Session, *, groups: Sequence[int], host_id: str = "", most: int) -> dict[str, list[Symptom]]:
    """The open symptoms of hosts of these groups, the furthest past its limit first. Four queries, whatever the size of the fleet."""
    now = now_of(session).astimezone(UTC)
    newest, since = now - NEWEST, now - LOOK_BACK
    suspects = session.execute(text(_SUSPECTS), {"newest": newest, "groups": list(groups), "host": host_id, "most": most}).all()
    if not suspects:
        return {}
    hours: dict[str, list[Mapping[str, Any]]] = {}
    for row in session.execute(text(HOURS_OF_HOSTS), {"hosts": [each.id for each in suspects], "since": since}).mappings():
        hours.setdefault(row["host_id"], []).append(dict(row))
    clusters = sorted({each.cluster for each in suspects if each.cluster})
    peers: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for row in session.execute(text(_PEERS), {"clusters": clusters, "groups": list(groups), "newest": newest}).mappings():
        peers.setdefault(row["cluster"], {}).setdefault(row["id"], []).append(dict(row))
    found = {}
    for suspect in suspects:
        beside = [rows for other, rows in peers.get(suspect.cluster, {}).items() if other != suspect.id]
        symptoms = [symptom for metric in LIMITED if (symptom := _symptom(metric, hours.get(suspect.id, []), beside, now=now)) is not None]
        if symptoms:
            found[suspect.id] = sorted(symptoms, key=lambda each: -each.excess)
    return found


def _symptom(
    metric: FleetMetric, rows: Iterable[Mapping[str, Any]], beside: Iterable[Sequence[Mapping[str, Any]]], *, now: datetime
) -> Symptom | None:
    points = [(row["hour"], value) for row in rows if (value := usable(metric, row)) is not None]
    since = open_since(points, metric.limit or 0)
    if since is None or points[-1][0] < now - NEWEST:
        return None
    above = [value for at, value in points if at >= since]
    others = [
        statistics.fmean(known) for rows in beside if (known := [value for row in rows if (value := usable(metric, row)) is not None])
    ]
    return Symptom(
        metric=metric,
        value=statistics.fmean(above),
        since=since,
        is_a_day=since == points[0][0] and now - since > LOOK_BACK - timedelta(hours=2),
        peers=len(others),
        peers_value=statistics.median(others) if len(others) >= LEAST_PEERS else None,
    )


def usable(metric: FleetMetric, row: Mapping[str, Any]) -> float | None:
    """The figure of an hour; None where there are too few readings, or too little traffic for a share."""
    if row["seconds"] < LEAST_SECONDS or (metric.whole and (row[metric.whole] or 0) < LEAST_AMOUNT):
        return None
    return metric.of(row)


def open_since(points: Iterable[tuple[datetime, float]], limit: float) -> datetime | None:
    """The hour in which the symptom that is open after the last point began; None where none is open. After a long gap nothing is known."""
    last = next(reversed(open_times(points, limit)), None)
    return last.began if last is not None and last.ended is None else None


def open_times(points: Iterable[tuple[datetime, float]], limit: float, detector: Detector = DETECTOR) -> list[OpenTime]:
    """When the symptom was open, in order. A long gap ends it with the hour before the gap."""
    found: list[OpenTime] = []
    first = before = None
    above = below = 0
    for at, value in points:
        is_open = bool(found) and found[-1].ended is None
        if before is not None and at - before > LARGEST_GAP:
            if is_open:
                found[-1] = OpenTime(found[-1].began, before)
            is_open, above, below = False, 0, 0
        before = at
        if value > limit:
            first = at if above == 0 or first is None else first
            above, below = above + 1, 0
            if not is_open and above >= detector.opens_after:
                found.append(OpenTime(first, None))
        else:
            above = 0
            below = below + 1 if value < detector.closes_below * limit else 0
            if is_open and below >= detector.closes_after:
                found[-1] = OpenTime(found[-1].began, at)
    return found
