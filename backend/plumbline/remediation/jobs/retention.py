"""What remediation deletes by age. Plans, approvals, jobs and their logs are kept."""

from dataclasses import dataclass

from sqlalchemy import CursorResult
from sqlmodel import Session, text

from plumbline import audit


@dataclass(frozen=True)
class Retention:
    """How long things are kept, in days. Pings prove nothing after one; they stay as long as a check-in's row does."""

    pings: int = 90
    workers: int = 7


_OLD = {
    # The newest run of each host and size stays: it is what the host's page shows.
    "pings": """
        DELETE FROM probe_run r WHERE r.asked_at < clock_timestamp() - make_interval(days => :days) AND r.state IN ('done', 'failed')
          AND EXISTS (SELECT 1 FROM probe_run n WHERE n.host_id = r.host_id AND n.size_bytes = r.size_bytes AND n.id > r.id)
    """,
    "workers": "DELETE FROM worker_heartbeat WHERE heard_at < clock_timestamp() - make_interval(days => :days)",
}


def purge(session: Session, retention: Retention | None = None) -> dict[str, int]:
    """Drops old runs of pings and workers that stopped long ago, and audits it; returns how much of each."""
    keep = retention or Retention()
    done = {"pings": _deleted(session, "pings", keep.pings), "workers": _deleted(session, "workers", keep.workers)}
    if any(done.values()):
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after=done)
    return done


def _deleted(session: Session, what: str, days: int) -> int:
    result = session.execute(text(_OLD[what]), {"days": days})
    return result.rowcount if isinstance(result, CursorResult) else 0
