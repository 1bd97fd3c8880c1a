"""CPU of the door without HTTP: `python -m bench.door` from `backend/`. Check-ins go through the ASGI application in this process.

What is counted is `process_time` of this process, so that other work on the machine moves the figures little: our own code, the driver and
the event loop, neither the web server nor PostgreSQL. With `--profile` it says where a kind of check-in spends its time.
"""

import argparse
import asyncio
import contextlib
import cProfile
import json
import pstats
import time
from collections.abc import Iterator
from typing import Any

import httpx
import uvloop

from bench.checkin import Fleet, database, settle_neighbours
from plumbline.checkin.asgi import Door
from plumbline.checkin.keep import train_dictionaries
from plumbline.database import session_scope


class InProcess:
    """Stands for the HTTP client of `Fleet`; one loop, one door."""

    def __init__(self) -> None:
        self.loop = uvloop.new_event_loop()
        self.door = Door()
        self.loop.run_until_complete(self.door.startup())

    def close(self) -> None:
        """Stops the door."""
        self.loop.run_until_complete(self.door.shutdown())
        self.loop.close()

    def post(self, path: str, *, content: bytes = b"", headers: dict[str, str] | None = None, json: Any = None) -> httpx.Response:
        """One request, answered."""
        sent = httpx.Request("POST", f"http://bench{path}", content=content or None, headers=headers, json=json)
        headers_read = [(name.lower(), value) for name, value in sent.headers.raw]
        status, body = self.loop.run_until_complete(self.ask(path, headers_read, sent.read()))
        return httpx.Response(status, content=body)

    async def ask(self, path: str, headers: list[tuple[bytes, bytes]], content: bytes) -> tuple[int, bytes]:
        """One request as the web server hands it over."""
        answer: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            answer.append(message)

        await self.door({"type": "http", "method": "POST", "path": path, "headers": headers, "client": None}, receive, send)
        return answer[0]["status"], answer[1]["body"]

    def run(self, requests: list[bytes], connections: int) -> float:
        """CPU seconds of this process for all of them, `connections` at a time."""
        parted = [_parted(request) for request in requests]

        async def connection(mine: list[tuple[str, list[tuple[bytes, bytes]], bytes]]) -> None:
            for path, headers, content in mine:
                status, body = await self.ask(path, headers, content)
                if status != 200:
                    raise SystemExit(f"{status}: {body[:300]!r}")

        async def everything() -> None:
            await asyncio.gather(*(connection(parted[index::connections]) for index in range(connections)))

        started = time.process_time()
        self.loop.run_until_complete(everything())
        return time.process_time() - started


def _parted(request: bytes) -> tuple[str, list[tuple[bytes, bytes]], bytes]:
    head, _, content = request.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
    return first.split(b" ")[1].decode(), headers, content


@contextlib.contextmanager
def profiled(is_wanted: bool, lines: int) -> Iterator[None]:
    """Prints where the time went, where it is asked for."""
    if not is_wanted:
        yield
        return
    profile = cProfile.Profile()
    profile.enable()
    yield
    profile.disable()
    for order in ("tottime", "cumulative"):
        pstats.Stats(profile).sort_stats(order).print_stats(lines)


def main() -> None:
    """Prints CPU microseconds, statements and commits for a check-in of each kind."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--count", type=int, default=500)
    asked.add_argument("--hosts", type=int, default=64)
    asked.add_argument("--connections", type=int, default=16)
    asked.add_argument("--profile", choices=["changed", "unchanged", "mix"])
    asked.add_argument("--lines", type=int, default=45)
    options = asked.parse_args()
    with database():
        client = InProcess()
        try:
            fleet = Fleet(client, options.hosts)
            client.run(fleet.requests(options.hosts * 4, 1.0)[0], options.connections)
            settle_neighbours()
            with session_scope() as session:
                trained = train_dictionaries(session)
            print(f"dictionaries trained: {trained}")
            for name, share in (("changed", 1.0), ("unchanged", 0.0), ("mix", 0.05)):
                found = []
                committer = client.door.committer
                for _ in range(options.rounds):
                    requests = fleet.requests(options.count, share)[0]
                    before = (committer.statements, committer.commits)
                    with profiled(options.profile == name, options.lines):
                        found.append(1e6 * client.run(requests, options.connections) / len(requests))
                statements, commits = committer.statements - before[0], committer.commits - before[1]
                figures = {
                    "cpu_us": [round(each) for each in found],
                    "statements_a_batch": round(statements / commits, 1),
                    "batches": commits,
                }
                print(name, json.dumps(figures), flush=True)
        finally:
            client.close()


if __name__ == "__main__":
    main()
