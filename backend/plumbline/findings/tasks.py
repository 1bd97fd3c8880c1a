"""Celery shells around the background work on findings. Each is safe to run twice."""

from celery import shared_task

from plumbline.database import session_scope
from plumbline.findings import rollups


@shared_task(name="findings.fold")  # type: ignore[untyped-decorator]
def fold() -> None:
    """Folds the rollups' deltas."""
    with session_scope() as session:
        rollups.fold_rollups(session)
