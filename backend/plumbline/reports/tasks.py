"""Celery tasks of reports."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.reports.build import build_report, queued_reports
from plumbline.reports.mails import send_due
from plumbline.reports.schedules import make_due


@shared_task(name="reports.make")  # type: ignore[untyped-decorator]
def make_report(report_id: int) -> None:
    """Makes one queued report."""
    with session_scope() as session:
        build_report(session, report_id)


@shared_task(name="reports.make_queued")  # type: ignore[untyped-decorator]
def make_queued() -> None:
    """Makes the reports whose task message was lost."""
    with session_scope() as session:
        waiting = queued_reports(session)
    for report_id in waiting:
        with session_scope() as session:
            build_report(session, report_id)


@shared_task(name="reports.make_scheduled")  # type: ignore[untyped-decorator]
def make_scheduled() -> None:
    """Queues the reports of schedules that are due."""
    with session_scope() as session:
        make_due(session)


@shared_task(name="reports.mail")  # type: ignore[untyped-decorator]
def mail_reports() -> None:
    """Sends the mails of reports that are due."""
    send_due()
