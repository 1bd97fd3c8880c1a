"""Folding of counters by the hour: what each host sent in full becomes one row of amounts, and those become sums of clusters and groups."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import numpy as np
from sqlalchemy import text
from sqlmodel import Session

from plumbline.configurations.read import read_documents
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.infra.settings import get_settings
from plumbline.performance.lines import read_series
from plumbline.performance.metrics import Series
from plumbline.performance.rates import Floats, Steps, place, steps

HOUR = timedelta(hours=1)
# Hours with readings that are folded in one run, so that a run after a long pause ends soon; the next run goes on.
_MOST_HOURS = 6
_HOSTS_AT_ONCE = 500
# The hour before is folded again for so long, for readings that cross its end.
_STILL_OPEN = timedelta(minutes=20)
_KEPT_DAYS = 31

_SAN_CACHE = 20_000
# Configuration -> its SAN adapters as subjects of counters.
_san: "OrderedDict[int, frozenset[str]]" = OrderedDict()

# Hosts that sent counters since the hour began, and since their row of it was last folded.
_DUE_HOSTS = """
SELECT h.id FROM host h LEFT JOIN counter_hour c ON c.host_id = h.id AND c.hour = :hour
WHERE h.counters_mark IS NOT NULL AND h.last_seen_at >= :hour
  AND (c.folded_at IS NULL OR (c.folded_at < h.last_seen_at AND c.folded_at < :closes_at)) ORDER BY h.id
"""
_SAMPLES = """
SELECT host_id, at, uptime_seconds, values FROM counter_sample WHERE host_id = ANY(:hosts) AND at >= :since AND at < :until
ORDER BY host_id, at
"""
_COLUMNS = (
    "seconds", "segments", "retransmitted", "packets", "drops", "errors", "pauses", "adapter_bytes", "volume_bytes", "operations",
    "latency_us", "cpu_percent", "restarted_at",
)  # fmt: skip
_STORE = f"""
INSERT INTO counter_hour (hour, host_id, folded_at, {", ".join(_COLUMNS)})
VALUES (:hour, :host_id, now(), {", ".join(f":{name}" for name in _COLUMNS)})
ON CONFLICT (hour, host_id) DO UPDATE SET folded_at = now(), {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)}
"""  # noqa: S608 (constants)
_SUM = """
INSERT INTO counter_group_hour (hour, group_id, cluster, hosts, seconds, segments, retransmitted, packets, drops, errors, pauses,
                                adapter_bytes, volume_bytes, operations, latency_us, cpu_percent)
SELECT c.hour, h.group_id, h.cluster, count(*), sum(c.seconds), sum(c.segments), sum(c.retransmitted), sum(c.packets), sum(c.drops),
       sum(c.errors), sum(c.pauses), sum(c.adapter_bytes), sum(c.volume_bytes), sum(c.operations), max(c.latency_us), avg(c.cpu_percent)
FROM counter_hour c JOIN host h ON h.id = c.host_id WHERE c.hour = :hour GROUP BY c.hour, h.group_id, h.cluster
ON CONFLICT (hour, group_id, cluster) DO UPDATE SET hosts = excluded.hosts, seconds = excluded.seconds, segments = excluded.segments,
  retransmitted = excluded.retransmitted, packets = excluded.packets, drops = excluded.drops, errors = excluded.errors,
  pauses = excluded.pauses, adapter_bytes = excluded.adapter_bytes, volume_bytes = excluded.volume_bytes,
  operations = excluded.operations, latency_us = excluded.latency_us, cpu_percent = excluded.cpu_percent
"""


def forget_san_adapters() -> None:
    """Forgets the SAN adapters of configurations, whose numbers are those of one database."""
    _san.clear()


def fold_hours(session: Session) -> int:
    """Folds the hours since the last run, the present one included, and drops those that are too old. Returns how many host hours.

    Only hosts that sent counters since their hour was folded are read. Safe to run twice: an hour of a host is folded as a whole.
    """
    now: datetime = session.execute(text("SELECT now()")).scalar_one().astimezone(UTC)
    newest = session.execute(text("SELECT max(hour) FROM counter_hour")).scalar_one()
    done = 0
    folded = 0
    for hour in _due(now, newest.astimezone(UTC) if newest else None):
        rows = _fold_hour(session, hour)
        done, folded = done + rows, folded + bool(rows)
        if folded == _MOST_HOURS:
            break
    session.execute(text("DELETE FROM counter_hour WHERE hour < :oldest"), {"oldest": now - timedelta(days=_KEPT_DAYS)})
    oldest = now - timedelta(days=get_settings().retention_counters_days)
    session.execute(text("DELETE FROM counter_group_hour WHERE hour < :oldest"), {"oldest": oldest})
    return done


def _due(now: datetime, newest: datetime | None) -> list[datetime]:
    present = now.replace(minute=0, second=0, microsecond=0)
    first = max(newest or present - timedelta(hours=47), present - timedelta(hours=47))
    if first == present and now - present < _STILL_OPEN:
        first = present - HOUR
    return [first + step * HOUR for step in range(int((present - first) / HOUR) + 1)]


def _fold_hour(session: Session, hour: datetime) -> int:
    ids = list(session.execute(text(_DUE_HOSTS), {"hour": hour, "closes_at": hour + HOUR + _STILL_OPEN}).scalars())
    done = 0
    for first in range(0, len(ids), _HOSTS_AT_ONCE):
        some = ids[first : first + _HOSTS_AT_ONCE]
        series = read_series(session, some)
        san = _san_adapters(session, some)
        samples = session.execute(text(_SAMPLES), {"hosts": some, "since": hour - HOUR, "until": hour + HOUR + _STILL_OPEN})
        rows = []
        for host_id, group in groupby(samples, key=lambda row: row.host_id):
            found = _amounts(list(group), series.get(host_id, {}), san.get(host_id, frozenset()), hour)
            if found is not None:
                rows.append({"hour": hour, "host_id": host_id, **found})
        if rows:
            session.execute(text(_STORE), rows)
        done += len(rows)
    if done:
        session.execute(text(_SUM), {"hour": hour})
    return done


def _san_adapters(session: Session, host_ids: Iterable[str]) -> dict[str, frozenset[str]]:
    """The SAN adapters of each host, read anew only for configurations that this process has not seen."""
    rows = session.execute(
        text("SELECT id, configuration_id FROM host WHERE id = ANY(:hosts) AND configuration_id IS NOT NULL"), {"hosts": list(host_ids)}
    ).all()
    missing = [row.id for row in rows if row.configuration_id not in _san]
    for host_id, document in read_documents(session, missing).items() if missing else ():
        configuration = document.configuration
        adapters = frozenset(f"adapter/{adapter.id}" for adapter in storage_adapters(configuration))
        _san[next(row.configuration_id for row in rows if row.id == host_id)] = adapters
    while len(_san) > _SAN_CACHE:
        _san.popitem(last=False)
    return {row.id: _san.get(row.configuration_id, frozenset()) for row in rows}


@dataclass(frozen=True, slots=True)
class _Hour:
    """The steps between readings, and which part of each lies in the hour."""

    steps: Steps
    seconds: Floats
    is_inside: np.ndarray

    def amount(self, totals: Floats) -> float | None:
        """How much a total grew in the hour."""
        grown = np.diff(totals)
        with np.errstate(invalid="ignore"):
            is_known = self.steps.is_comparable & (grown >= 0) & (self.seconds > 0)
        if not is_known.any():
            return None
        return float((grown[is_known] * self.seconds[is_known] / self.steps.seconds[is_known]).sum())

    def mean(self, values: Floats) -> float | None:
        """The mean of a gauge over its readings in the hour."""
        inside = values[self.is_inside & np.isfinite(values)]
        return float(inside.mean()) if len(inside) else None


def _amounts(samples: list[Any], series: Mapping[str, Series], san: frozenset[str], hour: datetime) -> dict[str, object] | None:
    """The columns of one host's hour; None where no reading falls into it."""
    at_ms = [int(row.at.timestamp() * 1000) for row in samples]
    uptimes = [row.uptime_seconds for row in samples]
    between = steps(at_ms, uptimes)
    start, end = int(hour.timestamp() * 1000), int((hour + HOUR).timestamp() * 1000)
    began = between.at - (between.seconds * 1000).astype(np.int64)
    inside = np.clip(np.minimum(between.at, end) - np.maximum(began, start), 0, None) / 1000
    times = place(at_ms, uptimes)
    this = _Hour(between, np.where(between.is_comparable, inside, 0.0), (times > start) & (times <= end))
    if this.seconds.sum() <= 0 and not this.is_inside.any():
        return None
    width = max(len(row.values) for row in samples)
    table = np.full((len(samples), width), np.nan)
    for index, row in enumerate(samples):
        table[index, : len(row.values)] = [np.nan if value is None else value for value in row.values]
    stored = [each for each in series.values() if each.no is not None] + [
        part for each in series.values() for part in each.parts or () if part.id not in series
    ]
    columns = {(each.subject, each.name): table[:, each.no] for each in stored if each.no is not None and each.no < width}
    adapters = {subject for subject, _ in columns if subject.startswith("adapter/")}
    counted = adapters & san or adapters

    def total(names: Iterable[str], subjects: Iterable[str]) -> float | None:
        parts = [this.amount(columns[subject, name]) for subject in subjects for name in names if (subject, name) in columns]
        known = [part for part in parts if part is not None]
        return sum(known) if known else None

    volumes = {subject for subject, _ in columns if subject.startswith("volume/")}
    restarts = np.flatnonzero(np.diff(np.asarray(uptimes)) < 0)
    restarted = [times[index + 1] - uptimes[index + 1] * 1000 for index in restarts]
    in_hour = [each for each in restarted if start <= each < end]
    return {
        "seconds": float(this.seconds.sum()),
        "segments": total(("tcp_segments_sent",), ("host/",)),
        "retransmitted": total(("tcp_segments_retransmitted",), ("host/",)),
        "packets": total(("packets_received", "packets_sent"), counted),
        "drops": total(("drops_received", "drops_sent"), counted),
        "errors": total(("errors_received", "errors_sent"), counted),
        "pauses": total(("pause_received", "pause_sent"), counted),
        "adapter_bytes": total(("bytes_received", "bytes_sent"), counted),
        "volume_bytes": total(("read_bytes", "write_bytes"), volumes),
        "operations": total(("reads", "writes"), volumes),
        "latency_us": max((found for volume in volumes if (found := _latency(this, columns, volume)) is not None), default=None),
        "cpu_percent": this.mean(columns["host/", "cpu_percent"]) if ("host/", "cpu_percent") in columns else None,
        "restarted_at": datetime.fromtimestamp(max(in_hour) / 1000, UTC) if in_hour else None,
    }


def _latency(hour: _Hour, columns: Mapping[tuple[str, str], Floats], volume: str) -> float | None:
    """The mean latency of a volume's reads and writes, weighted by how many there were."""
    weighted = operations = 0.0
    for way, count in (("read", "reads"), ("write", "writes")):
        done = hour.amount(columns[volume, count]) if (volume, count) in columns else None
        if not done:
            continue
        if (volume, f"{way}_latency_us") in columns:
            mean = hour.mean(columns[volume, f"{way}_latency_us"])
        elif (volume, f"{way}_time_us") in columns and (spent := hour.amount(columns[volume, f"{way}_time_us"])) is not None:
            mean = spent / done
        else:
            mean = None
        if mean is not None:
            weighted, operations = weighted + mean * done, operations + done
    return weighted / operations if operations else None
