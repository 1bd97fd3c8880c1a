"""Asking for reports, listing them, and handing out their files. Each export is an act in the audit trail."""

from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import in_scope
from plumbline.infra.errors import Conflict, NotFound
from plumbline.infra.task_queue import ring
from plumbline.models.auth import Person
from plumbline.models.hosts import HostGroup
from plumbline.models.reports import Report, ReportFile
from plumbline.reports.schemas import ReportDetail, ReportFileShape, ReportShape

R: Any = Report
G: Any = HostGroup
P: Any = Person
F: Any = ReportFile
MOST_QUEUED = 10


def request_report(session: Session, *, actor: Actor, template: str, group_id: int) -> ReportShape:
    """Queues a report about a group and all below it."""
    group = session.get(HostGroup, group_id)
    require(actor, "report.make", group.path if group else "", missing="no such group")
    waiting = session.scalar(select(func.count()).select_from(Report).where(R.requested_by == actor.person_id, R.state == "queued")) or 0
    if waiting >= MOST_QUEUED:
        raise Conflict(f"you have {waiting} reports being made; wait for one of them")
    now = session.scalar(select(func.now()))
    assert now is not None
    report = Report(template=template, group_id=group_id, as_of=now, requested_by=actor.person_id, requested_at=now)
    session.add(report)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="report.requested",
        object_kind="report",
        object_id=str(report.id),
        group_id=group_id,
        after={"template": template},
    )
    ring(session, "reports.make", report.id or 0)
    return read_report(session, actor=actor, report_id=report.id or 0)


def _rows(session: Session, actor: Actor, *, report_id: int | None, limit: int) -> list[ReportShape]:
    """Reports in scope, newest first, without their data. Two queries."""
    columns = (R.id, R.template, R.group_id, R.as_of, R.requested_at, R.state, R.error, R.data_sha256)
    query = (
        select(*columns, G.name.label("group_name"), P.display_name.label("requested_by"))
        .join(HostGroup, G.id == R.group_id)
        .outerjoin(Person, P.id == R.requested_by)
        .where(in_scope(actor))
        .order_by(R.id.desc())
        .limit(limit)
    )
    if report_id is not None:
        query = query.where(R.id == report_id)
    rows = session.execute(query).all()
    files: dict[int, list[ReportFileShape]] = {}
    for found_id, name, sha256, size in session.execute(
        select(F.report_id, F.format, F.sha256, func.octet_length(F.content))
        .where(F.report_id.in_([row.id for row in rows]))
        .order_by(F.format)
    ):
        files.setdefault(found_id, []).append(ReportFileShape(format=name, sha256=sha256, bytes=size))
    return [ReportShape(**(dict(row._mapping) | {"requested_by": row.requested_by or ""}), files=files.get(row.id, [])) for row in rows]


def list_reports(session: Session, *, actor: Actor) -> list[ReportShape]:
    """The newest 200."""
    return _rows(session, actor, report_id=None, limit=200)


def read_report(session: Session, *, actor: Actor, report_id: int) -> ReportDetail:
    """One report with its frozen figures."""
    rows = _rows(session, actor, report_id=report_id, limit=1)
    if not rows:
        raise NotFound("no such report")
    return ReportDetail(**rows[0].model_dump(), data=session.scalar(select(R.data).where(R.id == report_id)))


def read_file(session: Session, *, actor: Actor, report_id: int, file_format: str) -> tuple[str, bytes]:
    """One rendered format with the name it is saved under; written into the audit trail."""
    found = session.execute(select(R.id, R.as_of, R.group_id, G.path).join(HostGroup, G.id == R.group_id).where(R.id == report_id)).first()
    require(actor, "report.export", found.path if found else "", missing="no such report")
    assert found is not None
    file = session.get(ReportFile, (report_id, file_format))
    if file is None:
        raise NotFound("this report has no such file; it may still be in the making")
    audit.record(
        session,
        actor=actor.audit_name,
        action="report.exported",
        object_kind="report",
        object_id=str(report_id),
        group_id=found.group_id,
        after={"format": file_format, "sha256": file.sha256},
    )
    return f"plumbline-report-{report_id}-{found.as_of:%Y-%m-%d}.{file_format}", file.content
