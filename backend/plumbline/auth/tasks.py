"""Celery shells of access."""

from celery import shared_task

from plumbline.auth import once
from plumbline.database import session_scope


@shared_task(name="auth.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Forgets answers kept for repeats once their day is over."""
    with session_scope() as session:
        once.purge(session)
