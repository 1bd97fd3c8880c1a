"""The fleet as small charts, one for each cluster, group or host, sorted by what is wrong. Read from hours, never from samples."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import group_in_scope
from plumbline.models.hosts import COUNTED
from plumbline.performance.fleet_metrics import AMOUNTS, FLEET_METRICS, rounded
from plumbline.performance.schemas import ChartReference, FleetCell, FleetCharts, FleetFigure

# Steps of one small chart, and cells of one page.
_STEPS = 48
MOST_CELLS = 48

By = Literal["cluster", "group", "host"]
Sort = Literal["wrong", "retransmits", "drops", "errors", "pauses", "latency", "throughput", "operations", "cpu", "name"]


_SUMS = ", ".join(f"sum(c.{name}) AS {name}" for name in AMOUNTS)
# A step of a cell; `hosts` is how many reported in a mean hour of it.
_STEP_SQL = "floor(extract(epoch FROM c.hour - CAST(:since AS timestamptz)) / :step_seconds)::int AS step"

_CELLS = f"""
SELECT CASE :by WHEN 'cluster' THEN c.cluster ELSE '' END AS cluster, c.group_id, {_STEP_SQL}, sum(c.hosts)::float / :step_hours AS hosts,
       sum(c.seconds) AS seconds, {_SUMS}, max(c.latency_us) AS latency_us, avg(c.cpu_percent) AS cpu_percent
FROM counter_group_hour c JOIN host_group g ON g.id = c.group_id
WHERE c.hour >= :since AND starts_with(g.path, :path) GROUP BY 1, 2, 3
"""  # noqa: S608 (constants)
_GROUPS = f"""
SELECT g.id, g.name, h.cluster, count(h.id) AS hosts FROM host_group g JOIN host h ON h.group_id = g.id AND h.{COUNTED}
WHERE starts_with(g.path, :path) GROUP BY g.id, g.name, h.cluster
"""  # noqa: S608
_HOSTS = f"""
WITH chosen AS (
  SELECT h.id, h.name, h.cluster, g.name AS group_name FROM host h JOIN host_group g ON g.id = h.group_id
  WHERE h.{COUNTED} AND starts_with(g.path, :path) AND (CAST(:cluster AS text) IS NULL OR h.cluster = :cluster)
)
SELECT h.id, h.name, h.cluster, h.group_name, {_STEP_SQL}, CAST(1 AS float) AS hosts, sum(c.seconds) AS seconds, {_SUMS},
       max(c.latency_us) AS latency_us, avg(c.cpu_percent) AS cpu_percent
FROM chosen h LEFT JOIN counter_hour c ON c.host_id = h.id AND c.hour >= :since
GROUP BY h.id, h.name, h.cluster, h.group_name, step
"""  # noqa: S608


def read_fleet_charts(
    session: Session, *, actor: Actor, by: By, group_id: int | None, cluster: str | None, hours: int, sort: Sort, most: int = MOST_CELLS
) -> FleetCharts:
    """The cells of a group with its subgroups, worst first; with a cluster, its hosts. Four queries for any fleet and range."""
    group = group_in_scope(session, actor=actor, group_id=group_id)
    now: datetime = session.execute(text("SELECT now()")).scalar_one().astimezone(UTC)
    step_hours = math.ceil(hours / _STEPS)
    count = math.ceil(hours / step_hours)
    # The present hour is the last one, so that the range ends now.
    since = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=count * step_hours - 1)
    by = "host" if cluster is not None else by
    values = {
        "by": by, "path": group.path, "cluster": cluster, "since": since, "step_seconds": step_hours * 3600, "step_hours": step_hours,
    }  # fmt: skip
    cells = _hosts(session, values, count) if by == "host" else _cells(session, values, by, count)
    ordered = _sorted(cells, sort)
    return FleetCharts(
        from_=since,
        to=now,
        by=by,
        sort=sort,
        total=len(ordered),
        cells=ordered[:most],
        limits=[
            ChartReference(
                name=each.name, unit=each.unit, value=each.limit, label=f"{each.label} above this is a symptom",
                source=each.source, is_limit=True,
            )
            for each in FLEET_METRICS
            if each.limit is not None
        ],
    )  # fmt: skip


def _cells(session: Session, values: dict[str, Any], by: By, count: int) -> list[FleetCell]:
    known: dict[tuple[str, int | None], dict[str, Any]] = {}

    def key(cluster: str, group_id: int) -> tuple[str, int | None]:
        # A cluster is one cell, whatever groups its hosts are in; hosts without a cluster are in the cell of their group.
        return (cluster, None) if by == "cluster" and cluster else ("", group_id)

    for row in session.execute(text(_GROUPS), values):
        cell = known.setdefault(key(row.cluster, row.id), {"names": set(), "hosts": 0, "steps": {}})
        cell["names"].add(row.name)
        cell["hosts"] += row.hosts
    for sums in session.execute(text(_CELLS), values).mappings():
        found = known.get(key(sums["cluster"], sums["group_id"]))
        if found is not None:
            found["steps"].setdefault(sums["step"], []).append(sums)
    cells = []
    for (cluster, group_id), found in known.items():
        names = ", ".join(sorted(found["names"], key=str.casefold))
        steps = {step: _sum(rows) for step, rows in found["steps"].items()}
        reporting = round(steps[max(steps)]["hosts"]) if steps else 0
        if cluster:
            cells.append(_cell(f"cluster:{cluster}", cluster, "cluster", names, found["hosts"], reporting, steps, count))
        else:
            where = "Hosts without a cluster" if by == "cluster" else ""
            cells.append(_cell(f"group:{group_id}", names, "group", where, found["hosts"], reporting, steps, count))
    return cells


def _hosts(session: Session, values: dict[str, Any], count: int) -> list[FleetCell]:
    rows: dict[str, list[Any]] = {}
    for row in session.execute(text(_HOSTS), values).mappings():
        rows.setdefault(row["id"], []).append(row)
    cells = []
    for host_id, found in rows.items():
        steps = {row["step"]: row for row in found if row["step"] is not None}
        first = found[0]
        where = first["cluster"] or first["group_name"]
        cells.append(_cell(f"host:{host_id}", first["name"], "host", where, 1, 1 if steps else 0, steps, count))
    return cells


def _sum(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Several sums of the same step as one."""
    if len(rows) == 1:
        return dict(rows[0])
    found: dict[str, Any] = {"hosts": sum(row["hosts"] for row in rows), "seconds": sum(row["seconds"] for row in rows)}
    for name in AMOUNTS:
        known = [row[name] for row in rows if row[name] is not None]
        found[name] = sum(known) if known else None
    slowest = [row["latency_us"] for row in rows if row["latency_us"] is not None]
    found["latency_us"] = max(slowest, default=None)
    loads = [(row["cpu_percent"], row["hosts"]) for row in rows if row["cpu_percent"] is not None]
    weight = sum(hosts for _, hosts in loads)
    found["cpu_percent"] = sum(load * hosts for load, hosts in loads) / weight if weight else None
    return found


def _cell(
    key: str, label: str, kind: By, where: str, hosts: int, reporting: int, steps: Mapping[int, Mapping[str, Any]], count: int
) -> FleetCell:
    figures = []
    for metric in FLEET_METRICS:
        by_step = {step: value for step, row in steps.items() if (value := metric.of(row)) is not None}
        highest = max(by_step.values(), default=None)
        figures.append(
            FleetFigure(
                name=metric.name,
                label=metric.label,
                unit=metric.unit,
                values=[rounded(by_step.get(step)) for step in range(count)],
                mean=rounded(sum(by_step.values()) / len(by_step)) if by_step else None,
                highest=rounded(highest),
                limit=metric.limit,
                is_over=metric.limit is not None and highest is not None and highest > metric.limit,
            )
        )
    return FleetCell(
        key=key, label=label, kind=kind, where=where, hosts=hosts, hosts_reporting=min(reporting, hosts),
        symptoms=[each.name for each in figures if each.is_over], figures=figures,
    )  # fmt: skip


def _sorted(cells: list[FleetCell], sort: Sort) -> list[FleetCell]:
    """By name; by the highest value of a symptom; or what is wrong: the most symptoms first, then how far the worst is past its limit."""
    by_name = sorted(cells, key=lambda cell: (cell.label.casefold(), cell.key))
    if sort == "name":
        return by_name
    if sort == "wrong":
        return sorted(by_name, key=lambda cell: (-len(cell.symptoms), -_excess(cell)))
    return sorted(
        by_name, key=lambda cell: -next(each.highest if each.highest is not None else -1 for each in cell.figures if each.name == sort)
    )


def _excess(cell: FleetCell) -> float:
    return max((each.highest / each.limit for each in cell.figures if each.limit and each.highest is not None), default=0.0)
