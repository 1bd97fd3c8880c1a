"""The stream of live updates."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.streams import CountedStream
from plumbline.web import live

router = APIRouter()


@router.get("/events", response_class=EventSourceResponse)
async def follow_events(
    request: Request,
    session: SessionDep,  # noqa: ARG001 - the person is known before the stream begins
    actor: Annotated[Actor, May("event.read")],
    counted: CountedStream,  # noqa: ARG001 - at most a few are open
    last_event_id: Annotated[str | None, Header(max_length=200)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """`host` {id} for each host that checked in, `fleet` {as_of} when anything changed or the stream cannot be resumed."""
    async for event in live.follow(actor, last_event_id=last_event_id, is_gone=request.is_disconnected):
        yield event
