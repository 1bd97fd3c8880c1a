"""Reading jobs: pages, details, events. The number of queries of a page is fixed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select, text

from plumbline.audit import person_name
from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.core.planning.inputs import Limits
from plumbline.core.planning.plan import read_plan
from plumbline.infra.database import now_of
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job, JobEvent, JobState, JobStep, StepState
from plumbline.models.plans import Approval, Plan
from plumbline.remediation.jobs.schemas import JobDetail, JobEventOut, JobEvents, JobPage, JobRow, JobStepOut, VerifyingCheckIn
from plumbline.remediation.jobs.undo import UNDOABLE
from plumbline.remediation.signed_payload import Signed, job_steps, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.states import JOB_FINAL, JOB_MOVES, JOB_WORDS, check_states
from plumbline.remediation.transitions import JobNotFound

MOST_EVENTS = 500
_UNDO = aliased(Job)


def job_in_scope(session: Session, *, actor: Actor, job_id: int) -> tuple[Job, HostGroup]:
    """A job and the group in which its host is now; `JobNotFound` where it is not there for this person."""
    found = session.exec(
        select(Job, HostGroup)
        .join(Host, col(Host.id) == col(Job.host_id))
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .where(col(Job.id) == job_id, in_scope(actor))
    ).first()
    if found is None:
        raise JobNotFound("Job not found.")
    return found


@dataclass(frozen=True, slots=True)
class JobFilters:
    """Which jobs. `is_open`: without an end yet."""

    states: Sequence[str] = ()
    host_id: str | None = None
    plan_id: int | None = None
    is_open: bool | None = None


def list_jobs(session: Session, *, actor: Actor, filters: JobFilters, after: int | None, limit: int) -> JobPage:
    """Jobs in scope, newest first. Two queries."""
    check_states(filters.states, JOB_MOVES)
    query = (
        select(Job)
        .join(Host, col(Host.id) == col(Job.host_id))
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .where(in_scope(actor))
        .order_by(col(Job.id).desc())
        .limit(limit + 1)
    )
    if filters.states:
        query = query.where(col(Job.state).in_(filters.states))
    if filters.host_id is not None:
        query = query.where(col(Job.host_id) == filters.host_id)
    if filters.plan_id is not None:
        query = query.where(col(Job.plan_id) == filters.plan_id)
    if filters.is_open is not None:
        query = query.where(col(Job.state).not_in(JOB_FINAL) if filters.is_open else col(Job.state).in_(JOB_FINAL))
    if after is not None:
        query = query.where(col(Job.id) < after)
    rows = job_rows(session, query)
    return JobPage(items=rows[:limit], next=str(rows[limit - 1].id) if len(rows) > limit else None)


def undoable_jobs(session: Session, *, actor: Actor, below: str, limit: int) -> list[JobRow]:
    """Finished changes in scope at or below a group's path that can still be undone, the latest first. Two queries."""
    taken_back = select(_UNDO.undoes_id).where(
        col(_UNDO.undoes_id) == col(Job.id), col(_UNDO.state).not_in(JOB_FINAL) | col(_UNDO.state).in_(UNDOABLE)
    )
    query = (
        select(Job)
        .join(Host, col(Host.id) == col(Job.host_id))
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .where(in_scope(actor), col(HostGroup.path).startswith(below, autoescape=True))
        .where(col(Job.kind) == "change", col(Job.state).in_(UNDOABLE), col(Job.undo_until) > func.now(), ~taken_back.exists())
        .order_by(col(Job.finished_at).desc(), col(Job.id).desc())
        .limit(limit)
    )
    return job_rows(session, query)


def job_rows(session: Session, query: Any) -> list[JobRow]:
    """Rows of a query over jobs, with what they are called and how far they are. Two queries."""
    jobs = session.exec(query).all()
    ids = [job.id for job in jobs]
    done = (
        select(JobStep.job_id, func.count().filter(col(JobStep.state) == StepState.DONE))
        .where(col(JobStep.job_id).in_(ids))
        .group_by(col(JobStep.job_id))
        .subquery()
    )
    named: dict[int, tuple[str, str, int]] = {}
    found = session.exec(
        select(Job.id, Host.name, Plan.title, func.coalesce(done.c[1], 0))
        .join(Host, col(Host.id) == col(Job.host_id))
        .join(Plan, col(Plan.id) == col(Job.plan_id))
        .outerjoin(done, done.c.job_id == col(Job.id))
        .where(col(Job.id).in_(ids))
    )
    for job_id, host, title, count in found:
        named[job_id or 0] = (host, title, int(count))
    return [_job_row(job, *named[job.id or 0]) for job in jobs]


def _job_row(job: Job, host_name: str, title: str, done: int) -> JobRow:
    return JobRow(
        id=job.id or 0,
        plan_id=job.plan_id,
        plan_title=title,
        host=NamedHost(id=job.host_id, name=host_name),
        kind=job.kind,
        undoes_id=job.undoes_id,
        wave=job.wave,
        state=job.state,
        state_label=JOB_WORDS[job.state],
        state_words=job.state_words,
        state_at=job.state_at,
        requested_by=person_name(job.requested_by),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        not_after=job.not_after,
        steps_done=done,
        steps_total=job.steps_total,
        effect=job.effect,
        undo_until=job.undo_until,
        is_cancelling=job.cancel_at is not None and job.state == JobState.RUNNING,
        last_event=job.event_no,
    )


def read_job(session: Session, *, actor: Actor, job_id: int) -> JobDetail:
    """One job with its steps as signed and as they went."""
    job, group = job_in_scope(session, actor=actor, job_id=job_id)
    row = job_rows(session, select(Job).where(col(Job.id) == job_id))[0]
    rows = {each.step_no: each for each in session.exec(select(JobStep).where(col(JobStep.job_id) == job_id))}
    steps = _steps_of(session, job)
    return JobDetail(
        **row.model_dump(),
        gen=job.gen,
        worker=job.worker,
        queue=job.queue,
        domains=list(job.domains),
        lease_until=job.lease_until,
        queued_at=job.queued_at,
        next_try_at=job.next_try_at,
        verify_until=job.verify_until,
        cancel_by=person_name(job.cancel_by),
        cancel_reason=job.cancel_reason,
        resolved_by=person_name(job.resolved_by),
        resolution=job.resolution,
        health_before=job.health_before,
        floor=Limits().floor_during,
        verified_by=_verified_by(session, job),
        steps=[_step(number, step, rows.get(number)) for number, step in steps],
        may=_may_job(session, actor, job, group.path),
    )


def _verified_by(session: Session, job: Job) -> VerifyingCheckIn | None:
    """The check-in that decided the job; None where none did, or where nothing was sent and any later one counts."""
    if job.state not in (JobState.SUCCEEDED, JobState.NOT_EFFECTIVE) or not job.last_op_id:
        return None
    found = session.execute(
        text(
            "SELECT epoch, seq, received_at, digest FROM check_in WHERE host_id = :host AND received_at >= :since"
            " AND split_part(runner_before, '/', 1) = :op AND split_part(runner_after, '/', 1) = :op"
            " ORDER BY received_at, epoch, seq LIMIT 1"
        ),
        {"host": job.host_id, "since": job.verify_from, "op": job.last_op_id},
    ).first()
    if found is None:
        return None
    return VerifyingCheckIn(epoch=found.epoch, seq=found.seq, received_at=found.received_at, digest=bytes(found.digest).hex())


def _steps_of(session: Session, job: Job) -> list[tuple[int, dict[str, Any]]]:
    """The steps of a job as plain data. With an invalid signature they are read from the plan's row, to be shown: it is never run then."""
    try:
        signed = read_signed(session, job.plan_id)
        steps = job_steps(session, job, signed)
    except SignatureInvalid:
        plan = session.get_one(Plan, job.plan_id)
        approval = session.exec(select(Approval).where(col(Approval.plan_id) == job.plan_id)).first()
        if not plan.document or approval is None:
            return []
        steps = Signed({}, read_plan(json.loads(plan.document)), approval).steps_of(job)
    return [(step.number, msgspec.to_builtins(step)) for step in steps]


def _step(number: int, step: dict[str, Any], row: JobStep | None) -> JobStepOut:
    return JobStepOut(
        number=number,
        title=step["title"],
        state=row.state if row else StepState.PENDING,
        words=row.words if row else "",
        applied_by=row.applied_by if row else "",
        attempt=row.attempt if row else 0,
        intent_at=row.intent_at if row else None,
        sent_at=row.sent_at if row else None,
        finished_at=row.finished_at if row else None,
        step=step,
        before=row.before if row else {},
        after=row.after if row else {},
        health_before=row.health_before if row else {},
        health_after=row.health_after if row else {},
    )


def _may_job(session: Session, actor: Actor, job: Job, path: str) -> list[str]:
    may = []
    if job.state in (JobState.WAITING, JobState.QUEUED, JobState.RUNNING) and allow(actor, "job.cancel", path):
        may.append("cancel")
    if job.state == JobState.NEEDS_HUMAN and allow(actor, "job.resolve", path):
        may.append("resolve")
    if job.kind == "change" and job.state in UNDOABLE and job.undo_until is not None and allow(actor, "job.undo", path):
        others = session.exec(select(Job.state).where(col(Job.undoes_id) == job.id)).all()
        if now_of(session) < job.undo_until and not any(s not in JOB_FINAL or s in UNDOABLE for s in others):
            may.append("undo")
    return may


def read_events(session: Session, *, actor: Actor, job_id: int, after: int) -> JobEvents:
    """Events of a job past a number, in order, and the job's state. Two queries."""
    job, _ = job_in_scope(session, actor=actor, job_id=job_id)
    rows = session.exec(
        select(JobEvent)
        .where(col(JobEvent.job_id) == job_id, col(JobEvent.number) > after)
        .order_by(col(JobEvent.number))
        .limit(MOST_EVENTS)
    ).all()
    is_last = not rows or rows[-1].number >= job.event_no
    return JobEvents(items=[JobEventOut.model_validate(row) for row in rows], state=job.state, is_over=job.state in JOB_FINAL and is_last)
