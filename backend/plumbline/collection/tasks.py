"""Celery shells around collection. Safe to run twice: a claim in the endpoint's row lets one worker at a host."""

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
    """Reads a host because a person asked, or starts the agent that it has of its own: it may have one counter only."""
    if collect_host(host_id) is None:
        start_own_agent(host_id)


@shared_task(name="collection.collect_due")  # type: ignore[untyped-decorator]
def collect_due() -> None:
    """Rings for every host and every vCenter whose time has come."""
    with session_scope() as session:
        due, vcenters = endpoints.due_hosts(session), vcenter_read.due_vcenters(session)
    for host_id in due:
        enqueue_now("collection.collect", host_id, queue="collection")
    for vcenter_id in vcenters:
        enqueue_now("collection.read_vcenter", vcenter_id, queue="collection")


@shared_task(name="collection.fetch_host_key")  # type: ignore[untyped-decorator]
def look(host_id: str) -> None:
    """Asks a host which key or certificate it shows, for a person to confirm. No credential is opened."""
    credential_check.look(host_id)


@shared_task(name="collection.check_credential")  # type: ignore[untyped-decorator]
def try_credential(trial_id: int) -> None:
    """Signs in to a host once with a credential, because a person asked."""
    credential_check.try_credential(trial_id)


@shared_task(name="collection.fetch_vcenter_certificate")  # type: ignore[untyped-decorator]
def look_vcenter(vcenter_id: int) -> None:
    """Asks a vCenter which certificate it shows, for a person to confirm. No credential is opened."""
    vcenter_read.look(vcenter_id)


@shared_task(name="collection.read_vcenter")  # type: ignore[untyped-decorator]
def read_vcenter(vcenter_id: int) -> None:
    """Reads what one vCenter tells of its hosts."""
    vcenter_read.read_vcenter(vcenter_id)
