"""Celery shells of notices."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.notify import audit_events, send
from plumbline.notify import problems as looking


@shared_task(name="notify.take_acts")  # type: ignore[untyped-decorator]
def take_acts() -> None:
    """Tells of acts that the audit trail has and nobody was told of."""
    with session_scope() as session:
        audit_events.take_acts(session)


@shared_task(name="notify.scan")  # type: ignore[untyped-decorator]
def look() -> None:
    """Tells of problems that are new, worse, or open for a day."""
    with session_scope() as session:
        looking.look(session)


@shared_task(name="notify.deliver")  # type: ignore[untyped-decorator]
def deliver() -> None:
    """Sends what waits."""
    send.deliver()


@shared_task(name="notify.heartbeat")  # type: ignore[untyped-decorator]
def heartbeat() -> None:
    """Calls the addresses that page somebody once they are called no more."""
    send.send_heartbeats()


@shared_task(name="notify.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Forgets old notices."""
    with session_scope() as session:
        send.purge(session)
