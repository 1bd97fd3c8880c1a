"""Resolving a job that needs a person: someone checked the host and notes its state. The host's fence is raised first."""

import structlog
from sqlmodel import Session, text

from plumbline import audit
from plumbline.channels import ChannelError
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.jobs import Job, JobState
from plumbline.remediation.access.runner_client import RunnerRequest, call_runner, find_target
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.task_names import RAISE_FENCE
from plumbline.remediation.transitions import add_job_event, lock_job, set_job_state

log = structlog.get_logger()


def request_resolution(session: Session, *, actor: str, job_id: int, words: str) -> Job:
    """Stores a person's resolution and enqueues raising the host's fence, so that no earlier command can act afterwards.

    The job becomes RESOLVED once the fence was raised, or could not be. Raises `Conflict`.
    """
    job = lock_job(session, job_id)
    if job.state != JobState.NEEDS_HUMAN:
        raise Conflict("This job needs no manual resolution.")
    job.resolved_by, job.resolution = actor, words
    session.add(job)
    add_job_event(session, job, "resolving", f"{words}; blocking older commands on the host first")
    audit.record(
        session,
        actor=actor,
        action="job.resolve_asked",
        about=audit.Object("job", str(job.id), job.group_id),
        after={"plan": job.plan_id, "host": job.host_id},
        reason=words,
    )
    session.flush()
    enqueue(session, RAISE_FENCE, job.id or 0, queue="remediation")
    return job


def raise_fence_and_resolve(job_id: int) -> None:
    """Raises the host's fence above everything that was ever sent, and ends the job. Safe to call for any number at any time."""
    with session_scope() as session:
        job = lock_job(session, job_id)
        if job.state != JobState.NEEDS_HUMAN or not job.resolved_by:
            return
        host_id, plan_id, words, actor = job.host_id, job.plan_id, job.resolution, job.resolved_by
        gen = session.execute(text("SELECT nextval('job_gen')")).scalar_one()
    fenced = "older commands are blocked on the host"
    try:
        with session_scope() as session:
            signed = read_signed(session, plan_id)
            platform = signed.host_part(host_id).platform
            target = find_target(session, host_id=host_id, job_id=job_id, runner_hash=signed.payload["runners"][platform])
        read = call_runner(target, RunnerRequest("read", "0" * 32, gen))
        answer = call_runner(target, RunnerRequest("fence", "0" * 32, gen), read=read)
        if answer.state == "refused":
            fenced = f"couldn't block older commands on the host: {answer.error}"
    except (ChannelError, PlumblineError) as error:
        fenced = f"couldn't block older commands on the host: {error.message}"
    with session_scope() as session:
        job = lock_job(session, job_id)
        if job.state == JobState.NEEDS_HUMAN and job.resolved_by:
            job.gen = max(job.gen, gen)
            set_job_state(session, job, JobState.RESOLVED, f"{words}; {fenced}", actor=actor)
