"""Routes of waivers, attestations and the evidence attached to them."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path, Query, status
from starlette.responses import Response

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute, not_idempotent
from plumbline.infra.schemas import HostId, RowId
from plumbline.waivers import attestations, detail, evidence, preview, queries, request
from plumbline.waivers.queries import WaiverFilters
from plumbline.waivers.schemas import (
    Age,
    AttestationCreate,
    AttestationRow,
    Attestations,
    EndsWithin,
    EvidenceFileOut,
    PersonName,
    WaivedFindings,
    WaiverCreate,
    WaiverDetail,
    WaiverNotices,
    WaiverPage,
    WaiverPreview,
    WaiverReason,
    WaiverScopeInput,
    WaiverStateOut,
)

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("waiver.read")]
Asker = Annotated[Actor, May("waiver.request")]
Decider = Annotated[Actor, May("waiver.decide")]
Attester = Annotated[Actor, May("attestation.make")]
Cursor = Annotated[str | None, Query(max_length=400)]
FileName = Annotated[str, Query(min_length=1, max_length=200)]
Content = Annotated[bytes, Body(media_type="application/octet-stream")]
Id = Annotated[int, Path(ge=1, le=2**31 - 1)]

_FILE = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


def waiver_filters(
    state: Annotated[list[WaiverStateOut], Query(max_length=7)] = [],  # noqa: B006 - FastAPI copies it
    owner: Annotated[list[RowId], Query(max_length=50)] = [],  # noqa: B006
    age: Annotated[list[Age], Query(max_length=3)] = [],  # noqa: B006
    ends_within: EndsWithin | None = None,
    q: Annotated[str, Query(max_length=200)] = "",
    rule: Annotated[str, Query(max_length=240)] = "",
    host: Annotated[str, Query(max_length=32)] = "",
    group: RowId | None = None,
) -> WaiverFilters:
    """The filter grammar of the list of waivers and of its download."""
    return WaiverFilters(state=state, owner=owner, age=age, ends_within=ends_within, q=q, rule=rule, host=host, group=group)


Filters = Annotated[WaiverFilters, Depends(waiver_filters)]


@router.get("/waivers")
def list_waivers(
    session: SessionDep, actor: Reader, filters: Filters, after: Cursor = None, limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> WaiverPage:
    """Waivers with facets: first those that wait for a decision, then active ones by their end, then ended ones."""
    return queries.list_waivers(session, actor=actor, filters=filters, after=after, limit=limit)


@router.post("/waivers/preview")
@not_idempotent("it reads only")
def preview_waiver(body: WaiverScopeInput, session: SessionDep, actor: Asker) -> WaiverPreview:
    """What a waiver would change: findings, hosts, scores and caps. Changes nothing."""
    return preview.preview(session, actor=actor, request=body)


@router.post("/waivers", status_code=status.HTTP_201_CREATED)
def request_waiver(body: WaiverCreate, session: SessionDep, actor: Asker) -> WaiverDetail:
    """Requests a waiver; another person decides."""
    waiver = request.request_waiver(session, actor=actor, request=body)
    return detail.read_waiver(session, actor=actor, waiver_id=waiver.id or 0)


@router.get("/waivers/owners")
def list_waiver_owners(session: SessionDep, actor: Reader) -> list[PersonName]:
    """People who may own a waiver."""
    return request.list_owners(session, actor=actor)


@router.get("/waivers/notices")
def read_waiver_notices(session: SessionDep, actor: Reader) -> WaiverNotices:
    """What waits for one's decision, and what of one's own ends soon or ended lately."""
    return detail.read_notices(session, actor=actor)


@router.get("/waivers/{waiver_id}")
def read_waiver(waiver_id: Id, session: SessionDep, actor: Reader) -> WaiverDetail:
    """One waiver with its evidence and history."""
    return detail.read_waiver(session, actor=actor, waiver_id=waiver_id)


@router.get("/waivers/{waiver_id}/findings")
def list_waived_findings(waiver_id: Id, session: SessionDep, actor: Reader) -> WaivedFindings:
    """The failing findings under a waiver."""
    return detail.list_waived_findings(session, actor=actor, waiver_id=waiver_id)


@router.get("/waivers/{waiver_id}/preview")
def preview_requested_waiver(waiver_id: Id, session: SessionDep, actor: Reader) -> WaiverPreview:
    """What a requested waiver would change now."""
    return detail.preview_waiver(session, actor=actor, waiver_id=waiver_id)


@router.post("/waivers/{waiver_id}/approve")
def approve_waiver(waiver_id: Id, session: SessionDep, actor: Decider) -> WaiverDetail:
    """Puts a waiver in force; never one's own."""
    return detail.approve(session, actor=actor, waiver_id=waiver_id)


@router.post("/waivers/{waiver_id}/refuse")
def refuse_waiver(waiver_id: Id, body: WaiverReason, session: SessionDep, actor: Decider) -> WaiverDetail:
    """Refuses a waiver, with the reason."""
    return detail.refuse(session, actor=actor, waiver_id=waiver_id, reason=body.reason)


@router.post("/waivers/{waiver_id}/withdraw")
def withdraw_waiver(
    waiver_id: Id, body: WaiverReason, session: SessionDep, actor: Annotated[Actor, May("waiver.withdraw")]
) -> WaiverDetail:
    """Ends a waiver, or takes the request for it back."""
    return detail.withdraw(session, actor=actor, waiver_id=waiver_id, reason=body.reason)


@router.post("/waivers/{waiver_id}/files", status_code=status.HTTP_201_CREATED)
def attach_to_waiver(waiver_id: Id, name: FileName, body: Content, session: SessionDep, actor: Asker) -> EvidenceFileOut:
    """Attaches a file to one's own request, before it is decided on."""
    waiver = detail.waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    return evidence.attach_to_waiver(session, actor=actor, waiver=waiver, name=name, content=body)


@router.get("/waivers/{waiver_id}/files/{file_id}", response_class=Response, responses={200: _FILE})
def download_waiver_file(waiver_id: Id, file_id: Id, session: SessionDep, actor: Reader) -> Response:
    """A file of evidence, as an attachment."""
    detail.waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    return _attachment(*evidence.read_file(session, file_id=file_id, waiver_id=waiver_id))


@router.get("/attestations")
def list_attestations(
    session: SessionDep,
    actor: Annotated[Actor, May("attestation.read")],
    host: HostId | None = None,
) -> Attestations:
    """What people attest because no host can see it, and what was attested."""
    return attestations.list_attestations(session, actor=actor, host_id=host)


@router.post("/attestations", status_code=status.HTTP_201_CREATED)
def make_attestation(body: AttestationCreate, session: SessionDep, actor: Attester) -> AttestationRow:
    """Attests what no host can see."""
    return attestations.attest(session, actor=actor, request=body)


@router.post("/attestations/{attestation_id}/withdraw")
def withdraw_attestation(attestation_id: Id, body: WaiverReason, session: SessionDep, actor: Attester) -> AttestationRow:
    """Ends an attestation before its time."""
    return attestations.withdraw_attestation(session, actor=actor, attestation_id=attestation_id, reason=body.reason)


@router.post("/attestations/{attestation_id}/files", status_code=status.HTTP_201_CREATED)
def attach_to_attestation(attestation_id: Id, name: FileName, body: Content, session: SessionDep, actor: Attester) -> EvidenceFileOut:
    """Attaches a file to an attestation of one's own."""
    row = attestations.attestation_in_scope(session, actor=actor, attestation_id=attestation_id)
    return evidence.attach_to_attestation(session, actor=actor, attestation=row, name=name, content=body)


@router.get("/attestations/{attestation_id}/files/{file_id}", response_class=Response, responses={200: _FILE})
def download_attestation_file(
    attestation_id: Id, file_id: Id, session: SessionDep, actor: Annotated[Actor, May("attestation.read")]
) -> Response:
    """A file of evidence, as an attachment."""
    attestations.attestation_in_scope(session, actor=actor, attestation_id=attestation_id)
    return _attachment(*evidence.read_file(session, file_id=file_id, attestation_id=attestation_id))


def _attachment(disposition: str, media_type: str, content: bytes) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": disposition})
