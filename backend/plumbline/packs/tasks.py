"""Celery shells of packs. Each is safe to run twice."""

import structlog
from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.packs import activation
from plumbline.previews import runs

log = structlog.get_logger()


@shared_task(name="packs.advance")  # type: ignore[untyped-decorator]
def advance(run_id: int) -> None:
    """Works a run off, a chunk a transaction."""
    try:
        while True:
            with session_scope() as session:
                if not runs.advance_run(session, run_id):
                    return
    except PlumblineError as error:
        with session_scope() as session:
            runs.fail_run(session, run_id, error.message)


@shared_task(name="packs.advance_open")  # type: ignore[untyped-decorator]
def advance_open() -> None:
    """Works off the runs whose bell was lost, or whose worker died."""
    with session_scope() as session:
        waiting = runs.open_runs(session)
    for run_id in waiting:
        advance(run_id)


@shared_task(name="packs.end_grace")  # type: ignore[untyped-decorator]
def end_grace() -> None:
    """Ends the times of grace that are over."""
    with session_scope() as session:
        activation.end_grace(session)
