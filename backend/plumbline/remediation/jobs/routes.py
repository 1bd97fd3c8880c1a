"""Routes of jobs."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, status
from fastapi.sse import EventSourceResponse, ServerSentEvent

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.auth.rights import require
from plumbline.auth.streams import CountedStream
from plumbline.infra.schemas import HostId, RowId
from plumbline.remediation.jobs import cancel, pending_effects, queries, resolve, stream, undo
from plumbline.remediation.jobs.queries import JobFilters
from plumbline.remediation.jobs.schemas import JobDetail, JobEvents, JobPage, PendingEffect
from plumbline.remediation.route_parameters import Before, Canceller, Limit, Reader, States
from plumbline.remediation.schemas import Reason, Resolve

router = APIRouter(route_class=IdempotentRoute)


def _require_on_job(session: SessionDep, actor: Actor, action: str, job_id: int) -> None:
    _, group = queries.job_in_scope(session, actor=actor, job_id=job_id)
    require(actor, action, group.path, missing="Job not found.")


def job_filters(
    state: States = [],  # noqa: B006
    host: HostId | None = None,
    plan: RowId | None = None,
    is_open: bool | None = None,
) -> JobFilters:
    """The filters of the list of jobs, from the query of the address."""
    return JobFilters(states=state, host_id=host, plan_id=plan, is_open=is_open)


Filters = Annotated[JobFilters, Depends(job_filters)]


@router.get("/jobs")
def list_jobs(session: SessionDep, actor: Reader, filters: Filters, after: Before = None, limit: Limit = 50) -> JobPage:
    """Jobs, newest first."""
    return queries.list_jobs(session, actor=actor, filters=filters, after=after, limit=limit)


@router.get("/jobs/{job_id}")
def read_job(job_id: RowId, session: SessionDep, actor: Reader) -> JobDetail:
    """One job with its steps."""
    return queries.read_job(session, actor=actor, job_id=job_id)


@router.get("/jobs/{job_id}/events")
def list_job_events(job_id: RowId, session: SessionDep, actor: Reader, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0) -> JobEvents:
    """Events after a number, for clients that cannot follow the stream."""
    return queries.read_events(session, actor=actor, job_id=job_id, after=after)


def _followed(job_id: RowId, session: SessionDep, actor: Reader) -> int:
    """The job of a stream, which is in scope: once a stream has started, it can answer no 404."""
    queries.job_in_scope(session, actor=actor, job_id=job_id)
    return job_id


@router.get("/jobs/{job_id}/stream", response_class=EventSourceResponse)
async def follow_job(
    job_id: Annotated[int, Depends(_followed, scope="function")],
    request: Request,
    actor: Reader,
    counted: CountedStream,  # noqa: ARG001 - at most a few are open
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """`job` events with their number as id, from the one after `Last-Event-ID` on, then `end`."""
    async for event in stream.follow(actor, job_id, after=stream.last_number(last_event_id), is_gone=request.is_disconnected):
        yield event


@router.post("/jobs/{job_id}/cancel")
def cancel_job(job_id: RowId, body: Reason, session: SessionDep, actor: Canceller) -> JobDetail:
    """Ends a job that has not begun, or has it end at its next step boundary."""
    _require_on_job(session, actor, "job.cancel", job_id)
    cancel.cancel_job(session, actor=actor.audit_name, job_id=job_id, reason=body.reason)
    return queries.read_job(session, actor=actor, job_id=job_id)


@router.post("/jobs/{job_id}/undo", status_code=status.HTTP_201_CREATED)
def undo_job(job_id: RowId, session: SessionDep, actor: Annotated[Actor, May("job.undo")]) -> JobDetail:
    """Takes back what a job set, if every value still equals what it set; answers the job that does."""
    _require_on_job(session, actor, "job.undo", job_id)
    made = undo.undo_job(session, actor=actor, job_id=job_id)
    return queries.read_job(session, actor=actor, job_id=made.id or 0)


@router.post("/jobs/{job_id}/resolve", status_code=status.HTTP_202_ACCEPTED)
def resolve_job(job_id: RowId, body: Resolve, session: SessionDep, actor: Annotated[Actor, May("job.resolve")]) -> JobDetail:
    """Says how a person settled a job that needed one; the host's fence is raised first."""
    _require_on_job(session, actor, "job.resolve", job_id)
    resolve.request_resolution(session, actor=actor.audit_name, job_id=job_id, words=body.words)
    return queries.read_job(session, actor=actor, job_id=job_id)


@router.get("/pending-effects")
def list_pending_effects(
    session: SessionDep,
    actor: Annotated[Actor, May("job.read")],
    host_id: HostId | None = None,
) -> list[PendingEffect]:
    """Changes that are made and take effect after a restart of their host or with new sessions, newest first; at most 200."""
    return pending_effects.list_pending(session, actor=actor, host_id=host_id)
