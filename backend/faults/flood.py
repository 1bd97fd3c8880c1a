"""A9: bad credentials by the thousand while others check in: what it costs the database, and how long a valid check-in waits."""

import asyncio
import multiprocessing
import random
import secrets
import time
from multiprocessing.connection import Connection

import httpx
import psycopg

from faults.agents import Outcome, enrolled, percentile
from faults.checkin_process import ServedApi
from faults.sending import PATH, Sender

_CONNECTIONS = 16


def flooded(api: ServedApi, token: str, database_url: str, *, seconds: float, per_second: int = 2000) -> Outcome:
    """Floods twice for `seconds`: first alone, to count queries; then together with valid check-ins, to time those.

    `statuses` are the flood's answers. `figures` hold `sent_per_second`, `queries_per_100` and `valid_p99_ms`.
    """
    outcome = Outcome()
    with httpx.Client(base_url=api.url, timeout=30) as client:
        victim = enrolled(client, token, "victim", sections={"system": b"{}"})
        other = enrolled(client, token, "other", sections={"system": b"{}"})
        victim.send(client)
        other.send(client)
        requests = _requests(victim, other)
        before = _transactions(database_url)
        counted, took = _flood(api.port, requests, seconds, per_second).join()
        # The figures of another session are written within a second or two.
        queries = _transactions(database_url) - before
        for status, count in counted.items():
            outcome.statuses[status] = outcome.statuses.get(status, 0) + count
        sent = sum(counted.values())
        outcome.figures["sent_per_second"] = sent / took
        outcome.figures["queries_per_100"] = 100 * queries / max(1, sent)
        waits: list[float] = []
        flood = _flood(api.port, requests, seconds, per_second)
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            started = time.monotonic()
            outcome.valid_sent += 1
            outcome.valid_taken += other.send(client).status_code == 200
            waits.append(time.monotonic() - started)
            time.sleep(0.02)
        counted, took = flood.join()
        for status, count in counted.items():
            outcome.statuses[status] = outcome.statuses.get(status, 0) + count
        outcome.figures["sent_per_second_beside"] = sum(counted.values()) / took
        outcome.figures["valid_p99_ms"] = 1000 * percentile(waits, 0.99)
    return outcome


def _requests(victim: Sender, other: Sender) -> list[bytes]:
    """Requests with a bad credential: a wrong signature for a known and an unknown host, another host's, none, an empty one."""
    rng = random.Random(9)
    made = []
    for number in range(200):
        headers, wire = victim.request(victim.body(with_bodies=set()), seq=victim.seq + 1)
        kind = number % 5
        if kind == 0:
            headers["Plumbline-Signature"] = secrets.token_hex(32)
        elif kind == 1:
            headers["Plumbline-Host"] = f"{rng.getrandbits(128):032x}"
        elif kind == 2:
            headers, wire = other.request(other.body(with_bodies=set()), seq=other.seq + 1)
            headers["Plumbline-Host"] = victim.host_id
        elif kind == 3:
            del headers["Plumbline-Signature"]
        else:
            headers["Plumbline-Signature"] = ""
        lines = [
            f"POST {PATH} HTTP/1.1",
            "Host: x",
            f"Content-Length: {len(wire)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        made.append("\r\n".join(lines).encode() + b"\r\n\r\n" + wire)
    return made


class _Running:
    """A flood in a process of its own, so that it does not slow the clock that times the valid ones."""

    def __init__(self, process: multiprocessing.process.BaseProcess, answers: "Connection") -> None:
        self._process = process
        self._answers = answers

    def join(self) -> tuple[dict[int, int], float]:
        """Counts by status, and the seconds it took."""
        counted: tuple[dict[int, int], float] = self._answers.recv()
        self._process.join()
        return counted


def _flood(port: int, requests: list[bytes], seconds: float, per_second: int) -> _Running:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(there, port, requests, seconds, per_second))
    process.start()
    return _Running(process, here)


def _run(answers: "Connection", port: int, requests: list[bytes], seconds: float, per_second: int) -> None:
    answers.send(asyncio.run(_pour(port, requests, seconds, per_second)))


async def _pour(port: int, requests: list[bytes], seconds: float, per_second: int) -> tuple[dict[int, int], float]:
    counted: dict[int, int] = {}
    started = time.monotonic()

    async def one(number: int) -> None:
        reader = writer = None
        sent = 0
        while (now := time.monotonic()) - started < seconds:
            due = started + sent * _CONNECTIONS / per_second
            if due > now:
                await asyncio.sleep(due - now)
            if writer is None or reader is None or writer.is_closing():
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(requests[(number + sent * _CONNECTIONS) % len(requests)])
            sent += 1
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split(b" ", 2)[1])
            counted[status] = counted.get(status, 0) + 1
            lines = head.lower().split(b"\r\n")
            length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:"))
            await reader.readexactly(length)
            if b"connection: close" in lines:
                writer.close()
                writer = None
        if writer is not None:
            writer.close()

    await asyncio.gather(*(one(number) for number in range(_CONNECTIONS)))
    return counted, time.monotonic() - started


def _transactions(database_url: str) -> int:
    """Transactions of the database so far: outside a transaction block every query is one. Waits until all sessions have reported."""
    time.sleep(2.5)
    with psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True) as connection:
        row = connection.execute("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()").fetchone()
        assert row is not None
        return int(row[0])
