"""Requesting reports, listing them, and downloading their files. Each download is audited."""

from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import in_scope
from plumbline.infra.errors import Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.auth import PERSON, Person
from plumbline.models.columns import columns_of
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.models.reports import Report, ReportFile
from plumbline.reports.schemas import ReportDetail, ReportFileOut, ReportOut

REPORT = columns_of(Report)
REPORT_FILE = columns_of(ReportFile)
MOST_QUEUED = 10


def request_report(session: Session, *, actor: Actor, template: str, group_id: int) -> ReportOut:
    """Queues a report about a group and its subgroups."""
    group = session.get(HostGroup, group_id)
    require(actor, "report.make", group.path if group else "", missing="Group not found.")
    waiting = (
        session.scalar(select(func.count()).select_from(Report).where(REPORT.requested_by == actor.person_id, REPORT.state == "queued"))
        or 0
    )
    if waiting >= MOST_QUEUED:
        raise Conflict(f"You have {waiting} reports in progress. Wait for one to finish.")
    now = session.scalar(select(func.now()))
    assert now is not None
    report = Report(template=template, group_id=group_id, as_of=now, requested_by=actor.person_id, requested_at=now)
    session.add(report)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="report.requested",
        about=audit.Object("report", str(report.id), group_id),
        after={"template": template},
    )
    enqueue(session, "reports.make", report.id or 0)
    return read_report(session, actor=actor, report_id=report.id or 0)


def _rows(session: Session, actor: Actor, *, report_id: int | None, limit: int) -> list[ReportOut]:
    """Reports in scope, newest first, without their data. Two queries."""
    columns = (
        REPORT.id,
        REPORT.template,
        REPORT.group_id,
        REPORT.as_of,
        REPORT.requested_at,
        REPORT.state,
        REPORT.error,
        REPORT.data_sha256,
    )
    query: Any = (
        select(*columns, HOST_GROUP.name.label("group_name"), PERSON.display_name.label("requested_by"))
        .join(HostGroup, HOST_GROUP.id == REPORT.group_id)
        .outerjoin(Person, PERSON.id == REPORT.requested_by)
        .where(in_scope(actor))
        .order_by(REPORT.id.desc())
        .limit(limit)
    )
    if report_id is not None:
        query = query.where(REPORT.id == report_id)
    rows = session.execute(query).all()
    files: dict[int, list[ReportFileOut]] = {}
    for file_of, name, sha256, size in session.execute(
        select(REPORT_FILE.report_id, REPORT_FILE.format, REPORT_FILE.sha256, func.octet_length(REPORT_FILE.content))
        .where(REPORT_FILE.report_id.in_([row.id for row in rows]))
        .order_by(REPORT_FILE.format)
    ):
        files.setdefault(file_of, []).append(ReportFileOut(format=name, sha256=sha256, bytes=size))
    return [ReportOut(**(dict(row._mapping) | {"requested_by": row.requested_by or ""}), files=files.get(row.id, [])) for row in rows]


def list_reports(session: Session, *, actor: Actor) -> list[ReportOut]:
    """The newest 200."""
    return _rows(session, actor, report_id=None, limit=200)


def read_report(session: Session, *, actor: Actor, report_id: int) -> ReportDetail:
    """One report with its frozen figures."""
    rows = _rows(session, actor, report_id=report_id, limit=1)
    if not rows:
        raise NotFound("Report not found.")
    return ReportDetail(**rows[0].model_dump(), data=session.scalar(select(REPORT.data).where(REPORT.id == report_id)))


def read_file(session: Session, *, actor: Actor, report_id: int, file_format: str) -> tuple[str, bytes]:
    """The file name and content of one rendered format; the download is audited."""
    report = session.execute(
        select(REPORT.id, REPORT.as_of, REPORT.group_id, HOST_GROUP.path)
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
    return f"plumbline-report-{report_id}-{report.as_of:%Y-%m-%d}.{file_format}", file.content
