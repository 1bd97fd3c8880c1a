"""Following one job live: its events as server-sent events. Events are rows whose numbers have no gaps, so a reader that
reconnects with the last number it saw misses nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import structlog
from fastapi.sse import ServerSentEvent
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from plumbline.auth.actor import Actor
from plumbline.auth.streams import present_actor
from plumbline.infra.clock import utc_now
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs.queries import read_events
from plumbline.remediation.jobs.schemas import JobEvents
from plumbline.remediation.transitions import JobNotFound

POLL_SECONDS = 0.7
# A stream ends by itself; the browser reconnects with its last number.
LONGEST_STREAM = timedelta(minutes=15)

log = structlog.get_logger()


def _read(actor: Actor, job_id: int, after: int) -> JobEvents | None:
    """The next events; None once the actor may not read the job any more."""
    with session_scope() as session:
        present = present_actor(session, actor, "job.read")
        if present is None:
            return None
        try:
            return read_events(session, actor=present, job_id=job_id, after=after)
        except JobNotFound:
            return None


async def follow(actor: Actor, job_id: int, *, after: int, is_gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[ServerSentEvent]:
    """`step`, `state`, … events with their number as id, then `end` once the job is over."""
    started = utc_now()
    while not await is_gone() and utc_now() - started < LONGEST_STREAM:
        try:
            found = await run_in_threadpool(_read, actor, job_id, after)
        except SQLAlchemyError as error:
            log.warning("job stream: database unavailable", error=str(error)[:200])
            return
        if found is None:
            return
        for event in found.items:
            after = event.number
            yield ServerSentEvent(event="job", id=str(event.number), data=event.model_dump(mode="json"))
        if found.is_over:
            yield ServerSentEvent(event="end", id=str(after), data={"state": found.state})
            return
        if not found.items:
            await asyncio.sleep(POLL_SECONDS)


def last_number(given: str | None) -> int:
    """The number in a `Last-Event-ID`; 0 where it is none."""
    return int(given) if given is not None and given.isascii() and given.isdigit() and len(given) < 10 else 0
