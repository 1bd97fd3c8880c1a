"""Celery shells of access."""

from celery import shared_task

from plumbline.auth import idempotency as once
from plumbline.infra.database import session_scope


@shared_task(name="auth.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Forgets answers kept for repeats once their day is over."""
    with session_scope() as session:
        once.purge(session)
