"""Cancelling: a wish in the row, read before each step. What was done is listed; nothing is torn down half-way."""

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.infra.errors import Conflict
from plumbline.models.remediation import Job, Plan
from plumbline.remediation.jobs.waves import advance, stop
from plumbline.remediation.states import FAILURES, JOB_WORDS
from plumbline.remediation.transitions import lock_job, lock_jobs, lock_plan, move_job, move_plan, now_of, tell_job, tell_plan


def cancel_job(session: Session, *, actor: str, job_id: int, reason: str) -> Job:
    """Ends a job that has not begun, or asks one that runs to end at its next step boundary. Raises `Conflict` past that."""
    job = lock_job(session, job_id)
    if job.state in ("WAITING", "QUEUED"):
        job.cancel_at, job.cancel_by, job.cancel_reason = now_of(session), actor, reason
        move_job(session, job, "CANCELLED", f"cancelled: {reason}" if reason else "cancelled", actor=actor)
        return job
    if job.state != "RUNNING":
        raise Conflict(f"the job is {JOB_WORDS[job.state]}: there is nothing left to cancel")
    if job.cancel_at is None:
        job.cancel_at, job.cancel_by, job.cancel_reason = now_of(session), actor, reason
        tell_job(session, job, "cancel", f"asked to end at the next step boundary{': ' + reason if reason else ''}")
        audit.record(
            session,
            actor=actor,
            action="job.cancel_asked",
            object_kind="job",
            object_id=str(job.id),
            group_id=job.group_id,
            after={"plan": job.plan_id, "host": job.host_id},
            reason=reason,
        )
        session.add(job)
        session.flush()
    return job


def cancel_jobs(session: Session, plan: Plan, *, actor: str, reason: str) -> None:
    """Cancels every job of a locked plan that has not ended, and lets the plan follow."""
    assert plan.id is not None
    ids = [each or 0 for each in session.exec(select(Job.id).where(col(Job.plan_id) == plan.id).order_by(col(Job.id))).all()]
    lock_jobs(session, ids)
    for job_id in ids:
        # Looked at under its lock: one that ends just now must not keep the others from being cancelled.
        if lock_job(session, job_id).state in ("WAITING", "QUEUED", "RUNNING"):
            cancel_job(session, actor=actor, job_id=job_id, reason=reason)
    advance(session, plan.id)


def stop_plan(session: Session, *, actor: str, plan_id: int, reason: str) -> Plan:
    """Stops a running or paused plan for good. Raises `IllegalMove`."""
    plan = lock_plan(session, plan_id)
    if plan.state not in ("RUNNING", "PAUSED"):
        raise Conflict("only a plan that runs or is paused can be stopped; an approved one is withdrawn")
    stop(session, plan, reason, actor=actor)
    return plan


def resume_plan(session: Session, *, actor: str, plan_id: int, reason: str) -> Plan:
    """Lets a paused plan go on: ends its bake early, or accepts the failures so far. Raises `IllegalMove`."""
    plan = lock_plan(session, plan_id)
    if plan.state != "PAUSED":
        raise Conflict("the plan is not paused")
    failed = session.exec(select(Job.id).where(col(Job.plan_id) == plan_id, col(Job.state).in_(FAILURES), Job.kind == "change")).all()
    plan.accepted_failures = len(failed)
    if plan.bake_until is not None:
        # The next sweep sees that it is over and begins the next wave.
        plan.bake_until = now_of(session)
        session.add(plan)
        tell_plan(session, plan, "bake", f"the bake was ended: {reason}", actor=actor)
        return plan
    move_plan(session, plan, "RUNNING", f"resumed: {reason}", actor=actor)
    return plan
