"""Makes a report: locks the row, freezes the data, renders every format, and stores them with their checksums."""

import hashlib
from datetime import datetime
from typing import cast

import structlog
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.infra.database import now_of
from plumbline.infra.errors import PlumblineError
from plumbline.models.auth import PERSON
from plumbline.models.columns import columns_of
from plumbline.models.hosts import Installation
from plumbline.models.reports import REPORT, Report, ReportFile
from plumbline.reports.formats import canonical, files_of
from plumbline.reports.frozen.freeze import freeze
from plumbline.reports.mails import mail_by_schedule
from plumbline.reports.requests import stored_period
from plumbline.reports.templates import TemplateName

log = structlog.get_logger()

INSTALLATION = columns_of(Installation)


def build_report(session: Session, report_id: int) -> bool:
    """Makes a queued report; returns whether this call did. Safe to run twice, because of the row's lock and state.

    A report that cannot be made is `failed` with the reason; none of its formats is stored. One of a schedule is then mailed.
    """
    report = session.scalar(select(Report).where(REPORT.id == report_id, REPORT.state == "queued").with_for_update(skip_locked=True))
    if report is None:
        return False
    # Columns by name: the background worker's database role does not see the hash of a password.
    name = func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login)
    requested_by = session.scalar(select(name).where(PERSON.id == report.requested_by))
    site_name = session.scalar(select(INSTALLATION.name).where(INSTALLATION.id == 1))
    try:
        data = freeze(
            report_id=report_id,
            template=cast(TemplateName, report.template),
            group_id=report.group_id,
            period=stored_period(report),
            filters=report.filters,
            view_name=report.view_name,
            requested_by=requested_by or "",
            site_name=site_name or "",
        )
        files = files_of(data)
    except PlumblineError as error:
        log.warning("report not made", report=report_id, error=error.message)
        report.state, report.error = "failed", error.message
    except Exception as error:  # a fault of ours must not have the same report made again and again
        log.exception("report not made", report=report_id)
        report.state, report.error = "failed", f"internal error: {type(error).__name__}"
    else:
        report.data, report.data_sha256 = data, hashlib.sha256(canonical(data)).hexdigest()
        report.as_of = datetime.fromisoformat(data["report"]["as_of"])
        report.state, report.error = "ready", ""
        for form, content in files.items():
            session.add(ReportFile(report_id=report_id, format=form, content=content, sha256=hashlib.sha256(content).hexdigest()))
    audit.record(
        session,
        actor=audit.SYSTEM,
        action="report.made",
        about=audit.Object("report", str(report_id), report.group_id),
        after={"data_sha256": report.data_sha256, "error": report.error},
    )
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
