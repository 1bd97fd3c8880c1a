"""Requesting reports, listing them, and downloading their files. Each download is audited."""

from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import allow, require
from plumbline.auth.scope import in_scope
from plumbline.fleet.view_filters import view_for
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.auth import PERSON, Person
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.models.reports import REPORT, REPORT_FILE, REPORT_MAIL, REPORT_SCHEDULE, Report, ReportFile, ReportMail, ReportSchedule
from plumbline.reports.formats import ENDING, FORMATS, Format, picture_name
from plumbline.reports.requests import days_for, group_for
from plumbline.reports.schemas import ReportCreate, ReportDetail, ReportFileOut, ReportMailOut, ReportOut
from plumbline.reports.templates import TEMPLATES

MOST_QUEUED = 10
MAKE_TASK = "reports.make"
# Mails shown with a report, the newest.
_MOST_MAILS = 20


def request_report(session: Session, *, actor: Actor, request: ReportCreate) -> ReportOut:
    """Queues a report about a group and its subgroups, or the hosts of a saved view in it. Raises `NotFound`, `NotAllowed`, `BadInput`,
    `Conflict`."""
    group_for(session, actor=actor, action="report.make", group_id=request.group_id)
    queued = select(func.count()).select_from(Report).where(REPORT.requested_by == actor.person_id, REPORT.state == "queued")
    waiting = session.scalar(queued) or 0
    if waiting >= MOST_QUEUED:
        raise Conflict(f"You have {waiting} reports in progress. Wait for one to finish.")
    filters, view_name = view_for(session, actor=actor, view_id=request.view_id)
    period = days_for(session, request.period)
    now = now_of(session)
    report = Report(
        template=request.template,
        group_id=request.group_id,
        filters=filters,
        view_name=view_name,
        preset=period.preset,
        first_day=period.first,
        last_day=period.last,
        time_zone=period.zone,
        as_of=min(period.end, now),
        requested_by=actor.person_id,
        requested_at=now,
    )
    queue_report(session, report, by=actor.audit_name)
    return read_report(session, actor=actor, report_id=report.id or 0)


def queue_report(session: Session, report: Report, *, by: str) -> None:
    """Stores a report to be made, audits who asked for it, and sends the task."""
    session.add(report)
    session.flush()
    audit.record(
        session,
        actor=by,
        action="report.requested",
        about=audit.Object("report", str(report.id), report.group_id),
        after={
            "template": report.template,
            "view": report.view_name,
            "first_day": report.first_day.isoformat(),
            "last_day": report.last_day.isoformat(),
        },
    )
    enqueue(session, MAKE_TASK, report.id or 0)


_COLUMNS = (
    REPORT.id, REPORT.template, REPORT.group_id, REPORT.view_name, REPORT.preset, REPORT.first_day, REPORT.last_day, REPORT.time_zone,
    REPORT.as_of, REPORT.requested_at, REPORT.schedule_id, REPORT.state, REPORT.error, REPORT.data_sha256,
)  # fmt: skip


def _rows(session: Session, actor: Actor, *conditions: Any, limit: int) -> list[ReportOut]:
    """Reports in scope, newest first, without their data. Four queries."""
    query: Any = (
        select(
            *_COLUMNS,
            HOST_GROUP.name.label("group_name"),
            HOST_GROUP.path,
            func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login, "").label("requested_by"),
            func.coalesce(REPORT_SCHEDULE.name, "").label("schedule_name"),
        )
        .join(HostGroup, HOST_GROUP.id == REPORT.group_id)
        .outerjoin(Person, PERSON.id == REPORT.requested_by)
        .outerjoin(ReportSchedule, REPORT_SCHEDULE.id == REPORT.schedule_id)
        .where(in_scope(actor), *conditions)
        .order_by(REPORT.id.desc())
        .limit(limit)
    )
    rows = session.execute(query).all()
    ids = [row.id for row in rows]
    files: dict[int, list[ReportFileOut]] = {}
    pictures: dict[int, int] = {}
    for file_of, name, sha256, size in session.execute(
        select(REPORT_FILE.report_id, REPORT_FILE.format, REPORT_FILE.sha256, func.octet_length(REPORT_FILE.content))
        .where(REPORT_FILE.report_id.in_(ids))
        .order_by(REPORT_FILE.format)
    ):
        if name in FORMATS:
            files.setdefault(file_of, []).append(ReportFileOut(format=name, sha256=sha256, bytes=size))
        else:
            pictures[file_of] = pictures.get(file_of, 0) + 1
    mails = _mails(session, ids)
    return [
        ReportOut(
            **{name: value for name, value in row._mapping.items() if name != "path"},
            title=TEMPLATES[row.template].title if row.template in TEMPLATES else row.template,
            files=files.get(row.id, []),
            pictures=pictures.get(row.id, 0),
            mails=mails.get(row.id, []) if allow(actor, "report.mail", row.path) else [],
            may_export=allow(actor, "report.export", row.path),
            may_mail=allow(actor, "report.mail", row.path),
        )
        for row in rows
    ]


def _mails(session: Session, ids: list[int]) -> dict[int, list[ReportMailOut]]:
    rows = session.scalars(select(ReportMail).where(REPORT_MAIL.report_id.in_(ids)).order_by(REPORT_MAIL.id.desc())).all()
    people = people_of(session, [row.requested_by for row in rows]) if rows else {}
    mails: dict[int, list[ReportMailOut]] = {}
    for row in rows:
        shown = mails.setdefault(row.report_id, [])
        if len(shown) < _MOST_MAILS:
            by = people.get(row.requested_by, "") if row.requested_by is not None else "Schedule"
            shown.append(ReportMailOut.model_validate({**row.model_dump(), "requested_by": by}))
    return mails


def list_reports(
    session: Session, *, actor: Actor, template: str = "", schedule_id: int | None = None, before: int | None = None, limit: int = 200
) -> list[ReportOut]:
    """The newest reports, or the newest before one of them."""
    conditions: list[Any] = []
    if template:
        conditions.append(REPORT.template == template)
    if schedule_id is not None:
        conditions.append(REPORT.schedule_id == schedule_id)
    if before is not None:
        conditions.append(REPORT.id < before)
    return _rows(session, actor, *conditions, limit=limit)


def read_report(session: Session, *, actor: Actor, report_id: int) -> ReportDetail:
    """One report with its frozen figures."""
    rows = _rows(session, actor, REPORT.id == report_id, limit=1)
    if not rows:
        raise NotFound("Report not found.")
    return ReportDetail(**rows[0].model_dump(), data=session.scalar(select(REPORT.data).where(REPORT.id == report_id)))


def read_file(session: Session, *, actor: Actor, report_id: int, file_format: Format) -> tuple[str, bytes]:
    """The file name and content of one rendered format; the download is audited."""
    report = session.execute(
        select(REPORT.id, REPORT.template, REPORT.as_of, REPORT.group_id, HOST_GROUP.path)
        .join(HostGroup, HOST_GROUP.id == REPORT.group_id)
        .where(REPORT.id == report_id)
    ).first()
    require(actor, "report.export", report.path if report else "", missing="Report not found.")
    assert report is not None
    file = session.get(ReportFile, (report_id, file_format))
    if file is None:
        raise NotFound("File not available. The report may still be running.")
    audit.record(
        session,
        actor=actor.audit_name,
        action="report.exported",
        about=audit.Object("report", str(report_id), report.group_id),
        after={"format": file_format, "sha256": file.sha256},
    )
    return file_name(report, file_format), file.content


def read_picture(session: Session, *, actor: Actor, report_id: int, number: int) -> bytes:
    """The picture of one of the PDF's first pages, for those who may read the report: it shows what its figures say."""
    path = session.scalar(select(HOST_GROUP.path).join(Report, HOST_GROUP.id == REPORT.group_id).where(REPORT.id == report_id))
    require(actor, "report.read", path or "", missing="Report not found.")
    picture = session.get(ReportFile, (report_id, picture_name(number)))
    if picture is None:
        raise NotFound("This report has no picture of that page.")
    return picture.content


def file_name(report: Any, file_format: Format) -> str:
    """The name under which a report's file is downloaded or attached."""
    return f"plumbline-{report.template}-{report.id}-{report.as_of:%Y-%m-%d}{ENDING[file_format]}"
