"""Makes a report: locks the row, freezes the data, renders every format, and stores them with their checksums."""

import hashlib
from datetime import datetime
from typing import cast

import structlog
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.infra.database import now_of
from plumbline.infra.errors import PlumblineError
from plumbline.models.auth import Person
from plumbline.models.hosts import Installation
from plumbline.models.reports import REPORT, Report, ReportFile
from plumbline.reports.formats import canonical, files_of
from plumbline.reports.frozen.freeze import freeze
from plumbline.reports.mails import mail_by_schedule
from plumbline.reports.requests import stored_period
from plumbline.reports.templates import TemplateName

log = structlog.get_logger()


def build_report(session: Session, report_id: int) -> bool:
    """Makes a queued report; returns whether this call did. Safe to run twice, because of the row's lock and state.

    A report that cannot be made is `failed` with the reason; none of its formats is stored. One of a schedule is then mailed.
    """
    report = session.scalar(select(Report).where(REPORT.id == report_id, REPORT.state == "queued").with_for_update(skip_locked=True))
    if report is None:
        return False
    person = session.get(Person, report.requested_by)
    installation = session.get(Installation, 1)
    try:
        data = freeze(
            report_id=report_id,
            template=cast(TemplateName, report.template),
            group_id=report.group_id,
            period=stored_period(report),
            filters=report.filters,
            view_name=report.view_name,
            requested_by=(person.display_name or person.login) if person else "",
            site_name=installation.name if installation else "",
        )
        files = files_of(data)
    except PlumblineError as error:
        log.warning("report not made", report=report_id, error=error.message)
        report.state, report.error = "failed", error.message
    else:
        report.data, report.data_sha256 = data, hashlib.sha256(canonical(data)).hexdigest()
        report.as_of = datetime.fromisoformat(data["report"]["as_of"])
        report.state, report.error = "ready", ""
        for name, content in files.items():
            session.add(ReportFile(report_id=report_id, format=name, content=content, sha256=hashlib.sha256(content).hexdigest()))
    report.finished_at = now_of(session)
    session.add(report)
    session.flush()
    if report.state == "ready" and report.schedule_id is not None:
        mail_by_schedule(session, report)
    return True


def queued_reports(session: Session, *, older_than_seconds: int = 15) -> list[int]:
    """Reports whose task message was lost: queued for a while, and no worker is making them."""
    age = func.make_interval(0, 0, 0, 0, 0, 0, older_than_seconds)
    return list(
        session.scalars(
            select(REPORT.id).where(REPORT.state == "queued", REPORT.requested_at < func.now() - age).order_by(REPORT.id).limit(20)
        )
    )
