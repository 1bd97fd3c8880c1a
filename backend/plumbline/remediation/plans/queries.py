"""Reading plans: pages and details. The number of queries of a page is fixed."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from plumbline.audit import person_name
from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.hosts.port_words import port_words
from plumbline.infra.group_path import ids_on
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval, BreakGlass, Plan, PlanEvent, PlanState
from plumbline.remediation.controls.queries import freezes_of
from plumbline.remediation.controls.schemas import FreezeOut
from plumbline.remediation.jobs.queries import job_rows
from plumbline.remediation.plans.schemas import ApprovalOut, PlanDetail, PlanEventOut, PlanPage, PlanRow
from plumbline.remediation.rights_on_hosts import hosts_of, may_everywhere, paths_of, plans_in_scope, require_everywhere
from plumbline.remediation.states import JOB_FINAL, PLAN_MOVES, PLAN_WORDS, check_states
from plumbline.remediation.transitions import PlanNotFound


def plan_in_scope(session: Session, *, actor: Actor, plan_id: int) -> tuple[Plan, HostGroup]:
    """A plan and the group in which it was drafted; `PlanNotFound` where it is not there for this person."""
    found = session.exec(
        select(Plan, HostGroup)
        .join(HostGroup, col(HostGroup.id) == col(Plan.group_id))
        .where(col(Plan.id) == plan_id, plans_in_scope(actor))
    ).first()
    if found is None:
        raise PlanNotFound("Plan not found.")
    return found


def list_plans(session: Session, *, actor: Actor, states: Sequence[str], mine: bool, after: int | None, limit: int) -> PlanPage:
    """Plans in scope, newest first. Two queries."""
    check_states(states, PLAN_MOVES)
    query = (
        select(Plan, HostGroup.name)
        .join(HostGroup, col(HostGroup.id) == col(Plan.group_id))
        .where(plans_in_scope(actor))
        .order_by(col(Plan.id).desc())
        .limit(limit + 1)
    )
    if states:
        query = query.where(col(Plan.state).in_(states))
    if mine:
        query = query.where(col(Plan.author_id) == actor.person_id)
    if after is not None:
        query = query.where(col(Plan.id) < after)
    rows = session.exec(query).all()
    shown = rows[:limit]
    counts = _job_counts(session, [plan.id for plan, _ in shown])
    items = [PlanRow(**_plan_row(plan, name, counts.get(plan.id or 0, {}))) for plan, name in shown]
    return PlanPage(items=items, next=str(shown[-1][0].id) if len(rows) > limit else None)


def _job_counts(session: Session, plan_ids: Sequence[int | None]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    rows = session.exec(
        select(Job.plan_id, Job.state, func.count())
        .where(col(Job.plan_id).in_(plan_ids), col(Job.kind) == "change")
        .group_by(col(Job.plan_id), col(Job.state))
    )
    for plan_id, state, count in rows:
        found.setdefault(plan_id, {})[state] = count
    return found


def _plan_row(plan: Plan, group_name: str, counts: dict[str, int]) -> dict[str, Any]:
    hosts = hosts_of(plan)
    return {
        "id": plan.id,
        "title": plan.title,
        "state": plan.state,
        "state_label": PLAN_WORDS[plan.state],
        "state_words": plan.state_words,
        "state_at": plan.state_at,
        "author": person_name(plan.author),
        "author_id": plan.author_id,
        "group_id": plan.group_id,
        "group_name": group_name,
        "created_at": plan.created_at,
        "not_after": plan.not_after,
        "hosts": len(hosts),
        "jobs": counts,
        "digest": plan.digest,
    }


def read_plan_page(session: Session, *, actor: Actor, plan_id: int) -> PlanDetail:
    """One plan with its document, approval, jobs and events."""
    plan, group = plan_in_scope(session, actor=actor, plan_id=plan_id)
    approval = session.exec(select(Approval).where(col(Approval.plan_id) == plan_id)).first()
    request = session.get(BreakGlass, plan_id)
    events = session.exec(select(PlanEvent).where(col(PlanEvent.plan_id) == plan_id).order_by(col(PlanEvent.number))).all()
    # Jobs follow their host: those of a host that was moved out of the person's scope are not shown.
    jobs_here = select(Job).join(Host, col(Host.id) == col(Job.host_id)).join(HostGroup, col(HostGroup.id) == col(Host.group_id))
    jobs = job_rows(session, jobs_here.where(col(Job.plan_id) == plan_id, in_scope(actor)).order_by(col(Job.id)).limit(1000))
    second = session.exec(select(BreakGlass.first).where(col(BreakGlass.plan_id) == plan_id)).first() or ""
    return PlanDetail(
        **_plan_row(plan, group.name, _job_counts(session, [plan.id]).get(plan_id, {})),
        reason=plan.reason,
        ticket=plan.ticket,
        window_id=plan.window_id,
        not_before=plan.not_before,
        wave=plan.wave,
        bake_until=plan.bake_until,
        request=plan.request,
        document=json.loads(plan.document) if plan.document else None,
        approval=_approval(approval, second) if approval is not None else None,
        break_glass_by=person_name(request.first) if request is not None else "",
        freezes=_freezes(session, plan),
        job_rows=jobs,
        events=[PlanEventOut.model_validate(event) for event in events],
        switch_ports=port_words(session, actor=actor, host_ids=hosts_of(plan)),
        may=_may_plan(actor, plan, [*paths_of(session, hosts_of(plan)).values()], group.path, approval),
    )


def _freezes(session: Session, plan: Plan) -> list[FreezeOut]:
    """Freezes that may keep a job of this plan from starting. None once it has ended; else two queries."""
    if plan.state not in PLAN_MOVES or not PLAN_MOVES[plan.state]:
        return []
    hosts = hosts_of(plan)
    paths = session.exec(
        select(HostGroup.path).join(Host, col(Host.group_id) == col(HostGroup.id)).where(col(Host.id).in_(hosts)).distinct()
    )
    above = {each for path in paths for each in ids_on(path)}
    return freezes_of(session, above, before=plan.not_after)


def _approval(row: Approval, second: str) -> ApprovalOut:
    return ApprovalOut(
        kind=row.kind,
        approver=person_name(row.approver),
        second=person_name(second) if row.second_id is not None else "",
        standing_id=row.standing_id,
        signed_at=row.signed_at,
        key_id=row.key_id,
        review_by=row.review_by,
        reviewed_at=row.reviewed_at,
        reviewed_by=person_name(row.reviewed_by),
    )


def require_on_plan(session: Session, *, actor: Actor, action: str, plan_id: int) -> None:
    """The person has the right where each host of the plan is now. Raises `PlanNotFound`, `NotAllowed`."""
    plan, _ = plan_in_scope(session, actor=actor, plan_id=plan_id)
    require_everywhere(session, actor, action, hosts_of(plan))


def require_to_end(session: Session, *, actor: Actor, action: str, plan_id: int) -> None:
    """For acts that change nothing on a host (withdraw, reject, stop, review): the right on the plan's group is enough as well.

    So people can stop a plan of theirs after one of its hosts was moved away. Raises `PlanNotFound`, `NotAllowed`.
    """
    plan, group = plan_in_scope(session, actor=actor, plan_id=plan_id)
    if not allow(actor, action, group.path):
        require_everywhere(session, actor, action, hosts_of(plan))


def require_to_go_on(session: Session, *, actor: Actor, action: str, plan_id: int) -> None:
    """The person has the right where each host is now whose job has not ended. Raises `PlanNotFound`, `NotAllowed`."""
    plan_in_scope(session, actor=actor, plan_id=plan_id)
    left = session.exec(select(Job.host_id).where(col(Job.plan_id) == plan_id, col(Job.state).not_in(JOB_FINAL))).all()
    if left:
        require_everywhere(session, actor, action, left)
    else:
        require_to_end(session, actor=actor, action=action, plan_id=plan_id)


def _may_plan(actor: Actor, plan: Plan, paths: Sequence[str], group_path: str, approval: Approval | None) -> list[str]:
    """What this person may do with the plan now, its hosts being in groups of these paths; each action checks again."""
    is_own = plan.author_id == actor.person_id

    def may(action: str) -> bool:
        return may_everywhere(actor, action, paths)

    def may_end(action: str) -> bool:
        return allow(actor, action, group_path) or may(action)

    possible = {
        "submit": is_own and plan.state == PlanState.PLANNED and may("plan.draft"),
        "run_under_standing": is_own and plan.state == PlanState.PLANNED and may("plan.run_standing"),
        "withdraw": plan.state in (PlanState.DRAFT, PlanState.PLANNING, PlanState.PLANNED, PlanState.AWAITING_APPROVAL, PlanState.APPROVED)
        and may_end("plan.draft"),
        "approve": not is_own and plan.state == PlanState.AWAITING_APPROVAL and may("plan.approve"),
        "refuse": not is_own and plan.state == PlanState.AWAITING_APPROVAL and may_end("plan.approve"),
        "break_glass": not is_own and plan.state in (PlanState.PLANNED, PlanState.AWAITING_APPROVAL) and may("plan.break_glass"),
        "stop": plan.state in (PlanState.RUNNING, PlanState.PAUSED) and may_end("job.cancel"),
        "resume": plan.state == PlanState.PAUSED and may_end("job.cancel"),
        "review": approval is not None
        and approval.kind == "break_glass"
        and approval.reviewed_at is None
        and actor.person_id not in (approval.approver_id, approval.second_id, approval.author_id)
        and may_end("plan.review"),
    }
    return [name for name, is_possible in possible.items() if is_possible]
