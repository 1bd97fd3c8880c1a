"""Proving that a job did what it should: health over a new connection, a read-back, and a check-in that was made after the last step.

The check-in counts only if it names the job's last operation before and after it collected. Its settings are compared with what
the plan expects; only then the job is SUCCEEDED.
"""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.channels import ChannelError
from plumbline.collection.collect import collect
from plumbline.configurations.read import read_document
from plumbline.core.facts.configuration import Configuration, Subject, Value, decode_id, setting_text
from plumbline.core.planning.plan import Element, Step
from plumbline.infra.database import now_of, session_scope
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job, JobState
from plumbline.remediation.access.runner_client import RunnerRequest, RunnerTarget, call_runner
from plumbline.remediation.jobs.claim import Claim, lock_own_job
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.next_action import third_value, worse
from plumbline.remediation.jobs.start_agent import start_agent
from plumbline.remediation.signed_payload import job_steps, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_job_event, lock_job, set_job_state, step_rows

log = structlog.get_logger()

_PENDING = {"new_session": "pending: new session", "reboot": "pending: reboot"}
# Settings in one read, below the runner's own limit.
_READ_AT_ONCE = 60


def begin_verifying(claim: Claim) -> None:
    """Every step is done: from now on a check-in counts."""
    crash_point("before_verifying")
    with session_scope() as session:
        job = lock_own_job(session, claim)
        host = session.exec(select(Host).where(col(Host.id) == job.host_id)).one()
        now = now_of(session)
        job.verify_from = now
        job.verify_until = now + timedelta(seconds=max(job_timings().verify_seconds, 2 * host.interval_seconds))
        set_job_state(session, job, JobState.VERIFYING, "all steps done; waiting for a check-in")
    crash_point("after_verifying")


def check(claim: Claim, target: RunnerTarget, steps: Sequence[Step]) -> None:
    """One round of verifying: health, read-back, starting the host's agent; then the claim ends and the check-in is awaited."""
    found = _health_and_values(claim, target, steps)
    if found:
        with session_scope() as session:
            set_job_state(session, lock_own_job(session, claim, states=(JobState.VERIFYING,)), JobState.NEEDS_HUMAN, found)
        return
    with session_scope() as session:
        job = lock_own_job(session, claim, states=(JobState.VERIFYING,))
        source = session.exec(select(Host.source).where(col(Host.id) == job.host_id)).one()
        add_job_event(session, job, "agent", "starting the host's agent" if source == "agent" else "reading the host")
    words = ""
    try:
        if source == "collector":
            done = collect(claim.host_id)
            words = done.error if done else "the host is being read by another worker"
        else:
            words = start_agent(target)
    except ChannelError as error:
        words = error.message
    crash_point("after_agent")
    await_check_in(claim, words)


def await_check_in(claim: Claim, words: str) -> None:
    """Ends the claim until the next round, or settles the job if its check-in is here already."""
    with session_scope() as session:
        job = lock_own_job(session, claim, states=(JobState.VERIFYING,))
        job.lease_until = None
        job.next_try_at = now_of(session) + timedelta(seconds=job_timings().verify_again_seconds)
        if words:
            add_job_event(session, job, "note", f"no check-in yet: {words}")
        session.add(job)
        session.flush()
        settle(session, job)


def _health_and_values(claim: Claim, target: RunnerTarget, steps: Sequence[Step]) -> str:
    """What is worse than before, or has another value than the job set; empty where all is well or can't be read now."""
    with session_scope() as session:
        job = lock_own_job(session, claim, states=(JobState.VERIFYING,))
        before, op_id = job.health_before, job.last_op_id
        own_steps = {number for number, row in step_rows(session, claim.job_id).items() if row.applied_by == "us"}
    if not op_id:
        return ""
    elements = [element for step in steps if step.number in own_steps for element in step.elements]
    try:
        for at in range(0, max(1, len(elements)), _READ_AT_ONCE):
            part = elements[at : at + _READ_AT_ONCE]
            read = call_runner(target, RunnerRequest("read", op_id, claim.gen, settings=[element.setting for element in part]))
            wrong = worse(before, read.health) or third_value(part, read.after or {})
            if wrong:
                return f"after the last step: {wrong}"
    except ChannelError as error:
        with session_scope() as session:
            add_job_event(
                session,
                lock_own_job(session, claim, states=(JobState.VERIFYING,)),
                "note",
                f"not reached over a new connection: {error.message}",
            )
    return ""


def settle(session: Session, job: Job) -> bool:
    """Ends a job that is being verified, if a check-in of the right time is here or its time is over; returns whether it did.

    The job is locked by the caller.
    """
    if job.state != JobState.VERIFYING:
        return False
    if not _has_checked_in(session, job):
        if job.verify_until is not None and now_of(session) >= job.verify_until:
            _end(session, job, JobState.UNVERIFIED, "no check-in arrived after the last step in time", ())
            return True
        return False
    try:
        signed = read_signed(session, job.plan_id)
    except SignatureInvalid as error:
        set_job_state(session, job, JobState.NEEDS_HUMAN, f"can't be verified: {error.message}")
        return True
    rows = step_rows(session, job.id or 0)
    steps = [step for step in job_steps(session, job, signed) if step.number in rows]
    host = session.exec(select(Host).where(col(Host.id) == job.host_id).execution_options(populate_existing=True)).one()
    found = read_document(session, host)
    if found is None:
        return False
    # Elements that had their target before the job are compared as well: the plan promised it.
    results = [_shown(element, step, found.document.configuration, job.kind) for step in steps for element in step.elements]
    wrong = next((words for is_right, words in results if is_right is False), "")
    if wrong:
        _end(session, job, JobState.NOT_EFFECTIVE, wrong, steps)
        return True
    unread = next((words for is_right, words in results if is_right is None), "")
    if unread:
        _end(session, job, JobState.UNVERIFIED, unread, steps)
        return True
    _end(session, job, JobState.SUCCEEDED, f"a check-in after the last step shows the result{_lasting(job, steps)}", steps)
    return True


def _has_checked_in(session: Session, job: Job) -> bool:
    """A check-in arrived that was collected wholly after the job's last operation."""
    if job.last_op_id:
        return bool(
            session.execute(
                text(
                    "SELECT EXISTS (SELECT 1 FROM check_in WHERE host_id = :host AND received_at >= :since"
                    " AND split_part(runner_before, '/', 1) = :op AND split_part(runner_after, '/', 1) = :op)"
                ),
                {"host": job.host_id, "since": job.verify_from, "op": job.last_op_id},
            ).scalar_one()
        )
    # Nothing was sent to the host, so any later check-in shows whether it has what the plan expects.
    seen = session.execute(text("SELECT last_seen_at > :since FROM host WHERE id = :id"), {"since": job.verify_from, "id": job.host_id})
    return bool(seen.scalar_one())


def _shown(element: Element, step: Step, configuration: Configuration, kind: str) -> tuple[bool | None, str]:
    """Whether the check-in shows what the step should lead to (None: unknown), and why not."""
    if step.pending:
        return True, ""
    subject_kind, _, rest = element.catalogue.partition("/")
    encoded, _, key = rest.partition("/")
    reading = configuration.read(Subject(subject_kind, decode_id(encoded)), key)
    if not isinstance(reading, Value):
        return None, f"{element.label} can't be read: {reading.reason}"
    now = setting_text(reading.value)
    if kind == "undo":
        # How the old value is displayed is not signed; the read-back has compared the value itself.
        return (True, "") if now != element.expects else (False, f"{element.label} is still {now}")
    return (True, "") if now == element.expects else (False, f"{element.label} is {now}, expected {element.expects}")


def _lasting(job: Job, steps: Sequence[Step]) -> str:
    """What the job set only until the host restarts; the steps say how to keep it. Empty where all of it lasts."""
    found = {element.label: element.until_restart for step in steps for element in step.elements if element.until_restart}
    return "".join(f"; {label} lasts {words.partition('. ')[0]}" for label, words in found.items()) if job.kind == "change" else ""


def _end(session: Session, job: Job, to: JobState, words: str, steps: Sequence[Step]) -> None:
    pending = [_PENDING[step.pending] for step in steps if step.pending]
    job.effect = "pending: reboot" if "pending: reboot" in pending else next(iter(pending), "")
    if job.kind == "change":
        job.undo_until = now_of(session) + timedelta(hours=job_timings().undo_hours)
    set_job_state(session, job, to, f"{words}; {job.effect}" if job.effect else words, actor=audit.SYSTEM, data={"effect": job.effect})


def settle_due(session: Session, job_id: int) -> bool:
    """Locks and settles one job; the reconciler calls it for every job that is being verified."""
    return settle(session, lock_job(session, job_id))
