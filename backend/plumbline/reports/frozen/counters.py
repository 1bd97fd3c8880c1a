"""The counters of a report: the fleet's figures over its period, as the Performance page has them, in at most a hundred steps.

A group's are the sums that are kept for two years; those of a saved view are of the hours of its hosts, which are kept for 31 days.
"""

import math
import statistics
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import text

from plumbline.core.texts import figure
from plumbline.infra.clock import iso
from plumbline.performance.fleet_metrics import AMOUNTS, FLEET_METRICS, rounded
from plumbline.reports.frozen.scope import Scope

# What a chart of a page can show; a step is a whole number of hours that people count in.
_MOST_STEPS: Final = 100
_STEP_HOURS: Final = (1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336)
_SUMS: Final = ", ".join(f"sum(c.{name}) AS {name}" for name in AMOUNTS)
_STEPS: Final = """
SELECT floor(extract(epoch FROM c.hour - CAST(:from AS timestamptz)) / (:step_hours * 3600))::int AS step,
  {hosts}::float / :step_hours AS hosts, sum(c.seconds) AS seconds, {sums},
  max(c.latency_us) AS latency_us, avg(c.cpu_percent) AS cpu_percent
FROM {source} WHERE c.hour >= :from AND c.hour < :to AND {scope} GROUP BY 1 ORDER BY 1
"""
_OF_GROUPS: Final = _STEPS.format(hosts="sum(c.hosts)", sums=_SUMS, source="counter_group_hour c", scope="c.group_id = ANY(:groups)")
_OF_HOSTS: Final = _STEPS.format(hosts="count(*)", sums=_SUMS, source="counter_hour c", scope="c.host_id = ANY(:hosts)")


def read_counters(scope: Scope) -> dict[str, Any]:
    """The figures that the fleet is compared by: each with its mean and highest, and the steps. One query."""
    begins = scope.period.start.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    step_hours = _step_hours((scope.as_of - begins) / timedelta(hours=1))
    statement = _OF_GROUPS if scope.host_ids is None else _OF_HOSTS
    rows = scope.session.execute(text(statement), {**scope.sql, "from": begins, "step_hours": step_hours}).mappings().all()
    steps = [
        {
            "at": iso(begins + timedelta(hours=row["step"] * step_hours)),
            "place": row["step"],
            "hosts": round(row["hosts"], 1),
            **{metric.name: rounded(metric.of(dict(row))) for metric in FLEET_METRICS},
        }
        for row in rows
    ]
    figures = [
        {
            "name": metric.name,
            "label": metric.label,
            "unit": metric.unit,
            "limit": metric.limit,
            "limit_source": metric.source,
            "mean": statistics.fmean(known),
            "highest": max(known),
            "mean_words": figure(statistics.fmean(known), metric.unit),
            "highest_words": figure(max(known), metric.unit),
            "limit_words": figure(metric.limit, metric.unit) if metric.limit is not None else "",
        }
        for metric in FLEET_METRICS
        if (known := [step[metric.name] for step in steps if step[metric.name] is not None])
    ]
    return {
        "from": iso(begins),
        "to": iso(scope.as_of),
        "step_hours": step_hours,
        "places": math.ceil((scope.as_of - begins) / timedelta(hours=step_hours)),
        "figures": figures,
        "steps": steps if figures else [],
        "words": _words(scope, begins) if not figures else "",
    }


def _step_hours(hours: float) -> int:
    return next((each for each in _STEP_HOURS if hours / each <= _MOST_STEPS), math.ceil(hours / _MOST_STEPS / 168) * 168)


def _words(scope: Scope, begins: datetime) -> str:
    if scope.host_ids is not None and begins < scope.now - timedelta(days=31):
        return "No counters: of a saved view they are known for the last 31 days."
    return "No host sent counters in this period."
