"""Live updates as server-sent events. Rows are the truth: each stream looks every two seconds at who checked in since it last looked.

An event's id is the instant it tells of; a reader that comes back with the last id it saw goes on from there, within the limit below,
else it gets `fleet` and reads everything again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta

import structlog
from fastapi.sse import ServerSentEvent
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.infra.database import session_scope
from plumbline.models.hosts import HOST, HOST_GROUP, HostGroup

log = structlog.get_logger()

LOOK_EVERY_SECONDS = 2.0
# Resuming past this would mean telling of most of the fleet; reading it again is cheaper.
RESUME_WITHIN = timedelta(minutes=10)
# More hosts than this at once are told as one `fleet`.
MOST_HOSTS = 50
# A stream ends by itself before the session's rights could have changed for long; the browser comes back with its last id.
LASTS = timedelta(minutes=15)
# Commits become visible a little after the instant they are dated by, so each look overlaps the one before.
_OVERLAP = timedelta(seconds=3)


def read_since(actor: Actor, since: datetime) -> tuple[datetime, list[tuple[str, datetime]]]:
    """The database's present instant, and the hosts in scope that checked in after `since`, oldest first. Two small queries."""
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one().astimezone(UTC)
        rows = session.execute(
            select(HOST.id, HOST.last_seen_at)
            .join(HostGroup, HOST_GROUP.id == HOST.group_id)
            .where(in_scope(actor), HOST.last_seen_at > since)
            .order_by(HOST.last_seen_at, HOST.id)
            .limit(MOST_HOSTS * 4)
        ).all()
        return now, [(host_id, seen.astimezone(UTC)) for host_id, seen in rows]


async def follow(actor: Actor, *, last_event_id: str | None, is_gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[ServerSentEvent]:
    """The events of one reader."""
    now, _ = await run_in_threadpool(read_since, actor, datetime.now(UTC) + timedelta(days=1))
    begun = now
    since = _resume_at(last_event_id, now)
    if since is None:
        since = now
        yield _fleet(now)
    told: dict[str, datetime] = {}
    while not await is_gone():
        try:
            now, rows = await run_in_threadpool(read_since, actor, since - _OVERLAP)
        except SQLAlchemyError as error:
            log.warning("a stream cannot read the database", error=str(error))
            return
        news = [(host_id, seen) for host_id, seen in rows if told.get(host_id) != seen]
        if len(news) > MOST_HOSTS:
            yield _fleet(now)
        else:
            for host_id, seen in news:
                yield ServerSentEvent(event="host", id=seen.isoformat(), data={"id": host_id})
            if news:
                yield _fleet(now)
        told = dict(rows)
        since = max([since, *(seen for _, seen in news)])
        if now - begun > LASTS:
            return
        await asyncio.sleep(LOOK_EVERY_SECONDS)


def _fleet(now: datetime) -> ServerSentEvent:
    return ServerSentEvent(event="fleet", id=now.isoformat(), data={"as_of": now.isoformat()})


def _resume_at(last_event_id: str | None, now: datetime) -> datetime | None:
    try:
        last = datetime.fromisoformat(last_event_id or "")
    except ValueError:
        return None
    if last.tzinfo is None or last > now or now - last > RESUME_WITHIN:
        return None
    return last
