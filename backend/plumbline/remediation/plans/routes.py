"""Routes of plans, their approval, and standing approvals."""

from typing import Annotated

from fastapi import APIRouter, Path, status
from fastapi.responses import PlainTextResponse

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import RowId
from plumbline.remediation.jobs import cancel
from plumbline.remediation.plans import approve, draft, plan_text, queries, standing_approvals
from plumbline.remediation.plans import break_glass as break_glass_plans
from plumbline.remediation.plans.plan_text import Form
from plumbline.remediation.plans.rule_history import list_rule_remediations
from plumbline.remediation.plans.schemas import (
    BrokenGlass,
    PlanCreate,
    PlanDetail,
    PlanPage,
    PlanSubmit,
    RuleRemediations,
    RunUnderStanding,
    StandingApprovalOut,
    StandingCreate,
)
from plumbline.remediation.route_parameters import Before, Canceller, Limit, Reader, States
from plumbline.remediation.schemas import Confirmed, ConfirmedReason, Reason, Resolve

router = APIRouter(route_class=IdempotentRoute)

PackId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
Drafter = Annotated[Actor, May("plan.draft")]
Approver = Annotated[Actor, May("plan.approve")]


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
    plan = draft.draft_plan(session, actor=actor, request=body)
    return queries.read_plan_page(session, actor=actor, plan_id=plan.id or 0)


@router.get("/plans/{plan_id}")
def read_plan(plan_id: RowId, session: SessionDep, actor: Reader) -> PlanDetail:
    """One plan with its document, jobs and events."""
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/submit")
def submit_plan(plan_id: RowId, body: PlanSubmit, session: SessionDep, actor: Drafter) -> PlanDetail:
    """Submits the plan for approval."""
    queries.require_on_plan(session, actor=actor, action="plan.draft", plan_id=plan_id)
    draft.submit_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/withdraw")
def withdraw_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Drafter) -> PlanDetail:
    """Withdraws a plan before any of its jobs has run."""
    queries.require_to_end(session, actor=actor, action="plan.draft", plan_id=plan_id)
    draft.withdraw_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/approve")
def approve_plan(plan_id: RowId, body: Confirmed, session: SessionDep, actor: Approver) -> PlanDetail:
    """Signs the whole plan and lets its jobs begin. Requires the password; the author cannot do it."""
    queries.require_on_plan(session, actor=actor, action="plan.approve", plan_id=plan_id)
    approve.confirm_person(session, actor=actor, password=body.password)
    approve.approve_plan(session, actor=actor, plan_id=plan_id)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/refuse")
def refuse_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Approver) -> PlanDetail:
    """Rejects the plan for good, with the reason."""
    queries.require_to_end(session, actor=actor, action="plan.approve", plan_id=plan_id)
    approve.refuse_plan(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/run-under-standing")
def run_plan_under_standing(
    plan_id: RowId, body: RunUnderStanding, session: SessionDep, actor: Annotated[Actor, May("plan.run_standing")]
) -> PlanDetail:
    """Runs the caller's own plan at once, under a standing approval that covers every step of it."""
    queries.require_on_plan(session, actor=actor, action="plan.run_standing", plan_id=plan_id)
    approve.run_under_standing(session, actor=actor, plan_id=plan_id, standing_id=body.standing_id)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/break-glass")
def break_glass(plan_id: RowId, body: ConfirmedReason, session: SessionDep, actor: Annotated[Actor, May("plan.break_glass")]) -> PlanDetail:
    """Two admins run a plan without an approver: the first requests it, the second signs. Somebody else has to review it."""
    queries.require_on_plan(session, actor=actor, action="plan.break_glass", plan_id=plan_id)
    approve.confirm_person(session, actor=actor, password=body.password)
    approve.break_glass(session, actor=actor, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/review")
def review_break_glass(plan_id: RowId, body: Resolve, session: SessionDep, actor: Annotated[Actor, May("plan.review")]) -> PlanDetail:
    """Notes that a person has reviewed a plan that ran without an approver."""
    queries.require_to_end(session, actor=actor, action="plan.review", plan_id=plan_id)
    approve.review_break_glass(session, actor=actor, plan_id=plan_id, words=body.words)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/stop")
def stop_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> PlanDetail:
    """Ends a running plan: no further job begins, and those that run end at their next step boundary."""
    queries.require_to_end(session, actor=actor, action="job.cancel", plan_id=plan_id)
    cancel.stop_plan(session, actor=actor.audit_name, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.post("/plans/{plan_id}/resume")
def resume_plan(plan_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> PlanDetail:
    """Lets a paused plan continue, which accepts the failures so far or ends its bake."""
    queries.require_to_go_on(session, actor=actor, action="job.cancel", plan_id=plan_id)
    cancel.resume_plan(session, actor=actor.audit_name, plan_id=plan_id, reason=body.reason)
    return queries.read_plan_page(session, actor=actor, plan_id=plan_id)


@router.get("/broken-glass")
def list_broken_glass(session: SessionDep, actor: Annotated[Actor, May("job.read")]) -> list[BrokenGlass]:
    """Plans that run, or are about to, without an approver, and that nobody has reviewed yet."""
    return break_glass_plans.list_open(session, actor=actor)


@router.get("/plans/{plan_id}/text", response_class=PlainTextResponse)
def read_plan_text(
    plan_id: RowId, session: SessionDep, actor: Annotated[Actor, May("job.read")], form: Form = "script", undo: bool = False
) -> str:
    """The commands of a plan in order, with what each needs; `undo` returns those that undo it. Nothing is run."""
    return plan_text.read_text(session, actor=actor, plan_id=plan_id, form=form, undo=undo)


@router.get("/rules/{pack}/{rule}/remediations")
def list_remediations(pack: PackId, rule: RuleId, session: SessionDep, actor: Annotated[Actor, May("job.read")]) -> RuleRemediations:
    """The plans about this rule, newest first, with the outcomes of their jobs, and of the rule on their hosts now."""
    return list_rule_remediations(session, actor=actor, pack=pack, rule=rule)


# --- Standing approvals ---


@router.get("/standing-approvals")
def list_standing_approvals(session: SessionDep, actor: Reader) -> list[StandingApprovalOut]:
    """Standing approvals of groups in scope, active ones first."""
    return standing_approvals.list_standing(session, actor=actor)


@router.post("/standing-approvals", status_code=status.HTTP_201_CREATED)
def sign_standing_approval(body: StandingCreate, session: SessionDep, actor: Annotated[Actor, May("standing.sign")]) -> StandingApprovalOut:
    """Signs what operators may run at once. Requires the password; the signer never runs under it."""
    approve.confirm_person(session, actor=actor, password=body.password)
    made = standing_approvals.make_standing(session, actor=actor, request=body)
    return standing_approvals.standing_approval_out(session, made, actor=actor)


@router.post("/standing-approvals/{standing_id}/withdraw")
def withdraw_standing_approval(
    standing_id: RowId, body: Reason, session: SessionDep, actor: Annotated[Actor, May("standing.sign")]
) -> StandingApprovalOut:
    """Ends a standing approval: no job begins under it any more, and running ones end at their next step boundary."""
    row = standing_approvals.withdraw_standing(session, actor=actor, standing_id=standing_id, reason=body.reason)
    return standing_approvals.standing_approval_out(session, row, actor=actor)
