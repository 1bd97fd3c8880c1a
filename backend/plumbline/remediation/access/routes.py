"""Routes of how a host is reached for changes: its address and credential, its runner, test pings."""

from typing import Annotated

from fastapi import APIRouter, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import HostId
from plumbline.remediation.access import endpoint, probes, reachability
from plumbline.remediation.access.schemas import HostReach, ProbeAsk, ProbeRunOut, WaySet, WayToHost

router = APIRouter(route_class=IdempotentRoute)


@router.get("/hosts/{host_id}/remediation")
def read_way_to_host(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> WayToHost:
    """How the host is reached for changes, and whether its runner is the one of this version."""
    return endpoint.read_access(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/reach")
def read_host_reach(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> HostReach:
    """Whether the host can be reached for changes, and why not: lockdown, SSH, its identity, its credential, its runner."""
    return reachability.read_reach(session, actor=actor, host_id=host_id)


@router.put("/hosts/{host_id}/remediation")
def set_way_to_host(host_id: HostId, body: WaySet, session: SessionDep, actor: Annotated[Actor, May("host.manage")]) -> WayToHost:
    """Names the credential for changes."""
    return endpoint.set_access(session, actor=actor, host_id=host_id, request=body)


@router.post("/hosts/{host_id}/remediation/runner", status_code=status.HTTP_202_ACCEPTED)
def install_runner(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.manage")]) -> WayToHost:
    """Installs the runner of this version on an ESXi host."""
    return endpoint.request_runner(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/probes")
def list_probes(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> list[ProbeRunOut]:
    """The newest test pings of a host, with their outcomes."""
    return probes.list_runs(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/probes", status_code=status.HTTP_202_ACCEPTED)
def run_probes(host_id: HostId, body: ProbeAsk, session: SessionDep, actor: Annotated[Actor, May("host.probe")]) -> ProbeRunOut:
    """Sends one do-not-fragment ping of this size from every SAN address of the host to every portal of its paths; nothing is changed."""
    return probes.request_pings(session, actor=actor, host_id=host_id, size_bytes=body.size_bytes)
