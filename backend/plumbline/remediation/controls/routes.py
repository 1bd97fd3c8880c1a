"""Routes of what keeps jobs from starting: the emergency stop, maintenance windows, freezes, holds, concurrency limits; and the workers."""

from typing import Annotated

from fastapi import APIRouter, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import Done, HostId, RowId
from plumbline.remediation.controls import actions, queries
from plumbline.remediation.controls.schemas import (
    BudgetSet,
    DomainOut,
    FreezeCreate,
    FreezeOut,
    HoldCreate,
    MaintenanceWindowOut,
    StopSwitchOut,
    SwitchSet,
    WindowCreate,
    WorkerOut,
)
from plumbline.remediation.route_parameters import Reader
from plumbline.remediation.schemas import Reason

router = APIRouter(route_class=IdempotentRoute)


@router.get("/stop-switch")
def read_stop_switch(session: SessionDep, actor: Reader) -> StopSwitchOut:  # noqa: ARG001
    """Whether the emergency stop is on, by whom and why."""
    return queries.stop_switch_out(session)


@router.put("/stop-switch")
def set_stop_switch(body: SwitchSet, session: SessionDep, actor: Annotated[Actor, May("everything.stop")]) -> StopSwitchOut:
    """Stops every job at its next step boundary, or lets jobs begin again."""
    actions.set_switch(session, actor=actor, request=body)
    return queries.stop_switch_out(session)


@router.post("/stop-switch/lift-restore")
def lift_restore(body: Reason, session: SessionDep, actor: Annotated[Actor, May("restore.release")]) -> StopSwitchOut:
    """Lets jobs continue that a restore stopped; each reads its host first."""
    actions.lift_restore(session, actor=actor, reason=body.reason)
    return queries.stop_switch_out(session)


@router.get("/windows")
def list_windows(session: SessionDep, actor: Reader, group: RowId | None = None) -> list[MaintenanceWindowOut]:
    """Maintenance windows in scope that are in use; with a group, those that a plan for it may name."""
    return queries.list_windows(session, actor=actor, group_id=group)


@router.post("/windows", status_code=status.HTTP_201_CREATED)
def make_window(body: WindowCreate, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> MaintenanceWindowOut:
    """A new maintenance window."""
    row = actions.make_window(session, actor=actor, request=body)
    return queries.window_out(session, row)


@router.post("/windows/{window_id}/end")
def end_window(window_id: RowId, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> MaintenanceWindowOut:
    """Ends a window; plans that were signed for it no longer run."""
    row = actions.end_window(session, actor=actor, window_id=window_id)
    return queries.window_out(session, row)


@router.get("/freezes")
def list_freezes(session: SessionDep, actor: Reader) -> list[FreezeOut]:
    """Present and future freezes in scope."""
    return queries.list_freezes(session, actor=actor)


@router.post("/freezes", status_code=status.HTTP_201_CREATED)
def make_freeze(body: FreezeCreate, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> FreezeOut:
    """Freezes a group: no job starts there, also within its windows."""
    row = actions.make_freeze(session, actor=actor, request=body)
    return queries.freeze_out(session, row)


@router.post("/freezes/{freeze_id}/end")
def end_freeze(freeze_id: RowId, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> FreezeOut:
    """Ends a freeze before its time."""
    row = actions.end_freeze(session, actor=actor, freeze_id=freeze_id)
    return queries.freeze_out(session, row)


@router.put("/hosts/{host_id}/hold")
def hold_host(host_id: HostId, body: HoldCreate, session: SessionDep, actor: Annotated[Actor, May("host.hold")]) -> Done:
    """Blocks jobs on a host."""
    host = actions.hold_host(session, actor=actor, host_id=host_id, request=body)
    return Done(words=f"{host.name} is on hold")


@router.delete("/hosts/{host_id}/hold")
def release_host(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.hold")]) -> Done:
    """Ends a hold."""
    host = actions.release_host(session, actor=actor, host_id=host_id)
    return Done(words=f"{host.name} is no longer on hold")


@router.get("/domains")
def list_domains(session: SessionDep, actor: Reader) -> list[DomainOut]:
    """Failure domains in scope with their jobs at the same time, and the jobs that use them."""
    return queries.list_domains(session, actor=actor)


@router.put("/domains")
def set_domain_budget(body: BudgetSet, session: SessionDep, actor: Annotated[Actor, May("budget.manage")]) -> Done:
    """How many hosts of a fabric or a group may be changed at a time."""
    row = actions.set_budget(session, actor=actor, request=body)
    return Done(words=f"{row.domain} has {row.slots} jobs at the same time")


@router.get("/remediation/workers")
def list_remediation_workers(session: SessionDep, actor: Reader) -> list[WorkerOut]:  # noqa: ARG001
    """When each worker last took a task; one that takes none does not work, even if it is connected."""
    return queries.list_workers(session)
