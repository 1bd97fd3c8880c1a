"""How busy a host's SAN adapters were over the last minutes: the figure behind the gate “heavy load”."""

from sqlmodel import Session, text

from plumbline.facts.configuration import Configuration

_MINUTES = 5
_SERIES = "SELECT no, subject, name FROM counter_series WHERE host_id = :host AND name IN ('bytes_received', 'bytes_sent')"
# Two samples at least: the newest ones of the last minutes and the one before them.
_SAMPLES = """
SELECT at, uptime_seconds, values FROM counter_sample WHERE host_id = :host AND at >= clock_timestamp() - interval '2 hours'
ORDER BY at DESC LIMIT 20
"""


def busiest_percent(session: Session, host_id: str, configuration: Configuration) -> int | None:
    """Load of the busiest SAN adapter in whole percent of its speed, from the newest samples that span five minutes; None without counters.

    A host that checks in more rarely than every five minutes is judged by its last two samples.
    """
    speeds = {
        f"adapter/{adapter.id}": speed
        for adapter in configuration.subjects("adapter")
        if configuration.value(adapter, "role") in ("san_iscsi", "s2d_storage")
        and isinstance(speed := configuration.value(adapter, "link_speed_bps"), int)
        and speed > 0
    }
    series = [(no, subject) for no, subject, _ in session.execute(text(_SERIES), {"host": host_id}) if subject in speeds]
    samples = session.execute(text(_SAMPLES), {"host": host_id}).all()
    if not series or len(samples) < 2:
        return None
    newest = samples[0]
    span = [row for row in samples[1:] if (newest.at - row.at).total_seconds() >= _MINUTES * 60] or samples[-1:]
    oldest = span[0]
    seconds = newest.uptime_seconds - oldest.uptime_seconds
    if seconds <= 0:
        return None
    loads: list[float] = []
    for no, subject in series:
        now = newest.values[no] if no < len(newest.values) else None
        then = oldest.values[no] if no < len(oldest.values) else None
        if now is None or then is None or now < then:
            return None
        # Each direction by itself: the link carries both at once.
        loads.append(100 * 8 * (now - then) / seconds / speeds[subject])
    return round(max(loads))
