"""Routes of assessments: a bundle is announced, uploaded part by part, read, and looked at."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Body, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.bundles import actions, join, queries
from plumbline.bundles.read_upload import read_upload
from plumbline.bundles.schemas import AssessedHost, AssessmentCreate, AssessmentDetail, AssessmentRow, JoinedHost, JoinFleet, PlanPreview
from plumbline.bundles.uploads import LARGEST_BUNDLE
from plumbline.infra.schemas import RowId

router = APIRouter(route_class=IdempotentRoute)

Owner = Annotated[Actor, May("assessment.own")]
Content = Annotated[bytes, Body(media_type="application/octet-stream")]


@router.post("/assessments", status_code=status.HTTP_201_CREATED)
def begin_assessment(body: AssessmentCreate, session: SessionDep, actor: Owner) -> AssessmentRow:
    """Announces a support bundle; its parts follow."""
    return actions.begin(session, actor=actor, name=body.name, size_bytes=body.size_bytes)


@router.put("/assessments/{assessment_id}/content")
def upload_part(
    assessment_id: RowId,
    content: Content,
    offset: Annotated[int, Query(ge=0, le=LARGEST_BUNDLE)],
    session: SessionDep,
    actor: Owner,
    tasks: BackgroundTasks,
) -> AssessmentRow:
    """Takes the next part, of at most 1,000,000 bytes. After the last one the bundle is read. A part for another place than the end is
    refused (409) with the byte that is awaited, so that an upload can go on after a broken connection."""
    found, is_whole = actions.receive(session, actor=actor, assessment_id=assessment_id, offset=offset, content=content)
    if is_whole:
        tasks.add_task(read_upload, assessment_id, found.name)
    return found


@router.get("/assessments")
def list_assessments(session: SessionDep, actor: Owner) -> list[AssessmentRow]:
    """One's own assessments, newest first."""
    return queries.list_assessments(session, actor=actor)


@router.get("/assessments/{assessment_id}")
def read_assessment(
    assessment_id: RowId,
    session: SessionDep,
    actor: Owner,
    limit: Annotated[int, Query(ge=1, le=2000)] = 50,
    named: Annotated[str, Query(max_length=200)] = "",
) -> AssessmentDetail:
    """One assessment with the hosts that were found so far, at most `limit` of them; with `named` those whose name has it in it."""
    return queries.read_assessment(session, actor=actor, assessment_id=assessment_id, limit=limit, named=named)


@router.get("/assessments/{assessment_id}/hosts/{assessed_id}")
def read_assessed_host(assessment_id: RowId, assessed_id: RowId, session: SessionDep, actor: Owner) -> AssessedHost:
    """One host of an assessment with its findings and the lines of the bundle that they rest on."""
    return queries.read_host(session, actor=actor, assessment_id=assessment_id, host_id=assessed_id)


@router.get("/assessments/{assessment_id}/hosts/{assessed_id}/plan-preview")
def preview_assessed_plan(assessment_id: RowId, assessed_id: RowId, session: SessionDep, actor: Owner) -> PlanPreview:
    """The steps that a plan for this host would hold, as text to read and to copy. Nothing is stored, approved or run."""
    return queries.read_preview(session, actor=actor, assessment_id=assessment_id, host_id=assessed_id)


@router.post("/assessments/{assessment_id}/join")
def join_fleet(assessment_id: RowId, body: JoinFleet, session: SessionDep, actor: Annotated[Actor, May("host.add")]) -> list[JoinedHost]:
    """Adds hosts of one's own assessment to a group of the fleet. Each says what became of it; a host that checks in by itself is left out,
    since its own data is newer."""
    return join.join_fleet(session, actor=actor, assessment_id=assessment_id, request=body)


@router.delete("/assessments/{assessment_id}", status_code=status.HTTP_204_NO_CONTENT)
def delete_assessment(assessment_id: RowId, session: SessionDep, actor: Owner) -> None:
    """Throws an assessment away."""
    actions.delete(session, actor=actor, assessment_id=assessment_id)
