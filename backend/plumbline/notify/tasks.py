"""Celery tasks of notices."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.notify import audit_events, changes, problems, send


@shared_task(name="notify.take_acts")  # type: ignore[untyped-decorator]
def take_acts() -> None:
    """Writes notices about new acts in the audit trail."""
    with session_scope() as session:
        audit_events.take_acts(session)


@shared_task(name="notify.take_changes")  # type: ignore[untyped-decorator]
def take_changes() -> None:
    """Writes notices about settings that changed."""
    with session_scope() as session:
        changes.take_changes(session)


@shared_task(name="notify.scan")  # type: ignore[untyped-decorator]
def scan() -> None:
    """Writes notices about problems that are new, worse, or open for a day."""
    with session_scope() as session:
        problems.scan(session)


@shared_task(name="notify.deliver")  # type: ignore[untyped-decorator]
def deliver() -> None:
    """Sends the deliveries that are due."""
    send.deliver()


@shared_task(name="notify.heartbeat")  # type: ignore[untyped-decorator]
def heartbeat() -> None:
    """Calls the heartbeat addresses, whose services send an alert when the calls stop."""
    send.send_heartbeats()


@shared_task(name="notify.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Deletes old notices."""
    with session_scope() as session:
        send.purge(session)
