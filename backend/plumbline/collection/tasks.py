"""Celery tasks of collection. Safe to run twice: the lease in the endpoint's row lets one worker read a host."""

from celery import shared_task

from plumbline.collection import credential_check, endpoints, vcenter_read
from plumbline.collection.collect import collect as collect_host
from plumbline.collection.start_agent import start_own_agent
from plumbline.infra.database import session_scope
from plumbline.infra.task_queue import enqueue_now


@shared_task(name="collection.collect")  # type: ignore[untyped-decorator]
def collect(host_id: str) -> None:
    """Reads one host over its channel."""
    collect_host(host_id)


@shared_task(name="collection.check_now")  # type: ignore[untyped-decorator]
def check_now(host_id: str) -> None:
    """Reads a host at a person's request, or starts the host's own agent where it has one, since only one source may number check-ins."""
    if collect_host(host_id) is None:
        start_own_agent(host_id)


@shared_task(name="collection.collect_due")  # type: ignore[untyped-decorator]
def collect_due() -> None:
    """Enqueues a task for every host and every vCenter that is due."""
    with session_scope() as session:
        due, vcenters = endpoints.due_hosts(session), vcenter_read.due_vcenters(session)
    for host_id in due:
        enqueue_now("collection.collect", host_id, queue="collection")
    for vcenter_id in vcenters:
        enqueue_now("collection.read_vcenter", vcenter_id, queue="collection")


@shared_task(name="collection.fetch_host_key")  # type: ignore[untyped-decorator]
def fetch_host_key(host_id: str) -> None:
    """Fetches the key or certificate that a host shows, for a person to confirm. No credential is opened."""
    credential_check.fetch_host_key(host_id)


@shared_task(name="collection.check_credential")  # type: ignore[untyped-decorator]
def check_credential(check_id: int) -> None:
    """Signs in to a host once with a credential, at a person's request."""
    credential_check.check_credential(check_id)


@shared_task(name="collection.fetch_vcenter_certificate")  # type: ignore[untyped-decorator]
def fetch_vcenter_certificate(vcenter_id: int) -> None:
    """Fetches the certificate that a vCenter shows, for a person to confirm. No credential is opened."""
    vcenter_read.fetch_certificate(vcenter_id)


@shared_task(name="collection.read_vcenter")  # type: ignore[untyped-decorator]
def read_vcenter(vcenter_id: int) -> None:
    """Reads what one vCenter reports about its hosts."""
    vcenter_read.read_vcenter(vcenter_id)
