"""Celery tasks of previews. Each is safe to run twice."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.previews import runs


@shared_task(name="previews.advance")  # type: ignore[untyped-decorator]
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


@shared_task(name="previews.advance_open")  # type: ignore[untyped-decorator]
def advance_open() -> None:
    """Processes runs whose task message was lost or whose worker died."""
    with session_scope() as session:
        waiting = runs.open_runs(session)
    for run_id in waiting:
        advance(run_id)
