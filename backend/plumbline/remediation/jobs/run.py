"""One bell for one job: claim it, carry it on from wherever it stands, and write down how it ended."""

from datetime import timedelta

import structlog
from sqlalchemy.exc import DBAPIError
from sqlmodel import text

from plumbline.channels import ChannelError
from plumbline.core.planning.plan import Step
from plumbline.infra.database import is_database_gone, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.remediation import Job
from plumbline.remediation.access.runner_client import Way, ask, find_way
from plumbline.remediation.jobs import gates, steps, verify
from plumbline.remediation.jobs.claim import Claim, ClaimLost, claim, mine, renewed
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.next_action import third_value, under_floor
from plumbline.remediation.jobs.outcome import Boundary, Ended, GivenUp
from plumbline.remediation.jobs.release import give_back
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import pace
from plumbline.remediation.transitions import move_job, now_of

log = structlog.get_logger()

# Settings in one read, below the runner's own limit.
_READ_AT_ONCE = 60
_LOOK_OP = "0" * 32


def run(job_id: int, *, worker: str, queue: str) -> None:
    """Does for a job whatever can be done now. Safe to call for any number at any time: the row decides."""
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO worker_seen (worker, queue, heard_at) VALUES (:worker, :queue, clock_timestamp())"
                " ON CONFLICT (worker, queue) DO UPDATE SET heard_at = excluded.heard_at"
            ),
            {"worker": worker, "queue": queue},
        )
        held = claim(session, job_id, worker=worker, queue=queue)
    if held is None:
        return
    crash_point("after_claim")
    try:
        with renewed(held):
            _go_on(held)
    except ClaimLost as lost:
        log.warning("a claim was lost", job=job_id, gen=held.gen, words=lost.message)
        if held.unrenewed.is_set():
            give_back(held)
    except DBAPIError as error:
        if not is_database_gone(error):
            raise
        log.warning("the database went away", job=job_id, gen=held.gen)
        give_back(held)


def _go_on(held: Claim) -> None:
    try:
        way = _way(held)
        if held.state == "RUNNING":
            ended = _steps(held, way)
            if ended is not None:
                _end(held, ended)
                return
            verify.begin_verifying(held)
        verify.look_again(held, way, _job_steps(held))
    except (Boundary, GivenUp) as stop:
        _end(held, stop.ended)
    except ChannelError as error:
        _end(held, _not_reached(held, error.message))
    except ClaimLost:
        raise
    except SignatureInvalid as error:
        _end(held, Ended("NEEDS_HUMAN", f"the signature no longer holds: {error.message}"))
    except PlumblineError as error:
        _end(held, _not_reached(held, error.message))


def _way(held: Claim) -> Way:
    platform = held.signed.host_part(held.host_id).platform
    with session_scope() as session:
        return find_way(session, host_id=held.host_id, job_id=held.job_id, runner_hash=held.signed.payload["runners"][platform])


def _job_steps(held: Claim) -> tuple[Step, ...]:
    with session_scope() as session:
        return verify.job_steps(session, session.get_one(Job, held.job_id), held.signed)


def _steps(held: Claim, way: Way) -> Ended | None:
    """All steps, from the first that is not done. None: every one is."""
    todo = _job_steps(held)
    if not todo:
        return Ended("SKIPPED_STALE", "nothing of what the plan set is left to take back")
    with session_scope() as session:
        is_new = mine(session, held).first_intent_at is None
    if is_new:
        steps.boundary(held)
        ended = _facts_hold(held, way, todo)
        if ended is not None:
            return ended
        crash_point("after_facts")
    for at, step in enumerate(todo):
        ended = steps.carry_out(held, way, step, are_gates_open=is_new and at == 0)
        if ended is not None:
            return ended
    return None


def _facts_hold(held: Claim, way: Way, todo: tuple[Step, ...]) -> Ended | None:
    """Reads values and gates again over the channel before anything is written down as intended; None where all is as approved."""
    elements = [element for step in todo for element in step.elements]
    is_undo = todo[0].title.startswith("Undo: ")
    health = None
    for at in range(0, len(elements), _READ_AT_ONCE):
        part = elements[at : at + _READ_AT_ONCE]
        read = ask(way, "read", op_id=_LOOK_OP, gen=held.gen, attempt=0, settings=[element.setting for element in part])
        health = read.health
        values = read.after or {}
        unread = next((element for element in part if values.get(element.setting) is None), None)
        if unread is not None:
            return Ended("WAITING", f"{unread.label} cannot be read: {read.error or 'no reason given'}")
        third = third_value(part, values)
        if third:
            return Ended("SKIPPED_STALE", third)
        if is_undo and (changed := next((each for each in part if values[each.setting] != each.seen), None)):
            return Ended("SKIPPED_STALE", f"{changed.label} reads {values[changed.setting]}, not {changed.seen}")
    held.tick()
    low = under_floor(max(step.health_floor for step in todo), health)
    if low:
        return Ended("WAITING", f"gate shut: {low}")
    shut = gates.first_shut(held, way, todo)
    return Ended("WAITING", f"gate shut: {shut}") if shut else None


def _not_reached(held: Claim, words: str) -> Ended:
    """The host, or the way to it, failed outside of a step: a job that has begun nothing tries again later."""
    with session_scope() as session:
        job = mine(session, held, states=("RUNNING", "VERIFYING"))
        if job.state == "VERIFYING":
            return Ended("VERIFYING", words)
        if job.first_intent_at is None:
            return Ended("WAITING", f"host not reached: {words}")
    return Ended("NEEDS_HUMAN", words)


def _end(held: Claim, ended: Ended) -> None:
    crash_point("before_end")
    if ended.state == "VERIFYING":
        verify.release(held, ended.words)
        return
    with session_scope() as session:
        job = mine(session, held)
        if ended.state == "WAITING":
            job.next_try_at = now_of(session) + timedelta(seconds=pace().retry)
        if ended.state not in ("WAITING", "NEEDS_HUMAN") and job.kind == "change":
            job.undo_until = now_of(session) + timedelta(hours=pace().undo_hours)
        move_job(session, job, ended.state, ended.words)
