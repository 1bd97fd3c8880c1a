"""The check-in endpoint: a raw ASGI application ahead of FastAPI for the two addresses that agents speak to.

In this order: syntax of the headers, limit of bad signatures by address, read up to a limit, signature in constant time, rate limit,
decompression, strict envelope. What
depends on the host's row is decided under its lock (`heartbeats`, `store`). A bad credential costs no query, and the response does not say
what was wrong with it; known and unknown hosts cost the same.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any

import structlog

from plumbline.checkin import rate_limit
from plumbline.checkin.batches import BatchWriter
from plumbline.checkin.decompress import MAX_WIRE_BYTES, inflate
from plumbline.checkin.enrol import ENROL_PATH, MAX_ENROL_BYTES, enrol_answer
from plumbline.checkin.envelope import digest_both, read_body
from plumbline.checkin.errors import Refused, too_large
from plumbline.checkin.headers import PATH, CheckInHeaders, check_length, read_headers
from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.checkin.rate_limit import TokenBucket, spread_seconds
from plumbline.checkin.store import Store
from plumbline.hosts.agent_keys import KeyRing, derive_secret, key_ring
from plumbline.infra.memory import keep_small
from plumbline.infra.settings import get_settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

log = structlog.get_logger()

# A body has this long to arrive whole; between two pieces no more than this may pass.
READ_SECONDS = 12.0
PIECE_SECONDS = 5.0
# How long a check-in may wait for its commit before the agent is asked to send it again.
ANSWER_SECONDS = 40.0
ENROLMENTS_PER_SECOND = 20.0  # of all addresses together
# How long the thread that stores changed check-ins keeps its turn while other threads wait for theirs. With a shorter turn it starves under
# full load: the p99 of the mix rises (docs/adr/0028).
SWITCH_SECONDS = 0.01
_HEADERS = ((b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class Disconnected(Exception):
    """The agent closed the connection before its request was complete."""


class CheckInApp:
    """Receives check-ins and enrolments; every other request goes to `app`. One for each API process."""

    def __init__(
        self,
        app: Callable[[Scope, Receive, Send], Awaitable[None]] | None = None,
        *,
        store: Store | None = None,
        max_queue: int | None = None,
    ) -> None:
        settings = get_settings()
        self._app = app
        self._bucket = TokenBucket(settings.admission_per_second, settings.admission_burst)
        self._bad_signatures = rate_limit.AddressBuckets(settings.bad_signatures_per_second, settings.bad_signatures_burst)
        self._known_hosts = rate_limit.KnownHosts()
        self._enrolments = rate_limit.AddressBuckets(rate_limit.ENROLMENTS_PER_SECOND, rate_limit.ENROLMENTS_BURST)
        self._enrol_bucket = TokenBucket(ENROLMENTS_PER_SECOND, 200)
        self._ring: KeyRing = key_ring()
        url = settings.database_url.get_secret_value()
        more = {} if max_queue is None else {"max_queue": max_queue}
        self.writer = BatchWriter(url, store or Store(), **more)
        # How many responses of each status.
        self.responses: dict[int, int] = {}
        self._memory: asyncio.Task[None] | None = None

    async def startup(self) -> None:
        """Starts the batch writer. The database may be away: then check-ins are answered 503 until it is back."""
        self._memory = asyncio.create_task(keep_small())
        sys.setswitchinterval(SWITCH_SECONDS)
        self.writer.start()

    async def shutdown(self) -> None:
        """Stores what is queued, then stops."""
        if self._memory is not None:
            self._memory.cancel()
        await self.writer.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == PATH:
            await self._respond(self._check_in, scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == ENROL_PATH:
            await self._respond(self._enrol, scope, receive, send)
        elif self._app is not None:
            await self._app(scope, receive, send)
        else:
            await _send(send, Response(404, {"error": "not found"}), close=True)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Without an application behind it (tests, bench) it answers lifespan events itself; with one, `web` starts and stops it."""
        if self._app is not None:
            await self._app(scope, receive, send)
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.startup()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _respond(self, take: Callable[[Scope, "_Body"], Awaitable[Response]], scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(receive)
        try:
            if scope["method"] != "POST":
                raise Refused(405, "only POST")
            response = await take(scope, body)
        except Refused as refused:
            response = Response(refused.status, refused.body(), refused.retry_after_seconds)
        except Disconnected:
            return
        except Exception:
            # Whatever failed, the check-in is not stored, and the agent still has it.
            log.exception("check-in: internal error")
            response = Response(503, {"error": "internal error"}, spread_seconds())
        self.responses[response.status] = self.responses.get(response.status, 0) + 1
        # A connection whose body was not read to its end is closed: what is left of it may be 100 MB.
        await _send(send, response, close=not body.is_whole)

    async def _check_in(self, scope: Scope, body: "_Body") -> Response:
        headers = read_headers(scope["headers"])
        address = _address(scope)
        if self._bad_signatures.is_empty(address) and headers.host_id not in self._known_hosts:
            raise Refused(429, "too many bad signatures from this address", retry_after_seconds=spread_seconds())
        check_length(headers, MAX_WIRE_BYTES)
        wire = await body.read(MAX_WIRE_BYTES)
        wire_sha256, digest = digest_both(wire)
        key_id = self._signed_by(headers, wire_sha256)
        if key_id is None:
            self._bad_signatures.take(address)
            raise Refused(401, "bad signature")
        self._known_hosts.add(headers.host_id)
        if not self._bucket.take():
            raise Refused(429, "too many check-ins", retry_after_seconds=spread_seconds())
        is_plain = headers.encoding == "identity"
        read = read_body(wire if is_plain else inflate(wire, headers.encoding), digest if is_plain else None)
        response: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self.writer.submit(PendingCheckIn(headers, key_id, read, response))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await response
        except TimeoutError:
            # The commit may still happen; then the agent's next attempt is a repeated check-in.
            return Response(503, {"error": "the check-in could not be stored in time"}, spread_seconds())

    def _signed_by(self, headers: CheckInHeaders, body_sha256: str) -> str | None:
        """The id of the key under which the signature is good. Every key is tried for every host, so that all cost the same."""
        found = None
        for key_id, key in self._ring.agent_keys.items():
            if headers.is_signed_by(derive_secret(key, headers.host_id, headers.generation), body_sha256):
                found = key_id
        return found

    async def _enrol(self, scope: Scope, body: "_Body") -> Response:
        if not self._enrolments.take(_address(scope)) or not self._enrol_bucket.take():
            raise Refused(429, "too many enrolments", retry_after_seconds=spread_seconds())
        wire = await body.read(MAX_ENROL_BYTES)
        return await asyncio.to_thread(enrol_answer, wire, _address(scope))


class _Body:
    """Reads a request body, with limits on size and time."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_whole = False

    async def read(self, limit: int) -> bytes:
        """The whole body. Raises `Refused` (413 past the limit, 408 when it arrives too slowly) and `Disconnected`."""
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(PIECE_SECONDS) as deadline:
                last = time.monotonic() + READ_SECONDS
                while True:
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        raise Disconnected
                    piece = message.get("body", b"")
                    pieces.append(piece)
                    size += len(piece)
                    if size > limit:
                        raise too_large(f"the body is larger than {limit} bytes", "body")
                    if not message.get("more_body", False):
                        self.is_whole = True
                        return b"".join(pieces)
                    left = min(PIECE_SECONDS, last - time.monotonic())
                    deadline.reschedule(asyncio.get_running_loop().time() + left)
        except TimeoutError:
            raise Refused(408, "the body did not arrive in time") from None


def _address(scope: Scope) -> str:
    """The client's address; that of a proxy unless the server trusts the proxy's header."""
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _send(send: Send, response: Response, *, close: bool) -> None:
    content = response.content()
    await send(
        {
            "type": "http.response.start",
            "status": response.status,
            "headers": _headers(response.status, len(content), response.retry_after_seconds, close),
        }
    )
    await send({"type": "http.response.body", "body": content})


@lru_cache(maxsize=1024)
def _headers(status: int, length: int, retry_after_seconds: int | None, close: bool) -> tuple[tuple[bytes, bytes], ...]:
    headers = [*_HEADERS, (b"content-length", str(length).encode())]
    if retry_after_seconds is not None:
        headers.append((b"retry-after", str(retry_after_seconds).encode()))
    if status == 405:
        headers.append((b"allow", b"POST"))
    if close:
        headers.append((b"connection", b"close"))
    return tuple(headers)
