"""Makes a report: locks the row, freezes the data, renders every format, and stores them with their checksums."""

import hashlib
from datetime import datetime

import structlog
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.infra.errors import PlumblineError
from plumbline.models.auth import PERSON
from plumbline.models.columns import columns_of
from plumbline.models.hosts import Installation
from plumbline.models.reports import Report, ReportFile
from plumbline.reports.data import freeze
from plumbline.reports.formats import canonical, to_csv, to_json, to_pdf

log = structlog.get_logger()

REPORT = columns_of(Report)
INSTALLATION = columns_of(Installation)


def build_report(session: Session, report_id: int) -> bool:
    """Makes a queued report; returns whether this call did. Safe to run twice, because of the row's lock and state.

    A report that cannot be made is `failed` with the reason; none of its formats is stored.
    """
    report = session.scalar(select(Report).where(REPORT.id == report_id, REPORT.state == "queued").with_for_update(skip_locked=True))
    if report is None:
        return False
    # Columns by name: the background worker's database role does not see the hash of a password.
    requested_by = session.scalar(select(PERSON.display_name).where(PERSON.id == report.requested_by))
    site_name = session.scalar(select(INSTALLATION.name).where(INSTALLATION.id == 1))
    try:
        data = freeze(
            report_id=report_id,
            group_id=report.group_id,
            requested_by=requested_by or "",
            site_name=site_name or "",
        )
        files = {"json": to_json(data), "csv": to_csv(data), "pdf": to_pdf(data)}
    except PlumblineError as error:
        log.warning("report not made", report=report_id, error=error.message)
        report.state, report.error = "failed", error.message
    else:
        report.data, report.data_sha256 = data, hashlib.sha256(canonical(data)).hexdigest()
        report.as_of = datetime.fromisoformat(data["report"]["as_of"])
        report.state, report.error = "ready", ""
        for name, content in files.items():
            session.add(ReportFile(report_id=report_id, format=name, content=content, sha256=hashlib.sha256(content).hexdigest()))
    report.finished_at = session.scalar(select(func.clock_timestamp()))
    session.add(report)
    session.flush()
    return True


def queued_reports(session: Session, *, older_than_seconds: int = 15) -> list[int]:
    """Reports whose task message was lost: queued for a while, and no worker is making them."""
    age = func.make_interval(0, 0, 0, 0, 0, 0, older_than_seconds)
    return list(
        session.scalars(
            select(REPORT.id).where(REPORT.state == "queued", REPORT.requested_at < func.now() - age).order_by(REPORT.id).limit(20)
        )
    )
