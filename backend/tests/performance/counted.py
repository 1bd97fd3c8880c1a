"""Hosts with counters in the database, for tests of charts."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlmodel import Session, text

from plumbline.models.counters import CounterSample, CounterSeries

SEGMENTS = {("host/", "tcp_segments_sent"): 1000.0, ("host/", "tcp_segments_retransmitted"): 1.0}


def count_up(
    session: Session, host_id: str, *, rates: Mapping[tuple[str, str], float] = SEGMENTS, hours: int = 6, minutes: int = 15,
    gauges: Mapping[tuple[str, str], float] | None = None, restarted_at_step: int | None = None,
) -> datetime:  # fmt: skip
    """Readings every `minutes` up to now, of totals that grow by `rates` a second and of gauges. Returns the time of the newest."""
    gauges = gauges or {}
    names = [*rates, *gauges]
    for no, (subject, name) in enumerate(names):
        kind = "total" if (subject, name) in rates else "gauge"
        session.add(CounterSeries(host_id=host_id, no=no, subject=subject, name=name, kind=kind))
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    steps = hours * 60 // minutes
    uptime = 100_000
    totals = [float(rates.get(name, 0)) * 1000 for name in names]
    for step in range(steps, -1, -1):
        uptime += minutes * 60
        totals = [total + rates.get(name, 0.0) * minutes * 60 for total, name in zip(totals, names, strict=True)]
        if step == restarted_at_step:
            uptime, totals = 120, [float(rates.get(name, 0)) * 120 for name in names]
        values: list[float | None] = [gauges.get(name, total) for total, name in zip(totals, names, strict=True)]
        session.add(CounterSample(host_id=host_id, at=now - timedelta(minutes=minutes * step), uptime_seconds=uptime, values=values))
    session.execute(text("UPDATE host SET counters_mark = '\\x01', last_seen_at = now() WHERE id = :host"), {"host": host_id})
    session.flush()
    return now
