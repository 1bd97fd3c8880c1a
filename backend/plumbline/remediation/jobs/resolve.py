"""Settling a job that needs a person: somebody looked at the host and says how it stands. The host's fence is raised first."""

import structlog
from sqlmodel import Session, text

from plumbline import audit
from plumbline.channels import ChannelError
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.task_queue import ring
from plumbline.models.remediation import Job
from plumbline.remediation.access.runner_client import ask, find_way
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.transitions import lock_job, move_job, tell_job

log = structlog.get_logger()

FENCE_TASK = "remediation.raise_fence"


def ask_to_resolve(session: Session, *, actor: str, job_id: int, words: str) -> Job:
    """Notes how a person settled it and asks a worker to raise the host's fence, so that nothing sent before acts afterwards.

    The job becomes RESOLVED once the fence was raised, or once the worker says that it could not be. Raises `Conflict`.
    """
    job = lock_job(session, job_id)
    if job.state != "NEEDS_HUMAN":
        raise Conflict("the job does not need a person")
    job.resolved_by, job.resolution = actor, words
    session.add(job)
    tell_job(session, job, "resolving", f"{words}; the host's fence is raised first")
    audit.record(
        session,
        actor=actor,
        action="job.resolve_asked",
        object_kind="job",
        object_id=str(job.id),
        group_id=job.group_id,
        after={"plan": job.plan_id, "host": job.host_id},
        reason=words,
    )
    session.flush()
    ring(session, FENCE_TASK, job.id or 0, queue="remediation")
    return job


def raise_fence_and_resolve(job_id: int) -> None:
    """Raises the host's fence above everything that was ever sent, and ends the job. Safe to call for any number at any time."""
    with session_scope() as session:
        job = lock_job(session, job_id)
        if job.state != "NEEDS_HUMAN" or not job.resolved_by:
            return
        host_id, plan_id, words, actor = job.host_id, job.plan_id, job.resolution, job.resolved_by
        gen = session.execute(text("SELECT nextval('job_gen')")).scalar_one()
    fenced = "the host's fence was raised"
    try:
        with session_scope() as session:
            signed = read_signed(session, plan_id)
            platform = signed.host_part(host_id).platform
            way = find_way(session, host_id=host_id, job_id=job_id, runner_hash=signed.payload["runners"][platform])
        read = ask(way, "read", op_id="0" * 32, gen=gen, attempt=0)
        said = ask(way, "fence", op_id="0" * 32, gen=gen, attempt=0, read=read)
        if said.state == "refused":
            fenced = f"the host's fence could not be raised: {said.error}"
    except (ChannelError, PlumblineError) as error:
        fenced = f"the host's fence could not be raised: {error.message}"
    with session_scope() as session:
        job = lock_job(session, job_id)
        if job.state == "NEEDS_HUMAN" and job.resolved_by:
            job.gen = max(job.gen, gen)
            move_job(session, job, "RESOLVED", f"{words}; {fenced}", actor=actor)
