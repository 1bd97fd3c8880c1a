"""Batches: all check-ins that arrive while a transaction runs share the next one, and none is answered before COMMIT.

Two threads, each with a queue and a connection of its own, do all work with the database; the event loop only receives. A batch of
heartbeats is one statement and never waits for the other thread's transactions. A check-in that turns out not to be a heartbeat goes to the
store queue. If a store batch fails, its check-ins are stored one by one, so that one that cannot be stored does not affect the others.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import set_json_loads

from plumbline.checkin.errors import Refused
from plumbline.checkin.heartbeats import store_heartbeats
from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.checkin.rate_limit import spread_seconds
from plumbline.checkin.statements import ALARMS, SET_ALARMS, AlarmRow
from plumbline.checkin.store import Store
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.database import direct_url, link_options
from plumbline.infra.database_servers import connect_to_one

log = structlog.get_logger()

MAX_BATCH = 64
MAX_QUEUE = 2000
_OPTIONS = "-c lock_timeout=5s -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s"

# Connection, server, lock or disk failed; the last: this server takes no writes, as a standby after a failover, or one that was set so.
_UNAVAILABLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)

Pairs = Sequence[tuple[PendingCheckIn, Response]]


class CheckInConnection(psycopg.Connection[Any]):
    """A connection that counts its statements and round trips."""

    statements = 0
    round_trips = 0

    @classmethod
    def open(cls, url: str) -> "CheckInConnection":
        """A new connection, ready for batches."""
        given: dict[str, Any] = {**conninfo_to_dict(direct_url(url)), **link_options(url)}
        given |= {"options": _OPTIONS, "application_name": "plumbline-check-in"}
        made = connect_to_one(given, partial(cls.connect, autocommit=True, prepare_threshold=2))
        made.cursor_factory = _CountingCursor
        # Peer answers are read as JSON by the thousand; nothing stored has an integer past 64 bits.
        set_json_loads(msgspec.json.decode, made)
        return made

    @contextlib.contextmanager
    def pipeline(self) -> Any:
        """As psycopg's."""
        self.round_trips += 1
        with super().pipeline() as pipeline:
            yield pipeline


class _CountingCursor(psycopg.Cursor[Any]):
    def execute(self, *arguments: Any, **options: Any) -> "_CountingCursor":
        connection = self.connection
        assert isinstance(connection, CheckInConnection)
        connection.statements += 1
        connection.round_trips += connection._pipeline is None
        return super().execute(*arguments, **options)


class _Queue:
    """The check-ins that wait for one thread."""

    def __init__(self) -> None:
        self._arrived: SimpleQueue[PendingCheckIn | None] = SimpleQueue()
        self._delayed: deque[PendingCheckIn] = deque()
        self._is_closed = False

    def __len__(self) -> int:
        return self._arrived.qsize() + len(self._delayed)

    def put(self, check_in: PendingCheckIn) -> None:
        """Queues a check-in."""
        self._arrived.put(check_in)

    def close(self) -> None:
        """No more check-ins come; those that are queued are still given out."""
        self._arrived.put(None)

    def take(self) -> list[PendingCheckIn]:
        """The next batch, in order of arrival; a second check-in of one host waits for the next. Empty: closed, and nothing is left."""
        batch: dict[str, PendingCheckIn] = {}
        delayed, self._delayed = self._delayed, deque()
        while len(batch) < MAX_BATCH:
            if delayed:
                check_in: PendingCheckIn | None = delayed.popleft()
            else:
                try:
                    check_in = self._arrived.get(block=not batch and not self._is_closed)
                except Empty:
                    break
            if check_in is None:
                self._is_closed = True
            elif check_in.response is not None and check_in.response.done():
                # Its request has ended already.
                continue
            elif check_in.headers.host_id in batch:
                self._delayed.append(check_in)
            else:
                batch[check_in.headers.host_id] = check_in
        self._delayed.extend(delayed)
        return list(batch.values())


class _QueueThread:
    """A thread with its queue and its connection."""

    def __init__(self, name: str, url: str, work: Callable[["_QueueThread", list[PendingCheckIn]], None]) -> None:
        self.queue = _Queue()
        self.statements = 0
        self._url = url
        self._work = work
        self._connection: CheckInConnection | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    async def stop(self) -> None:
        """Stores what is queued, then ends the thread."""
        self.queue.close()
        await asyncio.to_thread(self._thread.join)
        self.drop()

    def _run(self) -> None:
        while batch := self.queue.take():
            self._work(self, batch)

    def connection(self) -> CheckInConnection:
        """The connection, ready for a transaction."""
        if self._connection is None or self._connection.closed:
            self._connection = CheckInConnection.open(self._url)
        elif self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            self._connection.rollback()
        return self._connection

    def drop(self) -> None:
        """Closes a connection that failed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.close()


class BatchWriter:
    """Stores check-ins in batches. The response of each is set once it is committed, or refused for good."""

    def __init__(self, url: str, store: Store, *, max_queue: int = MAX_QUEUE) -> None:
        self.store = store
        self._max_queue = max_queue
        self._heartbeats = _QueueThread("check-in heartbeats", url, self._store_heartbeats)
        self._changes = _QueueThread("check-in store", url, self._store_batch)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closing = False
        # Counts that tests and the bench read.
        self.heartbeats = 0
        self.heartbeat_commits = 0
        self.alone_failed = 0

    @property
    def statements(self) -> int:
        """Statements sent so far."""
        return self._heartbeats.statements + self._changes.statements

    @property
    def commits(self) -> int:
        """Transactions committed so far."""
        return self.heartbeat_commits + self.store.commits

    @property
    def accepted(self) -> int:
        """Check-ins accepted so far."""
        return self.heartbeats + self.store.accepted

    @property
    def waiting(self) -> int:
        """How many check-ins are queued."""
        return len(self._heartbeats.queue) + len(self._changes.queue)

    def start(self) -> None:
        """Starts both threads; called in the event loop that waits for the responses."""
        self._loop = asyncio.get_running_loop()
        self._heartbeats.start()
        self._changes.start()

    async def stop(self) -> None:
        """Stores what is queued, then ends both threads."""
        self._is_closing = True
        # Heartbeats first: those that turn out to change something go to the other thread.
        await self._heartbeats.stop()
        await self._changes.stop()

    def submit(self, check_in: PendingCheckIn) -> None:
        """Queues a check-in. Raises `Refused` (503) where the queue is full."""
        if self.waiting >= self._max_queue or self._is_closing:
            raise Refused(503, "too many check-ins are waiting", retry_after_seconds=spread_seconds())
        (self._heartbeats if check_in.may_be_heartbeat else self._changes).queue.put(check_in)

    def _respond(self, pairs: Pairs) -> None:
        if self._loop is not None:
            # The loop is closed only when no request waits any more.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_set_responses, pairs)

    def _store_heartbeats(self, thread: _QueueThread, check_ins: list[PendingCheckIn]) -> None:
        try:
            connection = thread.connection()
            before = connection.statements
            found = store_heartbeats(connection, check_ins, key_ring())
            thread.statements += connection.statements - before
        except _UNAVAILABLE as error:
            self._answer_unavailable(thread, check_ins, error)
            return
        except Exception as error:
            # Nothing of the batch is stored; the store transaction finds the check-in that cannot be.
            log.warning("heartbeat batch failed, storing one by one", check_ins=len(check_ins), error=repr(error)[:300])
            found = [(check_in, None) for check_in in check_ins]
        stored = [(check_in, response) for check_in, response in found if response is not None]
        self.heartbeats += len(stored)
        self.heartbeat_commits += bool(stored)
        self._respond([*stored, *self._pass_on([check_in for check_in, response in found if response is None])])

    def _pass_on(self, check_ins: Sequence[PendingCheckIn]) -> list[tuple[PendingCheckIn, Response]]:
        """Queues those that are no heartbeats for the store transaction; returns the refusals of those whose counters cannot be read."""
        refused = []
        for check_in in check_ins:
            try:
                check_in.body.read_in_full()
            except Refused as error:
                refused.append((check_in, Response(error.status, error.body(), error.retry_after_seconds)))
            else:
                self._changes.queue.put(check_in)
        return refused

    def _store_batch(self, thread: _QueueThread, check_ins: list[PendingCheckIn]) -> None:
        try:
            connection = thread.connection()
            before = connection.statements
            try:
                self._respond(self.store.store(connection, check_ins))
            finally:
                thread.statements += connection.statements - before
        except _UNAVAILABLE as error:
            self._answer_unavailable(thread, check_ins, error)
        except Exception as error:
            thread.drop()
            if len(check_ins) > 1:
                log.warning("store batch failed, storing one by one", check_ins=len(check_ins), error=repr(error)[:300])
                for check_in in check_ins:
                    self._store_batch(thread, [check_in])
                return
            if not _is_about_check_in(error):
                self._answer_unavailable(thread, check_ins, error)
                return
            self._refuse_alone(thread, check_ins[0], error)

    def _refuse_alone(self, thread: _QueueThread, check_in: PendingCheckIn, error: Exception) -> None:
        """Refuses a check-in that fails in a transaction of its own although the database works, and sets an alarm on its host."""
        self.alone_failed += 1
        host_id, seq = check_in.headers.host_id, check_in.headers.seq
        log.error("check-in refused: it cannot be stored", host=host_id, seq=seq, error=repr(error)[:500])
        with contextlib.suppress(psycopg.Error):
            alarm = AlarmRow(host_id, f"check-in {seq} could not be stored: {type(error).__name__}")
            thread.connection().execute(SET_ALARMS, ALARMS.arrays([alarm]))
        self._respond([(check_in, Response(422, {"error": "the check-in cannot be stored", "place": type(error).__name__}))])

    def _answer_unavailable(self, thread: _QueueThread, check_ins: Sequence[PendingCheckIn], error: Exception) -> None:
        """Answers 503: connection, server, lock or disk failed. The check-ins may be good, and whether they are stored may be unknown."""
        log.warning("check-in: database unavailable", check_ins=len(check_ins), error=str(error)[:300])
        thread.drop()
        self._respond([(each, Response(503, {"error": "the database is not available"}, spread_seconds())) for each in check_ins])


# What PostgreSQL finds wrong with data (appendix A): data exception, integrity constraint, program limit, and what our triggers raise.
_ABOUT_DATA = ("22", "23", "54", "P0")


def _is_about_check_in(error: Exception) -> bool:
    """Whether this check-in can never be stored, so that its agent is to put it aside. Not so where a table or a right is missing or the
    database only reads: it is being upgraded under this process, or is a standby, and the check-in is good."""
    return not isinstance(error, psycopg.Error) or error.sqlstate is None or error.sqlstate.startswith(_ABOUT_DATA)


def _set_responses(pairs: Pairs) -> None:
    for check_in, response in pairs:
        if check_in.response is not None and not check_in.response.done():
            check_in.response.set_result(response)
