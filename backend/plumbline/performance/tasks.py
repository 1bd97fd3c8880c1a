"""Celery shells of counters."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.performance.fold import fold_counters


@shared_task(name="performance.fold")  # type: ignore[untyped-decorator]
def fold() -> None:
    """Folds days that are over into chunks."""
    with session_scope() as session:
        fold_counters(session)
