"""Routes of reports."""

from typing import Annotated, Literal

from fastapi import APIRouter, Response, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import RowId
from plumbline.reports import actions
from plumbline.reports.schemas import ReportCreate, ReportDetail, ReportOut

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("report.read")]
MEDIA = {"pdf": "application/pdf", "csv": "text/csv; charset=utf-8", "json": "application/json"}


@router.post("/reports", status_code=status.HTTP_201_CREATED)
def request_report(body: ReportCreate, session: SessionDep, actor: Annotated[Actor, May("report.make")]) -> ReportOut:
    """Requests a report, which is made in the background; its state tells when it is ready."""
    return actions.request_report(session, actor=actor, template=body.template, group_id=body.group_id)


@router.get("/reports")
def list_reports(session: SessionDep, actor: Reader) -> list[ReportOut]:
    """The newest 200 reports about groups this person may read."""
    return actions.list_reports(session, actor=actor)


@router.get("/reports/{report_id}")
def read_report(report_id: RowId, session: SessionDep, actor: Reader) -> ReportDetail:
    """One report with its frozen figures."""
    return actions.read_report(session, actor=actor, report_id=report_id)


@router.get(
    "/reports/{report_id}/files/{format}",
    response_class=Response,
    responses={200: {"content": {media.split(";")[0]: {"schema": {"type": "string", "format": "binary"}} for media in MEDIA.values()}}},
)
def download_report(
    report_id: RowId,
    format: Literal["pdf", "csv", "json"],
    session: SessionDep,
    actor: Annotated[Actor, May("report.export")],
) -> Response:
    """One rendered format. Each download is audited."""
    name, content = actions.read_file(session, actor=actor, report_id=report_id, file_format=format)
    return Response(content, media_type=MEDIA[format], headers={"Content-Disposition": f'attachment; filename="{name}"'})
