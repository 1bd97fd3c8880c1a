"""Routes of reports, their schedules and their mails."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import RowId
from plumbline.reports import actions, mails, schedules
from plumbline.reports.formats import MEDIA, Format
from plumbline.reports.schemas import MailChannel, MailCreate, ReportCreate, ReportDetail, ReportOut, ScheduleInput, ScheduleOut
from plumbline.reports.templates import TemplateName

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("report.read")]
Mailer = Annotated[Actor, May("report.mail")]


@router.post("/reports", status_code=status.HTTP_201_CREATED)
def request_report(body: ReportCreate, session: SessionDep, actor: Annotated[Actor, May("report.make")]) -> ReportOut:
    """Requests a report, which is made in the background; its state tells when it is ready."""
    return actions.request_report(session, actor=actor, request=body)


@router.get("/reports")
def list_reports(
    session: SessionDep,
    actor: Reader,
    template: TemplateName | Literal[""] = "",
    schedule: RowId | None = None,
    before: RowId | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 200,
) -> list[ReportOut]:
    """Reports about groups this person may read, newest first; with `before`, those older than that report."""
    return actions.list_reports(session, actor=actor, template=template, schedule_id=schedule, before=before, limit=limit)


@router.get("/reports/mail-channels")
def list_report_mail_channels(group_id: RowId, session: SessionDep, actor: Mailer) -> list[MailChannel]:
    """The mail channels by which reports about a group can be mailed."""
    return mails.list_mail_channels(session, actor=actor, group_id=group_id)


@router.get("/reports/{report_id}")
def read_report(report_id: RowId, session: SessionDep, actor: Reader) -> ReportDetail:
    """One report with its frozen figures."""
    return actions.read_report(session, actor=actor, report_id=report_id)


@router.get(
    "/reports/{report_id}/files/{format}",
    response_class=Response,
    responses={200: {"content": {media: {"schema": {"type": "string", "format": "binary"}} for media in MEDIA.values()}}},
)
def download_report(
    report_id: RowId,
    format: Format,
    session: SessionDep,
    actor: Annotated[Actor, May("report.export")],
) -> Response:
    """One rendered format. Each download is audited."""
    name, content = actions.read_file(session, actor=actor, report_id=report_id, file_format=format)
    return Response(content, media_type=MEDIA[format], headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get(
    "/reports/{report_id}/pages/{number}",
    response_class=Response,
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
)
def read_report_page(report_id: RowId, number: Annotated[int, Path(ge=1, le=100)], session: SessionDep, actor: Reader) -> Response:
    """A picture of one of the PDF's first pages."""
    return Response(actions.read_picture(session, actor=actor, report_id=report_id, number=number), media_type="image/png")


@router.post("/reports/{report_id}/mails", status_code=status.HTTP_201_CREATED)
def mail_report(report_id: RowId, body: MailCreate, session: SessionDep, actor: Mailer) -> ReportDetail:
    """Mails a finished report."""
    mails.request_mail(session, actor=actor, report_id=report_id, mail=body)
    return actions.read_report(session, actor=actor, report_id=report_id)


@router.post("/reports/{report_id}/mails/{mail_id}/again", status_code=status.HTTP_201_CREATED)
def mail_report_again(report_id: RowId, mail_id: RowId, session: SessionDep, actor: Mailer) -> ReportDetail:
    """Mails a report once more, as an earlier mail of it was sent."""
    mail = mails.read_mail_of(session, actor=actor, report_id=report_id, mail_id=mail_id)
    mails.request_mail(session, actor=actor, report_id=report_id, mail=mail)
    return actions.read_report(session, actor=actor, report_id=report_id)


@router.get("/report-schedules")
def list_report_schedules(session: SessionDep, actor: Reader) -> list[ScheduleOut]:
    """The schedules of reports about groups this person may read."""
    return schedules.list_schedules(session, actor=actor)


@router.post("/report-schedules", status_code=status.HTTP_201_CREATED)
def create_report_schedule(body: ScheduleInput, session: SessionDep, actor: Mailer) -> ScheduleOut:
    """A new schedule."""
    return schedules.create_schedule(session, actor=actor, request=body)


@router.put("/report-schedules/{schedule_id}")
def change_report_schedule(schedule_id: RowId, body: ScheduleInput, session: SessionDep, actor: Mailer) -> ScheduleOut:
    """Replaces a schedule's settings; its reports are made with this person's rights from now on."""
    return schedules.change_schedule(session, actor=actor, schedule_id=schedule_id, request=body)


@router.delete("/report-schedules/{schedule_id}", status_code=status.HTTP_204_NO_CONTENT)
def remove_report_schedule(schedule_id: RowId, session: SessionDep, actor: Mailer) -> None:
    """Ends a schedule; the reports that it made stay."""
    schedules.remove_schedule(session, actor=actor, schedule_id=schedule_id)
