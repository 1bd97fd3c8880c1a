"""The waves of a plan: a canary first, a pause to let it bake, never more failures than the budget, and the plan's own end."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.infra.database import LONGEST_AHEAD, now_of
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job, JobState
from plumbline.models.plans import Plan, PlanState
from plumbline.remediation.controls import checks
from plumbline.remediation.failure_domains import domains_of
from plumbline.remediation.signed_payload import Signed, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.states import FAILURES, JOB_FINAL, UNRUN
from plumbline.remediation.transitions import add_job_event, add_plan_event, lock_job, lock_jobs, lock_plan, set_job_state, set_plan_state

# A blocked job is checked again after this, where the end of the block is not known.
_TRY_AGAIN_SECONDS = 30
_UNRUN_ENDS = {
    JobState.SKIPPED_STALE: (PlanState.STALE, "facts changed since approval"),
    JobState.EXPIRED: (PlanState.EXPIRED, "no job started in time"),
    JobState.CANCELLED: (PlanState.WITHDRAWN, "all jobs cancelled"),
}


def advance(session: Session, plan_id: int) -> Plan:
    """Moves a plan on as far as its jobs allow, and queues those that may run now. One transaction; safe to call at any time."""
    plan = lock_plan(session, plan_id)
    if plan.state not in (PlanState.APPROVED, PlanState.RUNNING, PlanState.PAUSED):
        return plan
    jobs = session.exec(
        select(Job)
        .where(col(Job.plan_id) == plan_id, col(Job.kind) == "change")
        .order_by(col(Job.id))
        .execution_options(populate_existing=True)
    ).all()
    if plan.state == PlanState.APPROVED and any(
        job.state not in (JobState.WAITING, JobState.QUEUED) and job.state not in UNRUN for job in jobs
    ):
        set_plan_state(session, plan, PlanState.RUNNING, "the first job has started")
    if all(job.state in JOB_FINAL for job in jobs):
        _finish(session, plan, jobs)
        return plan
    signed = _signed(session, plan)
    if signed is None:
        return plan
    if plan.state == PlanState.PAUSED and plan.not_after is not None and now_of(session) >= plan.not_after:
        stop(session, plan, "paused until the approval's time was over")
        return plan
    _budget(session, plan, jobs, signed)
    _bake(session, plan, jobs, signed)
    if plan.state in (PlanState.APPROVED, PlanState.RUNNING):
        _queue(session, plan, jobs, signed)
    return plan


def _signed(session: Session, plan: Plan) -> Signed | None:
    try:
        return read_signed(session, plan.id or 0)
    except SignatureInvalid as error:
        # Each of its jobs is refused at its claim, with the reason; nothing else of the plan is used.
        if plan.state_words != error.message:
            plan.state_words = error.message
            add_plan_event(session, plan, "note", error.message)
        return None


def _finish(session: Session, plan: Plan, jobs: Sequence[Job]) -> None:
    ran = [job for job in jobs if job.state not in UNRUN or job.started_at is not None]
    if plan.state == PlanState.APPROVED and not ran:
        states = {job.state for job in jobs}
        # The gravest reason of its jobs: facts that changed, then time that ran out, then a person who cancelled.
        gravest = next(state for state in _UNRUN_ENDS if state in states or state == JobState.CANCELLED)
        to, words = _UNRUN_ENDS[gravest]
        set_plan_state(session, plan, to, words)
        return
    if plan.state == PlanState.APPROVED:
        set_plan_state(session, plan, PlanState.RUNNING, "the first job has started")
    counts: dict[str, int] = {}
    for job in jobs:
        counts[job.state] = counts.get(job.state, 0) + 1
    words = ", ".join(f"{count} {state.lower().replace('_', ' ')}" for state, count in sorted(counts.items()))
    set_plan_state(session, plan, PlanState.FINISHED, f"all jobs finished: {words}", data={"jobs": counts})


def _budget(session: Session, plan: Plan, jobs: Sequence[Job], signed: Signed) -> None:
    if plan.state != PlanState.RUNNING:
        return
    failed = [job for job in jobs if job.state in FAILURES]
    fresh = len(failed) - plan.accepted_failures
    is_canary = any(wave.kind == "canary" and wave.number == plan.wave for wave in signed.plan.waves)
    if fresh > 0 and (is_canary or fresh >= max(1, signed.plan.failure_budget)):
        what = "Canary failed" if is_canary else "Failure limit reached"
        plan.bake_until = None
        set_plan_state(session, plan, PlanState.PAUSED, f"{what}: {fresh} of {len(jobs)} jobs failed. Resume or stop the plan")


def _bake(session: Session, plan: Plan, jobs: Sequence[Job], signed: Signed) -> None:
    waves = {wave.number: wave for wave in signed.plan.waves}
    here = [job for job in jobs if job.wave == plan.wave]
    following = sorted(number for number in waves if number > plan.wave)
    if plan.state == PlanState.PAUSED:
        if plan.bake_until is not None and now_of(session) >= plan.bake_until:
            plan.bake_until = None
            plan.wave = following[0] if following else plan.wave
            set_plan_state(session, plan, PlanState.RUNNING, f"observation finished: wave {plan.wave} starts")
        return
    if not following or not all(job.state in JOB_FINAL for job in here):
        return
    bake_s = waves[plan.wave].bake_s if plan.wave in waves else 0
    if plan.state == PlanState.RUNNING and bake_s:
        plan.bake_until = now_of(session) + timedelta(seconds=bake_s)
        set_plan_state(session, plan, PlanState.PAUSED, f"wave {plan.wave} done; observing until {plan.bake_until:%H:%M:%S} UTC")
        return
    plan.wave = following[0]
    add_plan_event(session, plan, "wave", f"wave {plan.wave} starts")


def _queue(session: Session, plan: Plan, jobs: Sequence[Job], signed: Signed) -> None:
    for job in jobs:
        if job.state == JobState.WAITING and job.wave == plan.wave:
            queue_job(session, job.id or 0, signed.payload)


def queue_job(session: Session, job_id: int, payload: "Mapping[str, object]") -> bool:
    """Queues one waiting job if nothing blocks it; else stores why, and when to try again. Returns whether it is queued."""
    job = lock_job(session, job_id)
    now = now_of(session)
    # A time further ahead is looked at again: the clock may have been ahead when it was written.
    is_due = job.next_try_at is None or not now < job.next_try_at <= now + LONGEST_AHEAD
    if job.state != JobState.WAITING or not (is_due or job.cancel_at is not None):
        return False
    block = checks.blocked_by(session, job, payload)
    if block is None:
        job.queued_at = job.queued_at or now
        # The domains it needs, as its host is now: younger jobs compare with them.
        host = session.exec(select(Host).where(col(Host.id) == job.host_id)).one()
        job.domains = domains_of(session, host)
        job.next_try_at = None
        set_job_state(session, job, JobState.QUEUED, "in the queue")
        return True
    if block.name in checks.ENDING:
        set_job_state(session, job, JobState.EXPIRED if block.name == "expired" else JobState.CANCELLED, block.words)
        return False
    soon = now + timedelta(seconds=_TRY_AGAIN_SECONDS)
    job.next_try_at = min(block.until, soon) if block.until else soon
    if job.state_words != block.words:
        job.state_words = block.words
        add_job_event(session, job, "waits", block.words)
    session.add(job)
    session.flush()
    return False


def stop(session: Session, plan: Plan, words: str, *, actor: str = audit.SYSTEM) -> None:
    """Stops a running or paused plan, which is locked: jobs not begun end as CANCELLED, those that run end at their next step boundary."""
    jobs = session.exec(select(Job).where(col(Job.plan_id) == plan.id, col(Job.kind) == "change").order_by(col(Job.id))).all()
    lock_jobs(session, [each.id or 0 for each in jobs])
    for each in jobs:
        if each.state in JOB_FINAL:
            continue
        job = lock_job(session, each.id or 0)
        if job.state in (JobState.WAITING, JobState.QUEUED):
            set_job_state(session, job, JobState.CANCELLED, f"the plan was stopped: {words}", actor=actor)
        elif job.state == JobState.RUNNING and job.cancel_at is None:
            job.cancel_at, job.cancel_by, job.cancel_reason = now_of(session), actor, f"the plan was stopped: {words}"
            add_job_event(session, job, "cancel", job.cancel_reason)
            session.add(job)
    set_plan_state(session, plan, PlanState.STOPPED, words, actor=actor)
