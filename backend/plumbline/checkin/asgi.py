"""The door: a raw ASGI application ahead of FastAPI for the two addresses that agents speak to.

Order: header syntax, admission bucket, host from memory, counted read, signature in constant time, only then inflating, the strict
envelope, the sections. A bad credential costs no query and is told apart from nothing; known and unknown hosts take the same way.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache, partial
from typing import Any, TypeVar

import msgspec
import psycopg
import structlog
from psycopg.types.json import set_json_loads
from psycopg_pool import AsyncConnectionPool

from plumbline.checkin import memory
from plumbline.checkin.batches import Committer
from plumbline.checkin.deadlines import Deadlines
from plumbline.checkin.decompress import MAX_WIRE_BYTES, inflate
from plumbline.checkin.enrol import ENROL_PATH, MAX_ENROL_BYTES, enrol_answer
from plumbline.checkin.envelope import digest_both, read_body
from plumbline.checkin.errors import Refused, too_large
from plumbline.checkin.headers import PATH, Claim, check_length, read_claim
from plumbline.checkin.pending import Answer, Arrival
from plumbline.checkin.rate_limit import TokenBucket, spread_seconds
from plumbline.checkin.sections import Deciding
from plumbline.checkin.state import FRESH_SECONDS, HostState, HostStates, read_states
from plumbline.configurations.bodies import Store
from plumbline.hosts.agent_keys import KeyRing, derive_secret, key_ring
from plumbline.infra.settings import get_settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

T = TypeVar("T")

log = structlog.get_logger()

# A body has this long to arrive whole; between two pieces no more than this may pass.
READ_SECONDS = 12.0
PIECE_SECONDS = 5.0
# How long a check-in may wait for its commit before the agent is told to come again.
ANSWER_SECONDS = 40.0
ENROLMENTS_PER_SECOND = 20.0
_HEADERS = ((b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class Gone(Exception):
    """The agent hung up before its request was whole."""


class Door:
    """Takes check-ins and enrolments; everything else goes on to `app`. One for each API process."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]] | None = None, *, max_queue: int | None = None) -> None:
        settings = get_settings()
        self._app = app
        self._url = settings.database_url.get_secret_value().replace("+psycopg", "")
        self._bucket = TokenBucket(settings.admission_per_second, settings.admission_burst)
        self._enrol_bucket = TokenBucket(ENROLMENTS_PER_SECOND, 200)
        self._ring: KeyRing = key_ring()
        self.states = HostStates()
        self.deciding = Deciding(Store())
        self._max_queue = max_queue
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] | None = None
        self._committer: Committer | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._deadlines = Deadlines()
        self.answers: dict[int, int] = {}

    @property
    def committer(self) -> Committer:
        """The committer of this process. Raises `RuntimeError` before `startup`."""
        if self._committer is None:
            raise RuntimeError("the door is not started")
        return self._committer

    async def startup(self) -> None:
        """Opens connections and starts the committer. The database may be away: then check-ins are answered 503 until it is back."""
        self._pool = AsyncConnectionPool(
            self._url,
            min_size=1,
            max_size=4,
            open=False,
            timeout=5,
            kwargs={"autocommit": True, "prepare_threshold": 2},
            configure=_reads_fast,
        )
        await self._pool.open(wait=False)
        memory.collect_seldom()
        if get_settings().huge_pages:
            self._keeping = asyncio.create_task(memory.keep_huge(), name="check-in door: huge pages")
        more = {} if self._max_queue is None else {"max_queue": self._max_queue}
        self._committer = Committer(self._connect, self.states, self.deciding, **more)
        self._committer.start()

    async def shutdown(self) -> None:
        """Stores what is inside, then closes."""
        if self._keeping is not None:
            self._keeping.cancel()
        if self._committer is not None:
            await self._committer.stop()
        if self._pool is not None:
            await self._pool.close()

    async def _connect(self) -> "psycopg.AsyncConnection[Any]":
        options = "-c lock_timeout=5s -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s"
        connection = await psycopg.AsyncConnection.connect(
            self._url, autocommit=True, prepare_threshold=2, connect_timeout=5, options=options, application_name="plumbline-door"
        )
        await _reads_fast(connection)
        return connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == PATH:
            await self._answer(self._check_in, scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == ENROL_PATH:
            await self._answer(self._enrol, scope, receive, send)
        elif self._app is not None:
            await self._app(scope, receive, send)
        else:
            await _send(send, Answer(404, {"error": "not found"}), close=True)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Alone (tests, bench) the door answers for itself; in front of an application it only listens in."""
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

    async def _answer(self, take: Callable[[Scope, "_Body"], Awaitable[Answer]], scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(receive, self._deadlines)
        try:
            if scope["method"] != "POST":
                raise Refused(405, "only POST")
            answer = await take(scope, body)
        except Refused as refused:
            answer = Answer(refused.status, refused.body(), refused.retry_after_seconds)
        except Gone:
            return
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            log.warning("door: database unavailable", error=str(error)[:300])
            answer = Answer(503, {"error": "the database is not available"}, spread_seconds())
        except Exception:
            # Whatever it was, the check-in is not stored, and the agent still has it.
            log.exception("door: internal error")
            answer = Answer(503, {"error": "internal error"}, spread_seconds())
        self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
        # With a body not read to its end the connection is of no more use: nobody reads 100 MB to be polite.
        await _send(send, answer, close=not body.is_whole)

    async def _check_in(self, scope: Scope, body: "_Body") -> Answer:
        claim = read_claim(scope["headers"])
        if not self._bucket.take():
            raise Refused(429, "too many check-ins", retry_after_seconds=spread_seconds())
        check_length(claim, MAX_WIRE_BYTES)
        wire = await body.read(MAX_WIRE_BYTES)
        wire_sha256, digest = digest_both(wire)
        key_id = self._signed_by(claim, wire_sha256)
        if key_id is None:
            raise Refused(401, "bad signature")
        host = await self._host(claim)
        if host is None:
            raise Refused(401, "bad signature")
        if host.state in ("retired", "quarantined"):
            raise Refused(403, f"this host is {host.state}", retry_after_seconds=3600)
        is_plain = claim.encoding == "identity"
        read = read_body(wire if is_plain else inflate(wire, claim.encoding), digest if is_plain else None, host.series_mark)
        if read.envelope.agent.platform != host.platform:
            raise Refused(422, f"this host is enrolled as {host.platform}", place="line 1, $.agent.platform")
        arrival = Arrival(claim, key_id, read, len(wire), asyncio.get_running_loop().create_future(), state=host)
        if claim.epoch == host.epoch and claim.seq > host.last_seq:
            # Most check-ins of a quiet fleet need no query for this.
            arrival.quiet = self.deciding.glance(arrival, host)
            if arrival.quiet is None:
                arrival.decision = await self.deciding.decide(self._read, arrival, host)
        self.committer.submit(arrival)
        return await self._stored(arrival)

    async def _stored(self, arrival: Arrival) -> Answer:
        """The committer's answer, or a 503 where it takes too long: the commit may still happen, then the next try is one seen before."""
        answer = arrival.answer
        self._deadlines.watch(answer, time.monotonic() + ANSWER_SECONDS, partial(_give_up, answer))
        try:
            return await answer
        finally:
            self._deadlines.forget(answer)

    def _signed_by(self, claim: Claim, body_sha256: str) -> str | None:
        """The id of the key under which the signature is good. Every key is tried for every host, so that all cost the same."""
        found = None
        for key_id, key in self._ring.agent_keys.items():
            if claim.is_signed_by(derive_secret(key, claim.host_id, claim.generation), body_sha256):
                found = key_id
        return found

    async def _host(self, claim: Claim) -> HostState | None:
        """The host from memory; looked up where memory does not hold it, or holds what would refuse this good signature."""
        host = self.states.get(claim.host_id)
        if host is not None:
            is_fine = host.state not in ("retired", "quarantined") and claim.generation in (host.generation, host.next_generation)
            if is_fine or time.monotonic() - host.read_at < FRESH_SECONDS:
                return host
        found = (await self._read(lambda connection: read_states(connection, [claim.host_id]))).get(claim.host_id)
        if found is not None:
            self.states.put(found)
        return found

    async def _read(self, ask: "Callable[[psycopg.AsyncConnection[Any]], Awaitable[T]]") -> T:
        """Asks the database on a connection of the pool, twice where the first one turns out to be dead: reading again does no harm."""
        if self._pool is None:
            raise RuntimeError("the door is not started")
        try:
            async with self._pool.connection() as connection:
                return await ask(connection)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            await self._pool.check()
            async with self._pool.connection() as connection:
                return await ask(connection)

    async def _enrol(self, scope: Scope, body: "_Body") -> Answer:
        if not self._enrol_bucket.take():
            raise Refused(429, "too many enrolments", retry_after_seconds=spread_seconds())
        wire = await body.read(MAX_ENROL_BYTES)
        client = scope.get("client")
        return await asyncio.to_thread(enrol_answer, wire, client[0] if client else "")


class _Body:
    """Counts what comes in, and does not wait for ever."""

    def __init__(self, receive: Receive, deadlines: Deadlines) -> None:
        self._receive = receive
        self._deadlines = deadlines
        self._is_late = False
        self.is_whole = False

    async def read(self, limit: int) -> bytes:
        """The whole body. Raises `Refused` (413 past the limit, 408 when it drips) and `Gone`."""
        task = asyncio.current_task()
        assert task is not None
        started = time.monotonic()
        try:
            self._deadlines.watch(task, started + PIECE_SECONDS, partial(self._give_up, task))
            message = await self._receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                # As nearly always: it came in one piece.
                return self._whole(message.get("body", b""), limit)
            return await self._rest(message, task, started + READ_SECONDS, limit)
        except asyncio.CancelledError:
            if self._is_late and task.uncancel() == 0:
                raise Refused(408, "the body did not arrive in time") from None
            raise
        finally:
            self._deadlines.forget(task)

    async def _rest(self, message: MutableMapping[str, Any], task: "asyncio.Task[Any]", deadline: float, limit: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while True:
            if message["type"] == "http.disconnect":
                raise Gone
            piece = message.get("body", b"")
            pieces.append(piece)
            size += len(piece)
            if size > limit or not message.get("more_body", False):
                return self._whole(b"".join(pieces), limit)
            self._deadlines.watch(task, min(time.monotonic() + PIECE_SECONDS, deadline), partial(self._give_up, task))
            message = await self._receive()

    def _whole(self, body: bytes, limit: int) -> bytes:
        if len(body) > limit:
            raise too_large(f"the body is larger than {limit} bytes", "body")
        self.is_whole = True
        return body

    def _give_up(self, task: "asyncio.Task[Any]") -> None:
        self._is_late = True
        task.cancel()


def _give_up(answer: "asyncio.Future[Answer]") -> None:
    if not answer.done():
        answer.set_result(Answer(503, {"error": "the check-in could not be stored in time"}, spread_seconds()))


async def _send(send: Send, answer: Answer, *, close: bool) -> None:
    content = answer.content()
    await send(
        {
            "type": "http.response.start",
            "status": answer.status,
            "headers": _headers(answer.status, len(content), answer.retry_after_seconds, close),
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


async def _reads_fast(connection: "psycopg.AsyncConnection[Any]") -> None:
    """What the neighbours of a host told is read as JSON by the thousand; nothing stored has an integer past 64 bits."""
    set_json_loads(msgspec.json.decode, connection)
