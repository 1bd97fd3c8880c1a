"""Schedules of reports: what people set up, and making what is due."""

from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow, require
from plumbline.auth.rights_now import holds_now
from plumbline.auth.scope import in_scope
from plumbline.fleet.view_filters import view_for
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.auth import PERSON, Person
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.models.notify import NoticeChannel
from plumbline.models.reports import REPORT, REPORT_SCHEDULE, Report, ReportSchedule
from plumbline.reports.actions import queue_report
from plumbline.reports.mails import check_mail
from plumbline.reports.period import PRESET_OF, next_due, period_of
from plumbline.reports.requests import group_for
from plumbline.reports.schemas import ScheduleInput, ScheduleOut

RIGHT = "report.mail"
MOST_IN_A_GROUP = 50
_CHANNEL: Any = NoticeChannel


def create_schedule(session: Session, *, actor: Actor, request: ScheduleInput) -> ScheduleOut:
    """A new schedule, whose reports are made with this person's rights. Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict`."""
    row = ReportSchedule(
        name=request.name, template=request.template, group_id=request.group_id, every=request.every, on_day=request.on_day,
        hour=request.hour, time_zone=request.time_zone, recipients=[], form="attachment", formats=[], owner_id=actor.person_id,
        next_due_at=now_of(session),
    )  # fmt: skip
    here = (
        select(func.count())
        .select_from(ReportSchedule)
        .where(REPORT_SCHEDULE.group_id == request.group_id, REPORT_SCHEDULE.removed_at.is_(None))
    )
    _fill(session, actor, row, request)
    if (session.scalar(here) or 0) >= MOST_IN_A_GROUP:
        raise Conflict(f"This group has {MOST_IN_A_GROUP} schedules. Delete one first.")
    session.add(row)
    session.flush()
    _audit(session, actor, "report_schedule.created", row, None, _audited(row))
    return read_schedule(session, actor=actor, schedule_id=row.id or 0)


def change_schedule(session: Session, *, actor: Actor, schedule_id: int, request: ScheduleInput) -> ScheduleOut:
    """Replaces a schedule's settings. From now on its reports are made with this person's rights. Raises as `create_schedule`."""
    row = _lock(session, actor, schedule_id)
    before = _audited(row)
    row.owner_id = actor.person_id
    _fill(session, actor, row, request)
    session.add(row)
    session.flush()
    _audit(session, actor, "report_schedule.changed", row, before, _audited(row))
    return read_schedule(session, actor=actor, schedule_id=schedule_id)


def remove_schedule(session: Session, *, actor: Actor, schedule_id: int) -> None:
    """Ends a schedule. The reports that it made stay."""
    row = _lock(session, actor, schedule_id)
    before = _audited(row)
    row.removed_at, row.is_enabled = now_of(session), False
    session.add(row)
    _audit(session, actor, "report_schedule.removed", row, before, None)


def _lock(session: Session, actor: Actor, schedule_id: int) -> ReportSchedule:
    row = session.get(ReportSchedule, schedule_id, with_for_update=True)
    group = session.get(HostGroup, row.group_id) if row is not None else None
    require(actor, RIGHT, group.path if group else "", missing="Schedule not found.")
    if row is None or row.removed_at is not None:
        raise NotFound("Schedule not found.")
    return row


def _fill(session: Session, actor: Actor, row: ReportSchedule, request: ScheduleInput) -> None:
    group = group_for(session, actor=actor, action=RIGHT, group_id=request.group_id)
    if request.view_id is not None or row.id is None or request.group_id != row.group_id:
        row.filters, row.view_name = view_for(session, actor=actor, view_id=request.view_id)
    if request.mail is not None:
        check_mail(session, group=group, mail=request.mail)
        row.channel_id, row.recipients = request.mail.channel_id, list(request.mail.recipients)
        row.form, row.formats = request.mail.form, list(request.mail.formats)
    else:
        row.channel_id, row.recipients, row.form, row.formats = None, [], "attachment", []
    for name in ("name", "template", "group_id", "every", "on_day", "hour", "time_zone", "is_enabled"):
        setattr(row, name, getattr(request, name))
    row.off_words = ""
    row.next_due_at = next_due(request.every, on_day=request.on_day, hour=request.hour, zone=request.time_zone, after=now_of(session))


def list_schedules(session: Session, *, actor: Actor) -> list[ScheduleOut]:
    """The schedules in scope, by name. One query."""
    return _rows(session, actor)


def read_schedule(session: Session, *, actor: Actor, schedule_id: int) -> ScheduleOut:
    """One schedule."""
    rows = _rows(session, actor, REPORT_SCHEDULE.id == schedule_id)
    if not rows:
        raise NotFound("Schedule not found.")
    return rows[0]


def _rows(session: Session, actor: Actor, *conditions: Any) -> list[ScheduleOut]:
    newest = select(func.max(REPORT.id)).where(REPORT.schedule_id == REPORT_SCHEDULE.id).correlate(ReportSchedule).scalar_subquery()
    query: Any = (
        select(
            ReportSchedule,
            HOST_GROUP.name.label("group_name"),
            HOST_GROUP.path,
            func.coalesce(_CHANNEL.name, "").label("channel_name"),
            func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login, "").label("owner"),
            newest.label("last_report_id"),
        )
        .join(HostGroup, HOST_GROUP.id == REPORT_SCHEDULE.group_id)
        .outerjoin(Person, PERSON.id == REPORT_SCHEDULE.owner_id)
        .outerjoin(NoticeChannel, _CHANNEL.id == REPORT_SCHEDULE.channel_id)
        .where(in_scope(actor), REPORT_SCHEDULE.removed_at.is_(None), *conditions)
        .order_by(func.lower(REPORT_SCHEDULE.name), REPORT_SCHEDULE.id)
    )
    found = []
    for row, group_name, path, channel_name, owner, last_report_id in session.execute(query):
        may_change = allow(actor, RIGHT, path)
        shown = row.model_dump() | {"recipients": row.recipients if may_change else []}
        found.append(
            ScheduleOut(
                **{name: shown[name] for name in ScheduleOut.model_fields if name in shown},
                group_name=group_name,
                channel_name=channel_name,
                owner=owner,
                last_report_id=last_report_id,
                may_change=may_change,
            )
        )
    return found


def make_due(session: Session) -> int:
    """Queues a report for each schedule that is due, once, however late it is; returns how many.

    A schedule whose owner may no longer make it is switched off and says why.
    """
    now = now_of(session)
    due = select(ReportSchedule).where(REPORT_SCHEDULE.is_enabled, REPORT_SCHEDULE.removed_at.is_(None), REPORT_SCHEDULE.next_due_at <= now)
    made = 0
    for row in session.scalars(due.order_by(REPORT_SCHEDULE.id).limit(50).with_for_update(skip_locked=True)).all():
        group = session.get_one(HostGroup, row.group_id)
        if not holds_now(session, row.owner_id, RIGHT, group.path):
            row.is_enabled, row.off_words = (
                False,
                "Switched off: its owner may no longer make reports about this group. Save it again to own it.",
            )
            session.add(row)
            _audit(session, None, "report_schedule.stopped", row, None, {"reason": row.off_words})
            continue
        every: Any = row.every
        day = row.next_due_at.astimezone(ZoneInfo(row.time_zone)).date()
        period = period_of(PRESET_OF[every], today=day, zone=row.time_zone)
        report = Report(
            template=row.template, group_id=row.group_id, filters=row.filters, view_name=row.view_name, preset=period.preset,
            first_day=period.first, last_day=period.last, time_zone=row.time_zone, as_of=min(period.end, now).astimezone(UTC),
            requested_by=row.owner_id, requested_at=now, schedule_id=row.id,
        )  # fmt: skip
        queue_report(session, report, by=audit.SYSTEM)
        row.off_words = ""
        row.next_due_at = next_due(every, on_day=row.on_day, hour=row.hour, zone=row.time_zone, after=now)
        session.add(row)
        made += 1
    return made


def _audited(row: ReportSchedule) -> dict[str, Any]:
    names = (
        "name",
        "template",
        "view_name",
        "every",
        "on_day",
        "hour",
        "time_zone",
        "channel_id",
        "recipients",
        "form",
        "formats",
        "is_enabled",
    )
    return {name: getattr(row, name) for name in names}


def _audit(session: Session, actor: Actor | None, action: str, row: ReportSchedule, before: Any, after: Any) -> None:
    audit.record(
        session,
        actor=actor.audit_name if actor else audit.SYSTEM,
        action=action,
        about=audit.Object("report_schedule", str(row.id), row.group_id),
        before=before,
        after=after,
    )
