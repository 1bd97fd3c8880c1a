"""The group committer: all check-ins that arrive while a transaction runs share the next one, and none is answered before COMMIT.

Two are in flight in each API process, on a connection each. Heartbeats share one statement, which is a transaction (`heartbeats`), and
do not wait for the other: there those that were decided from memory alone share two statements (`changed`). What either leaves takes the
long way: the host rows are locked in the order of their ids, each decision is compared with the rows as they now are and made again where
it is stale, everything is written by array statements, then COMMIT. A batch that fails is taken again one by one,
so that a check-in that cannot be stored harms nobody but itself. Two check-ins of one host in both at once meet at the lock of its row; the
later one sees there that it was decided from what no longer is.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import structlog

from plumbline.checkin import statements as sql
from plumbline.checkin.changed import change_of, store_changes
from plumbline.checkin.errors import Refused
from plumbline.checkin.heartbeats import Heartbeat, heartbeat_of, store_heartbeats
from plumbline.checkin.locked import LockedRow
from plumbline.checkin.pending import Answer, Arrival
from plumbline.checkin.rate_limit import spread_seconds
from plumbline.checkin.sections import Deciding
from plumbline.checkin.state import HostStates
from plumbline.checkin.store import Batch
from plumbline.hosts.agent_keys import key_ring

log = structlog.get_logger()

MAX_BATCH = 64
MAX_QUEUE = 2000
_RECONNECT_SECONDS = 0.5
# How long a dictionary that the background trained may stand unused.
_LEARN_SECONDS = 10.0


class Lane:
    """What waits for one of the two, and its connection."""

    def __init__(self, connect: "Callable[[], Awaitable[psycopg.AsyncConnection[Any]]]") -> None:
        self._connect = connect
        self._queue: deque[Arrival] = deque()
        self._wake = asyncio.Event()
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, arrival: Arrival) -> None:
        """Queues a check-in."""
        self._queue.append(arrival)
        self._wake.set()

    def close(self) -> None:
        """No more comes: what is queued is still given out."""
        self._is_closing = True
        self._wake.set()

    async def take(self) -> list[Arrival]:
        """The next batch, in order of arrival; a second check-in of one host waits for the next. Empty: closed, and nothing is left."""
        while True:
            batch: list[Arrival] = []
            hosts: set[str] = set()
            held: list[Arrival] = []
            while self._queue and len(batch) < MAX_BATCH:
                arrival = self._queue.popleft()
                if arrival.answer.done():
                    # Nobody waits for it any more.
                    continue
                if arrival.claim.host_id in hosts:
                    held.append(arrival)
                else:
                    hosts.add(arrival.claim.host_id)
                    batch.append(arrival)
            self._queue.extendleft(reversed(held))
            if batch or self._is_closing:
                return batch
            self._wake.clear()
            await self._wake.wait()

    async def connection(self) -> "tuple[psycopg.AsyncConnection[Any], bool]":
        """The connection, ready for a transaction, and whether it is a new one."""
        if self._connection is None or self._connection.closed:
            self._connection = await self._connect()
            return self._connection, True
        if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            await self._connection.rollback()
        return self._connection, False

    async def drop(self) -> None:
        """Lets go of a connection that failed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(connection.close(), timeout=1)


class Committer:
    """Stores check-ins. `submit` answers once its check-in is committed, or refused for good."""

    def __init__(
        self,
        connect: "Callable[[], Awaitable[psycopg.AsyncConnection[Any]]]",
        states: HostStates,
        deciding: Deciding,
        *,
        max_queue: int = MAX_QUEUE,
    ) -> None:
        self._states = states
        self._deciding = deciding
        self._max_queue = max_queue
        self._quiet = Lane(connect)
        self._long = Lane(connect)
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closing = False
        self._learned_at = 0.0
        # Counts that tests and /metrics read.
        self.commits = 0
        self.statements = 0
        self.accepted = 0
        self.alone_failed = 0

    def start(self) -> None:
        """Begins to work."""
        self._tasks = [
            asyncio.create_task(self._run(self._quiet, self._store_heartbeats), name="check-in committer: heartbeats"),
            asyncio.create_task(self._run(self._long, self._store_long), name="check-in committer"),
        ]

    async def stop(self) -> None:
        """Stores what is queued, then ends."""
        self._is_closing = True
        # Heartbeats first: what turns out to be more goes to the other.
        for task, lane in zip(self._tasks, (self._quiet, self._long), strict=False):
            lane.close()
            await task
            await lane.drop()

    @property
    def waiting(self) -> int:
        """How many check-ins are queued."""
        return len(self._quiet) + len(self._long)

    def submit(self, arrival: Arrival) -> None:
        """Queues a check-in; its `answer` is set once the outcome is known. Raises `Refused` (503) where the queue is full."""
        if self.waiting >= self._max_queue or self._is_closing:
            raise Refused(503, "too many check-ins are waiting", retry_after_seconds=spread_seconds())
        (self._long if arrival.quiet is None else self._quiet).put(arrival)

    async def _run(self, lane: Lane, store: Callable[[list[Arrival]], Awaitable[None]]) -> None:
        while batch := await lane.take():
            try:
                await store(batch)
            except Exception as error:  # the loop must outlive anything
                log.exception("check-in committer", error=str(error))
                for arrival in batch:
                    _settle(arrival, _unavailable())

    async def _store_heartbeats(self, arrivals: list[Arrival]) -> None:
        """Stores and answers those that are heartbeats, in one statement; the others need a transaction, and wait for it."""
        heartbeats: list[Heartbeat] = []
        ring = key_ring()
        newest = ring.newest
        for arrival in arrivals:
            found = heartbeat_of(arrival, newest)
            if found is None:
                self._long.put(arrival)
            else:
                heartbeats.append(found)
        if not heartbeats:
            return
        try:
            connection, _ = await self._quiet.connection()
            answered = await store_heartbeats(connection, heartbeats, ring)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            await self._lose(self._quiet, [each.arrival for each in heartbeats], error)
            return
        except Exception as error:
            # Nothing of it is stored; the long way finds the one that cannot be.
            log.warning("heartbeats failed, taking them the long way", check_ins=len(heartbeats), error=repr(error)[:300])
            for each in heartbeats:
                self._long.put(each.arrival)
            return
        self.statements += 1
        stored = 0
        for arrival, answer in answered:
            if answer is None:
                self._long.put(arrival)
                continue
            stored += 1
            _settle(arrival, answer)
        self.commits += bool(stored)
        self.accepted += stored

    async def _lose(self, lane: Lane, arrivals: list[Arrival], error: Exception) -> None:
        """The connection, the server, a lock or the disk: nothing is wrong with the check-ins, and the outcome may be unknown."""
        log.warning("check-ins not stored: database unavailable", check_ins=len(arrivals), error=str(error)[:300])
        await lane.drop()
        for arrival in arrivals:
            self._states.forget(arrival.claim.host_id)
            _settle(arrival, _unavailable())

    async def _store_changes(self, arrivals: list[Arrival]) -> list[Arrival]:
        """Stores and answers those that were decided from memory alone, in one round trip; answers those that need the long way."""
        ring = key_ring()
        newest = ring.newest
        changes, rest = [], []
        for arrival in arrivals:
            found = change_of(arrival, newest)
            if found is None:
                rest.append(arrival)
            else:
                changes.append(found)
        if not changes:
            return rest
        try:
            connection = await self._ready()
            answered = await store_changes(connection, changes, self._deciding.store, ring)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            await self._lose(self._long, [each.arrival for each in changes], error)
            return rest
        except Exception as error:
            # Nothing of it is stored; the long way finds the one that cannot be.
            log.warning("changes failed, taking them the long way", check_ins=len(changes), error=repr(error)[:300])
            await self._long.drop()
            return [*rest, *(each.arrival for each in changes)]
        self.statements += 2
        stored = 0
        for arrival, answer in answered:
            if answer is None or arrival.state is None:
                rest.append(arrival)
                continue
            stored += 1
            self._states.put(arrival.state)
            _settle(arrival, answer)
        self.commits += bool(stored)
        self.accepted += stored
        return rest

    async def _store_long(self, arrivals: list[Arrival]) -> None:
        rest = await self._store_changes(arrivals)
        if rest:
            await self._store(rest)

    async def _store(self, arrivals: list[Arrival]) -> None:
        try:
            answers = await self._transaction(arrivals)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            await self._lose(self._long, arrivals, error)
            return
        except Exception as error:
            for arrival in arrivals:
                self._states.forget(arrival.claim.host_id)
                arrival.state = arrival.quiet = arrival.decision = None
            await self._long.drop()
            if len(arrivals) > 1:
                log.warning("a batch of check-ins failed, taking them one by one", check_ins=len(arrivals), error=str(error)[:300])
                for arrival in arrivals:
                    await self._store([arrival])
                return
            await self._refuse_alone(arrivals[0], error)
            return
        for arrival, answer in answers:
            _settle(arrival, answer)

    async def _refuse_alone(self, arrival: Arrival, error: Exception) -> None:
        """A check-in that fails in a transaction of its own, though the database answers: refused and alarmed."""
        self.alone_failed += 1
        host_id = arrival.claim.host_id
        log.error("check-in refused: it cannot be stored", host=host_id, seq=arrival.claim.seq, error=repr(error)[:500])
        with contextlib.suppress(psycopg.Error):
            connection = await self._ready()
            words = f"check-in {arrival.claim.seq} could not be stored: {type(error).__name__}"
            await connection.execute(sql.ALARM, ([host_id], [words]))
        _settle(arrival, Answer(422, {"error": "the check-in cannot be stored", "place": type(error).__name__}))

    async def _transaction(self, arrivals: list[Arrival]) -> list[tuple[Arrival, Answer]]:
        connection = await self._ready()
        ids = sorted(arrival.claim.host_id for arrival in arrivals)
        async with connection.pipeline():
            await connection.execute(sql.BEGIN)
            cursor = await connection.execute(sql.LOCK, (ids,))
            rows = {row[0]: LockedRow(*row) for row in await cursor.fetchall()}
        self.statements += 2
        batch = Batch(connection, self._states, self._deciding)
        await batch.settle(arrivals, rows)
        if batch.is_empty:
            await connection.execute(sql.ROLLBACK)
            self.statements += 1 + batch.statements
            return batch.answers
        await batch.write()
        self.statements += batch.statements
        self.commits += 1
        self.accepted += len(batch.accepted)
        batch.remember()
        return batch.answers

    async def _ready(self) -> "psycopg.AsyncConnection[Any]":
        connection, is_new = await self._long.connection()
        if is_new or time.monotonic() - self._learned_at > _LEARN_SECONDS:
            await self._deciding.store.learn(connection)
            self._learned_at = time.monotonic()
        return connection


def _settle(arrival: Arrival, answer: Answer) -> None:
    if not arrival.answer.done():
        arrival.answer.set_result(answer)


def _unavailable() -> Answer:
    return Answer(503, {"error": "the database is not available"}, spread_seconds())
