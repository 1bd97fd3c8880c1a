"""Mailing reports by a mail channel: requesting it, and sending what is due. A mail is a row, so none is lost, and each is tried again."""

from collections.abc import Sequence
from datetime import timedelta
from typing import cast

import structlog
from sqlalchemy import select
from sqlmodel import Session, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.rights_now import holds_now
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import BadInput, Conflict, NotFound, Unavailable
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.models.notify import NoticeChannel
from plumbline.models.reports import REPORT, REPORT_FILE, MailState, Report, ReportFile, ReportMail, ReportSchedule
from plumbline.notify import address
from plumbline.notify.kinds import next_try
from plumbline.notify.transports import Attachment, Message, NotSent, send_mail
from plumbline.reports.actions import file_name
from plumbline.reports.formats import MEDIA, Format
from plumbline.reports.schemas import MailChannel, MailCreate

log = structlog.get_logger()

MAIL_TASK = "reports.mail"
# Larger files are linked instead: many mail servers refuse more.
MOST_ATTACHED = 15 * 1024 * 1024
# Longer than a mail server may take, so that no two workers send the same mail.
LEASED_FOR = timedelta(minutes=5)
_LEASE_NEXT = """
UPDATE report_mail SET due_at = clock_timestamp() + :duration, tries = tries + 1 WHERE id IN (
  SELECT id FROM report_mail WHERE state = 'waiting' AND due_at <= clock_timestamp() ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, tries
"""


def list_mail_channels(session: Session, *, actor: Actor, group_id: int) -> list[MailChannel]:
    """The mail channels of a group and the groups above it, by which reports about it can be mailed."""
    group = session.get(HostGroup, group_id)
    require(actor, "report.mail", group.path if group else "", missing="Group not found.")
    assert group is not None
    return [MailChannel(id=row.id or 0, name=row.name, domains=sorted(address.mail_domains(row))) for row in _channels(session, group)]


def _channels(session: Session, group: HostGroup) -> Sequence[NoticeChannel]:
    C = NoticeChannel.__table__.c  # type: ignore[attr-defined]
    above = select(HOST_GROUP.id).where(text("starts_with(:path, host_group.path)")).params(path=group.path)
    wanted = select(NoticeChannel).where(C.way == "mail", C.is_enabled, C.removed_at.is_(None), C.group_id.in_(above))
    return session.scalars(wanted.order_by(C.name, C.id)).all()


def check_mail(session: Session, *, group: HostGroup, mail: MailCreate) -> None:
    """The channel may be used for this group, and writes to these people's domains. Raises `BadInput`."""
    channel = next((row for row in _channels(session, group) if row.id == mail.channel_id), None)
    if channel is None:
        raise BadInput("channel_id: mail channel not found for this group. Ask an admin to set one up under Admin, Notifications.")
    known = address.mail_domains(channel)
    strange = sorted({person for person in mail.recipients if person.rpartition("@")[2].lower() not in known})
    if strange:
        raise BadInput(
            f"recipients: {', '.join(strange)} {'is' if len(strange) == 1 else 'are'} outside the domains that this channel writes to"
            f" ({', '.join(sorted(known))}). Ask an admin to add an address of that domain to the channel."
        )


def request_mail(session: Session, *, actor: Actor, report_id: int, mail: MailCreate) -> int:
    """Mails a finished report; returns the mail's id. Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict`."""
    report = session.get(Report, report_id)
    group = session.get(HostGroup, report.group_id) if report else None
    require(actor, "report.mail", group.path if group else "", missing="Report not found.")
    assert report is not None
    assert group is not None
    if report.state != "ready":
        raise Conflict("Only a finished report can be mailed. Wait until it is ready.")
    check_mail(session, group=group, mail=mail)
    return _queue(session, report, mail, by=actor.audit_name, person_id=actor.person_id)


def mail_by_schedule(session: Session, report: Report) -> None:
    """Mails a report that a schedule made, if its owner may still do so and the schedule still stands."""
    schedule = session.get_one(ReportSchedule, report.schedule_id)
    if schedule.channel_id is None or schedule.removed_at is not None:
        return
    group = session.get_one(HostGroup, report.group_id)
    mail = MailCreate.model_validate(
        {"channel_id": schedule.channel_id, "recipients": schedule.recipients, "form": schedule.form, "formats": schedule.formats}
    )
    if not holds_now(session, schedule.owner_id, "report.mail", group.path):
        return
    try:
        check_mail(session, group=group, mail=mail)
    except BadInput as error:
        log.warning("scheduled report not mailed", report=report.id, error=error.message)
        schedule.off_words = f"Not mailed: {error.message}"
        session.add(schedule)
        return
    _queue(session, report, mail, by=audit.SYSTEM, person_id=None)


def _queue(session: Session, report: Report, mail: MailCreate, *, by: str, person_id: int | None) -> int:
    row = ReportMail(
        report_id=report.id or 0,
        channel_id=mail.channel_id,
        recipients=list(mail.recipients),
        form=mail.form,
        formats=list(mail.formats) if mail.form == "attachment" else [],
        requested_by=person_id,
        requested_at=now_of(session),
        due_at=now_of(session),
    )
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor=by,
        action="report.mailed",
        about=audit.Object("report", str(report.id), report.group_id),
        after={"recipients": row.recipients, "form": row.form, "formats": row.formats, "data_sha256": report.data_sha256},
    )
    enqueue(session, MAIL_TASK)
    return row.id or 0


def send_due() -> int:
    """Sends every mail that is due; returns the number of attempts. Each is sent outside of any transaction."""
    tried = 0
    while True:
        with session_scope() as session:
            leased = session.execute(text(_LEASE_NEXT), {"duration": LEASED_FOR}).first()
        if leased is None:
            return tried
        _send_one(leased.id, leased.tries)
        tried += 1


def _send_one(mail_id: int, tries: int) -> None:
    with session_scope() as session:
        mail = session.get_one(ReportMail, mail_id)
        report = session.execute(
            select(REPORT.id, REPORT.template, REPORT.as_of, REPORT.data_sha256, HOST_GROUP.id.label("group_id"), HOST_GROUP.name)
            .join(HostGroup, HOST_GROUP.id == REPORT.group_id)
            .where(REPORT.id == mail.report_id)
        ).one()
        channel = session.get_one(NoticeChannel, mail.channel_id)
        title, summary = session.execute(
            select(REPORT.data["report"]["title"].astext, REPORT.data["summary"]).where(REPORT.id == mail.report_id)
        ).one()
        files = session.scalars(
            select(ReportFile).where(REPORT_FILE.report_id == mail.report_id, REPORT_FILE.format.in_(mail.formats))
        ).all()
        now = now_of(session)
    is_too_large = sum(len(file.content) for file in files) > MOST_ATTACHED
    attached = [] if is_too_large else [
        Attachment(file_name(report, cast(Format, file.format)), MEDIA[cast(Format, file.format)], file.content) for file in files
    ]  # fmt: skip
    lines = [
        *(summary or ()),
        *(["The files are too large to attach; they are on the report's page."] if is_too_large else []),
        *(f"{each.name}: SHA-256 {file.sha256}" for each, file in zip(attached, files, strict=False)),
        f"Data digest: SHA-256 {report.data_sha256}",
    ]
    message = Message(
        f"report-mail-{mail_id}", 0, "report", now, str(title), tuple(lines), (report.group_id, report.name), (), f"/reports/{report.id}"
    )
    failed: NotSent | None = None
    try:
        if not channel.is_enabled or channel.removed_at is not None:
            raise NotSent("the mail channel was switched off or removed", is_final=True)
        words = send_mail({**address.open_address(channel), "to": list(mail.recipients)}, message, attached)
    except NotSent as error:
        words, failed = error.message, error
    except Unavailable as error:
        words, failed = error.message, NotSent(error.message)
    except Exception as error:  # an error of one mail must not keep the others from being sent
        log.exception("report not mailed", mail=mail_id)
        words = f"internal error: {type(error).__name__}"
        failed = NotSent(words)
    with session_scope() as session:
        _note(session, mail_id, tries, words, failed)


def _note(session: Session, mail_id: int, tries: int, words: str, failed: NotSent | None) -> None:
    mail = session.get(ReportMail, mail_id, with_for_update=True)
    if mail is None or mail.state == MailState.SENT or (failed is not None and (mail.state, mail.tries) != (MailState.WAITING, tries)):
        return
    now = now_of(session)
    mail.words = words
    wait = None if failed is None or failed.is_final else next_try(mail.tries)
    if failed is None:
        mail.state, mail.ended_at = MailState.SENT, now
    elif wait is None:
        mail.state, mail.ended_at = MailState.GIVEN_UP, now
    else:
        mail.due_at = now + wait
    session.add(mail)


def read_mail_of(session: Session, *, actor: Actor, report_id: int, mail_id: int) -> MailCreate:
    """How a mail of a report was sent, to send it again. Raises `NotFound`, `NotAllowed`."""
    report = session.get(Report, report_id)
    group = session.get(HostGroup, report.group_id) if report else None
    require(actor, "report.mail", group.path if group else "", missing="Report not found.")
    mail = session.get(ReportMail, mail_id)
    if mail is None or mail.report_id != report_id:
        raise NotFound("Mail not found.")
    return MailCreate.model_validate(
        {"channel_id": mail.channel_id, "recipients": mail.recipients, "form": mail.form, "formats": mail.formats or ["pdf"]}
    )
