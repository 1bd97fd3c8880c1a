"""Reading plans and jobs: pages, details, events. A page costs the same number of queries whatever it holds."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import func
from sqlmodel import Session, col, select, text

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.core.planning.inputs import Limits
from plumbline.core.planning.plan import read_plan
from plumbline.infra.errors import BadInput
from plumbline.infra.group_path import ids_on
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.remediation import Approval, BreakGlass, Job, JobEvent, JobStep, Plan, PlanEvent
from plumbline.remediation.controls.queries import freezes_over
from plumbline.remediation.jobs.undo import UNDOABLE
from plumbline.remediation.jobs.verify import job_steps
from plumbline.remediation.plans.schemas import (
    ApprovalShape,
    FreezeShape,
    JobDetail,
    JobEvents,
    JobEventShape,
    JobPage,
    JobRow,
    JobStepShape,
    PlanDetail,
    PlanEventShape,
    PlanPage,
    PlanRow,
    VerifyingCheckIn,
)
from plumbline.remediation.signed_payload import Signed, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.states import JOB_FINAL, JOB_MOVES, JOB_WORDS, PLAN_MOVES, PLAN_WORDS
from plumbline.remediation.transitions import JobNotFound, PlanNotFound, now_of

MOST_EVENTS = 500


def visible_plan(session: Session, *, actor: Actor, plan_id: int) -> tuple[Plan, HostGroup]:
    """A plan and its group; `PlanNotFound` where it is not there for this person."""
    found = session.exec(
        select(Plan, HostGroup).join(HostGroup, col(HostGroup.id) == col(Plan.group_id)).where(col(Plan.id) == plan_id, in_scope(actor))
    ).first()
    if found is None:
        raise PlanNotFound("no such plan")
    return found


def visible_job(session: Session, *, actor: Actor, job_id: int) -> tuple[Job, HostGroup]:
    """A job and its host's group; `JobNotFound` where it is not there for this person."""
    found = session.exec(
        select(Job, HostGroup).join(HostGroup, col(HostGroup.id) == col(Job.group_id)).where(col(Job.id) == job_id, in_scope(actor))
    ).first()
    if found is None:
        raise JobNotFound("no such job")
    return found


def list_plans(session: Session, *, actor: Actor, states: Sequence[str], mine: bool, after: int | None, limit: int) -> PlanPage:
    """Plans in scope, newest first. Two queries."""
    _known(states, PLAN_MOVES, "state")
    query = (
        select(Plan, HostGroup.name)
        .join(HostGroup, col(HostGroup.id) == col(Plan.group_id))
        .where(in_scope(actor))
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


def _known(given: Sequence[str], known: Any, what: str) -> None:
    wrong = next((each for each in given if each not in known), None)
    if wrong is not None:
        raise BadInput(f"{what}: there is no {wrong}; choose from {', '.join(known)}")


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
    hosts = {each["host_id"] for each in plan.request.get("findings", ())}
    return {
        "id": plan.id,
        "title": plan.title,
        "state": plan.state,
        "state_label": PLAN_WORDS[plan.state],
        "state_words": plan.state_words,
        "state_at": plan.state_at,
        "author": _login(plan.author),
        "author_id": plan.author_id,
        "group_id": plan.group_id,
        "group_name": group_name,
        "created_at": plan.created_at,
        "not_after": plan.not_after,
        "hosts": len(hosts),
        "jobs": counts,
        "digest": plan.digest,
    }


def _login(audit_name: str) -> str:
    return audit_name.partition(" ")[2] or audit_name


def read_plan_page(session: Session, *, actor: Actor, plan_id: int) -> PlanDetail:
    """One plan with its document, approval, jobs and events."""
    plan, group = visible_plan(session, actor=actor, plan_id=plan_id)
    approval = session.exec(select(Approval).where(col(Approval.plan_id) == plan_id)).first()
    glass = session.get(BreakGlass, plan_id)
    events = session.exec(select(PlanEvent).where(col(PlanEvent.plan_id) == plan_id).order_by(col(PlanEvent.number))).all()
    jobs = _job_rows(session, select(Job).where(col(Job.plan_id) == plan_id).order_by(col(Job.id)).limit(1000))
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
        break_glass_by=_login(glass.first) if glass is not None else "",
        freezes=_freezes(session, plan),
        job_rows=jobs,
        events=[PlanEventShape.model_validate(event) for event in events],
        may=_may_plan(actor, plan, group.path, approval),
    )


def _freezes(session: Session, plan: Plan) -> list[FreezeShape]:
    """Freezes that may keep a job of this plan from beginning. None once it has ended; else two queries."""
    if plan.state not in PLAN_MOVES or not PLAN_MOVES[plan.state]:
        return []
    hosts = {each["host_id"] for each in plan.request.get("findings", ())}
    paths = session.exec(
        select(HostGroup.path).join(Host, col(Host.group_id) == col(HostGroup.id)).where(col(Host.id).in_(hosts)).distinct()
    )
    above = {each for path in paths for each in ids_on(path)}
    return freezes_over(session, above, before=plan.not_after)


def _approval(row: Approval, second: str) -> ApprovalShape:
    return ApprovalShape(
        kind=row.kind,
        approver=_login(row.approver),
        second=_login(second) if row.second_id is not None else "",
        standing_id=row.standing_id,
        signed_at=row.signed_at,
        key_id=row.key_id,
        review_by=row.review_by,
        reviewed_at=row.reviewed_at,
        reviewed_by=_login(row.reviewed_by),
    )


def _may_plan(actor: Actor, plan: Plan, path: str, approval: Approval | None) -> list[str]:
    """What this person may do with the plan now; the acts decide again."""
    is_own = plan.author_id == actor.person_id
    asked = {
        "submit": is_own and plan.state == "PLANNED" and allow(actor, "plan.draft", path),
        "run_under_standing": is_own and plan.state == "PLANNED" and allow(actor, "plan.run_standing", path),
        "withdraw": plan.state in ("DRAFT", "PLANNING", "PLANNED", "AWAITING_APPROVAL", "APPROVED") and allow(actor, "plan.draft", path),
        "approve": not is_own and plan.state == "AWAITING_APPROVAL" and allow(actor, "plan.approve", path),
        "refuse": not is_own and plan.state == "AWAITING_APPROVAL" and allow(actor, "plan.approve", path),
        "break_glass": not is_own and plan.state in ("PLANNED", "AWAITING_APPROVAL") and allow(actor, "plan.break_glass", path),
        "stop": plan.state in ("RUNNING", "PAUSED") and allow(actor, "job.cancel", path),
        "resume": plan.state == "PAUSED" and allow(actor, "job.cancel", path),
        "review": approval is not None
        and approval.kind == "break_glass"
        and approval.reviewed_at is None
        and actor.person_id not in (approval.approver_id, approval.second_id, approval.author_id)
        and allow(actor, "plan.review", path),
    }
    return [name for name, is_possible in asked.items() if is_possible]


def list_jobs(
    session: Session,
    *,
    actor: Actor,
    states: Sequence[str],
    host_id: str | None,
    plan_id: int | None,
    is_open: bool | None,
    after: int | None,
    limit: int,
) -> JobPage:
    """Jobs in scope, newest first. Two queries."""
    _known(states, JOB_MOVES, "state")
    query = (
        select(Job)
        .join(HostGroup, col(HostGroup.id) == col(Job.group_id))
        .where(in_scope(actor))
        .order_by(col(Job.id).desc())
        .limit(limit + 1)
    )
    if states:
        query = query.where(col(Job.state).in_(states))
    if host_id is not None:
        query = query.where(col(Job.host_id) == host_id)
    if plan_id is not None:
        query = query.where(col(Job.plan_id) == plan_id)
    if is_open is not None:
        query = query.where(col(Job.state).not_in(JOB_FINAL) if is_open else col(Job.state).in_(JOB_FINAL))
    if after is not None:
        query = query.where(col(Job.id) < after)
    rows = _job_rows(session, query)
    return JobPage(items=rows[:limit], next=str(rows[limit - 1].id) if len(rows) > limit else None)


def _job_rows(session: Session, query: Any) -> list[JobRow]:
    """Rows of a query over jobs, with what they are called and how far they are. Two queries."""
    jobs = session.exec(query).all()
    ids = [job.id for job in jobs]
    done = (
        select(JobStep.job_id, func.count().filter(col(JobStep.state) == "DONE"))
        .where(col(JobStep.job_id).in_(ids))
        .group_by(col(JobStep.job_id))
        .subquery()
    )
    named: dict[int, tuple[str, str, int]] = {}
    found = session.exec(
        select(Job.id, Host.name, Plan.title, func.coalesce(done.c[1], 0))
        .join(Host, col(Host.id) == col(Job.host_id))
        .join(Plan, col(Plan.id) == col(Job.plan_id))
        .outerjoin(done, done.c.job_id == col(Job.id))
        .where(col(Job.id).in_(ids))
    )
    for job_id, host, title, count in found:
        named[job_id or 0] = (host, title, int(count))
    return [_job_row(job, *named[job.id or 0]) for job in jobs]


def _job_row(job: Job, host_name: str, title: str, done: int) -> JobRow:
    return JobRow(
        id=job.id or 0,
        plan_id=job.plan_id,
        plan_title=title,
        host=NamedHost(id=job.host_id, name=host_name),
        kind=job.kind,
        undoes_id=job.undoes_id,
        wave=job.wave,
        state=job.state,
        state_label=JOB_WORDS[job.state],
        state_words=job.state_words,
        state_at=job.state_at,
        requested_by=_login(job.requested_by),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        not_after=job.not_after,
        steps_done=done,
        steps_total=job.steps_total,
        effect=job.effect,
        undo_until=job.undo_until,
        is_cancelling=job.cancel_at is not None and job.state == "RUNNING",
        last_event=job.event_no,
    )


def read_job(session: Session, *, actor: Actor, job_id: int) -> JobDetail:
    """One job with its steps as signed and as they went."""
    job, group = visible_job(session, actor=actor, job_id=job_id)
    row = _job_rows(session, select(Job).where(col(Job.id) == job_id))[0]
    rows = {each.step_no: each for each in session.exec(select(JobStep).where(col(JobStep.job_id) == job_id))}
    steps = _steps_of(session, job)
    return JobDetail(
        **row.model_dump(),
        gen=job.gen,
        worker=job.worker,
        queue=job.queue,
        domains=list(job.domains),
        lease_until=job.lease_until,
        next_try_at=job.next_try_at,
        verify_until=job.verify_until,
        cancel_by=_login(job.cancel_by),
        cancel_reason=job.cancel_reason,
        resolved_by=_login(job.resolved_by),
        resolution=job.resolution,
        health_before=job.health_before,
        floor=Limits().floor_during,
        verified_by=_verified_by(session, job),
        steps=[_step(number, step, rows.get(number)) for number, step in steps],
        may=_may_job(session, actor, job, group.path),
    )


def _verified_by(session: Session, job: Job) -> VerifyingCheckIn | None:
    """The check-in that settled the job; None where none did, or where nothing was sent and the next one settled it."""
    if job.state not in ("SUCCEEDED", "NOT_EFFECTIVE") or not job.last_op_id:
        return None
    found = session.execute(
        text(
            "SELECT epoch, seq, received_at, digest FROM check_in WHERE host_id = :host AND received_at >= :since"
            " AND split_part(runner_before, '/', 1) = :op AND split_part(runner_after, '/', 1) = :op"
            " ORDER BY received_at, epoch, seq LIMIT 1"
        ),
        {"host": job.host_id, "since": job.verify_from, "op": job.last_op_id},
    ).first()
    if found is None:
        return None
    return VerifyingCheckIn(epoch=found.epoch, seq=found.seq, received_at=found.received_at, digest=bytes(found.digest).hex())


def _steps_of(session: Session, job: Job) -> list[tuple[int, dict[str, Any]]]:
    """The steps of a job as plain data. Where the signature does not hold they are shown from the plan's row: it is never run then."""
    try:
        signed = read_signed(session, job.plan_id)
        steps = job_steps(session, job, signed)
    except SignatureInvalid:
        plan = session.get_one(Plan, job.plan_id)
        approval = session.exec(select(Approval).where(col(Approval.plan_id) == job.plan_id)).first()
        if not plan.document or approval is None:
            return []
        steps = Signed({}, read_plan(json.loads(plan.document)), approval).steps_of(job)
    return [(step.number, msgspec.to_builtins(step)) for step in steps]


def _step(number: int, step: dict[str, Any], row: JobStep | None) -> JobStepShape:
    return JobStepShape(
        number=number,
        title=step["title"],
        state=row.state if row else "PENDING",
        words=row.words if row else "",
        applied_by=row.applied_by if row else "",
        attempt=row.attempt if row else 0,
        intent_at=row.intent_at if row else None,
        sent_at=row.sent_at if row else None,
        finished_at=row.finished_at if row else None,
        step=step,
        before=row.before if row else {},
        after=row.after if row else {},
        health_before=row.health_before if row else {},
        health_after=row.health_after if row else {},
    )


def _may_job(session: Session, actor: Actor, job: Job, path: str) -> list[str]:
    may = []
    if job.state in ("WAITING", "QUEUED", "RUNNING") and allow(actor, "job.cancel", path):
        may.append("cancel")
    if job.state == "NEEDS_HUMAN" and allow(actor, "job.resolve", path):
        may.append("resolve")
    if job.kind == "change" and job.state in UNDOABLE and job.undo_until is not None and allow(actor, "job.undo", path):
        others = session.exec(select(Job.state).where(col(Job.undoes_id) == job.id)).all()
        if now_of(session) < job.undo_until and not any(s not in JOB_FINAL or s in UNDOABLE for s in others):
            may.append("undo")
    return may


def read_events(session: Session, *, actor: Actor, job_id: int, after: int) -> JobEvents:
    """Events of a job past a number, in order, and where the job stands. Two queries."""
    job, _ = visible_job(session, actor=actor, job_id=job_id)
    rows = session.exec(
        select(JobEvent)
        .where(col(JobEvent.job_id) == job_id, col(JobEvent.number) > after)
        .order_by(col(JobEvent.number))
        .limit(MOST_EVENTS)
    ).all()
    is_last = not rows or rows[-1].number >= job.event_no
    return JobEvents(items=[JobEventShape.model_validate(row) for row in rows], state=job.state, is_over=job.state in JOB_FINAL and is_last)
