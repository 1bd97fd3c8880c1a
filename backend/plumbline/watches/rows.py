"""The rows of a watch as its executor writes them: claimed under a lease, each reading in a transaction of its own, ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import text

from plumbline.infra.database import is_past, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.watches.lines import WatchLine

# Longer than a busy host takes for a reading and the rest after it.
LEASE_SECONDS = 90
# A watch that no executor began by then is over.
LONGEST_WAIT_SECONDS = 300
# Of one watch: one reading a second for its longest time, and adapters and volumes that come and go.
MOST_READINGS, MOST_LISTS = 900, 20
_LEASE = f"clock_timestamp() + interval '{LEASE_SECONDS} seconds'"
_CLAIM = f"""
UPDATE host_watch SET claimed_until = {_LEASE}, started_at = coalesce(started_at, clock_timestamp())
WHERE id = :id AND ended_at IS NULL AND (claimed_until IS NULL OR {is_past("claimed_until")})
RETURNING host_id, job_id, claimed_until, readings, series,
  extract(epoch FROM started_at + seconds * interval '1 second' - clock_timestamp())::float8 AS left_seconds
"""  # noqa: S608 - constants
_NOTE = f"""
UPDATE host_watch SET claimed_until = {_LEASE}, last_at = clock_timestamp(), readings = readings + 1,
  series = CASE WHEN CAST(:fresh AS text) IS NULL THEN series ELSE series || CAST(:fresh AS jsonb) END
WHERE id = :id AND ended_at IS NULL AND claimed_until = :claimed RETURNING claimed_until, last_at
"""  # noqa: S608 - constants
_RENEW = f"""
UPDATE host_watch SET claimed_until = {_LEASE}
WHERE id = :id AND ended_at IS NULL AND claimed_until = :claimed RETURNING claimed_until
"""  # noqa: S608 - constants
_READING = "INSERT INTO watch_reading (watch_id, at, uptime_ms, series_no, values) VALUES (:id, :at, :uptime, :no, :values)"
_END = """
UPDATE host_watch SET ended_at = clock_timestamp(), end_words = :words, claimed_until = NULL
WHERE id = :id AND ended_at IS NULL AND claimed_until = :claimed
"""
_OPEN = f"""
SELECT id, started_at IS NOT NULL AND started_at + seconds * interval '1 second' <= clock_timestamp() AS is_over,
  started_at IS NULL AND requested_at < clock_timestamp() - interval '{LONGEST_WAIT_SECONDS} seconds' AS is_abandoned
FROM host_watch WHERE ended_at IS NULL AND (claimed_until IS NULL OR {is_past("claimed_until")}) ORDER BY id
"""  # noqa: S608 - constants


class HostSendsTooMuch(PlumblineError):
    """A host sends far more than the agent would: its readings are bounded, whatever it prints."""

    code = "host_sends_too_much"


class WatchOver(Exception):
    """The watch was stopped, or another executor runs it now."""


@dataclass(slots=True)
class ClaimedWatch:
    """A watch that this process runs, for as long as it renews the lease."""

    id: int
    host_id: str
    job_id: int | None
    until: datetime
    left_seconds: float
    readings: int
    series: list[list[list[str]]]
    _series_no: int = -1

    def note(self, reading: WatchLine) -> None:
        """Stores one reading. Raises `WatchOver`, `HostSendsTooMuch`."""
        if self.readings >= MOST_READINGS:
            raise HostSendsTooMuch("The host sent more readings than requested.")
        fresh = None
        if reading.series is not None:
            listed = [list(each) for each in reading.series]
            if listed not in self.series:
                if len(self.series) == MOST_LISTS:
                    raise HostSendsTooMuch("The host names other counters again and again.")
                self.series.append(listed)
                fresh = msgspec.json.encode([listed]).decode()
            self._series_no = self.series.index(listed)
        with session_scope() as session:
            noted = session.execute(text(_NOTE), {"id": self.id, "claimed": self.until, "fresh": fresh}).one_or_none()
            if noted is None:
                raise WatchOver
            self.until = noted.claimed_until
            values = {"id": self.id, "at": noted.last_at, "uptime": reading.uptime_ms, "no": self._series_no, "values": reading.values}
            session.execute(text(_READING), values)
        self.readings += 1

    def renew(self) -> None:
        """Extends the lease without a reading. Raises `WatchOver`."""
        with session_scope() as session:
            renewed = session.execute(text(_RENEW), {"id": self.id, "claimed": self.until}).one_or_none()
        if renewed is None:
            raise WatchOver
        self.until = renewed.claimed_until

    def end(self, words: str = "") -> None:
        """Ends it; `words` say why before its time. Nothing where it was stopped or another executor runs it."""
        with session_scope() as session:
            session.execute(text(_END), {"id": self.id, "claimed": self.until, "words": words[:1000]})


def claim(watch_id: int) -> ClaimedWatch | None:
    """Takes the lease and starts the clock of the watch; None where it is over or another executor has it."""
    with session_scope() as session:
        row = session.execute(text(_CLAIM), {"id": watch_id}).one_or_none()
    if row is None:
        return None
    return ClaimedWatch(watch_id, row.host_id, row.job_id, row.claimed_until, row.left_seconds, row.readings, list(row.series))


def is_of_job(watch_id: int) -> bool:
    """Whether a job started it."""
    with session_scope() as session:
        return bool(session.execute(text("SELECT job_id IS NOT NULL FROM host_watch WHERE id = :id"), {"id": watch_id}).scalar())


def open_watches() -> Sequence[int]:
    """Ends what is over, and answers the watches that wait for an executor or lost theirs."""
    with session_scope() as session:
        rows = session.execute(text(_OPEN)).all()
        for row in rows:
            words = "No worker was free to watch the host." if row.is_abandoned else ""
            if row.is_over or row.is_abandoned:
                session.execute(
                    text("UPDATE host_watch SET ended_at = clock_timestamp(), end_words = :words WHERE id = :id AND ended_at IS NULL"),
                    {"id": row.id, "words": words},
                )
    return [row.id for row in rows if not row.is_over and not row.is_abandoned]


def purge(*, days: int) -> int:
    """Deletes watches that ended so many days ago, with their readings; returns how many."""
    with session_scope() as session:
        gone = session.execute(
            text("DELETE FROM host_watch WHERE ended_at < clock_timestamp() - make_interval(days => :days) RETURNING id"), {"days": days}
        )
        return len(gone.all())
