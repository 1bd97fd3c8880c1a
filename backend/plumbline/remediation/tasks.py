"""Celery shells of remediation. A bell carries a job's number and nothing that decides; any number may arrive at any time, any number of
times."""

import os
import socket

from celery import shared_task

from plumbline.remediation import build as building
from plumbline.remediation import endpoint, human, probes
from plumbline.remediation import run as running


@shared_task(name="remediation.run")  # type: ignore[untyped-decorator]
def run(job_id: int, queue: str = "remediation") -> None:
    """Carries a job on from wherever it stands."""
    running.run(job_id, worker=f"{socket.gethostname()}:{os.getpid()}", queue=queue)


@shared_task(name="remediation.build")  # type: ignore[untyped-decorator]
def build(plan_id: int) -> None:
    """Plans what was asked for."""
    building.build(plan_id)


@shared_task(name="remediation.raise_fence")  # type: ignore[untyped-decorator]
def raise_fence(job_id: int) -> None:
    """Raises a host's fence after a person settled its job, and ends the job."""
    human.raise_fence_and_resolve(job_id)


@shared_task(name="remediation.install_runner")  # type: ignore[untyped-decorator]
def install_runner(host_id: str) -> None:
    """Puts the runner on a host, because an admin asked."""
    endpoint.install_runner(host_id)


@shared_task(name="remediation.probe")  # type: ignore[untyped-decorator]
def probe(run_id: int) -> None:
    """Sends the pings that a person asked for."""
    probes.carry_out(run_id)
