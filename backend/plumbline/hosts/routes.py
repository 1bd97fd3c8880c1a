"""Routes of groups, hosts and enrolment."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import OnceRoute, shown_once
from plumbline.hosts import configuration_queries, facets, groups
from plumbline.hosts import enrolment_tokens as acts
from plumbline.hosts import host_list as queries
from plumbline.hosts.filters import ClusterSearch, HostFilters, HostListing
from plumbline.hosts.schemas import (
    ChangePage,
    EnrolmentTokenCreate,
    EnrolmentTokenMade,
    EnrolmentTokenRow,
    Facet,
    Group,
    GroupCreate,
    HostFacets,
    HostPage,
    HostPaths,
    HostSettings,
    WaitingHost,
)
from plumbline.infra.schemas import RowId

router = APIRouter(route_class=OnceRoute)

HostId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(max_length=400)]
Reader = Annotated[Actor, May("host.read")]
Enroller = Annotated[Actor, May("enrolment.manage")]


@router.get("/groups")
def list_groups(session: SessionDep, actor: Annotated[Actor, May("group.read")]) -> list[Group]:
    """The groups this person may read, parents before children."""
    return groups.list_groups(session, actor=actor)


@router.post("/groups", status_code=status.HTTP_201_CREATED)
def create_group(body: GroupCreate, session: SessionDep, actor: Annotated[Actor, May("group.manage")]) -> Group:
    """A new group below another."""
    return groups.create_group(session, actor=actor, parent_id=body.parent_id, name=body.name)


@router.get("/hosts")
def list_hosts(listing: Annotated[HostListing, Query()], session: SessionDep, actor: Reader) -> HostPage:
    """One page of the hosts that match."""
    return queries.list_hosts(session, actor=actor, listing=listing)


@router.get("/hosts/facets")
def list_host_facets(filters: Annotated[HostFilters, Query()], session: SessionDep, actor: Reader) -> HostFacets:
    """The values of each facet with their counts under the other filters."""
    return facets.list_facets(session, actor=actor, filters=filters)


@router.get("/hosts/facets/cluster")
def find_host_clusters(session: SessionDep, actor: Reader, filters: Annotated[ClusterSearch, Query()]) -> Facet:
    """The clusters with this in their name, with their counts under the other filters, and those chosen."""
    return facets.find_clusters(session, actor=actor, filters=filters, named=filters.named)


@router.get("/hosts/{host_id}/settings")
def list_host_settings(host_id: HostId, session: SessionDep, actor: Reader) -> HostSettings:
    """Every setting of the host's newest configuration."""
    return configuration_queries.list_settings(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/changes")
def list_host_changes(host_id: HostId, session: SessionDep, actor: Reader, after: Cursor = None, limit: Limit = 100) -> ChangePage:
    """Changes of the host's settings, newest first."""
    return configuration_queries.list_changes(session, actor=actor, host_id=host_id, after=after, limit=limit)


@router.get("/hosts/{host_id}/paths")
def read_host_paths(host_id: HostId, session: SessionDep, actor: Reader) -> HostPaths:
    """The path map, and what a restart of each adapter would leave."""
    return configuration_queries.read_paths(session, actor=actor, host_id=host_id)


@router.get("/enrolment/tokens")
def list_enrolment_tokens(session: SessionDep, actor: Enroller) -> list[EnrolmentTokenRow]:
    """Tokens, newest first, without the tokens themselves."""
    return acts.list_tokens(session, actor=actor)


@router.post("/enrolment/tokens", status_code=status.HTTP_201_CREATED)
@shown_once("revoke that token and make another")
def make_enrolment_token(body: EnrolmentTokenCreate, session: SessionDep, actor: Enroller) -> EnrolmentTokenMade:
    """Makes a token; it is shown this once."""
    return acts.make_enrolment_token(session, actor=actor, asked=body)


@router.delete("/enrolment/tokens/{token_id}", status_code=status.HTTP_204_NO_CONTENT)
def revoke_enrolment_token(token_id: RowId, session: SessionDep, actor: Enroller) -> None:
    """Ends a token; hosts that enrolled with it stay."""
    acts.revoke_token(session, actor=actor, token_id=token_id)


@router.get("/enrolment/waiting")
def list_waiting_hosts(session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> list[WaitingHost]:
    """Hosts that enrolled and wait for approval."""
    return acts.list_waiting(session, actor=actor)
