"""Celery shells of baselines."""

from celery import shared_task

from plumbline.drift.baseline_compare import compare_lagging
from plumbline.infra.database import session_scope


@shared_task(name="drift.compare_baselines")  # type: ignore[untyped-decorator]
def compare() -> None:
    """Compares hosts that changed with their baselines, chunk by chunk until none lags."""
    while True:
        with session_scope() as session:
            if not compare_lagging(session):
                return
