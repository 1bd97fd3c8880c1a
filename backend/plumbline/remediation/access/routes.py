"""Do-not-fragment pings on request, and the changes that wait for a restart or new sessions."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import OnceRoute
from plumbline.remediation.access import probes
from plumbline.remediation.access.probes import ProbeAsk, ProbeRunShape
from plumbline.remediation.jobs import pending_effects as pending
from plumbline.remediation.jobs.pending_effects import PendingEffect

router = APIRouter(route_class=OnceRoute)

HostId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


@router.get("/hosts/{host_id}/probes")
def list_probes(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> list[ProbeRunShape]:
    """The newest pings of a host that people asked for, with their outcomes."""
    return probes.newest(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/probes", status_code=status.HTTP_202_ACCEPTED)
def run_probes(host_id: HostId, body: ProbeAsk, session: SessionDep, actor: Annotated[Actor, May("host.probe")]) -> ProbeRunShape:
    """Sends one do-not-fragment ping of this size from every SAN address of the host to every portal of its paths; nothing is changed."""
    return probes.ask(session, actor=actor, host_id=host_id, size_bytes=body.size_bytes)


@router.get("/pending-effects")
def list_pending_effects(
    session: SessionDep,
    actor: Annotated[Actor, May("job.read")],
    host_id: Annotated[str | None, Query(pattern=r"^[0-9a-f]{32}$")] = None,
) -> list[PendingEffect]:
    """Changes that stand and wait for a restart of their host or for new sessions, the newest first; at most 200."""
    return pending.list_pending(session, actor=actor, host_id=host_id)
