"""Undoing a job: the inverse was signed with the plan, so any operator of the scope may run it for 24 hours after the job's end."""

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job, JobState
from plumbline.remediation.rights_on_hosts import require_everywhere
from plumbline.remediation.signed_payload import job_steps, read_signed
from plumbline.remediation.states import JOB_FINAL
from plumbline.remediation.transitions import add_job_event, lock_job

UNDOABLE = (JobState.SUCCEEDED, JobState.NOT_EFFECTIVE, JobState.UNVERIFIED, JobState.PARTIAL, JobState.RESOLVED)


def undo_job(session: Session, *, actor: Actor, job_id: int) -> Job:
    """Creates the job that undoes another one. Before its first step the host is read: every value must still equal what was set.

    Raises `Conflict` where there is nothing to undo, its time is over, or it is being undone already; `NotAllowed` without the right where
    the host is now.
    """
    job = lock_job(session, job_id)
    if job.kind != "change" or job.state not in UNDOABLE:
        raise Conflict("Only a finished change can be undone.")
    if job.undo_until is None or now_of(session) >= job.undo_until:
        raise Conflict("The 24-hour undo period has expired. Create a new plan instead.")
    for other in session.exec(select(Job).where(col(Job.undoes_id) == job_id)):
        if other.state not in JOB_FINAL:
            raise Conflict(f"job {other.id} is undoing it already")
        if other.state in (JobState.SUCCEEDED, JobState.UNVERIFIED, JobState.NOT_EFFECTIVE):
            raise Conflict(f"job {other.id} has undone it")
    signed = read_signed(session, job.plan_id)
    require_everywhere(session, actor, "job.undo", [job.host_id])
    undo = Job(
        plan_id=job.plan_id,
        host_id=job.host_id,
        # Where the host is now: it may have been moved since the job was made.
        group_id=session.exec(select(Host.group_id).where(col(Host.id) == job.host_id)).one(),
        kind="undo",
        undoes_id=job.id,
        requested_by=actor.audit_name,
        wave=job.wave,
        not_after=job.undo_until,
        domains=list(job.domains),
    )
    undo.steps_total = len(job_steps(session, undo, signed))
    if not undo.steps_total:
        raise Conflict("Plumbline set none of its steps, so there is nothing to undo.")
    session.add(undo)
    session.flush()
    add_job_event(session, undo, "made", f"undo of job {job.id}")
    add_job_event(session, job, "undo", f"being undone by job {undo.id}", data={"job": undo.id})
    audit.record(
        session,
        actor=actor.audit_name,
        action="job.made",
        about=audit.Object("job", str(undo.id), undo.group_id),
        after={"state": JobState.WAITING, "plan": undo.plan_id, "host": undo.host_id, "undoes": job.id},
    )
    session.flush()
    return undo
