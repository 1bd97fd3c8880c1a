"""Celery shells of counters."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.performance.fold import fold_counters
from plumbline.performance.hours import fold_hours


@shared_task(name="performance.fold")  # type: ignore[untyped-decorator]
def fold() -> None:
    """Folds days that are over into chunks."""
    with session_scope() as session:
        fold_counters(session)


@shared_task(name="performance.fold_hours")  # type: ignore[untyped-decorator]
def hours() -> None:
    """Folds the last hours for the charts of the fleet."""
    with session_scope() as session:
        fold_hours(session)
