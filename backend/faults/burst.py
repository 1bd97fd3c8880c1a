"""P16: all agents come back at once. Each gets 200, or the time to come again; none is lost; memory stays bounded."""

import asyncio
import heapq
import random
import secrets
import time
from dataclasses import dataclass

import psycopg

from faults.agents import Outcome
from faults.checkin_process import ServedApi
from faults.sending import PATH, Sender, compact
from plumbline.hosts.enrol import enrol
from plumbline.infra.database import session_scope

_CONNECTIONS = 256


@dataclass
class _Answer:
    status: int
    retry_after: float | None


def came_back(api: ServedApi, token: str, database_url: str, *, agents: int, until: float = float("inf")) -> Outcome:
    """`statuses` count every answer; `figures` hold `seconds` until the last was taken, `most_tries` and `idle_mb`."""
    outcome = Outcome()
    senders = _senders(token, agents)
    idle = api.memory_bytes()
    outcome.figures["idle_mb"] = idle / 1e6
    started = time.monotonic()
    highest = asyncio.run(_all_at_once(outcome, api, senders, until))
    outcome.figures["seconds"] = time.monotonic() - started
    outcome.memory_growth_bytes = max(0, highest - idle)
    if highest > 1.5 * idle + 100e6:
        outcome.notes.append(f"memory rose from {idle / 1e6:.0f} to {highest / 1e6:.0f} MB")
    outcome.notes += [f"answered {status}" for status in outcome.statuses if status not in (200, 429, 503)]
    ids = [sender.host_id for sender in senders]
    with psycopg.connect(database_url.replace("+psycopg", "")) as connection:
        row = connection.execute(
            "SELECT count(*), count(DISTINCT host_id) FROM check_in WHERE host_id = ANY(%s) AND seq = 1", (ids,)
        ).fetchone()
    assert row is not None
    if row != (outcome.valid_taken, outcome.valid_taken):
        outcome.notes.append(f"{outcome.valid_taken} answered 200, {row[0]} rows of {row[1]} hosts stored")
    return outcome


def _senders(token: str, agents: int) -> list[Sender]:
    made = []
    with session_scope() as session:
        for number in range(agents):
            nonce = secrets.token_hex(16)
            given = enrol(session, token=token, nonce=nonce, name=f"back-{number}", platform="windows", agent_version="1.0.0", address="")
            body = compact({"Win32_ComputerSystem": {"status": "ok", "rows": [{"Name": f"back-{number}"}]}})
            made.append(Sender(given.host_id, given.secret, given.epoch, given.generation, seq=1, sections={"system": body}))
    return made


async def _all_at_once(outcome: Outcome, api: ServedApi, senders: list[Sender], until: float) -> int:
    """Every agent has something to send now; as many as there are connections send at a time. The highest memory seen."""
    rng = random.Random(16)
    due: list[tuple[float, int, int]] = [(0.0, number, 1) for number in range(len(senders))]
    heapq.heapify(due)
    outcome.valid_sent, highest, open_ = len(senders), 0, len(senders)

    async def connection() -> None:
        nonlocal open_
        streams = None
        while open_ and time.monotonic() < until:
            if not due or due[0][0] > time.monotonic():
                await asyncio.sleep(0.02)
                continue
            _, number, tries = heapq.heappop(due)
            try:
                streams = streams or await asyncio.open_connection("127.0.0.1", api.port)
                answer = await _post(streams, senders[number])
            except (OSError, asyncio.IncompleteReadError):
                streams = None
                heapq.heappush(due, (time.monotonic() + rng.uniform(0, 1), number, tries))
                continue
            outcome.count(answer.status)
            if answer.status == 200:
                outcome.valid_taken += 1
                outcome.figures["most_tries"] = max(outcome.figures.get("most_tries", 0), tries)
                open_ -= 1
            elif answer.status in (429, 503) and answer.retry_after is not None:
                heapq.heappush(due, (time.monotonic() + answer.retry_after + rng.uniform(0, 1), number, tries + 1))
            else:
                outcome.notes.append(f"{answer.status}, Retry-After {answer.retry_after}")
                open_ -= 1
        if streams is not None:
            streams[1].close()

    async def watch() -> None:
        nonlocal highest
        while open_ and time.monotonic() < until:
            highest = max(highest, api.memory_bytes())
            await asyncio.sleep(0.2)

    await asyncio.gather(watch(), *(connection() for _ in range(_CONNECTIONS)))
    return highest


async def _post(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], sender: Sender) -> _Answer:
    reader, writer = streams
    headers, wire = sender.request(sender.body())
    lines = [f"POST {PATH} HTTP/1.1", "Host: x", f"Content-Length: {len(wire)}", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + wire)
    head = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
    said = dict(line.split(b": ", 1) for line in head[1:] if b": " in line)
    await reader.readexactly(int(said.get(b"content-length", b"0")))
    if said.get(b"connection") == b"close":
        writer.close()
        raise OSError("closed")
    retry = said.get(b"retry-after")
    return _Answer(int(head[0].split(b" ")[1]), float(retry) if retry is not None else None)
