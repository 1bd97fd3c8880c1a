"""Celery shells around the background work on check-ins. Each is safe to run twice."""

import structlog
from celery import shared_task

from plumbline.checkin import clock_skew, gaps, reread, retention
from plumbline.configurations import compression
from plumbline.infra.database import session_scope

log = structlog.get_logger()


@shared_task(name="checkin.make_partitions")  # type: ignore[untyped-decorator]
def make_partitions() -> None:
    """Partitions ahead of time, and compression dictionaries once there is enough to learn from."""
    with session_scope() as session:
        retention.make_partitions(session)
    with session_scope() as session:
        compression.train_dictionaries(session)


@shared_task(name="checkin.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Deletes what is older than the retention settings allow."""
    with session_scope() as session:
        retention.purge(session)


@shared_task(name="checkin.record_gaps")  # type: ignore[untyped-decorator]
def record_gaps() -> None:
    """Records hosts that are late, and those that check in again."""
    with session_scope() as session:
        gaps.record_gaps(session)


@shared_task(name="checkin.compare_clocks")  # type: ignore[untyped-decorator]
def compare_clocks() -> None:
    """Evaluates hosts whose clock state changed, a chunk a transaction."""
    while True:
        with session_scope() as session:
            if clock_skew.compare_clocks(session) < clock_skew.CHUNK:
                return


@shared_task(name="checkin.reread")  # type: ignore[untyped-decorator]
def reread_host(host_id: str) -> None:
    """Reads a host's newest bodies again, after a person set the role of one of its adapters."""
    with session_scope() as session:
        reread.reread_hosts(session, [host_id])


@shared_task(name="checkin.reread_requested")  # type: ignore[untyped-decorator]
def reread_requested() -> None:
    """Reads those again whose task message was lost, a host a transaction: one that cannot be read does not stop the others."""
    with session_scope() as session:
        waiting = reread.hosts_requested(session)
    for host_id in waiting:
        try:
            reread_host(host_id)
        except Exception:
            log.exception("host not read again", host=host_id)
