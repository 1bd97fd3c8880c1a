"""Times without check-ins: recorded once a host is late, ended by its next check-in.

Hosts that may be late soon are noted in `host_summary` as well, so that counts of late hosts read these alone.

A host's row holds only the newest check-in, so without these records nobody could tell tomorrow that a host was not reporting last night.
"""

from sqlmodel import Session, text

from plumbline.core.freshness import LATE_AFTER_INTERVALS, LATE_NOTED_AHEAD_SECONDS
from plumbline.models.hosts import COUNTED, REPORTS

# Any number that no other advisory lock uses.
GAPS_LOCK = 0x706C756D62_09
_IS_LATE = f"h.{COUNTED} AND h.{REPORTS} AND h.last_seen_at < clock_timestamp() - make_interval(secs => :late * h.interval_seconds)"
_BEGIN = f"""
WITH begun AS (
  INSERT INTO check_in_gap (host_id, began_at, interval_seconds)
  SELECT h.id, h.last_seen_at, h.interval_seconds FROM host h
  WHERE {_IS_LATE} AND NOT EXISTS (SELECT FROM check_in_gap g WHERE g.host_id = h.id AND g.ended_at IS NULL)
  ON CONFLICT (host_id, began_at) DO UPDATE SET ended_at = NULL RETURNING 1)
SELECT count(*) FROM begun
"""  # noqa: S608 - constants
# A host checks in less often than this runs, so its newest check-in is the first one after the gap. A host that was retired, or is asked to
# check in less often, is no longer late without one.
_END = f"""
WITH ended AS (
  UPDATE check_in_gap AS g SET ended_at = CASE WHEN h.last_seen_at > g.began_at THEN h.last_seen_at ELSE clock_timestamp() END
  FROM host h WHERE h.id = g.host_id AND g.ended_at IS NULL AND (h.last_seen_at > g.began_at OR NOT ({_IS_LATE})) RETURNING 1)
SELECT count(*) FROM ended
"""  # noqa: S608 - constants
_MAY_BE_LATE = "coalesce(h.last_seen_at < now() + make_interval(secs => :ahead - :late * h.interval_seconds), true)"
# What another transaction changes at this moment is left for the next run, long before it matters: to wait for it could be a deadlock.
_NOTE = f"""
WITH noted AS (
  UPDATE host_summary AS n SET may_be_late = found.may_be_late FROM (
    SELECT s.host_id, {_MAY_BE_LATE} AS may_be_late FROM host_summary s JOIN host h ON h.id = s.host_id
    WHERE s.may_be_late <> {_MAY_BE_LATE} FOR UPDATE OF s SKIP LOCKED) AS found
  WHERE n.host_id = found.host_id)
UPDATE installation SET late_hosts_noted_at = now()
"""  # noqa: S608 - constants


def record_gaps(session: Session) -> tuple[int, int]:
    """Begins the gaps of hosts that are late and ends those that are over. Returns how many of each. Nothing while another process does."""
    if not session.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": GAPS_LOCK}).scalar_one():
        return 0, 0
    values = {"late": LATE_AFTER_INTERVALS}
    ended: int = session.execute(text(_END), values).scalar_one()
    begun: int = session.execute(text(_BEGIN), values).scalar_one()
    session.execute(text(_NOTE), {**values, "ahead": LATE_NOTED_AHEAD_SECONDS})
    return begun, ended
