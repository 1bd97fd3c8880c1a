"""Routes of groups, hosts and enrolment."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute, shown_once
from plumbline.evaluation.schemas import HostScore
from plumbline.hosts import (
    actions,
    comparison,
    configuration_queries,
    enrolment_tokens,
    facets,
    groups,
    host_findings,
    host_list,
    host_page,
    switch_evidence,
    switches,
    timeline,
)
from plumbline.hosts.comparison_schemas import HostComparison, Reference
from plumbline.hosts.enrolment_schemas import EnrolmentTokenCreate, EnrolmentTokenMade, EnrolmentTokenRow, WaitingHost
from plumbline.hosts.fabric_import import import_fabrics
from plumbline.hosts.fabric_schemas import FabricImport, FabricImportRequest
from plumbline.hosts.filters import ClusterSearch, HostFilters, HostListing
from plumbline.hosts.finding_schemas import HostFindings
from plumbline.hosts.group_schemas import Group, GroupCreate, GroupUpdate
from plumbline.hosts.schemas import (
    ChangePage,
    Facet,
    HostApprove,
    HostDetail,
    HostFacets,
    HostPage,
    HostPaths,
    HostReason,
    HostRetire,
    HostRow,
    HostSettings,
    HostUpdate,
)
from plumbline.hosts.switch_schemas import SwitchDetail, SwitchEvidence, SwitchList
from plumbline.hosts.timeline_schemas import HostTimeline, TimelineSpan
from plumbline.infra.schemas import HostId, Moment, RowId

router = APIRouter(route_class=IdempotentRoute)

SwitchId = Annotated[str, Path(max_length=300)]
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(max_length=400)]
Reader = Annotated[Actor, May("host.read")]
FindingReader = Annotated[Actor, May("finding.read")]
Enroller = Annotated[Actor, May("enrolment.manage")]


@router.get("/groups")
def list_groups(session: SessionDep, actor: Annotated[Actor, May("group.read")]) -> list[Group]:
    """The groups this person may read, parents before children."""
    return groups.list_groups(session, actor=actor)


@router.post("/groups", status_code=status.HTTP_201_CREATED)
def create_group(body: GroupCreate, session: SessionDep, actor: Annotated[Actor, May("group.manage")]) -> Group:
    """A new group below another."""
    return groups.create_group(session, actor=actor, parent_id=body.parent_id, name=body.name)


@router.patch("/groups/{group_id}")
def change_group(group_id: RowId, body: GroupUpdate, session: SessionDep, actor: Annotated[Actor, May("group.manage")]) -> Group:
    """Renames a group, moves it, or sets its mode and whether it requires tickets."""
    return groups.change_group(session, actor=actor, group_id=group_id, changes=body.model_dump(exclude_unset=True))


@router.get("/hosts")
def list_hosts(listing: Annotated[HostListing, Query()], session: SessionDep, actor: Reader) -> HostPage:
    """One page of the hosts that match."""
    return host_list.list_hosts(session, actor=actor, listing=listing)


@router.get("/hosts/facets")
def list_host_facets(filters: Annotated[HostFilters, Query()], session: SessionDep, actor: Reader) -> HostFacets:
    """The values of each facet with their counts under the other filters."""
    return facets.list_facets(session, actor=actor, filters=filters)


@router.get("/hosts/facets/cluster")
def find_host_clusters(session: SessionDep, actor: Reader, filters: Annotated[ClusterSearch, Query()]) -> Facet:
    """The clusters with this in their name, with their counts under the other filters, and those chosen."""
    return facets.find_clusters(session, actor=actor, filters=filters, named=filters.named)


@router.get("/hosts/{host_id}/comparison")
def compare_host(
    host_id: HostId,
    session: SessionDep,
    actor: Reader,
    reference: Reference = "peers",
    other: HostId | None = None,
    at: Moment | None = None,
    assessed: RowId | None = None,
    same: bool = False,
) -> HostComparison:
    """One host beside another host (`other`), its baseline, the majority of its peers, its best peer, itself on a date (`at`),
    its stored values beside the `running` ones, or a host of one's own assessments (`assessed`) as its support bundle shows it.

    Only what differs, unless `same` settings are requested too.
    """
    return comparison.compare_host(
        session, actor=actor, host_id=host_id, reference=reference, other_id=other, at=at, assessed_id=assessed, with_same=same
    )


@router.get("/hosts/{host_id}/settings")
def list_host_settings(host_id: HostId, session: SessionDep, actor: Reader) -> HostSettings:
    """Every setting of the host's newest configuration."""
    return configuration_queries.list_settings(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/changes")
def list_host_changes(host_id: HostId, session: SessionDep, actor: Reader, after: Cursor = None, limit: Limit = 100) -> ChangePage:
    """Changes of the host's settings, newest first."""
    return configuration_queries.list_changes(session, actor=actor, host_id=host_id, after=after, limit=limit)


@router.get("/hosts/{host_id}/timeline")
def read_host_timeline(host_id: HostId, session: SessionDep, actor: Reader, span: Annotated[TimelineSpan, Query()]) -> HostTimeline:
    """What changed on the host, and which rules began or ceased to fail: since its enrolment, or in the span given."""
    return timeline.read_timeline(
        session, actor=actor, host_id=host_id, since=span.from_, until=span.to, hours=span.hours, with_unread=span.unread
    )


@router.get("/hosts/{host_id}/paths")
def read_host_paths(host_id: HostId, session: SessionDep, actor: Reader) -> HostPaths:
    """The path map, and what a restart of each adapter would leave."""
    return configuration_queries.read_paths(session, actor=actor, host_id=host_id)


@router.get("/switches")
def list_switches(session: SessionDep, actor: Reader) -> SwitchList:
    """The switches that hosts are cabled to, by what CDP and LLDP announce; those with the most failing ports first."""
    return switches.list_switches(session, actor=actor)


@router.get("/switch-evidence")
def read_switch_evidence(
    session: SessionDep, actor: Reader, host_id: HostId | None = None, group_id: RowId | None = None
) -> SwitchEvidence:
    """What one host, or the hosts of a group, hear of their switches, in words: evidence for an attestation."""
    return switch_evidence.read_switch_evidence(session, actor=actor, host_id=host_id, group_id=group_id)


@router.get("/switches/{switch_id:path}")
def read_switch(switch_id: SwitchId, session: SessionDep, actor: Reader) -> SwitchDetail:
    """One switch with its ports and the hosts behind them, failing ports first."""
    return switches.read_switch(session, actor=actor, switch_id=switch_id)


@router.get("/enrolment/tokens")
def list_enrolment_tokens(session: SessionDep, actor: Enroller) -> list[EnrolmentTokenRow]:
    """Tokens, newest first, without the tokens themselves."""
    return enrolment_tokens.list_tokens(session, actor=actor)


@router.post("/enrolment/tokens", status_code=status.HTTP_201_CREATED)
@shown_once("revoke that token and create another")
def make_enrolment_token(body: EnrolmentTokenCreate, session: SessionDep, actor: Enroller) -> EnrolmentTokenMade:
    """Makes a token; it is shown this once."""
    return enrolment_tokens.make_enrolment_token(session, actor=actor, request=body)


@router.delete("/enrolment/tokens/{token_id}", status_code=status.HTTP_204_NO_CONTENT)
def revoke_enrolment_token(token_id: RowId, session: SessionDep, actor: Enroller) -> None:
    """Ends a token; hosts that enrolled with it stay."""
    enrolment_tokens.revoke_enrolment_token(session, actor=actor, token_id=token_id)


@router.get("/enrolment/waiting")
def list_waiting_hosts(session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> list[WaitingHost]:
    """Hosts that enrolled and wait for approval."""
    return enrolment_tokens.list_waiting(session, actor=actor)


@router.get("/hosts/{host_id}")
def read_host(host_id: HostId, session: SessionDep, actor: FindingReader) -> HostDetail:
    """One host."""
    return host_page.read_host_page(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/approve")
def approve_host(host_id: HostId, body: HostApprove, session: SessionDep, actor: Annotated[Actor, May("host.approve")]) -> HostRow:
    """Approves a waiting host."""
    actions.approve(session, actor=actor, host_id=host_id, group_id=body.group_id)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/retire")
def retire_host(host_id: HostId, body: HostRetire, session: SessionDep, actor: Annotated[Actor, May("host.retire")]) -> HostRow:
    """Takes a host out of the fleet."""
    actions.retire(session, actor=actor, host_id=host_id, reason=body.reason)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/quarantine")
def quarantine_host(host_id: HostId, body: HostReason, session: SessionDep, actor: Annotated[Actor, May("host.quarantine")]) -> HostRow:
    """Refuses the host's check-ins until it is released or enrolled again."""
    actions.quarantine(session, actor=actor, host_id=host_id, reason=body.reason)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/release-quarantine")
def release_host_quarantine(
    host_id: HostId, body: HostReason, session: SessionDep, actor: Annotated[Actor, May("host.quarantine")]
) -> HostRow:
    """Accepts the check-ins of a quarantined host again."""
    actions.release_quarantine(session, actor=actor, host_id=host_id, reason=body.reason)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/clear-alarm")
def clear_host_alarm(host_id: HostId, body: HostReason, session: SessionDep, actor: Annotated[Actor, May("host.clear_alarm")]) -> HostRow:
    """Clears the alarm that the host's check-ins raised."""
    actions.clear_alarm(session, actor=actor, host_id=host_id, reason=body.reason)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/rotate-secret")
def rotate_host_secret(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.rotate_secret")]) -> HostRow:
    """Sends the host a new secret with its next check-in; both secrets work until the new one is first used."""
    actions.rotate_secret(session, actor=actor, host_id=host_id)
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.post("/fabric-labels/import")
def import_fabric_labels(body: FabricImportRequest, session: SessionDep, actor: Annotated[Actor, May("host.manage")]) -> FabricImport:
    """Labels adapters with their fabrics from a CSV, all or nothing; with `is_trial` it only reports what would change."""
    return import_fabrics(session, actor=actor, content=body.content, is_dry_run=body.is_trial)


@router.patch("/hosts/{host_id}")
def change_host(host_id: HostId, body: HostUpdate, session: SessionDep, actor: Annotated[Actor, May("host.tag")]) -> HostRow:
    """Moves a host, tags it, or sets its mode and the roles and fabrics of its adapters."""
    actions.change(session, actor=actor, host_id=host_id, changes=body.model_dump(exclude_unset=True))
    return host_list.read_host(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/findings")
def list_host_findings(host_id: HostId, session: SessionDep, actor: FindingReader) -> HostFindings:
    """All findings of the host, failing first."""
    return host_findings.list_findings(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/score")
def read_host_score(host_id: HostId, session: SessionDep, actor: FindingReader) -> HostScore:
    """The host's score taken apart to the rules that made it."""
    return host_page.read_score(session, actor=actor, host_id=host_id)
