"""Every change of state in one place: the row, its event and its audit entry, in one transaction, under the row's lock."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.infra.database import now_of
from plumbline.infra.errors import NotFound
from plumbline.models.jobs import DomainSlot, Job, JobEvent, JobState, JobStep
from plumbline.models.plans import Plan, PlanEvent, PlanState
from plumbline.remediation.states import HOLDING, JOB_FINAL, check_job_move, check_plan_move


class PlanNotFound(NotFound):
    """No such plan in the person's scope."""

    code = "plan_not_found"


class JobNotFound(NotFound):
    """No such job in the person's scope."""

    code = "job_not_found"


def lock_plan(session: Session, plan_id: int) -> Plan:
    """A plan's row, locked and read again. Raises `PlanNotFound`.

    The lock leaves the key alone (FOR NO KEY UPDATE): a job that is written twice in a transaction looks up its plan's key again, and would
    wait for whoever holds the plan and is about to lock that job.
    """
    query = select(Plan).where(col(Plan.id) == plan_id).with_for_update(key_share=True).execution_options(populate_existing=True)
    plan = session.exec(query).first()
    if plan is None:
        raise PlanNotFound("Plan not found.")
    return plan


def lock_job(session: Session, job_id: int) -> Job:
    """A job's row, locked and read again, after the slots that it holds (the one order of locks). Raises `JobNotFound`."""
    slots = select(DomainSlot).where(col(DomainSlot.job_id) == job_id).order_by(col(DomainSlot.domain), col(DomainSlot.slot_no))
    session.exec(slots.with_for_update()).all()
    query = select(Job).where(col(Job.id) == job_id).with_for_update(key_share=True).execution_options(populate_existing=True)
    job = session.exec(query).first()
    if job is None:
        raise JobNotFound("Job not found.")
    return job


def lock_jobs(session: Session, job_ids: Sequence[int]) -> None:
    """Locks several jobs in the one order, all their slots before the first of them: locking them one after the
    other, each with its slots, could deadlock with a claim, which locks slots first and then a job."""
    slots = select(DomainSlot).where(col(DomainSlot.job_id).in_(job_ids)).order_by(col(DomainSlot.domain), col(DomainSlot.slot_no))
    session.exec(slots.with_for_update()).all()
    session.exec(select(Job.id).where(col(Job.id).in_(job_ids)).order_by(col(Job.id)).with_for_update(key_share=True)).all()


def add_plan_event(
    session: Session, plan: Plan, kind: str, words: str, *, actor: str = audit.SYSTEM, data: Mapping[str, Any] | None = None
) -> None:
    """Adds an event to a locked plan."""
    assert plan.id is not None
    plan.event_no += 1
    session.add(plan)
    session.add(
        PlanEvent(plan_id=plan.id, number=plan.event_no, kind=kind, state=plan.state, words=words, actor=actor, data=dict(data or {}))
    )


def set_plan_state(
    session: Session, plan: Plan, to: PlanState, words: str, *, actor: str = audit.SYSTEM, data: Mapping[str, Any] | None = None
) -> None:
    """Changes the state of a locked plan. Raises `IllegalMove`."""
    check_plan_move(plan.state, to)
    before, plan.state, plan.state_words, plan.state_at = plan.state, to, words, now_of(session)
    if before == PlanState.PLANNING:
        plan.lease_until = None
    add_plan_event(session, plan, "state", words, actor=actor, data=data)
    audit.record(
        session,
        actor=actor,
        action=f"plan.{to.lower()}",
        about=audit.Object("plan", str(plan.id), plan.group_id),
        before={"state": before},
        after={"state": to, "digest": plan.digest, **dict(data or {})},
        reason=words,
    )
    session.flush()


def add_job_event(
    session: Session, job: Job, kind: str, words: str, *, step_no: int | None = None, state: str = "", data: Mapping[str, Any] | None = None
) -> None:
    """Adds an event to a locked job."""
    assert job.id is not None
    job.event_no += 1
    session.add(job)
    session.add(
        JobEvent(
            job_id=job.id,
            number=job.event_no,
            kind=kind,
            step_no=step_no,
            state=state or job.state,
            words=words,
            gen=job.gen,
            data=dict(data or {}),
        )
    )


def set_job_state(
    session: Session, job: Job, to: JobState, words: str, *, actor: str = audit.SYSTEM, data: Mapping[str, Any] | None = None
) -> None:
    """Changes the state of a locked job; ending it, or sending it back to waiting, frees its slots. Raises `IllegalMove`."""
    check_job_move(job.state, to)
    now = now_of(session)
    before, job.state, job.state_words, job.state_at = job.state, to, words, now
    if to in JOB_FINAL:
        job.finished_at = now
    if to not in (JobState.RUNNING, JobState.VERIFYING):
        job.lease_until = None
    if to not in HOLDING:
        free_slots(session, job)
    add_job_event(session, job, "state", words, data=data)
    audit.record(
        session,
        actor=actor,
        action=f"job.{to.lower()}",
        about=audit.Object("job", str(job.id), job.group_id),
        before={"state": before},
        after={"state": to, "plan": job.plan_id, "host": job.host_id, "gen": job.gen, **dict(data or {})},
        reason=words,
    )
    session.flush()


def free_slots(session: Session, job: Job) -> None:
    """Frees the job's slots; `lock_job` has locked them."""
    session.execute(text("UPDATE domain_slot SET job_id = NULL WHERE job_id = :id"), {"id": job.id})


def step_rows(session: Session, job_id: int) -> dict[int, JobStep]:
    """The rows of a job's steps by number, read again."""
    query = select(JobStep).where(col(JobStep.job_id) == job_id).execution_options(populate_existing=True)
    return {row.step_no: row for row in session.exec(query)}
