"""Celery tasks of jobs. A task message carries a row's id and nothing that decides; any id may arrive at any time, any number of times."""

import os
import socket

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import resolve, retention
from plumbline.remediation.jobs import run as running
from plumbline.remediation.task_names import PURGE, RAISE_FENCE, RUN_JOB, is_row_id

QUEUES = ("remediation", "isolated")


@shared_task(name=RUN_JOB)  # type: ignore[untyped-decorator]
def run(job_id: int, queue: str = "remediation") -> None:
    """Continues a job from its present state."""
    if not is_row_id("run", job_id) or queue not in QUEUES:
        return
    running.run(job_id, worker=f"{socket.gethostname()}:{os.getpid()}", queue=queue)


@shared_task(name=RAISE_FENCE)  # type: ignore[untyped-decorator]
def raise_fence(job_id: int) -> None:
    """Raises a host's fence after a person resolved its job, and ends the job."""
    if is_row_id("raise_fence", job_id):
        resolve.raise_fence_and_resolve(job_id)


@shared_task(name=PURGE)  # type: ignore[untyped-decorator]
def purge() -> None:
    """Deletes what is older than its retention."""
    with session_scope() as session:
        retention.purge(session)
