"""Cancelling a job is a request in its row, read before each step: the step that runs is finished, and what took effect is listed."""

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict
from plumbline.models.jobs import Job, JobState
from plumbline.models.plans import Plan, PlanState
from plumbline.remediation.jobs.waves import advance, stop
from plumbline.remediation.states import FAILURES, JOB_WORDS
from plumbline.remediation.transitions import add_job_event, add_plan_event, lock_job, lock_jobs, lock_plan, set_job_state, set_plan_state


def cancel_job(session: Session, *, actor: str, job_id: int, reason: str) -> Job:
    """Ends a job that has not started, or requests a running one to end at its next step boundary. Raises `Conflict` past that."""
    job = lock_job(session, job_id)
    if job.state in (JobState.WAITING, JobState.QUEUED):
        job.cancel_at, job.cancel_by, job.cancel_reason = now_of(session), actor, reason
        set_job_state(session, job, JobState.CANCELLED, f"cancelled: {reason}" if reason else "cancelled", actor=actor)
        return job
    if job.state != JobState.RUNNING:
        raise Conflict(f"The job is already {JOB_WORDS[job.state]}.")
    if job.cancel_at is None:
        job.cancel_at, job.cancel_by, job.cancel_reason = now_of(session), actor, reason
        add_job_event(session, job, "cancel", f"cancel requested; stops after the current step{(': ' + reason if reason else '')}")
        audit.record(
            session,
            actor=actor,
            action="job.cancel_asked",
            about=audit.Object("job", str(job.id), job.group_id),
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
        # Checked under its lock: a job that ends just now must not keep the others from being cancelled.
        if lock_job(session, job_id).state in (JobState.WAITING, JobState.QUEUED, JobState.RUNNING):
            cancel_job(session, actor=actor, job_id=job_id, reason=reason)
    advance(session, plan.id)


def stop_plan(session: Session, *, actor: str, plan_id: int, reason: str) -> Plan:
    """Stops a running or paused plan for good. Raises `IllegalMove`."""
    plan = lock_plan(session, plan_id)
    if plan.state not in (PlanState.RUNNING, PlanState.PAUSED):
        raise Conflict("Only running or paused plans can be stopped. Withdraw an approved plan instead.")
    stop(session, plan, reason, actor=actor)
    return plan


def resume_plan(session: Session, *, actor: str, plan_id: int, reason: str) -> Plan:
    """Lets a paused plan go on: ends its bake early, or accepts the failures so far. Raises `IllegalMove`."""
    plan = lock_plan(session, plan_id)
    if plan.state != PlanState.PAUSED:
        raise Conflict("the plan is not paused")
    failed = session.exec(select(Job.id).where(col(Job.plan_id) == plan_id, col(Job.state).in_(FAILURES), Job.kind == "change")).all()
    plan.accepted_failures = len(failed)
    if plan.bake_until is not None:
        # The reconciler sees that it is over and starts the next wave.
        plan.bake_until = now_of(session)
        session.add(plan)
        add_plan_event(session, plan, "bake", f"observation ended early: {reason}", actor=actor)
        return plan
    set_plan_state(session, plan, PlanState.RUNNING, f"resumed: {reason}", actor=actor)
    return plan
