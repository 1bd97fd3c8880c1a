"""Celery tasks that work on one host: installing the runner, sending test pings."""

from celery import shared_task

from plumbline.remediation.access import endpoint, probes
from plumbline.remediation.task_names import INSTALL_RUNNER, SEND_PINGS


@shared_task(name=INSTALL_RUNNER)  # type: ignore[untyped-decorator]
def install_runner(host_id: str) -> None:
    """Installs the runner on a host, as an admin requested."""
    endpoint.install_runner(host_id)


@shared_task(name=SEND_PINGS)  # type: ignore[untyped-decorator]
def probe(run_id: int) -> None:
    """Sends the pings that a person requested."""
    probes.carry_out(run_id)
