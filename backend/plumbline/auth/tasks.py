"""Celery tasks of sign-in and idempotency."""

from celery import shared_task

from plumbline.auth import idempotency, sessions
from plumbline.infra.database import session_scope


@shared_task(name="auth.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Deletes expired answers to repeated requests, and sessions that ended a month ago."""
    with session_scope() as session:
        idempotency.purge(session)
    with session_scope() as session:
        sessions.purge(session)
