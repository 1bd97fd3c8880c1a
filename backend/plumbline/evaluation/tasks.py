"""Celery tasks for the background work on findings. Each is safe to run twice."""

from celery import shared_task

from plumbline.evaluation import peer_changes, reevaluate, rollups
from plumbline.infra.database import session_scope


@shared_task(name="evaluation.fold_rollups")  # type: ignore[untyped-decorator]
def fold_rollups() -> None:
    """Folds the rollups' deltas."""
    with session_scope() as session:
        rollups.fold_rollups(session)


@shared_task(name="evaluation.reevaluate")  # type: ignore[untyped-decorator]
def reevaluate_lagging() -> None:
    """Evaluates hosts again that lag behind the active packs, a chunk a transaction."""
    while True:
        with session_scope() as session:
            if not reevaluate.reevaluate_lagging(session):
                return


@shared_task(name="evaluation.reevaluate_peers")  # type: ignore[untyped-decorator]
def reevaluate_peers() -> None:
    """Re-evaluates hosts whose peers changed, one transaction for each chunk."""
    with session_scope() as session:
        peer_changes.take_changes(reevaluate.raw_connection(session))
    while True:
        with session_scope() as session:
            if not reevaluate.reevaluate_peers(session):
                return


@shared_task(name="evaluation.mark_silent")  # type: ignore[untyped-decorator]
def mark_silent() -> None:
    """Records hosts that stopped or resumed reporting, for their peers."""
    with session_scope() as session:
        peer_changes.mark_silent(reevaluate.raw_connection(session))
