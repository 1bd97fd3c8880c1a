"""Celery tasks of watches. Safe to run twice: a lease in the watch's row lets one process run it."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.infra.task_queue import enqueue_now
from plumbline.remediation.task_names import WATCH_JOB, is_row_id
from plumbline.watches import rows, run
from plumbline.watches.of_jobs import watch_job

KEPT_DAYS = 30


@shared_task(name="watches.start")  # type: ignore[untyped-decorator]
def start(watch_id: int) -> None:
    """Begins or goes on with a watch."""
    run.start(watch_id)


@shared_task(name=WATCH_JOB)  # type: ignore[untyped-decorator]
def start_for_job(job_id: int) -> None:
    """Watches the host of a job that has just begun."""
    if not is_row_id(WATCH_JOB, job_id):
        return
    with session_scope() as session:
        watch_id = watch_job(session, job_id)
    if watch_id is not None:
        run.start(watch_id)


@shared_task(name="watches.continue_open")  # type: ignore[untyped-decorator]
def continue_open() -> None:
    """Enqueues watches that wait, and those whose process is gone; ends those that are over."""
    for watch_id in rows.open_watches():
        enqueue_now("watches.start", watch_id, queue="collection")


@shared_task(name="watches.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Deletes watches of long ago."""
    rows.purge(days=KEPT_DAYS)
