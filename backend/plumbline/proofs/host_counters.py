"""Figures of whole hosts, for comparing them: sums over adapters, means over volumes. Three queries for any number of hosts."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import numpy as np
from sqlalchemy import text
from sqlmodel import Session

from plumbline.performance.fold import line_of, unpack
from plumbline.performance.rates import Line, join, percent

# More readings than 50 hours of one host a minute; a host that sends more often is thinned by the day chunks.
_MOST_SAMPLES = 60_000


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a host: the counters it is made of, and whether less of it is better."""

    name: str
    label: str
    unit: str
    counters: tuple[str, ...]
    is_lower_better: bool = True
    is_mean: bool = False
    needs_load: bool = True


METRICS: tuple[Metric, ...] = (
    Metric("tcp_retransmit_percent", "TCP retransmits", "%", ("tcp_segments_retransmitted", "tcp_segments_sent")),
    Metric("drops", "Dropped packets", "1/s", ("drops_received", "drops_sent")),
    Metric("errors", "Packet errors", "1/s", ("errors_received", "errors_sent")),
    Metric("pauses", "Pause frames", "1/s", ("pause_received", "pause_sent")),
    Metric("read_latency", "Read latency", "µs", ("read_latency_us",), is_mean=True),
    Metric("write_latency", "Write latency", "µs", ("write_latency_us",), is_mean=True),
    Metric("cpu_percent", "CPU", "%", ("cpu_percent",), is_mean=True),
    Metric("throughput", "Throughput of all adapters", "B/s", ("bytes_received", "bytes_sent"), is_lower_better=False, needs_load=False),
)
_LOAD = "throughput"


@dataclass(frozen=True, slots=True)
class HostMetrics:
    """The figures of one host by their names: times in milliseconds, rising, with the value at each."""

    lines: dict[str, tuple[list[int], list[float]]] = field(default_factory=dict)

    def between(self, name: str, since: datetime, until: datetime, *, skip: int = 0) -> Sequence[float]:
        """Values read after `since` up to `until`, without the first `skip`."""
        at, values = self.lines.get(name, ([], []))
        first, last = (int(moment.timestamp() * 1000) for moment in (since, until))
        return values[bisect_right(at, first) + skip : bisect_right(at, last)] if bisect_left(at, last + 1) else []

    def load_between(self, since: datetime, until: datetime, *, skip: int = 0) -> float | None:
        """Mean throughput in bytes a second; None if it was not read."""
        values = self.between(_LOAD, since, until, skip=skip)
        return sum(values) / len(values) if values else None


def read_metrics(
    session: Session, *, host_ids: Sequence[str], since: datetime, until: datetime, wanted: Collection[str] | None = None
) -> dict[str, HostMetrics]:
    """The `wanted` figures of each host over a range, or all: full readings, or five-minute means of older days."""
    names = sorted({name for metric in METRICS if wanted is None or metric.name in wanted for name in metric.counters})
    bound = {"hosts": list(host_ids), "names": names, "since": since - timedelta(hours=1), "until": until, "most": _MOST_SAMPLES}
    series = session.execute(
        text("SELECT host_id, no, name, kind FROM counter_series WHERE host_id = ANY(:hosts) AND name = ANY(:names) ORDER BY host_id, no"),
        bound,
    ).all()
    samples: dict[str, list[tuple[datetime, int, list[float | None]]]] = {}
    for row in session.execute(
        text(
            "SELECT host_id, at, uptime_seconds, values FROM counter_sample WHERE host_id = ANY(:hosts) AND at >= :since AND at <= :until"
            " ORDER BY at LIMIT :most"
        ),
        bound,
    ):
        samples.setdefault(row.host_id, []).append((row.at, row.uptime_seconds, row.values))
    days: dict[tuple[str, int], list[tuple[date, bytes]]] = {}
    for row in session.execute(
        text(
            "SELECT d.host_id, d.no, d.day, d.chunk FROM counter_day d JOIN counter_series s ON (s.host_id, s.no) = (d.host_id, d.no)"
            " WHERE d.host_id = ANY(:hosts) AND s.name = ANY(:names) AND d.day >= :first AND d.day <= :last ORDER BY d.day"
        ),
        {**bound, "first": since.astimezone(UTC).date(), "last": until.astimezone(UTC).date()},
    ):
        days.setdefault((row.host_id, row.no), []).append((row.day, row.chunk))
    lines: dict[str, dict[str, list[Line]]] = {host_id: {} for host_id in host_ids}
    for host_id, no, name, kind in series:
        line = _line(kind, no, samples.get(host_id, []), days.get((host_id, no), []))
        lines[host_id].setdefault(name, []).append(line)
    return {host_id: HostMetrics(_metrics(of_host)) for host_id, of_host in lines.items()}


def _line(kind: str, no: int, samples: list[tuple[datetime, int, list[float | None]]], days: list[tuple[date, bytes]]) -> Line:
    at = [int(each[0].timestamp() * 1000) for each in samples]
    fresh = line_of(kind, at, [each[1] for each in samples], [each[2][no] if no < len(each[2]) else None for each in samples])
    begins = int(fresh.at[0]) if len(fresh.at) else None
    old = join([unpack(chunk).means(day) for day, chunk in days])
    if begins is not None:
        kept = old.at < begins
        old = Line(old.at[kept], old.values[kept])
    return join([old, fresh])


def _metrics(lines: dict[str, list[Line]]) -> dict[str, tuple[list[int], list[float]]]:
    found = {}
    for metric in METRICS:
        if metric.name == "tcp_retransmit_percent":
            again, sent = (_together(lines.get(name, []), np.nansum) for name in metric.counters)
            line = percent(again, sent)
        else:
            parts = [line for name in metric.counters for line in lines.get(name, [])]
            line = _together(parts, np.nanmean if metric.is_mean else np.nansum)
        known = np.isfinite(line.values)
        if known.any():
            found[metric.name] = (line.at[known].tolist(), line.values[known].tolist())
    return found


def _together(lines: Sequence[Line], how: Callable[..., object]) -> Line:
    """Lines at the same times made one, by sum or mean of what is known; a time at which none is known stays unknown."""
    if not lines:
        return Line(np.empty(0, dtype=np.int64), np.empty(0))
    at = np.unique(np.concatenate([line.at for line in lines]))
    table = np.full((len(lines), len(at)), np.nan)
    for place, line in enumerate(lines):
        table[place, np.searchsorted(at, line.at)] = line.values
    is_known = np.isfinite(table).any(axis=0)
    values = np.full(len(at), np.nan)
    if is_known.any():
        values[is_known] = how(table[:, is_known], axis=0)
    return Line(at, values)
