"""A request that is sent twice takes effect once: the `Idempotency-Key` of a POST.

A client that lost an answer repeats the request with the same key and gets the first answer again, status and body. The answer is stored
in the transaction of the act, so it exists exactly if the act took place. A refused request stores nothing, and a repeat of it is a new
attempt. As in the IETF draft of this header, a different request under the same key is refused, and so is a repeat of one that is still in
progress.

A key belongs to one actor: a person, or one of their tokens. It names one request (method, address and body) for 24 hours.
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
STORED_FOR = timedelta(hours=24)
# The string of a structured header is quoted (RFC 9651); most clients send it without quotes.
_KEY = re.compile(r'"?([A-Za-z0-9._:-]{16,128})"?')
# How the OpenAPI document names the header.
PARAMETER: dict[str, Any] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again",
    "schema": {"type": "string", "minLength": 16, "maxLength": 130, "pattern": f"^{_KEY.pattern}$"},
}
_NOT_IDEMPOTENT = "_answers_every_time"
_SHOWN_ONCE = "_answer_is_shown_once"
IDEMPOTENT_RESPONSE = columns_of(IdempotentResponse)
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class KeyUnusable(BadInput):
    """The header holds no usable key."""

    code = "idempotency_key_unusable"


class KeyUsedElsewhere(BadInput):
    """The key was used for another request."""

    code = "idempotency_key_reused"


class StillInProgress(Conflict):
    """The first request with this key has no answer yet."""

    code = "still_in_hand"


class AnswerNotStored(Conflict):
    """The act took place, and its answer is not repeated."""

    code = "answered_before"


def not_idempotent(why: str) -> Callable[[Endpoint], Endpoint]:
    """Marks a POST that ignores the key: a repeat is carried out again. `why` is the reason for that."""
    return _marked(_NOT_IDEMPOTENT, why)


def shown_once(advice: str) -> Callable[[Endpoint], Endpoint]:
    """Marks a POST whose answer holds a secret: a repeat has no effect, and its error says what to do instead."""
    return _marked(_SHOWN_ONCE, advice)


def _marked(mark: str, text: str) -> Callable[[Endpoint], Endpoint]:
    def marked(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, mark, text)
        return endpoint

    return marked


def why_not_idempotent(route: APIRoute) -> str:
    """Why a POST ignores the key; empty where it honours it."""
    return str(getattr(route.endpoint, _NOT_IDEMPOTENT, ""))


def advice_of(route: APIRoute) -> str:
    """What to do about a lost secret that is shown once; empty where the answer holds none."""
    return str(getattr(route.endpoint, _SHOWN_ONCE, ""))


def is_idempotent(route: APIRoute) -> bool:
    """Whether the route honours the header."""
    return isinstance(route, IdempotentRoute) and "POST" in (route.methods or ()) and not why_not_idempotent(route)


@dataclass(slots=True)
class KeyedRequest:
    """One request with a key. `key_hash` and `rights` are set as soon as the actor is known."""

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
        """The handler, with a check of the key before and the answer stored after it."""
        inner = super().get_route_handler()
        if not is_idempotent(self):
            return inner
        advice = advice_of(self)

        async def handle(request: Request) -> Response:
            sent = request.headers.get(HEADER)
            if sent is None:
                return await inner(request)
            keyed = request.state.keyed = KeyedRequest(key := _key(sent), _fingerprint(key, request, await request.body()))
            try:
                response = await inner(request)
            except _AnsweredBefore as before:
                return _stored_answer(before.row, advice)
            if keyed.key_hash:
                await run_in_threadpool(_store_answer, request.state.session, keyed, response, is_secret=bool(advice))
            return response

        return handle


def _key(sent: str) -> str:
    match = _KEY.fullmatch(sent.strip())
    if match is None:
        raise KeyUnusable(f"{HEADER}: a key is 16 to 128 letters, digits and . _ : - and new for every act; a random UUID is a good one")
    return match[1]


def _fingerprint(key: str, request: Request, body: bytes) -> bytes:
    """Of method, address and body. A form's boundary differs at every attempt, so it is left out."""
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


def lock_key(request: Request, session: Session, actor: Actor) -> None:
    """Locks the request's key for this actor until the transaction ends; does nothing where the request has none.

    Raises `StillInProgress`, `KeyUsedElsewhere`, `AnswerNotStored`. A request that was answered before ends with that answer.
    """
    keyed = getattr(request.state, "keyed", None)
    if not isinstance(keyed, KeyedRequest):
        return
    owner = actor.token.partition(" ")[0] or f"person:{actor.person_id}"
    keyed.key_hash = hashlib.sha256(f"plumbline-once-1\0{owner}\0{keyed.key}".encode()).digest()
    keyed.rights = _rights(actor)
    # Without waiting: waiting requests would keep connections busy, and the client can repeat the request.
    number = int.from_bytes(keyed.key_hash[:8], signed=True)
    if not session.execute(select(func.pg_try_advisory_xact_lock(number))).scalar_one():
        raise StillInProgress("The first request with this key is still running. Retry in a second.", retry_after_seconds=1)
    # A statement after the lock sees what the previous holder of the lock has committed.
    _delete_old(session, IDEMPOTENT_RESPONSE.key_hash == keyed.key_hash)
    row = session.get(IdempotentResponse, keyed.key_hash)
    if row is None:
        return
    if not hmac.compare_digest(row.fingerprint, keyed.fingerprint):
        raise KeyUsedElsewhere(f"{HEADER}: this key was used for another request; send a new key with every act")
    if row.rights != keyed.rights:
        raise AnswerNotStored("This was already done, and your permissions have changed since. Check the result.")
    raise _AnsweredBefore(row)


def _rights(actor: Actor) -> bytes:
    return hashlib.sha256("\n".join(sorted(f"{grant.role} {grant.path}" for grant in actor.grants)).encode()).digest()


def _stored_answer(row: IdempotentResponse, advice: str) -> Response:
    if row.body is None:
        raise AnswerNotStored(f"this was done before, and what it answered is shown once: {advice}")
    return Response(row.body, status_code=row.status, media_type=row.media_type or None)


def _store_answer(session: Session, keyed: KeyedRequest, response: Response, *, is_secret: bool) -> None:
    session.add(
        IdempotentResponse(
            key_hash=keyed.key_hash,
            fingerprint=keyed.fingerprint,
            rights=keyed.rights,
            status=response.status_code,
            media_type=response.headers.get("content-type", ""),
            body=None if is_secret else bytes(response.body),
        )
    )
    session.flush()


def purge(session: Session) -> int:
    """Deletes answers that have expired, and audits it; returns how many."""
    deleted = _delete_old(session)
    if deleted:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after={"answers": deleted})
    return deleted


def _delete_old(session: Session, *conditions: Any) -> int:
    """Deletes expired answers. Without conditions by age alone, since the background worker may read no other column."""
    old = delete(IdempotentResponse).where(IDEMPOTENT_RESPONSE.made_at < func.clock_timestamp() - STORED_FOR, *conditions)
    result = session.execute(old, execution_options={"synchronize_session": False})
    return result.rowcount if isinstance(result, CursorResult) else 0
