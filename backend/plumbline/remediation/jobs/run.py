"""One run of one job: claim it, continue it from its present state, and store how it ended."""

from datetime import timedelta

import structlog
from sqlalchemy.exc import DBAPIError
from sqlmodel import text

from plumbline.channels import ChannelError
from plumbline.core.planning.plan import Step
from plumbline.infra.database import is_database_gone, now_of, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.jobs import Job, JobState
from plumbline.remediation import signed_payload
from plumbline.remediation.access.runner_client import RunnerRequest, RunnerTarget, call_runner, find_target
from plumbline.remediation.jobs import gates, steps, verify
from plumbline.remediation.jobs.claim import Claim, ClaimLost, claim_job, lock_own_job, renewing_lease
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.next_action import third_value, under_floor
from plumbline.remediation.jobs.outcome import Boundary, Ended, GivenUp
from plumbline.remediation.jobs.release import release_claim
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import set_job_state

log = structlog.get_logger()

# Settings in one read, below the runner's own limit.
_READ_AT_ONCE = 60
_READ_OP_ID = "0" * 32


def run(job_id: int, *, worker: str, queue: str) -> None:
    """Continues a job as far as possible now. Safe to call for any id at any time: the row decides."""
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO worker_heartbeat (worker, queue, heard_at) VALUES (:worker, :queue, clock_timestamp())"
                " ON CONFLICT (worker, queue) DO UPDATE SET heard_at = excluded.heard_at"
            ),
            {"worker": worker, "queue": queue},
        )
        claim = claim_job(session, job_id, worker=worker, queue=queue)
    if claim is None:
        return
    crash_point("after_claim")
    try:
        with renewing_lease(claim):
            _continue(claim)
    except ClaimLost as lost:
        log.warning("claim lost", job=job_id, gen=claim.gen, reason=lost.message)
        if claim.unrenewed.is_set():
            release_claim(claim)
    except DBAPIError as error:
        if not is_database_gone(error):
            raise
        log.warning("database unavailable during a job", job=job_id, gen=claim.gen)
        release_claim(claim)


def _continue(claim: Claim) -> None:
    try:
        target = _target(claim)
        if claim.state == JobState.RUNNING:
            ended = _steps(claim, target)
            if ended is not None:
                _end(claim, ended)
                return
            verify.begin_verifying(claim)
        verify.check(claim, target, _job_steps(claim))
    except (Boundary, GivenUp) as stop:
        _end(claim, stop.ended)
    except ChannelError as error:
        _end(claim, _not_reached(claim, error.message))
    except ClaimLost:
        raise
    except SignatureInvalid as error:
        _end(claim, Ended(JobState.NEEDS_HUMAN, f"approval signature is invalid: {error.message}"))
    except PlumblineError as error:
        _end(claim, _not_reached(claim, error.message))


def _target(claim: Claim) -> RunnerTarget:
    platform = claim.signed.host_part(claim.host_id).platform
    with session_scope() as session:
        return find_target(session, host_id=claim.host_id, job_id=claim.job_id, runner_hash=claim.signed.payload["runners"][platform])


def _job_steps(claim: Claim) -> tuple[Step, ...]:
    with session_scope() as session:
        return signed_payload.job_steps(session, session.get_one(Job, claim.job_id), claim.signed)


def _steps(claim: Claim, target: RunnerTarget) -> Ended | None:
    """All steps, from the first that is not done. None: every one is."""
    todo = _job_steps(claim)
    if not todo:
        return Ended(JobState.SKIPPED_STALE, "nothing left to undo")
    with session_scope() as session:
        is_new = lock_own_job(session, claim).first_intent_at is None
    if is_new:
        steps.boundary(claim)
        ended = _facts_hold(claim, target, todo)
        if ended is not None:
            return ended
        crash_point("after_facts")
    for at, step in enumerate(todo):
        ended = steps.carry_out(claim, target, step, are_gates_open=is_new and at == 0)
        if ended is not None:
            return ended
    return None


def _facts_hold(claim: Claim, target: RunnerTarget, todo: tuple[Step, ...]) -> Ended | None:
    """Reads values and gates again over the channel before anything is written down as intended; None where all is as approved."""
    elements = [element for step in todo for element in step.elements]
    is_undo = todo[0].title.startswith("Undo: ")
    health = None
    for at in range(0, len(elements), _READ_AT_ONCE):
        part = elements[at : at + _READ_AT_ONCE]
        read = call_runner(target, RunnerRequest("read", _READ_OP_ID, claim.gen, settings=[element.setting for element in part]))
        health = read.health
        values = read.after or {}
        unread = next((element for element in part if values.get(element.setting) is None), None)
        if unread is not None:
            return Ended(JobState.WAITING, f"{unread.label} can't be read: {read.error or 'no reason given'}")
        third = third_value(part, values)
        if third:
            return Ended(JobState.SKIPPED_STALE, third)
        if is_undo and (changed := next((each for each in part if values[each.setting] != each.seen), None)):
            return Ended(JobState.SKIPPED_STALE, f"{changed.label} is {values[changed.setting]}, expected {changed.seen}")
    claim.tick()
    low = under_floor(max(step.health_floor for step in todo), health)
    if low:
        return Ended(JobState.WAITING, f"pre-check failed: {low}")
    shut = gates.first_shut(claim, target, todo)
    return Ended(JobState.WAITING, f"pre-check failed: {shut}") if shut else None


def _not_reached(claim: Claim, words: str) -> Ended:
    """The host could not be reached outside of a step: a job that has sent nothing tries again later."""
    with session_scope() as session:
        job = lock_own_job(session, claim, states=(JobState.RUNNING, JobState.VERIFYING))
        if job.state == JobState.VERIFYING:
            return Ended(JobState.VERIFYING, words)
        if job.first_intent_at is None:
            return Ended(JobState.WAITING, f"host unreachable: {words}")
    return Ended(JobState.NEEDS_HUMAN, words)


def _end(claim: Claim, ended: Ended) -> None:
    crash_point("before_end")
    if ended.state == JobState.VERIFYING:
        verify.await_check_in(claim, ended.words)
        return
    with session_scope() as session:
        job = lock_own_job(session, claim)
        if ended.state == JobState.WAITING:
            job.next_try_at = now_of(session) + timedelta(seconds=job_timings().retry_seconds)
        if ended.state not in (JobState.WAITING, JobState.NEEDS_HUMAN) and job.kind == "change":
            job.undo_until = now_of(session) + timedelta(hours=job_timings().undo_hours)
        set_job_state(session, job, ended.state, ended.words)
