"""Live updates as server-sent events. Each stream queries the database every two seconds for hosts that checked in since the last query.

An event's id is the time of the check-in. A client that reconnects with the last id that it saw resumes from there within the limit below;
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
from plumbline.auth.streams import present_actor
from plumbline.infra.database import session_scope
from plumbline.models.hosts import HOST, HOST_GROUP, HostGroup

log = structlog.get_logger()

POLL_SECONDS = 2.0
# After a longer gap most of the fleet has checked in, and reading everything again is cheaper.
RESUME_WITHIN = timedelta(minutes=10)
# More hosts than this at once are sent as one `fleet`.
MOST_HOSTS = 50
# A stream ends by itself; the browser reconnects with its last id.
LONGEST_STREAM = timedelta(minutes=15)
# A commit becomes visible a little after the time in its rows, so each query overlaps the one before.
_OVERLAP = timedelta(seconds=3)


def read_since(actor: Actor, since: datetime) -> tuple[datetime, list[tuple[str, datetime]]] | None:
    """The database's time, and the hosts in scope that checked in after `since`, oldest first; None once the actor may not follow. Four
    small queries."""
    with session_scope() as session:
        present = present_actor(session, actor, "event.read")
        if present is None:
            return None
        now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one().astimezone(UTC)
        rows = session.execute(
            select(HOST.id, HOST.last_seen_at)
            .join(HostGroup, HOST_GROUP.id == HOST.group_id)
            .where(in_scope(present), HOST.last_seen_at > since)
            .order_by(HOST.last_seen_at, HOST.id)
            .limit(MOST_HOSTS * 4)
        ).all()
        return now, [(host_id, seen.astimezone(UTC)) for host_id, seen in rows]


async def follow(actor: Actor, *, last_event_id: str | None, is_gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[ServerSentEvent]:
    """The events for one client."""
    read = await run_in_threadpool(read_since, actor, datetime.now(UTC) + timedelta(days=1))
    if read is None:
        return
    now, _ = read
    started = now
    since = _resume_at(last_event_id, now)
    if since is None:
        since = now
        yield _fleet(now)
    sent: dict[str, datetime] = {}
    while not await is_gone():
        try:
            read = await run_in_threadpool(read_since, actor, since - _OVERLAP)
        except SQLAlchemyError as error:
            log.warning("live updates: database unavailable", error=str(error))
            return
        if read is None:
            return
        now, rows = read
        new_rows = [(host_id, seen) for host_id, seen in rows if sent.get(host_id) != seen]
        if len(new_rows) > MOST_HOSTS:
            yield _fleet(now)
        else:
            for host_id, seen in new_rows:
                yield ServerSentEvent(event="host", id=seen.isoformat(), data={"id": host_id})
            if new_rows:
                yield _fleet(now)
        sent = dict(rows)
        since = max([since, *(seen for _, seen in new_rows)])
        if now - started > LONGEST_STREAM:
            return
        await asyncio.sleep(POLL_SECONDS)


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
