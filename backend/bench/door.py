"""CPU of the door without HTTP: `python -m bench.door` from `backend/`. Check-ins go through the ASGI application in this process.

What is counted is `process_time` of this process: our own code, the driver and the event loop, neither the web server nor PostgreSQL. Other
work on the machine moves even that, so each figure stands beside a FastAPI echo of the same bodies in the same rounds. With `--profile` it
says where a kind of check-in spends its time.
"""

import argparse
import asyncio
import contextlib
import cProfile
import json
import pstats
import statistics
import time
from collections.abc import Iterator
from typing import Any

import httpx
import uvloop
from fastapi import FastAPI
from sqlalchemy import text

from bench.checkin import STORED, Fleet, database, settle
from plumbline.checkin.asgi import Door
from plumbline.infra.database import session_scope


class InProcess:
    """Stands for the HTTP client of `Fleet`; one loop, one door."""

    def __init__(self) -> None:
        self.loop = uvloop.new_event_loop()
        app = FastAPI()

        @app.post("/echo")
        async def echo(body: dict[str, Any]) -> dict[str, Any]:
            return body

        self.door = Door(app)
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

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": ("bench", 80),
        }
        await self.door(scope, receive, send)
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
            print(f"dictionaries trained: {settle()}")
            for name, share in (("changed", 1.0), ("unchanged", 0.0), ("mix", 0.05)):
                found, echoed = [], []
                committer = client.door.committer
                for _ in range(options.rounds):
                    requests, echoes, _ = fleet.requests(options.count, share)
                    echoed.append(1e6 * client.run(echoes, options.connections) / len(echoes))
                    before = (committer.statements, committer.commits)
                    with profiled(options.profile == name, options.lines):
                        found.append(1e6 * client.run(requests, options.connections) / len(requests))
                statements, commits = committer.statements - before[0], committer.commits - before[1]
                figures = {
                    "cpu_us": [round(each) for each in found],
                    "echo_us": [round(each) for each in echoed],
                    "ratio": round(statistics.median(ours / echo for ours, echo in zip(found, echoed, strict=True)), 2),
                    "statements_a_batch": round(statements / commits, 1),
                    "batches": commits,
                }
                print(name, json.dumps(figures), flush=True)
                if share == 1.0:
                    with session_scope() as session:
                        print(
                            "stored bytes of a changed one, body and configuration:",
                            [round(x) for x in session.execute(text(STORED)).one()],
                        )
        finally:
            client.close()


if __name__ == "__main__":
    main()
