"""Celery shells around the background work on check-ins. Each is safe to run twice."""

import structlog
from celery import shared_task

from plumbline.checkin import clock_skew as clocks
from plumbline.checkin import reread
from plumbline.checkin import retention as keep
from plumbline.infra.database import session_scope

log = structlog.get_logger()


@shared_task(name="checkin.make_partitions")  # type: ignore[untyped-decorator]
def make_partitions() -> None:
    """Partitions ahead of time, and compression dictionaries once there is enough to learn from."""
    with session_scope() as session:
        keep.make_partitions(session)
    with session_scope() as session:
        keep.train_dictionaries(session)


@shared_task(name="checkin.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Drops what is older than its time."""
    with session_scope() as session:
        keep.purge(session)


@shared_task(name="checkin.compare_clocks")  # type: ignore[untyped-decorator]
def compare_clocks() -> None:
    """Judges hosts whose clock went out of step or came back, a chunk a transaction."""
    while True:
        with session_scope() as session:
            if clocks.compare_clocks(session) < clocks.CHUNK:
                return


@shared_task(name="checkin.reread")  # type: ignore[untyped-decorator]
def reread_host(host_id: str) -> None:
    """Reads a host's newest bodies again, after a person set the role of one of its adapters."""
    with session_scope() as session:
        reread.reread_hosts(session, [host_id])


@shared_task(name="checkin.reread_asked")  # type: ignore[untyped-decorator]
def reread_asked() -> None:
    """Reads those again whose bell was not heard, a host a transaction: one that cannot be read keeps no other."""
    with session_scope() as session:
        waiting = reread.hosts_asked(session)
    for host_id in waiting:
        try:
            reread_host(host_id)
        except Exception:
            log.exception("a host could not be read again", host=host_id)
