"""Live streams: how many a session may have open, and that they end with it.

A request's rights are checked when it comes. A stream stays open, so it asks again with everything that it reads: after sign-out, disabling
or a loss of rights it ends within seconds, and its scope is always the present one.
"""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor, Grant
from plumbline.auth.api_tokens import API_TOKEN, shared_grants
from plumbline.auth.dependencies import bearer_of, cookie_name
from plumbline.auth.rights import allow
from plumbline.auth.sessions import HOST_GROUP, grants_of
from plumbline.infra.errors import TooManyRequests
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON, WEB_SESSION, ApiToken, Person, WebSession

# Open streams of one session or token in one process. A browser opens at most six connections to a server with HTTP/1.1.
MOST_STREAMS = 6
_RETRY_SECONDS = 15

_open: Counter[bytes] = Counter()


async def _count_stream(request: Request) -> AsyncIterator[None]:
    """Counts a stream as long as it is open. Raises `TooManyRequests`. Counted before the session is looked up: by what was sent."""
    sent = bearer_of(request.headers) or request.cookies.get(cookie_name(), "")
    key = hashlib.sha256(sent.encode()).digest()
    if _open[key] >= MOST_STREAMS:
        raise TooManyRequests(
            f"at most {MOST_STREAMS} live streams are open at once; close another page", retry_after_seconds=_RETRY_SECONDS
        )
    _open[key] += 1
    try:
        yield
    finally:
        _open[key] -= 1
        if not _open[key]:
            del _open[key]


# For the route of a stream: `_: CountedStream`. `request` scope: it ends when the last byte was sent.
CountedStream = Annotated[None, Depends(_count_stream, scope="request")]


def present_actor(session: Session, actor: Actor, action: str) -> Actor | None:
    """The actor with the grants that are valid now; None where the session or token has ended, or the right is gone. Two queries."""
    grants = _grants_of_token(session, actor) if actor.token else _grants_of_session(session, actor)
    if grants is None:
        return None
    present = replace(actor, grants=grants)
    return present if allow(present, action) else None


def _grants_of_session(session: Session, actor: Actor) -> tuple[Grant, ...] | None:
    row = session.execute(
        select(WEB_SESSION.ended_at, WEB_SESSION.expires_at, WEB_SESSION.last_used_at, func.now().label("now"), PERSON.is_disabled)
        .select_from(WebSession)
        .join(Person, PERSON.id == WEB_SESSION.person_id)
        .where(WEB_SESSION.id_hash == actor.session_hash)
    ).first()
    idle = timedelta(minutes=get_settings().session_idle_minutes)
    if row is None or row.ended_at or row.is_disabled or row.now >= row.expires_at or row.now - row.last_used_at >= idle:
        return None
    return grants_of(session, actor.person_id)


def _grants_of_token(session: Session, actor: Actor) -> tuple[Grant, ...] | None:
    # "token:7 prometheus"
    number = int(actor.token.partition(":")[2].partition(" ")[0])
    row = session.execute(
        select(API_TOKEN.revoked_at, API_TOKEN.expires_at, API_TOKEN.roles, API_TOKEN.group_id, HOST_GROUP.c.path, PERSON.is_disabled,
               func.now().label("now"))
        .select_from(ApiToken)
        .join(Person, PERSON.id == API_TOKEN.person_id)
        .join(HOST_GROUP, HOST_GROUP.c.id == API_TOKEN.group_id)
        .where(API_TOKEN.id == number)
    ).first()  # fmt: skip
    if row is None or row.revoked_at is not None or row.expires_at <= row.now or row.is_disabled:
        return None
    return shared_grants(grants_of(session, actor.person_id), row.roles, row.group_id, row.path)
