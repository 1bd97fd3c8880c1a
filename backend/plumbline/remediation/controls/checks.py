"""What blocks a job now: read from the rows before every claim and before every step, never cached.

Some blocks end the job at this step (a cancel request, the stop switch, a withdrawn standing approval, a right that was lost); others make
a job that has done nothing yet wait (a closed window, a freeze, a hold, a group in observe-only mode).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select, text

from plumbline.auth.scope import effective_mode, read_groups
from plumbline.infra.database import now_of
from plumbline.infra.group_path import ids_on
from plumbline.models.controls import Freeze, MaintenanceWindow, StopSwitch
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import PlanState
from plumbline.remediation.controls.recurrence import Window, next_open, open_until
from plumbline.remediation.rights_on_hosts import lost_right

BlockName = Literal[
    "cancel", "stop", "expired", "rights", "standing", "window", "freeze", "hold", "mode", "not_before", "retired", "paused"
]
# These end a job even before its first step; the others send it back to waiting.
ENDING: frozenset[BlockName] = frozenset({"cancel", "rights", "standing", "expired", "retired"})


@dataclass(frozen=True, slots=True)
class Block:
    """Why a job may not continue now; `until` is when it may, where that is known."""

    name: BlockName
    words: str
    until: datetime | None = None


def stop_switch(session: Session) -> StopSwitch:
    """The single row of the stop switch."""
    return session.exec(select(StopSwitch).execution_options(populate_existing=True)).one()


def is_restored(session: Session) -> bool:
    """The database was restored from a backup, and no admin has lifted the stop since."""
    switch = stop_switch(session)
    return switch.is_stopped and switch.cause == "restore"


def blocked_by(session: Session, job: Job, payload: Mapping[str, Any]) -> Block | None:
    """The gravest block on this job now; None where it may go on. A dozen small queries at most."""
    now = now_of(session)
    if job.cancel_at is not None:
        return Block("cancel", f"cancelled by {_name(job.cancel_by)}" + (f": {job.cancel_reason}" if job.cancel_reason else ""))
    switch = stop_switch(session)
    if switch.is_stopped:
        return Block("stop", f"emergency stop by {_name(switch.changed_by)}: {switch.reason}")
    if now >= job.not_after:
        return Block("expired", "approval expired")
    host = session.exec(select(Host).where(col(Host.id) == job.host_id).execution_options(populate_existing=True)).one()
    if host.state != "active":
        return Block("retired", f"the host is {host.state}")
    return (
        _standing_approval(session, payload, now)
        or _rights(session, job, payload, host)
        or _hold(host, now)
        or observe_only(session, host)
        # An undo is possible for 24 hours after the job's end, also during a freeze.
        or (None if job.kind == "undo" else _times(session, job, host, payload, now))
    )


def blocked_by_plan(session: Session, job: Job) -> Block | None:
    """The block by its plan: while that is paused or over, none of its jobs begins. Running ones continue, and an undo is not blocked."""
    if job.kind == "undo":
        return None
    state = session.execute(text("SELECT state FROM plan WHERE id = :id"), {"id": job.plan_id}).scalar_one()
    if state in (PlanState.APPROVED, PlanState.RUNNING):
        return None
    return Block("paused", "plan paused") if state == PlanState.PAUSED else Block("cancel", "plan closed")


def _name(actor: str) -> str:
    """The login of `person:3 ana`."""
    return actor.partition(" ")[2] or actor or "Plumbline"


def _standing_approval(session: Session, payload: Mapping[str, Any], now: datetime) -> Block | None:
    standing = payload.get("standing")
    if not standing:
        return None
    row = session.execute(text("SELECT expires_at, withdrawn_at FROM standing_approval WHERE id = :id"), {"id": standing["id"]}).first()
    if row is None or row[1] is not None:
        return Block("standing", "standing approval withdrawn")
    if now >= row[0]:
        return Block("standing", "standing approval expired")
    return None


def _rights(session: Session, job: Job, payload: Mapping[str, Any], host: Host) -> Block | None:
    words = lost_right(session, job, payload, host.group_id)
    return Block("rights", words) if words else None


def _hold(host: Host, now: datetime) -> Block | None:
    if host.hold_by is None or (host.hold_until is not None and host.hold_until <= now):
        return None
    return Block("hold", f"host on hold: {host.hold_reason or 'no reason given'}", host.hold_until)


def observe_only(session: Session, host: Host) -> Block | None:
    """The block of a host that Plumbline only observes, by its own setting or its group's."""
    group = read_groups(session).get(host.group_id)
    if effective_mode(host.mode, group) == "remediate":
        return None
    whose = "the host" if host.mode == "observe" else f"the group {group.name}" if group else "the group"
    return Block("mode", f"{whose} is observe only; an admin can turn remediation on")


def _times(session: Session, job: Job, host: Host, payload: Mapping[str, Any], now: datetime) -> Block | None:
    if job.not_before is not None and now < job.not_before:
        return Block("not_before", f"starts after {job.not_before:%Y-%m-%d %H:%M} UTC", job.not_before)
    frozen = freeze_of(session, host.group_id)
    if frozen is not None:
        return Block("freeze", f"frozen: {frozen.reason}", frozen.ends_at)
    window = payload.get("window")
    if not window:
        return None
    ended = session.execute(text("SELECT ended_at FROM maintenance_window WHERE id = :id"), {"id": window["id"]}).scalar_one_or_none()
    span = signed_window(window)
    if ended is not None:
        return Block("window", f"window {window['name']} was ended")
    if open_until(span, now) is None:
        return Block("window", f"outside window {window['name']}", next_open(span, now))
    return None


def signed_window(window: Mapping[str, Any]) -> Window:
    """The window as it was when the plan was signed."""
    return Window(
        window["time_zone"],
        window["starts_at_time"],
        window["lasts_minutes"],
        tuple(window["weekdays"]),
        tuple(window["nth"]),
        window["on_date"],
    )


def window_document(row: MaintenanceWindow) -> dict[str, Any]:
    """A window as part of a signed plan."""
    return {
        "id": row.id,
        "name": row.name,
        "time_zone": row.time_zone,
        "starts_at_time": row.starts_at_time,
        "lasts_minutes": row.lasts_minutes,
        "weekdays": list(row.weekdays),
        "nth": list(row.nth),
        "on_date": row.on_date,
    }


def freeze_of(session: Session, group_id: int) -> Freeze | None:
    """The freeze of a group now, its own or a parent group's; the one that ends last."""
    path = session.exec(select(HostGroup.path).where(col(HostGroup.id) == group_id)).one()
    above = ids_on(path)
    return session.exec(
        select(Freeze)
        .where(
            col(Freeze.group_id).in_(above),
            col(Freeze.ended_at).is_(None),
            col(Freeze.starts_at) <= text("clock_timestamp()"),
            col(Freeze.ends_at) > text("clock_timestamp()"),
        )
        .order_by(col(Freeze.ends_at).desc())
    ).first()
