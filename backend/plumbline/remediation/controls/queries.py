"""Reading the brakes: standing approvals, windows, freezes, the stop switch, failure domains, workers."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope, visible_group
from plumbline.infra.group_path import ids_on
from plumbline.models.hosts import HostGroup
from plumbline.models.remediation import DomainBudget, DomainSlot, Freeze, MaintenanceWindow, StandingApproval, WorkerSeen
from plumbline.remediation.controls import checks as brakes
from plumbline.remediation.controls.recurrence import next_open, open_until
from plumbline.remediation.controls.schemas import DomainShape, StandingShape, SwitchShape, WindowShape, WorkerShape
from plumbline.remediation.failure_domains import default_slots, domain_words
from plumbline.remediation.plans.schemas import FreezeShape
from plumbline.remediation.transitions import now_of

_MOST = 500


def _names(session: Session) -> dict[int, str]:
    return {row.id or 0: row.name for row in session.exec(select(HostGroup))}


def _scope_ids(session: Session, actor: Actor) -> list[int]:
    return [group_id or 0 for group_id in session.exec(select(HostGroup.id).where(in_scope(actor)))]


def list_standing(session: Session, *, actor: Actor) -> list[StandingShape]:
    """Standing approvals that touch a group in scope, those in force first. Five queries."""
    ids = _scope_ids(session, actor)
    rows = session.exec(select(StandingApproval).order_by(col(StandingApproval.id).desc()).limit(_MOST)).all()
    rows = [row for row in rows if set(row.group_ids) & set(ids)]
    names, now, used = _names(session), now_of(session), _times_used(session, rows)
    shown = [_standing(row, names, now, used) for row in rows]
    return sorted(shown, key=lambda each: not each.is_in_force)


def standing_shape(session: Session, row: StandingApproval) -> StandingShape:
    """One standing approval."""
    return _standing(row, _names(session), now_of(session), _times_used(session, [row]))


def _times_used(session: Session, rows: Sequence[StandingApproval]) -> dict[int, int]:
    """How many plans were signed under each, by id; those under which none was are left out."""
    counted = session.execute(
        text("SELECT standing_id, count(*) AS times FROM approval WHERE standing_id = ANY(:ids) GROUP BY standing_id"),
        {"ids": [row.id for row in rows]},
    )
    return {row.standing_id: row.times for row in counted}


def _standing(row: StandingApproval, names: dict[int, str], now: Any, used: Mapping[int, int]) -> StandingShape:
    payload = json.loads(row.payload)
    return StandingShape(
        id=row.id or 0,
        name=row.name,
        group_ids=list(row.group_ids),
        group_names=[names.get(each, "") for each in row.group_ids],
        items=payload["items"],
        largest_impact=payload["largest_impact"],
        signer=row.signer.partition(" ")[2],
        signer_id=row.signer_id,
        signed_at=row.signed_at,
        expires_at=row.expires_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_by=row.withdrawn_by.partition(" ")[2],
        withdrawn_reason=row.withdrawn_reason,
        times_used=used.get(row.id or 0, 0),
        is_in_force=row.withdrawn_at is None and now < row.expires_at,
    )


def switch_shape(session: Session) -> SwitchShape:
    """The stop switch."""
    row = brakes.stop_switch(session)
    return SwitchShape(
        is_stopped=row.is_stopped,
        cause=row.cause,
        reason=row.reason,
        changed_by=row.changed_by.partition(" ")[2],
        changed_at=row.changed_at,
    )


def list_windows(session: Session, *, actor: Actor, group_id: int | None) -> list[WindowShape]:
    """Windows that are in use: of groups in scope, or those that a plan for one group may name (its own, and those above)."""
    query = select(MaintenanceWindow).where(col(MaintenanceWindow.ended_at).is_(None)).order_by(col(MaintenanceWindow.name)).limit(_MOST)
    if group_id is not None:
        group = visible_group(session, actor=actor, group_id=group_id)
        above = ids_on(group.path)
        query = query.where(col(MaintenanceWindow.group_id).in_(above))
    else:
        query = query.where(col(MaintenanceWindow.group_id).in_(_scope_ids(session, actor)))
    names, now = _names(session), now_of(session)
    return [_window(row, names, now) for row in session.exec(query)]


def window_shape(session: Session, row: MaintenanceWindow) -> WindowShape:
    """One window."""
    return _window(row, _names(session), now_of(session))


def _window(row: MaintenanceWindow, names: dict[int, str], now: Any) -> WindowShape:
    span = brakes.signed_window(brakes.window_document(row))
    return WindowShape(
        id=row.id or 0,
        group_id=row.group_id,
        group_name=names.get(row.group_id, ""),
        name=row.name,
        time_zone=row.time_zone,
        weekdays=list(row.weekdays),
        nth=list(row.nth),
        on_date=row.on_date,
        starts_at_time=row.starts_at_time,
        lasts_minutes=row.lasts_minutes,
        ended_at=row.ended_at,
        open_until=open_until(span, now) if row.ended_at is None else None,
        next_open=next_open(span, now) if row.ended_at is None else None,
    )


def list_freezes(session: Session, *, actor: Actor) -> list[FreezeShape]:
    """Freezes that hold now or will, the next to begin first."""
    rows = session.exec(
        select(Freeze)
        .where(
            col(Freeze.ended_at).is_(None),
            col(Freeze.ends_at) > text("clock_timestamp()"),
            col(Freeze.group_id).in_(_scope_ids(session, actor)),
        )
        .order_by(col(Freeze.starts_at), col(Freeze.id))
        .limit(_MOST)
    ).all()
    names, now = _names(session), now_of(session)
    return [_freeze(row, names, now) for row in rows]


def freezes_over(session: Session, group_ids: Collection[int], *, before: datetime | None) -> list[FreezeShape]:
    """Freezes of these groups that hold now, or begin before that time; the next to begin first. Two queries, one where there is none."""
    query = select(Freeze).where(
        col(Freeze.ended_at).is_(None), col(Freeze.ends_at) > text("clock_timestamp()"), col(Freeze.group_id).in_(group_ids)
    )
    if before is not None:
        query = query.where(col(Freeze.starts_at) < before)
    rows = session.exec(query.order_by(col(Freeze.starts_at), col(Freeze.id)).limit(20)).all()
    if not rows:
        return []
    names, now = _names(session), now_of(session)
    return [_freeze(row, names, now) for row in rows]


def freeze_shape(session: Session, row: Freeze) -> FreezeShape:
    """One freeze."""
    return _freeze(row, _names(session), now_of(session))


def _freeze(row: Freeze, names: dict[int, str], now: Any) -> FreezeShape:
    return FreezeShape(
        id=row.id or 0,
        group_id=row.group_id,
        group_name=names.get(row.group_id, ""),
        reason=row.reason,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        created_by=row.created_by.partition(" ")[2],
        ended_at=row.ended_at,
        is_on=row.ended_at is None and row.starts_at <= now < row.ends_at,
    )


def list_domains(session: Session, *, actor: Actor) -> list[DomainShape]:
    """Failure domains that are in use or have a number of their own; clusters where a host in scope is in one."""
    ids = set(_scope_ids(session, actor))
    clusters = {
        f"cluster:{name}"
        for name in session.execute(
            text("SELECT DISTINCT cluster FROM host WHERE cluster <> '' AND group_id = ANY(:ids)"), {"ids": sorted(ids)}
        ).scalars()
    }
    held: dict[str, list[int]] = {}
    for domain, job_id in session.exec(select(DomainSlot.domain, DomainSlot.job_id).order_by(col(DomainSlot.domain))):
        held.setdefault(domain, []).extend([job_id] if job_id is not None else [])
    budgets = {row.domain: row.slots for row in session.exec(select(DomainBudget))}
    return [
        DomainShape(
            domain=domain, words=domain_words(domain), slots=budgets.get(domain, default_slots(domain)), held_by=held.get(domain, [])
        )
        for domain in sorted({*held, *budgets})
        if domain in clusters or _group_of(domain) in ids
    ]


def _group_of(domain: str) -> int:
    number = domain.partition(":")[2].partition("/")[0]
    return int(number) if number.isdigit() else 0


def list_workers(session: Session) -> list[WorkerShape]:
    """Workers that took a bell within a day, the newest first."""
    rows = session.exec(
        select(WorkerSeen)
        .where(col(WorkerSeen.heard_at) > text("clock_timestamp() - interval '1 day'"))
        .order_by(col(WorkerSeen.heard_at).desc())
        .limit(100)
    )
    return [WorkerShape(worker=row.worker, queue=row.queue, heard_at=row.heard_at) for row in rows]
