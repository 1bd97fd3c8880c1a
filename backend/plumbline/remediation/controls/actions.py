"""What people set to block jobs: maintenance windows, freezes, holds on hosts, concurrency limits, the emergency stop."""

from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import allow, require
from plumbline.auth.scope import host_in_scope
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotAllowed, NotFound
from plumbline.models.controls import Freeze, MaintenanceWindow, StopSwitch
from plumbline.models.host_locks import lock_host
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import DomainBudget
from plumbline.remediation import failure_domains
from plumbline.remediation.controls.schemas import BudgetSet, FreezeCreate, HoldCreate, SwitchSet, WindowCreate


def _group(session: Session, actor: Actor, action: str, group_id: int) -> HostGroup:
    group = session.get(HostGroup, group_id)
    require(actor, action, group.path if group is not None else "", missing="Group not found.")
    assert group is not None
    return group


def make_window(session: Session, *, actor: Actor, request: WindowCreate) -> MaintenanceWindow:
    """A new window of a group; it serves the groups below as well. Raises `BadInput` for a zone or day that there is not."""
    _group(session, actor, "window.manage", request.group_id)
    try:
        ZoneInfo(request.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"Unknown time zone {request.time_zone}. Use a name such as Europe/Berlin.") from None
    if bool(request.on_date) == bool(request.weekdays):
        raise BadInput("give either on_date or weekdays")
    if request.on_date:
        try:
            date.fromisoformat(request.on_date)
        except ValueError:
            raise BadInput(f"on_date: there is no {request.on_date}") from None
    row = MaintenanceWindow(**request.model_dump(), created_by=actor.audit_name)
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="window.made",
        about=audit.Object("window", str(row.id), row.group_id),
        after=request.model_dump(),
    )
    return row


def end_window(session: Session, *, actor: Actor, window_id: int) -> MaintenanceWindow:
    """Ends a window; plans that were signed for it no longer run."""
    row = session.get(MaintenanceWindow, window_id, with_for_update=True)
    if row is None:
        raise NotFound("Maintenance window not found.")
    _group(session, actor, "window.manage", row.group_id)
    if row.ended_at is not None:
        raise Conflict("This window has already ended.")
    row.ended_at = now_of(session)
    session.add(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="window.ended",
        about=audit.Object("window", str(row.id), row.group_id),
        after={"name": row.name},
    )
    return row


def make_freeze(session: Session, *, actor: Actor, request: FreezeCreate) -> Freeze:
    """Freezes a group for a time: it overrides every window. Raises `BadInput`."""
    _group(session, actor, "window.manage", request.group_id)
    starts_at = request.starts_at or now_of(session)
    if request.ends_at <= max(starts_at, now_of(session)):
        raise BadInput("ends_at: before it starts, or in the past")
    row = Freeze(
        group_id=request.group_id, reason=request.reason, starts_at=starts_at, ends_at=request.ends_at, created_by=actor.audit_name
    )
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="freeze.made",
        about=audit.Object("freeze", str(row.id), row.group_id),
        after=request.model_dump(mode="json"),
        reason=request.reason,
    )
    return row


def end_freeze(session: Session, *, actor: Actor, freeze_id: int) -> Freeze:
    """Ends a freeze before its time."""
    row = session.get(Freeze, freeze_id, with_for_update=True)
    if row is None:
        raise NotFound("Change freeze not found.")
    _group(session, actor, "window.manage", row.group_id)
    if row.ended_at is not None:
        raise Conflict("This freeze has already ended.")
    row.ended_at, row.ended_by = now_of(session), actor.audit_name
    session.add(row)
    audit.record(session, actor=actor.audit_name, action="freeze.ended", about=audit.Object("freeze", str(row.id), row.group_id))
    return row


def hold_host(session: Session, *, actor: Actor, host_id: str, request: HoldCreate) -> Host:
    """Blocks jobs on a host until a time, or until a person releases it. Raises `HostNotFound`, `BadInput`."""
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.hold", group.path, missing="Host not found.")
    if request.until is not None and request.until <= now_of(session):
        raise BadInput("until: in the past")
    host = lock_host(session, host_id)
    host.hold_by, host.hold_reason, host.hold_until = actor.person_id, request.reason, request.until
    session.add(host)
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.held",
        about=audit.Object("host", host.id, host.group_id),
        after=request.model_dump(mode="json"),
        reason=request.reason,
    )
    return host


def release_host(session: Session, *, actor: Actor, host_id: str) -> Host:
    """Ends a hold."""
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.hold", group.path, missing="Host not found.")
    host = lock_host(session, host_id)
    if host.hold_by is None:
        raise Conflict("The host is not on hold.")
    host.hold_by, host.hold_reason, host.hold_until = None, "", None
    session.add(host)
    audit.record(session, actor=actor.audit_name, action="host.released_from_hold", about=audit.Object("host", host.id, host.group_id))
    return host


def set_switch(session: Session, *, actor: Actor, request: SwitchSet) -> StopSwitch:
    """Stops every job at its next step boundary, or lets jobs begin again.

    Any operator stops; only operators of the root group release, and after a restore not even they.
    """
    row = session.exec(select(StopSwitch).with_for_update()).one()
    if not request.is_stopped and not allow(actor, "everything.stop", ROOT_PATH):
        raise NotAllowed("it stops jobs of all groups: an operator of the root group resumes them")
    if row.is_stopped and not request.is_stopped and row.cause == "restore":
        raise NotAllowed("Changes are paused after a restore. An admin must check open jobs and resume.")
    return _set_switch(session, row, actor, request)


def lift_restore(session: Session, *, actor: Actor, reason: str) -> StopSwitch:
    """Lets jobs continue after a restore, each by reading its host first. Raises `Conflict` where no restore stopped them."""
    row = session.exec(select(StopSwitch).with_for_update()).one()
    if not (row.is_stopped and row.cause == "restore"):
        raise Conflict("no restore keeps anything stopped" + (": operators can resume only what a user stopped" if row.is_stopped else ""))
    return _set_switch(session, row, actor, SwitchSet(is_stopped=False, reason=reason))


def _set_switch(session: Session, row: StopSwitch, actor: Actor, request: SwitchSet) -> StopSwitch:
    if row.is_stopped == request.is_stopped:
        raise Conflict("The emergency stop is already on." if row.is_stopped else "The emergency stop is off.")
    before = {"is_stopped": row.is_stopped, "cause": row.cause, "reason": row.reason}
    row.is_stopped, row.cause, row.reason = request.is_stopped, "person", request.reason
    row.changed_by, row.changed_at = actor.audit_name, now_of(session)
    session.add(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="everything.stopped" if request.is_stopped else "everything.released",
        about=audit.Object("stop_switch", "1"),
        before=before,
        after={"is_stopped": row.is_stopped},
        reason=request.reason,
    )
    session.flush()
    return row


def set_budget(session: Session, *, actor: Actor, request: BudgetSet) -> DomainBudget:
    """How many slots a fabric or a group has. Lowering it does not take a slot from a job that uses one."""
    group_id = int(request.domain.partition(":")[2].partition("/")[0])
    _group(session, actor, "budget.manage", group_id)
    failure_domains.lock_slots(session, [request.domain])
    row = session.exec(select(DomainBudget).where(col(DomainBudget.domain) == request.domain)).first() or DomainBudget(
        domain=request.domain, slots=request.slots
    )
    before = row.slots
    row.slots, row.changed_by, row.changed_at = request.slots, actor.audit_name, now_of(session)
    session.add(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="budget.set",
        about=audit.Object("domain", request.domain, group_id),
        after={"slots": request.slots, "before": before},
    )
    session.flush()
    return row
