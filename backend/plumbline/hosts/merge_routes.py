"""Routes of merging hosts and their subjects."""

from typing import Annotated

from fastapi import APIRouter

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.hosts import host_list as host_queries
from plumbline.hosts import merge
from plumbline.hosts.merge_schemas import GoneSubject, HostMerge, SubjectMerge
from plumbline.hosts.schemas import HostRow
from plumbline.infra.schemas import HostId

router = APIRouter(route_class=IdempotentRoute)

Merger = Annotated[Actor, May("host.merge")]


@router.post("/hosts/{host_id}/merge")
def merge_hosts(host_id: HostId, body: HostMerge, session: SessionDep, actor: Merger) -> HostRow:
    """This host goes on as another one did, which is retired."""
    merge.merge_hosts(session, actor=actor, host_id=host_id, old_id=body.old_id, reason=body.reason)
    return host_queries.read_host(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/gone-subjects")
def list_gone_subjects(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> list[GoneSubject]:
    """What the host had and no longer has: what a new card may have replaced."""
    return merge.list_gone_subjects(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/merge-subjects")
def merge_subjects(host_id: HostId, body: SubjectMerge, session: SessionDep, actor: Merger) -> HostRow:
    """What was known of a replaced part goes on under the one in its place."""
    merge.merge_subjects(session, actor=actor, host_id=host_id, kind=body.kind, old_id=body.old_id, new_id=body.new_id, reason=body.reason)
    return host_queries.read_host(session, actor=actor, host_id=host_id)
