"""What the bench of check-ins runs on: PostgreSQL with durability on, one server process, and a client that costs next to nothing."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
from sqlalchemy import create_engine, text

from bench.naive import TABLES
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade
from plumbline.packs.publish import install_builtin

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Round:
    """One round of one kind of request."""

    requests: int
    seconds: float
    server_cpu: float
    database_cpu: float
    latencies: list[float]
    commits: float = 0.0

    @property
    def rate(self) -> float:
        return self.requests / self.seconds

    @property
    def cpu_us(self) -> float:
        return 1e6 * self.server_cpu / self.requests

    @property
    def database_us(self) -> float:
        return 1e6 * self.database_cpu / self.requests


class Client(asyncio.Protocol):
    """One connection that sends prepared requests one after the other; cheap enough not to be what is measured."""

    def __init__(self, requests: list[bytes], latencies: list[float], statuses: dict[int, int]) -> None:
        self.requests = requests
        self.latencies = latencies
        self.statuses = statuses
        # The server takes one new connection in each turn of its loop; how long the last of many waits for that is no part of an answer.
        self.is_taken = asyncio.get_running_loop().create_future()
        self.done = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.sent_at = 0.0
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b"GET /stats HTTP/1.1\r\nHost: bench\r\n\r\n")

    def following(self) -> None:
        assert self.transport is not None
        if not self.requests:
            self.transport.close()
            self.done.set_result(None)
            return
        self.sent_at = time.perf_counter()
        self.transport.write(self.requests.pop())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self.buffer[:end].lower()
        at = head.index(b"content-length:") + 15
        stop = head.find(b"\r\n", at)
        length = int(head[at : stop if stop >= 0 else len(head)])
        if len(self.buffer) < end + 4 + length:
            return
        if not self.is_taken.done():
            self.buffer = b""
            self.is_taken.set_result(None)
            return
        status = int(head[9:12])
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.buffer = b""
        self.latencies.append(time.perf_counter() - self.sent_at)
        self.following()

    def connection_lost(self, exc: Exception | None) -> None:
        for waiting in (self.is_taken, self.done):
            if not waiting.done():
                waiting.set_exception(exc or ConnectionError("the server hung up"))


async def _drive(port: int, requests: list[bytes], connections: int, begin: Callable[[], None]) -> tuple[list[float], dict[int, int]]:
    """Sends them all over this many connections; `begin` is called once the server has taken every connection."""
    latencies: list[float] = []
    statuses: dict[int, int] = {}
    loop = asyncio.get_running_loop()
    clients = []
    for index in range(connections):
        mine = requests[index::connections]
        if mine:
            mine.reverse()
            _, client = await loop.create_connection(lambda mine=mine: Client(mine, latencies, statuses), "127.0.0.1", port)  # type: ignore[misc]
            clients.append(client)
    await asyncio.gather(*(client.is_taken for client in clients))
    begin()
    for client in clients:
        client.following()
    await asyncio.gather(*(client.done for client in clients))
    return latencies, statuses


def cpu_of(pids: list[int]) -> float:
    """Seconds of CPU of these processes so far, and of the children of theirs that have ended.

    Of those that live from the scheduler, to the nanosecond: a round of few requests costs less than some ticks of the other clock.
    """
    total = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += (int(fields[13]) + int(fields[14])) / TICKS
    return total


def children_of(pid: int) -> list[int]:
    """The process and its direct children: PostgreSQL's backends."""
    found = [pid]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                if int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(entry.name))
    return found


@dataclass
class Stack:
    """What runs for the bench."""

    server: "subprocess.Popen[bytes]"
    postgres: "subprocess.Popen[bytes]"
    port: int
    client: httpx.Client

    def run(self, requests: list[bytes], connections: int) -> Round:
        """Sends all of these requests and measures."""
        commits = self.client.get("/stats").json()["commits"]
        backends = children_of(self.postgres.pid)
        server = database = started = 0.0

        def begin() -> None:
            nonlocal server, database, started
            server, database, started = cpu_of([self.server.pid]), cpu_of(backends), time.perf_counter()

        latencies, statuses = asyncio.run(_drive(self.port, requests, connections, begin))
        seconds = time.perf_counter() - started
        if set(statuses) != {200}:
            raise SystemExit(f"answers other than 200: {statuses}")
        return Round(
            len(latencies),
            seconds,
            cpu_of([self.server.pid]) - server,
            cpu_of(children_of(self.postgres.pid)) - database,
            latencies,
            (self.client.get("/stats").json()["commits"] - commits) / len(latencies),
        )


@contextlib.contextmanager
def database(tables: str = TABLES) -> Iterator["subprocess.Popen[bytes]"]:
    """PostgreSQL with durability on, migrated, with these tables of a bench, the packs installed; this process is pointed at it."""
    home = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    home.chmod(0o755)
    place = embedded_servers.postgres_cluster(home)
    embedded_servers.prepare_postgres(place)
    postgres = embedded_servers.start_postgres(place, home / "postgres.log")
    try:
        embedded_servers.wait_for_postgres(place)
        owner = place.url(embedded_servers.OWNER, "postgres")
        upgrade(owner, role_passwords={role: (place.secrets / f"{role}.password").read_text().strip() for role in embedded_servers.ROLES})
        engine = create_engine(owner)
        with engine.begin() as connection:
            connection.execute(text(tables))
            connection.execute(text("GRANT ALL ON ALL TABLES IN SCHEMA public TO plumbline_api"))
            connection.execute(text("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO plumbline_api"))
            connection.execute(text("GRANT pg_checkpoint TO plumbline_api"))
        engine.dispose()
        os.environ |= {
            "PLUMBLINE_DATABASE_URL": place.url("plumbline_api", "postgres"),
            "PLUMBLINE_KEYS_FOLDER": str(home / "agent-keys"),
            "PLUMBLINE_ADMISSION_PER_SECOND": "1000000",
            "PLUMBLINE_ADMISSION_BURST": "1000000",
        }
        get_settings.cache_clear()
        with session_scope() as session:
            install_builtin(session)
        yield postgres
    finally:
        get_engine().dispose()
        postgres.terminate()
        postgres.wait(30)
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(place.socket, ignore_errors=True)
        if place.data.parent != home:
            shutil.rmtree(place.data, ignore_errors=True)


@contextlib.contextmanager
def stack() -> Iterator[Stack]:
    """The database and the server process."""
    with database() as postgres:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen([sys.executable, "-m", "bench.serve", str(port)])
        try:
            client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
            for _ in range(200):
                with contextlib.suppress(httpx.HTTPError):
                    client.get("/stats")
                    break
                time.sleep(0.1)
            yield Stack(server, postgres, port, client)
        finally:
            server.terminate()
            server.wait(30)


def settle() -> None:
    """What the background has done by the time a fleet is that large: the planner knows the tables, and they are on disk."""
    with get_engine().connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM (ANALYZE, SKIP_LOCKED)"))
        connection.execute(text("CHECKPOINT"))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
