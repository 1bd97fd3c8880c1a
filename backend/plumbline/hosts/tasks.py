"""Celery tasks for counting hosts. Each is safe to run twice."""

from celery import shared_task

from plumbline.hosts import kept_counts
from plumbline.infra.database import session_scope


@shared_task(name="hosts.fold_counts")  # type: ignore[untyped-decorator]
def fold_counts() -> None:
    """Folds what changed of the counts of hosts."""
    with session_scope() as session:
        kept_counts.fold_counts(session)
