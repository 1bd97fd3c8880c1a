"""What the detector of symptoms would have opened in the hours that are kept: the back-test of its limits and of its two hours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.infra.database import now_of
from plumbline.models.hosts import COUNTED
from plumbline.performance.fleet_metrics import FleetMetric
from plumbline.performance.symptoms import DETECTOR, HOURS_OF_HOSTS, LEAST_SECONDS, LIMITED, Detector, OpenTime, open_times, usable

# Hours of hosts are kept for 31 days; whole weeks of them.
DAYS = 28
# Hosts that were above a limit and are looked at; a page of figures is no place to read a whole large fleet's month.
MOST_HOSTS = 200
# The same limits with other patience: one hour is a plain threshold.
OTHERS = (Detector(1, 1, 1.0), Detector(3, 2, DETECTOR.closes_below))
_ABOVE = " OR ".join(
    f"c.{metric.part} * {metric.factor} > {metric.limit!r} * {f'c.{metric.whole}' if metric.whole else '1'}" for metric in LIMITED
)
_REACH = f"""
SELECT (SELECT min(hour) FROM counter_hour WHERE hour >= :since) AS first, count(*) AS hosts FROM host h
WHERE h.group_id = ANY(:groups) AND h.{COUNTED} AND EXISTS (SELECT FROM counter_hour c WHERE c.host_id = h.id AND c.hour >= :since)
"""  # noqa: S608 - constants
_ABOVE_LIMIT = f"""
SELECT h.id, h.name FROM host h WHERE h.group_id = ANY(:groups) AND h.{COUNTED} AND EXISTS (
  SELECT FROM counter_hour c WHERE c.host_id = h.id AND c.hour >= :since AND c.seconds >= {LEAST_SECONDS} AND ({_ABOVE}))
ORDER BY h.id LIMIT :most
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class PastAlarm:
    """A symptom that was open."""

    host_id: str
    host: str
    metric: FleetMetric
    time: OpenTime


@dataclass(frozen=True, slots=True)
class BackTest:
    """`alarms` of the detector as it is; `with_others` how many of each figure the `OTHERS` would have opened.

    `hosts` sent counters since `since`; `is_cut`: more were above a limit than are looked at.
    """

    since: datetime
    until: datetime
    hosts: int
    is_cut: bool
    alarms: Sequence[PastAlarm]
    with_others: Mapping[str, Sequence[int]]


def run_back_test(session: Session, *, groups: Sequence[int]) -> BackTest:
    """Runs the detector over the last 28 days of hosts of these groups, or over what is there of them. Four queries."""
    now = now_of(session).astimezone(UTC)
    since = now - timedelta(days=DAYS)
    values = {"since": since, "groups": list(groups), "most": MOST_HOSTS + 1}
    reach = session.execute(text(_REACH), values).one()
    named = {row.id: row.name for row in session.execute(text(_ABOVE_LIMIT), values)}
    looked_at = list(named)[:MOST_HOSTS]
    hours: dict[str, list[Mapping[str, Any]]] = {}
    for row in session.execute(text(HOURS_OF_HOSTS), {"since": since, "hosts": looked_at}).mappings() if looked_at else ():
        hours.setdefault(row["host_id"], []).append(dict(row))
    alarms: list[PastAlarm] = []
    with_others: dict[str, list[int]] = {metric.name: [0] * len(OTHERS) for metric in LIMITED}
    for host_id, rows in hours.items():
        for metric in LIMITED:
            points = [(row["hour"], value) for row in rows if (value := usable(metric, row)) is not None]
            alarms += [PastAlarm(host_id, named[host_id], metric, time) for time in open_times(points, metric.limit or 0)]
            for place, other in enumerate(OTHERS):
                with_others[metric.name][place] += len(open_times(points, metric.limit or 0, other))
    began = reach.first.astimezone(UTC) if reach.first else now
    return BackTest(max(since, began), now, reach.hosts, len(named) > MOST_HOSTS, alarms, with_others)
