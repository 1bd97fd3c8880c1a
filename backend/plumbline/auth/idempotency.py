"""An act that is asked for twice is done once: the `Idempotency-Key` of a POST.

A client that lost an answer asks again with the key of the first time and gets the answer of the first time, status and body; nothing is
done again. The answer is stored in the act's own transaction, so there is one exactly if there was the act. A request that was refused
did nothing and left nothing: asking again tries again. After the draft of the IETF on that header and the manner of payment services:
another request under the same key is refused, and so is one whose first is still in hand.

A key belongs to who asks: a person, or one of their tokens. It names one request (method, address and body) for 24 hours.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from email.message import Message
from typing import Any, TypeVar

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from sqlalchemy import CursorResult, func, select
from sqlmodel import Session, delete

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.infra.errors import BadInput, Conflict
from plumbline.models.auth import IdempotentResponse
from plumbline.models.columns import columns_of

HEADER = "Idempotency-Key"
KEPT = timedelta(hours=24)
# How the OpenAPI document names the header.
PARAMETER: dict[str, Any] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "a new key for each act (a random UUID); asked again with it within 24 hours, it answers the same and nothing is done",
    "schema": {"type": "string", "minLength": 16, "maxLength": 130},
}
# A structured header's string stands in quotes (RFC 9651); most clients send the bare text.
_KEY = re.compile(r'"?([A-Za-z0-9._:-]{16,128})"?')
_EVERY_TIME = "_answers_every_time"
_SHOWN_ONCE = "_answer_is_shown_once"
IDEMPOTENT_RESPONSE = columns_of(IdempotentResponse)
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class KeyUnusable(BadInput):
    """The header holds no usable key."""

    code = "idempotency_key_unusable"


class KeyUsedElsewhere(BadInput):
    """The key stands for another request."""

    code = "idempotency_key_reused"


class StillInHand(Conflict):
    """The first request with this key is not answered yet."""

    code = "still_in_hand"


class AnswerNotKept(Conflict):
    """The act is done, and its answer is not given a second time."""

    code = "answered_before"


def not_idempotent(why: str) -> Callable[[Endpoint], Endpoint]:
    """Marks a POST that takes no part: asked twice it answers anew, and `why` that is right."""
    return _marked(_EVERY_TIME, why)


def shown_once(advice: str) -> Callable[[Endpoint], Endpoint]:
    """Marks a POST whose answer holds a secret: a repeat does nothing and is told so, with what to do instead."""
    return _marked(_SHOWN_ONCE, advice)


def _marked(mark: str, words: str) -> Callable[[Endpoint], Endpoint]:
    def marked(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, mark, words)
        return endpoint

    return marked


def why_every_time(route: APIRoute) -> str:
    """Why a POST takes no part; empty where it does."""
    return str(getattr(route.endpoint, _EVERY_TIME, ""))


def what_to_do(route: APIRoute) -> str:
    """What somebody does who lost a secret that is shown once; empty where the answer holds none."""
    return str(getattr(route.endpoint, _SHOWN_ONCE, ""))


def takes_part(route: APIRoute) -> bool:
    """Whether the route honours the header."""
    return isinstance(route, IdempotentRoute) and "POST" in (route.methods or ()) and not why_every_time(route)


@dataclass(slots=True)
class Asked:
    """One request with a key. `key_hash` and `rights` are known once it is known who asks."""

    key: str
    fingerprint: bytes
    key_hash: bytes = b""
    rights: bytes = b""


class _AnsweredBefore(Exception):
    def __init__(self, row: IdempotentResponse) -> None:
        self.row = row


class IdempotentRoute(APIRoute):
    """A route whose POST honours the key. The handler runs within the scope of the request's transaction, which commits after it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with the key looked at before and the answer stored after."""
        answer = super().get_route_handler()
        if not takes_part(self):
            return answer
        advice = what_to_do(self)

        async def once(request: Request) -> Response:
            sent = request.headers.get(HEADER)
            if sent is None:
                return await answer(request)
            asked = request.state.asked = Asked(key := _key(sent), _fingerprint(key, request, await request.body()))
            try:
                response = await answer(request)
            except _AnsweredBefore as before:
                return _again(before.row, advice)
            if asked.key_hash:
                await run_in_threadpool(_keep, request.state.session, asked, response, is_secret=bool(advice))
            return response

        return once


def _key(sent: str) -> str:
    found = _KEY.fullmatch(sent.strip())
    if found is None:
        raise KeyUnusable(f"{HEADER}: a key is 16 to 128 letters, digits and . _ : - and new for every act; a random UUID is a good one")
    return found[1]


def _fingerprint(key: str, request: Request, body: bytes) -> bytes:
    """Over method, address and body. A form's boundary is made anew at every try, so it is left out."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    try:
        boundary = (header.get_boundary() or "").encode()
    except (LookupError, ValueError):  # it claims a character set that is none
        boundary = b""
    if header.get_content_maintype() == "multipart" and boundary:
        body = body.replace(b"--" + boundary, b"--")
    head = f"plumbline-request-1\0{request.method}\0{request.url.path}\0{request.url.query}\0{header.get_content_type()}\0"
    return hmac.digest(key.encode(), head.encode() + body, hashlib.sha256)


def claim(request: Request, session: Session, actor: Actor) -> None:
    """Takes the request's key for this actor until the transaction ends; nothing to do where the request has none.

    Raises `StillInHand`, `KeyUsedElsewhere`, `AnswerNotKept`; where it was answered before, ends the request with that answer.
    """
    asked = getattr(request.state, "asked", None)
    if not isinstance(asked, Asked):
        return
    holder = actor.token.partition(" ")[0] or f"person:{actor.person_id}"
    asked.key_hash = hashlib.sha256(f"plumbline-once-1\0{holder}\0{asked.key}".encode()).digest()
    asked.rights = _rights(actor)
    # Not waited for: two that wait for each other would hold connections, and the client does better to ask again.
    number = int.from_bytes(asked.key_hash[:8], signed=True)
    if not session.execute(select(func.pg_try_advisory_xact_lock(number))).scalar_one():
        raise StillInHand("the first request with this key is still being answered; ask again in a second", retry_after_seconds=1)
    # A statement after the lock: whoever held it before has committed, and is seen.
    _forget(session, IDEMPOTENT_RESPONSE.key_hash == asked.key_hash)
    row = session.get(IdempotentResponse, asked.key_hash)
    if row is None:
        return
    if not hmac.compare_digest(row.fingerprint, asked.fingerprint):
        raise KeyUsedElsewhere(f"{HEADER}: this key was used for another request; send a new key with every act")
    if row.rights != asked.rights:
        raise AnswerNotKept("this was done before, and your rights have changed since: look at what became of it")
    raise _AnsweredBefore(row)


def _rights(actor: Actor) -> bytes:
    return hashlib.sha256("\n".join(sorted(f"{grant.role} {grant.path}" for grant in actor.grants)).encode()).digest()


def _again(row: IdempotentResponse, advice: str) -> Response:
    if row.body is None:
        raise AnswerNotKept(f"this was done before, and what it answered is shown once: {advice}")
    return Response(row.body, status_code=row.status, media_type=row.media_type or None)


def _keep(session: Session, asked: Asked, response: Response, *, is_secret: bool) -> None:
    session.add(
        IdempotentResponse(
            key_hash=asked.key_hash,
            fingerprint=asked.fingerprint,
            rights=asked.rights,
            status=response.status_code,
            media_type=response.headers.get("content-type", ""),
            body=None if is_secret else bytes(response.body),
        )
    )
    session.flush()


def purge(session: Session) -> int:
    """Forgets answers that nobody may be given any more, and audits it; answers how many."""
    gone = _forget(session)
    if gone:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", object_kind="retention", after={"answers": gone})
    return gone


def _forget(session: Session, *which: Any) -> int:
    """Answers past their day. By age alone: the background worker may read nothing else of them."""
    old = delete(IdempotentResponse).where(IDEMPOTENT_RESPONSE.made_at < func.clock_timestamp() - KEPT, *which)
    result = session.execute(old, execution_options={"synchronize_session": False})
    return result.rowcount if isinstance(result, CursorResult) else 0
