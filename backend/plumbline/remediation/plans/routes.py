"""Routes of plans, approvals, jobs and the brakes."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request, status
from fastapi.sse import EventSourceResponse, ServerSentEvent

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep, client_address
from plumbline.auth.idempotency import OnceRoute
from plumbline.auth.rights import require
from plumbline.hosts.schemas import Said
from plumbline.infra.schemas import RowId
from plumbline.remediation.access import endpoint
from plumbline.remediation.access import reachability as reach
from plumbline.remediation.controls import actions as controls
from plumbline.remediation.controls import queries as control_queries
from plumbline.remediation.controls.schemas import (
    BudgetSet,
    DomainShape,
    FreezeCreate,
    HoldCreate,
    StandingCreate,
    StandingShape,
    SwitchSet,
    SwitchShape,
    WaySet,
    WayToHost,
    WindowCreate,
    WindowShape,
    WorkerShape,
)
from plumbline.remediation.jobs import cancel, queries, stream, undo
from plumbline.remediation.jobs import resolve as human
from plumbline.remediation.plans import approve, draft
from plumbline.remediation.plans import standing_approvals as standing
from plumbline.remediation.plans.schemas import (
    Confirmed,
    ConfirmedReason,
    FreezeShape,
    HostReach,
    JobDetail,
    JobEvents,
    JobPage,
    PlanCreate,
    PlanDetail,
    PlanPage,
    PlanSubmit,
    Reason,
    Resolve,
    RunUnderStanding,
)

router = APIRouter(route_class=OnceRoute)

HostId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
Limit = Annotated[int, Query(ge=1, le=200)]
Before = Annotated[RowId | None, Query(description="the number that the page before ended with")]
States = Annotated[list[str], Query(max_length=20)]
Reader = Annotated[Actor, May("job.read")]
Drafter = Annotated[Actor, May("plan.draft")]
Approver = Annotated[Actor, May("plan.approve")]
Canceller = Annotated[Actor, May("job.cancel")]


def _on_plan(session: SessionDep, actor: Actor, action: str, plan_id: int) -> None:
    _, group = queries.visible_plan(session, actor=actor, plan_id=plan_id)
    require(actor, action, group.path, missing="no such plan")


def _on_job(session: SessionDep, actor: Actor, action: str, job_id: int) -> None:
    _, group = queries.visible_job(session, actor=actor, job_id=job_id)
    require(actor, action, group.path, missing="no such job")


# --- Plans ---


@router.get("/plans")
def list_plans(
    session: SessionDep,
    actor: Reader,
    state: States = [],  # noqa: B006
    mine: bool = False,
    after: Before = None,
    limit: Limit = 50,
) -> PlanPage:
    """Plans, newest first."""
    return queries.list_plans(session, actor=actor, states=state, mine=mine, after=after, limit=limit)


@router.post("/plans", status_code=status.HTTP_201_CREATED)
def create_plan(body: PlanCreate, session: SessionDep, actor: Drafter) -> PlanDetail:
    """Drafts a plan for chosen findings; it is planned in the background within seconds."""
    plan = draft.draft_plan(session, actor=actor, asked=body)
    return queries.read_plan_page(session, actor=actor, plan_id=plan.id or 0)


@router.get("/plans/{plan_id}")
def read_plan(plan_id: RowId, session: SessionDep, actor: Reader) -> PlanDetail:
    """One plan, whole."""
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/submit")
def submit_plan(plan_id: RowId, body: PlanSubmit, session: SessionDep, actor: Drafter) -> PlanDetail:
    """Asks an approver for it."""
    _on_plan(session, actor, "plan.draft", plan_id)
    draft.submit_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/withdraw")
def withdraw_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Drafter) -> PlanDetail:
    """Takes a plan back before anything of it has run."""
    _on_plan(session, actor, "plan.draft", plan_id)
    draft.withdraw_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/approve")
def approve_plan(plan_id: RowId, body: Confirmed, request: Request, session: SessionDep, actor: Approver) -> PlanDetail:
    """Signs the whole plan and lets its jobs begin. Asks for the password; never the author."""
    _on_plan(session, actor, "plan.approve", plan_id)
    approve.confirm_person(session, actor=actor, password=body.password, address=client_address(request))
    approve.approve_plan(session, actor=actor, plan_id=plan_id)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/refuse")
def refuse_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Approver) -> PlanDetail:
    """Refuses it for good, with the reason."""
    _on_plan(session, actor, "plan.approve", plan_id)
    approve.refuse_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/run-under-standing")
def run_plan_under_standing(
    plan_id: RowId, body: RunUnderStanding, session: SessionDep, actor: Annotated[Actor, May("plan.run_standing")]
) -> PlanDetail:
    """Runs one's own plan at once, under a standing approval that covers every step of it."""
    _on_plan(session, actor, "plan.run_standing", plan_id)
    approve.run_under_standing(session, actor=actor, plan_id=plan_id, standing_id=body.standing_id)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/break-glass")
def break_glass(
    plan_id: RowId, body: ConfirmedReason, request: Request, session: SessionDep, actor: Annotated[Actor, May("plan.break_glass")]
) -> PlanDetail:
    """Two admins run a plan without an approver: the first asks, the second signs. Somebody else has to review it."""
    _on_plan(session, actor, "plan.break_glass", plan_id)
    approve.confirm_person(session, actor=actor, password=body.password, address=client_address(request))
    approve.break_glass(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/review")
def review_break_glass(plan_id: RowId, body: Resolve, session: SessionDep, actor: Annotated[Actor, May("plan.review")]) -> PlanDetail:
    """Says that somebody looked at what was run without an approver."""
    _on_plan(session, actor, "plan.review", plan_id)
    approve.review_break_glass(session, actor=actor, plan_id=plan_id, words=body.words)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/stop")
def stop_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> PlanDetail:
    """Ends a running plan: no further job begins, and those that run end at their next step boundary."""
    _on_plan(session, actor, "job.cancel", plan_id)
    cancel.stop_plan(session, actor=actor.audit_name, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/resume")
def resume_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> PlanDetail:
    """Lets a paused plan go on, accepting the failures so far or ending its bake."""
    _on_plan(session, actor, "job.cancel", plan_id)
    cancel.resume_plan(session, actor=actor.audit_name, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


# --- Jobs ---


@router.get("/jobs")
def list_jobs(
    session: SessionDep,
    actor: Reader,
    state: States = [],  # noqa: B006
    host: Annotated[str | None, Query(pattern=r"^[0-9a-f]{32}$")] = None,
    plan: RowId | None = None,
    is_open: bool | None = None,
    after: Before = None,
    limit: Limit = 50,
) -> JobPage:
    """Jobs, newest first."""
    return queries.list_jobs(session, actor=actor, states=state, host_id=host, plan_id=plan, is_open=is_open, after=after, limit=limit)


@router.get("/jobs/{job_id}")
def read_job(job_id: RowId, session: SessionDep, actor: Reader) -> JobDetail:
    """One job, whole."""
    return queries.read_job(session, actor=actor, job_id=job_id)


@router.get("/jobs/{job_id}/events")
def list_job_events(job_id: RowId, session: SessionDep, actor: Reader, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0) -> JobEvents:
    """Events past a number: for whoever cannot follow the stream."""
    return queries.read_events(session, actor=actor, job_id=job_id, after=after)


@router.get("/jobs/{job_id}/stream", response_class=EventSourceResponse)
async def follow_job(
    job_id: RowId,
    request: Request,
    session: SessionDep,  # noqa: ARG001 - the person is known before the stream begins
    actor: Reader,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """`job` events with their number as id, from the one after `Last-Event-ID` on, then `end`."""
    async for event in stream.follow(actor, job_id, after=stream.last_number(last_event_id), is_gone=request.is_disconnected):
        yield event


@router.post("/jobs/{job_id}/cancel")
def cancel_job(job_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> JobDetail:
    """Ends a job that has not begun, or asks it to end at its next step boundary."""
    _on_job(session, actor, "job.cancel", job_id)
    cancel.cancel_job(session, actor=actor.audit_name, job_id=job_id, reason=body.reason)
    return queries.read_job(session, actor=actor, job_id=job_id)


@router.post("/jobs/{job_id}/undo", status_code=status.HTTP_201_CREATED)
def undo_job(job_id: RowId, session: SessionDep, actor: Annotated[Actor, May("job.undo")]) -> JobDetail:
    """Takes back what a job set, if every value still equals what it set; answers the job that does."""
    _on_job(session, actor, "job.undo", job_id)
    made = undo.undo_job(session, actor=actor, job_id=job_id)
    return queries.read_job(session, actor=actor, job_id=made.id or 0)


@router.post("/jobs/{job_id}/resolve", status_code=status.HTTP_202_ACCEPTED)
def resolve_job(job_id: RowId, body: Resolve, session: SessionDep, actor: Annotated[Actor, May("job.resolve")]) -> JobDetail:
    """Says how a person settled a job that needed one; the host's fence is raised first."""
    _on_job(session, actor, "job.resolve", job_id)
    human.ask_to_resolve(session, actor=actor.audit_name, job_id=job_id, words=body.words)
    return queries.read_job(session, actor=actor, job_id=job_id)


# --- Standing approvals ---


@router.get("/standing-approvals")
def list_standing_approvals(session: SessionDep, actor: Reader) -> list[StandingShape]:
    """Standing approvals of groups in scope, those in force first."""
    return control_queries.list_standing(session, actor=actor)


@router.post("/standing-approvals", status_code=status.HTTP_201_CREATED)
def sign_standing_approval(
    body: StandingCreate, request: Request, session: SessionDep, actor: Annotated[Actor, May("standing.sign")]
) -> StandingShape:
    """Signs what operators may run at once. Asks for the password; the signer never runs under it."""
    approve.confirm_person(session, actor=actor, password=body.password, address=client_address(request))
    made = standing.make_standing(session, actor=actor, asked=body)
    return control_queries.standing_shape(session, made)


@router.post("/standing-approvals/{standing_id}/withdraw")
def withdraw_standing_approval(
    standing_id: RowId, body: Reason, session: SessionDep, actor: Annotated[Actor, May("standing.sign")]
) -> StandingShape:
    """Ends it: nothing begins under it any more, and what runs ends at its next step boundary."""
    row = standing.withdraw_standing(session, actor=actor, standing_id=standing_id, reason=body.reason)
    return control_queries.standing_shape(session, row)


# --- Brakes ---


@router.get("/stop-switch")
def read_stop_switch(session: SessionDep, actor: Reader) -> SwitchShape:  # noqa: ARG001
    """Whether everything is stopped, by whom and why."""
    return control_queries.switch_shape(session)


@router.put("/stop-switch")
def set_stop_switch(body: SwitchSet, session: SessionDep, actor: Annotated[Actor, May("everything.stop")]) -> SwitchShape:
    """Stops every job at its next step boundary, or lets jobs begin again."""
    controls.set_switch(session, actor=actor, asked=body)
    return control_queries.switch_shape(session)


@router.post("/stop-switch/lift-restore")
def lift_restore(body: Reason, session: SessionDep, actor: Annotated[Actor, May("restore.release")]) -> SwitchShape:
    """Lets jobs go on that a restore stopped: each asks its host first what holds."""
    controls.lift_restore(session, actor=actor, reason=body.reason)
    return control_queries.switch_shape(session)


@router.get("/windows")
def list_windows(session: SessionDep, actor: Reader, group: RowId | None = None) -> list[WindowShape]:
    """Maintenance windows in scope that are in use; with a group, those that a plan for it may name."""
    return control_queries.list_windows(session, actor=actor, group_id=group)


@router.post("/windows", status_code=status.HTTP_201_CREATED)
def make_window(body: WindowCreate, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> WindowShape:
    """A new maintenance window."""
    row = controls.make_window(session, actor=actor, asked=body)
    return control_queries.window_shape(session, row)


@router.post("/windows/{window_id}/end")
def end_window(window_id: RowId, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> WindowShape:
    """Ends a window; plans that were signed for it do not run any more."""
    row = controls.end_window(session, actor=actor, window_id=window_id)
    return control_queries.window_shape(session, row)


@router.get("/freezes")
def list_freezes(session: SessionDep, actor: Reader) -> list[FreezeShape]:
    """Freezes in scope that hold now or will."""
    return control_queries.list_freezes(session, actor=actor)


@router.post("/freezes", status_code=status.HTTP_201_CREATED)
def make_freeze(body: FreezeCreate, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> FreezeShape:
    """Freezes a group: nothing of it is changed, whatever its windows say."""
    row = controls.make_freeze(session, actor=actor, asked=body)
    return control_queries.freeze_shape(session, row)


@router.post("/freezes/{freeze_id}/end")
def end_freeze(freeze_id: RowId, session: SessionDep, actor: Annotated[Actor, May("window.manage")]) -> FreezeShape:
    """Ends a freeze before its time."""
    row = controls.end_freeze(session, actor=actor, freeze_id=freeze_id)
    return control_queries.freeze_shape(session, row)


@router.put("/hosts/{host_id}/hold")
def hold_host(host_id: HostId, body: HoldCreate, session: SessionDep, actor: Annotated[Actor, May("host.hold")]) -> Said:
    """Blocks jobs on a host."""
    host = controls.hold_host(session, actor=actor, host_id=host_id, asked=body)
    return Said(words=f"{host.name} is on hold")


@router.delete("/hosts/{host_id}/hold")
def release_host(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.hold")]) -> Said:
    """Ends a hold."""
    host = controls.release_host(session, actor=actor, host_id=host_id)
    return Said(words=f"{host.name} is no longer on hold")


@router.get("/domains")
def list_domains(session: SessionDep, actor: Reader) -> list[DomainShape]:
    """Failure domains in scope with their slots, and the jobs that hold them."""
    return control_queries.list_domains(session, actor=actor)


@router.put("/domains")
def set_domain_budget(body: BudgetSet, session: SessionDep, actor: Annotated[Actor, May("budget.manage")]) -> Said:
    """How many hosts of a fabric or a group may be changed at a time."""
    row = controls.set_budget(session, actor=actor, asked=body)
    return Said(words=f"{row.domain} has {row.slots} slots")


# --- The way to a host ---


@router.get("/hosts/{host_id}/remediation")
def read_way_to_host(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> WayToHost:
    """How the host is reached for changes, and whether its runner is the one of this version."""
    return endpoint.read_way(session, actor=actor, host_id=host_id)


@router.get("/hosts/{host_id}/reach")
def read_host_reach(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> HostReach:
    """Whether the host can be reached for changes, and why not: lockdown, SSH, its identity, its credential, its runner."""
    return reach.read_reach(session, actor=actor, host_id=host_id)


@router.put("/hosts/{host_id}/remediation")
def set_way_to_host(host_id: HostId, body: WaySet, session: SessionDep, actor: Annotated[Actor, May("host.manage")]) -> WayToHost:
    """Names the credential for changes."""
    return endpoint.set_way(session, actor=actor, host_id=host_id, asked=body)


@router.post("/hosts/{host_id}/remediation/runner", status_code=status.HTTP_202_ACCEPTED)
def install_runner(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.manage")]) -> WayToHost:
    """Puts the runner of this version on an ESXi host."""
    return endpoint.ask_for_runner(session, actor=actor, host_id=host_id)


@router.get("/remediation/workers")
def list_remediation_workers(session: SessionDep, actor: Reader) -> list[WorkerShape]:  # noqa: ARG001
    """When each worker last took a bell: one that hears nothing is deaf, however well it is connected."""
    return control_queries.list_workers(session)
