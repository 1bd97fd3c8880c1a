"""How busy a host's SAN adapters were over the last minutes: the figure behind the gate “heavy load”."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, text

from plumbline.core.facts.configuration import Configuration
from plumbline.core.facts.storage_adapters import storage_adapters

_SECONDS = 300
_SERIES = "SELECT no, subject, name FROM counter_series WHERE host_id = :host AND name IN ('bytes_received', 'bytes_sent')"
# Two samples at least: the newest ones of the last minutes and the one before them.
_SAMPLES = """
SELECT uptime_seconds, values FROM counter_sample WHERE host_id = :host AND at >= clock_timestamp() - interval '2 hours'
ORDER BY at DESC LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class CountersNow:
    """Counters as the host reports them now: seconds since it started, and totals by subject and name."""

    uptime_seconds: int
    totals: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class _Sample:
    uptime_seconds: float
    totals: Mapping[tuple[str, str], int]


def busiest_percent(session: Session, host_id: str, configuration: Configuration, *, now: CountersNow | None = None) -> int | None:
    """Load of the busiest SAN adapter in whole percent of its speed, over the newest five minutes that its samples span; None without
    counters. `now` is a sample read at this moment and not stored.

    For a host that checks in less often than every five minutes, its last two samples are used. An adapter whose counters were reset
    in between, as they are when it restarts, is ignored if another remains.
    """
    speeds = {
        f"adapter/{adapter.id}": speed
        for adapter in storage_adapters(configuration)
        if isinstance(speed := configuration.value(adapter, "link_speed_bps"), int) and speed > 0
    }
    series = {no: (subject, name) for no, subject, name in session.execute(text(_SERIES), {"host": host_id}) if subject in speeds}
    samples = [_sample(row.uptime_seconds, row.values, series) for row in session.execute(text(_SAMPLES), {"host": host_id})]
    if now is not None:
        samples.insert(0, _Sample(now.uptime_seconds, now.totals))
    if not series or len(samples) < 2:
        return None
    newest = samples[0]
    oldest = next((each for each in samples[1:] if newest.uptime_seconds - each.uptime_seconds >= _SECONDS), samples[-1])
    seconds = newest.uptime_seconds - oldest.uptime_seconds
    if seconds <= 0:
        return None
    loads: list[float] = []
    for place in series.values():
        after, before = newest.totals.get(place), oldest.totals.get(place)
        if after is None or before is None:
            return None
        if after >= before:
            # Each direction by itself: the link carries both at once.
            loads.append(100 * 8 * (after - before) / seconds / speeds[place[0]])
    return round(max(loads)) if loads else None


def _sample(uptime_seconds: float, values: list[int | None], series: Mapping[int, tuple[str, str]]) -> _Sample:
    found = {place: values[no] for no, place in series.items() if no < len(values)}
    return _Sample(uptime_seconds, {place: value for place, value in found.items() if value is not None})
