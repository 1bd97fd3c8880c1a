"""Celery shells around the background work on findings. Each is safe to run twice."""

from celery import shared_task

from plumbline.evaluation import peer_changes as neighbours
from plumbline.evaluation import reevaluate as rejudge
from plumbline.evaluation import rollups
from plumbline.hosts import lifecycle as acts
from plumbline.infra.database import session_scope


@shared_task(name="findings.fold")  # type: ignore[untyped-decorator]
def fold() -> None:
    """Folds the rollups' deltas."""
    with session_scope() as session:
        rollups.fold_rollups(session)


@shared_task(name="findings.rejudge")  # type: ignore[untyped-decorator]
def rejudge_lagging() -> None:
    """Judges hosts again that lag behind the active packs, a chunk a transaction."""
    while True:
        with session_scope() as session:
            if not rejudge.rejudge_lagging(session):
                return


@shared_task(name="findings.judge_neighbours")  # type: ignore[untyped-decorator]
def judge_neighbours() -> None:
    """Judges hosts again whose neighbours changed, a chunk a transaction."""
    with session_scope() as session:
        neighbours.take_changes(rejudge.raw_connection(session))
    while True:
        with session_scope() as session:
            if not rejudge.rejudge_neighbours(session):
                return


@shared_task(name="findings.notice_silence")  # type: ignore[untyped-decorator]
def notice_silence() -> None:
    """Notes hosts that fell silent or are heard again, for their neighbours."""
    with session_scope() as session:
        neighbours.sweep(rejudge.raw_connection(session))


@shared_task(name="findings.note_day")  # type: ignore[untyped-decorator]
def note_day() -> None:
    """Writes today's figures of every group, for trends."""
    with session_scope() as session:
        acts.note_day(session)
