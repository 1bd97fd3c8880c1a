"""Celery shells of remediation. A bell carries a job's number and nothing that decides; any number may arrive at any time, any number of
times."""

import os
import socket

import structlog
from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.remediation.access import endpoint, probes
from plumbline.remediation.jobs import resolve as human
from plumbline.remediation.jobs import retention as keep
from plumbline.remediation.jobs import run as running
from plumbline.remediation.plans import build as building

log = structlog.get_logger()

QUEUES = ("remediation", "alone")
_LARGEST_ID = 2**31 - 1


def _is_id(task: str, number: object) -> bool:
    """Whoever reaches the broker can ring with anything; what cannot be a row's number is noted and comes to nothing."""
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number <= _LARGEST_ID:
        return True
    log.warning("a bell that nobody of ours rang", task=task, argument=repr(number)[:100])
    return False


@shared_task(name="remediation.run")  # type: ignore[untyped-decorator]
def run(job_id: int, queue: str = "remediation") -> None:
    """Carries a job on from wherever it stands."""
    if not _is_id("run", job_id) or queue not in QUEUES:
        return
    running.run(job_id, worker=f"{socket.gethostname()}:{os.getpid()}", queue=queue)


@shared_task(name="remediation.build")  # type: ignore[untyped-decorator]
def build(plan_id: int) -> None:
    """Plans what was asked for."""
    if _is_id("build", plan_id):
        building.build(plan_id)


@shared_task(name="remediation.raise_fence")  # type: ignore[untyped-decorator]
def raise_fence(job_id: int) -> None:
    """Raises a host's fence after a person settled its job, and ends the job."""
    if _is_id("raise_fence", job_id):
        human.raise_fence_and_resolve(job_id)


@shared_task(name="remediation.install_runner")  # type: ignore[untyped-decorator]
def install_runner(host_id: str) -> None:
    """Puts the runner on a host, because an admin asked."""
    endpoint.install_runner(host_id)


@shared_task(name="remediation.probe")  # type: ignore[untyped-decorator]
def probe(run_id: int) -> None:
    """Sends the pings that a person asked for."""
    probes.carry_out(run_id)


@shared_task(name="remediation.purge")  # type: ignore[untyped-decorator]
def purge() -> None:
    """Drops what is older than its time."""
    with session_scope() as session:
        keep.purge(session)
