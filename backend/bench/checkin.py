"""Check-ins against a FastAPI echo of the same body and against the ordinary way: `python -m bench.checkin` from `backend/`.

One server process, one PostgreSQL with durability on, interleaved rounds, median of the rounds' ratios; CPU of the server and of PostgreSQL
read from /proc. Goals P1 to P5. Writes `docs/measured/checkin.md`.
"""

# The rows of the page are long lines.
# ruff: noqa: E501

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import create_engine, text

from bench.naive import TABLES
from faults.samples import samples, sections_of
from faults.sending import Sender, compact, digest, enrol, sender_of
from plumbline.checkin.retention import train_dictionaries
from plumbline.evaluation.peer_changes import take_changes
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.hosts.service import make_token
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.resources import CHECKOUT
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers as servers
from plumbline.ops.migrate import upgrade
from plumbline.packs.in_force import install_builtin

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Round:
    """One round of one contestant."""

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
        self.transport = transport  # type: ignore[assignment]
        self.transport.write(b"GET /stats HTTP/1.1\r\nHost: bench\r\n\r\n")

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


def http(path: str, headers: dict[str, str], body: bytes) -> bytes:
    """One request as bytes."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: bench",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


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
def database() -> Iterator["subprocess.Popen[bytes]"]:
    """PostgreSQL with durability on, migrated, the packs installed; this process is pointed at it."""
    home = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    home.chmod(0o755)
    place = servers.postgres_place(home)
    servers.prepare_postgres(place)
    postgres = servers.start_postgres(place, home / "postgres.log")
    try:
        servers.wait_for_postgres(place)
        owner = place.url(servers.OWNER, "postgres")
        upgrade(owner, role_passwords={role: (place.secrets / f"{role}.password").read_text().strip() for role in servers.ROLES})
        engine = create_engine(owner)
        with engine.begin() as connection:
            connection.execute(text(TABLES))
            connection.execute(text("GRANT ALL ON ALL TABLES IN SCHEMA public TO plumbline_api"))
            connection.execute(text("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO plumbline_api"))
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


def counters() -> dict[str, object]:
    """Counters of a host with four adapters and eight volumes: 76 series."""
    names = (
        "bytes_received",
        "bytes_sent",
        "packets_received",
        "packets_sent",
        "drops_received",
        "drops_sent",
        "errors_received",
        "errors_sent",
    )
    series = [
        {"subject": f"adapter/0010187a2b{number:02x}", "name": name, "value": random.randrange(2**40), "kind": "total"}
        for number in range(4)
        for name in names
    ]
    series += [
        {"subject": f"volume/naa.6090a0{number:010x}", "name": name, "value": random.randrange(2**40), "kind": "total"}
        for number in range(8)
        for name in ("read_bytes", "write_bytes", "reads", "writes", "read_latency_us")
    ]
    series += [
        {"subject": "host", "name": name, "value": random.randrange(2**30), "kind": "total"}
        for name in ("tcp_segments_sent", "tcp_segments_retransmitted")
    ]
    return {"at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "uptime_s": 86400, "series": series}


def settle() -> list[str]:
    """What the background does in a running installation: domains of neighbours get their versions, dictionaries are trained and taken up."""
    with session_scope() as session:
        take_changes(raw_connection(session))
    with session_scope() as session:
        trained = train_dictionaries(session)
    # A door looks for new dictionaries every ten seconds.
    time.sleep(11)
    return trained


STORED = """
SELECT (SELECT avg(length(content)) FROM (SELECT content FROM section_body ORDER BY id DESC LIMIT 500) b),
  (SELECT avg(length(document)) FROM (SELECT document FROM host_configuration ORDER BY id DESC LIMIT 500) c)
"""


class Fleet:
    """The hosts of the bench; each makes its next check-in as bytes."""

    def __init__(self, client: Any, size: int) -> None:
        with session_scope() as session:
            token = make_token(session, name="bench", group_id=1, is_auto_approved=True, uses=size).token
        self.sections = sections_of(samples("windows")[0])
        self.senders = [sender_of(enrol(client, token, f"bench-{number}"), sections=dict(self.sections)) for number in range(size)]
        self.properties = self.sections["properties"].decode()
        self.turn = 0
        for sender in self.senders:
            sender.extra = {
                "counters": counters(),
                "live": {"sessions": [{"id": secrets.token_hex(8), "target": "iqn.2001-05.com.equallogic:0"}] * 4},
            }
            answer = sender.send(client)
            if answer.status_code != 200:
                raise SystemExit(answer.text)

    def change(self, sender: Sender) -> None:
        """Another value of one advanced property, never the same twice: a setting changes, and its section is stored anew."""
        self.turn += 1
        body = json.loads(sender.sections["properties"])
        rows = body["Get-NetAdapterAdvancedProperty"]["rows"]
        keywords = rows[self.turn % len(rows)]["properties"]
        key = "*ReceiveBuffers" if "*ReceiveBuffers" in keywords else next(iter(keywords))
        keywords[key] = [str(100 + self.turn)]
        sender.sections["properties"] = compact(body)

    def requests(self, count: int, changed_share: float) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """Check-ins, the same bodies for the echo, and whole ones for the ordinary way."""
        ours, echoes, ordinary = [], [], []
        for index in range(count):
            sender = self.senders[index % len(self.senders)]
            # Spread over the run, as over a fleet; one after the other they would share their batches.
            if int((index + 1) * changed_share) > int(index * changed_share):
                self.change(sender)
            body = sender.body()
            sender.seq += 1
            headers, wire = sender.request(body, encoding="identity")
            ours.append(http("/agent/v1/check-in", headers, wire))
            sender.known = {digest(section) for section in sender.sections.values()}
            first, *rest = body.rstrip(b"\n").split(b"\n")
            echo = b'{"envelope":' + first + b',"bodies":[' + b",".join(rest) + b"]}"
            echoes.append(http("/echo", {"Content-Type": "application/json"}, echo))
            said = json.loads(first)
            whole = {key: said[key] for key in ("boot", "made_at", "agent", "sections", "counters")} | {
                "host_id": sender.host_id,
                "bodies": {name: json.loads(content) for name, content in sender.sections.items()},
            }
            ordinary.append(whole)
        return (
            ours,
            echoes,
            [http("/ordinary", {"Content-Type": "application/json"}, compact(whole)) for whole in ordinary[: max(60, count // 10)]],
        )


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


@dataclass
class Contest:
    """One kind of check-in against its peers, over all rounds."""

    name: str
    ours: list[Round]
    echo: list[Round]
    ordinary: list[Round]
    bytes_a_check_in: int

    def ratio(self, peer: list[Round]) -> float:
        return statistics.median(a.rate / b.rate for a, b in zip(self.ours, peer, strict=True))

    def cpu_ratio(self, peer: list[Round]) -> float:
        return statistics.median(a.cpu_us / b.cpu_us for a, b in zip(self.ours, peer, strict=True))

    def database_ratio(self, peer: list[Round]) -> float:
        """Over all rounds: work that PostgreSQL puts off, as at a checkpoint, falls on any of them."""
        ours, theirs = ((sum(each.database_cpu for each in rounds) / sum(each.requests for each in rounds)) for rounds in (self.ours, peer))
        return theirs / ours

    def p(self, rounds: list[Round], share: float) -> float:
        return 1000 * statistics.median(percentile(each.latencies, share) for each in rounds)


def contest(stack: Stack, fleet: Fleet, name: str, changed_share: float, *, rounds: int, count: int, connections: int) -> Contest:
    """Interleaved rounds; the order turns, so that nobody always comes first."""
    found = Contest(name, [], [], [], 0)
    for number in range(rounds):
        ours, echoes, ordinary = fleet.requests(count, changed_share)
        found.bytes_a_check_in = sum(map(len, echoes)) // len(echoes)
        turns = [(found.ours, ours), (found.echo, echoes), (found.ordinary, ordinary)]
        for place, requests in turns[number % 3 :] + turns[: number % 3]:
            place.append(stack.run(requests, connections))
        print(
            f"{name} round {number + 1}: ours {found.ours[-1].rate:.0f}/s, echo {found.echo[-1].rate:.0f}/s, ordinary {found.ordinary[-1].rate:.0f}/s",
            flush=True,
        )
    return found


def verdict(is_met: bool) -> str:
    return "met" if is_met else "**not met**"


def report(
    changed: Contest, unchanged: Contest, mix: Contest, wide: list[Round], command: str, stored: tuple[float, float], trained: list[str]
) -> str:
    """The page."""

    def median(rounds: list[Round], what: str) -> float:
        return statistics.median(getattr(each, what) for each in rounds)

    lines = [
        "# Check-ins, measured",
        "",
        f"Command: `{command}` from `backend/`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} shared cores with PostgreSQL and the load",
        "generator on the same cores. Trust the ratios within the run, not the rates. One server process, PostgreSQL with durability on, interleaved",
        "rounds, median of the rounds. A changed check-in carries one changed section and its counters; the echo gets the same bytes; the ordinary way",
        "gets every section, because it remembers none. A machine that does other work meanwhile makes the ratios flicker.",
        "",
        "| check-in | body | ours /s | echo /s | ordinary /s | ours CPU us | echo CPU us | ordinary CPU us | ours database us | ordinary database us |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in (changed, unchanged, mix):
        lines.append(
            f"| {each.name} | {each.bytes_a_check_in} B | {median(each.ours, 'rate'):.0f} | {median(each.echo, 'rate'):.0f} | {median(each.ordinary, 'rate'):.0f} "
            f"| {median(each.ours, 'cpu_us'):.0f} | {median(each.echo, 'cpu_us'):.0f} | {median(each.ordinary, 'cpu_us'):.0f} "
            f"| {median(each.ours, 'database_us'):.0f} | {median(each.ordinary, 'database_us'):.0f} |"
        )
    commits = statistics.median(each.commits for each in wide)
    p50, p99 = (1000 * statistics.median(percentile(each.latencies, share) for each in wide) for share in (0.5, 0.99))
    database = changed.database_ratio(changed.ordinary)
    lines += [
        "",
        "| goal | asked | measured | |",
        "|---|---|---|---|",
        f"| P1 changed, rate against the echo | >= 0.30x | {changed.ratio(changed.echo):.2f}x | {verdict(changed.ratio(changed.echo) >= 0.30)} |",
        f"| P1 changed, CPU against the echo | <= 3.0x | {changed.cpu_ratio(changed.echo):.2f}x | {verdict(changed.cpu_ratio(changed.echo) <= 3.0)} |",
        f"| P2 unchanged, rate against the echo | >= 0.80x | {unchanged.ratio(unchanged.echo):.2f}x | {verdict(unchanged.ratio(unchanged.echo) >= 0.80)} |",
        f"| P2 unchanged, CPU against the echo | <= 1.1x | {unchanged.cpu_ratio(unchanged.echo):.2f}x | {verdict(unchanged.cpu_ratio(unchanged.echo) <= 1.1)} |",
        f"| P3 95 % unchanged, rate against the echo | >= 0.70x | {mix.ratio(mix.echo):.2f}x | {verdict(mix.ratio(mix.echo) >= 0.70)} |",
        f"| P3 p99 against the echo's | <= 5x | {mix.p(mix.ours, 0.99) / mix.p(mix.echo, 0.99):.1f}x | {verdict(mix.p(mix.ours, 0.99) <= 5 * mix.p(mix.echo, 0.99))} |",
        f"| P4 changed, rate against the ordinary way | >= 9x | {changed.ratio(changed.ordinary):.1f}x | {verdict(changed.ratio(changed.ordinary) >= 9)} |",
        f"| P4 unchanged, rate against the ordinary way | >= 20x | {unchanged.ratio(unchanged.ordinary):.1f}x | {verdict(unchanged.ratio(unchanged.ordinary) >= 20)} |",
        f"| P4 PostgreSQL CPU of the ordinary way | >= 15x ours | {database:.1f}x | {verdict(database >= 15)} |",
        f"| P5 commits a check-in, 16 connections | <= 0.25 | {median(changed.ours, 'commits'):.2f} changed, {median(unchanged.ours, 'commits'):.2f} unchanged | {verdict(max(median(changed.ours, 'commits'), median(unchanged.ours, 'commits')) <= 0.25)} |",
        f"| P5 p99 with 64 connections | <= 4x p50 | {p99 / p50:.1f}x ({p50:.1f} ms, {p99:.1f} ms), {commits:.2f} commits | {verdict(p99 <= 4 * p50)} |",
        "",
        f"Stored for a changed check-in: {stored[0]:.0f} B of body and configuration (dictionaries trained: {', '.join(trained) or 'none'}); for an unchanged one {stored[1]:.0f} B besides its counters.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Runs it all."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--count", type=int, default=1500)
    asked.add_argument("--hosts", type=int, default=192, help="a multiple of 64, so that a host keeps its connection and its order")
    asked.add_argument("--write", action="store_true", default=False)
    options = asked.parse_args()
    with stack() as running:
        fleet = Fleet(running.client, options.hosts)
        how = {"rounds": options.rounds, "count": options.count, "connections": 16}
        contest(running, fleet, "warm-up", 0.5, rounds=1, count=400, connections=16)
        trained = settle()
        changed = contest(running, fleet, "changed", 1.0, **how)
        with session_scope() as session:
            size, document = session.execute(text(STORED)).one()
            rows = session.execute(text("SELECT count(*) FROM check_in")).scalar_one()
        unchanged = contest(running, fleet, "unchanged", 0.0, **how)
        with session_scope() as session:
            more = session.execute(text("SELECT count(*) FROM check_in")).scalar_one() - rows
        mix = contest(running, fleet, "95 % unchanged", 0.05, **how)
        wide = [running.run(fleet.requests(options.count, 0.05)[0], 64) for _ in range(options.rounds)]
        command = f"python -m bench.checkin --rounds {options.rounds} --count {options.count}"
        page = report(changed, unchanged, mix, wide, command, (float(size + document), float(more)), trained)
    print(page)
    if options.write:
        # Beside the page, most of which is written by hand: whoever measured anew takes over what changed.
        target = CHECKOUT / "docs" / "measured" / "checkin.new.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page)


if __name__ == "__main__":
    main()
