"""Reading what blocks jobs (windows, freezes, the stop switch, failure domains), and the workers."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline.auth.actor import Actor
from plumbline.auth.scope import group_in_scope, in_scope
from plumbline.infra.database import now_of
from plumbline.infra.group_path import ids_on
from plumbline.models.controls import Freeze, MaintenanceWindow, WorkerHeartbeat
from plumbline.models.hosts import HostGroup
from plumbline.models.jobs import DomainBudget, DomainSlot
from plumbline.remediation.controls import checks
from plumbline.remediation.controls.recurrence import next_open, open_until
from plumbline.remediation.controls.schemas import DomainOut, FreezeOut, MaintenanceWindowOut, StopSwitchOut, WorkerOut
from plumbline.remediation.failure_domains import default_slots, domain_words

_MOST = 500


def group_names(session: Session) -> dict[int, str]:
    """Names of all groups by id."""
    return {row.id or 0: row.name for row in session.exec(select(HostGroup))}


def group_ids_in_scope(session: Session, actor: Actor) -> list[int]:
    """Ids of the groups that this person may see."""
    return [group_id or 0 for group_id in session.exec(select(HostGroup.id).where(in_scope(actor)))]


def stop_switch_out(session: Session) -> StopSwitchOut:
    """The stop switch."""
    row = checks.stop_switch(session)
    return StopSwitchOut(
        is_stopped=row.is_stopped,
        cause=row.cause,
        reason=row.reason,
        changed_by=row.changed_by.partition(" ")[2],
        changed_at=row.changed_at,
    )


def list_windows(session: Session, *, actor: Actor, group_id: int | None) -> list[MaintenanceWindowOut]:
    """Windows that are in use: of groups in scope, or those that a plan for one group may name (its own, and those above)."""
    query = select(MaintenanceWindow).where(col(MaintenanceWindow.ended_at).is_(None)).order_by(col(MaintenanceWindow.name)).limit(_MOST)
    if group_id is not None:
        group = group_in_scope(session, actor=actor, group_id=group_id)
        above = ids_on(group.path)
        query = query.where(col(MaintenanceWindow.group_id).in_(above))
    else:
        query = query.where(col(MaintenanceWindow.group_id).in_(group_ids_in_scope(session, actor)))
    names, now = group_names(session), now_of(session)
    return [_window(row, names, now) for row in session.exec(query)]


def window_out(session: Session, row: MaintenanceWindow) -> MaintenanceWindowOut:
    """One window."""
    return _window(row, group_names(session), now_of(session))


def _window(row: MaintenanceWindow, names: dict[int, str], now: Any) -> MaintenanceWindowOut:
    span = checks.signed_window(checks.window_document(row))
    return MaintenanceWindowOut(
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


def list_freezes(session: Session, *, actor: Actor) -> list[FreezeOut]:
    """Present and coming freezes, the next to begin first."""
    rows = session.exec(
        select(Freeze)
        .where(
            col(Freeze.ended_at).is_(None),
            col(Freeze.ends_at) > text("clock_timestamp()"),
            col(Freeze.group_id).in_(group_ids_in_scope(session, actor)),
        )
        .order_by(col(Freeze.starts_at), col(Freeze.id))
        .limit(_MOST)
    ).all()
    names, now = group_names(session), now_of(session)
    return [_freeze(row, names, now) for row in rows]


def freezes_of(session: Session, group_ids: Collection[int], *, before: datetime | None) -> list[FreezeOut]:
    """Freezes of these groups that are on now or begin before that time, the next to begin first. Two queries, one where there is none."""
    query = select(Freeze).where(
        col(Freeze.ended_at).is_(None), col(Freeze.ends_at) > text("clock_timestamp()"), col(Freeze.group_id).in_(group_ids)
    )
    if before is not None:
        query = query.where(col(Freeze.starts_at) < before)
    rows = session.exec(query.order_by(col(Freeze.starts_at), col(Freeze.id)).limit(20)).all()
    if not rows:
        return []
    names, now = group_names(session), now_of(session)
    return [_freeze(row, names, now) for row in rows]


def freeze_out(session: Session, row: Freeze) -> FreezeOut:
    """One freeze."""
    return _freeze(row, group_names(session), now_of(session))


def _freeze(row: Freeze, names: dict[int, str], now: Any) -> FreezeOut:
    return FreezeOut(
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


def list_domains(session: Session, *, actor: Actor) -> list[DomainOut]:
    """Failure domains that are in use or have a number of their own; clusters where a host in scope is in one."""
    ids = set(group_ids_in_scope(session, actor))
    clusters = {
        f"cluster:{name}"
        for name in session.execute(
            text("SELECT DISTINCT cluster FROM host WHERE cluster <> '' AND group_id = ANY(:ids)"), {"ids": sorted(ids)}
        ).scalars()
    }
    used: dict[str, list[int]] = {}
    for domain, job_id in session.exec(select(DomainSlot.domain, DomainSlot.job_id).order_by(col(DomainSlot.domain))):
        used.setdefault(domain, []).extend([job_id] if job_id is not None else [])
    budgets = {row.domain: row.slots for row in session.exec(select(DomainBudget))}
    return [
        DomainOut(domain=domain, words=domain_words(domain), slots=budgets.get(domain, default_slots(domain)), held_by=used.get(domain, []))
        for domain in sorted({*used, *budgets})
        if domain in clusters or _group_of(domain) in ids
    ]


def _group_of(domain: str) -> int:
    number = domain.partition(":")[2].partition("/")[0]
    return int(number) if number.isdigit() else 0


def list_workers(session: Session) -> list[WorkerOut]:
    """Workers that took a task within a day, the newest first."""
    rows = session.exec(
        select(WorkerHeartbeat)
        .where(col(WorkerHeartbeat.heard_at) > text("clock_timestamp() - interval '1 day'"))
        .order_by(col(WorkerHeartbeat.heard_at).desc())
        .limit(100)
    )
    return [WorkerOut(worker=row.worker, queue=row.queue, heard_at=row.heard_at) for row in rows]
