"""The alarm of a host that was not reporting: times without check-ins, as `checkin.gaps` recorded them."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.freshness import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS
from plumbline.hosts.timeline_schemas import TimelineAlarm

# A host that is only late is no alarm, nor is a short pause of one that checks in every few seconds: Plumbline's own restart takes as long.
_GAPS = """
SELECT began_at, noticed_at, ended_at, interval_seconds FROM check_in_gap
WHERE host_id = :host AND began_at <= :until AND coalesce(ended_at, :until) >= :since
  AND least(coalesce(ended_at, :until), :until) - began_at >
    greatest(make_interval(secs => :silent * interval_seconds), interval '5 minutes')
ORDER BY began_at
"""
# A gap is recorded within seconds after its host is late. It is later than this only where Plumbline was not running.
_RECORDED_WITHIN = timedelta(minutes=5)


def read_gaps(session: Session, host_id: str, *, since: datetime, until: datetime) -> list[TimelineAlarm]:
    """The times in which the host was not reporting, from its last check-in on."""
    rows = session.execute(text(_GAPS), {"host": host_id, "since": since, "until": until, "silent": SILENT_AFTER_INTERVALS})
    return [TimelineAlarm.of("check_ins", "Not reporting", _in_words(row), row.began_at, row.ended_at) for row in rows]


def _in_words(row: Any) -> str:
    late_at = row.began_at + timedelta(seconds=LATE_AFTER_INTERVALS * row.interval_seconds)
    is_ours = row.noticed_at > late_at + _RECORDED_WITHIN
    return "No check-ins; Plumbline itself was not running for a part of it" if is_ours else "No check-ins"
