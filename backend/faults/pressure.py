"""S12 to S14: what people without a credential can take from the API: memory, the place of valid check-ins, and time."""

import asyncio
import contextlib
import multiprocessing
import os
import socket
import time
from collections import Counter
from multiprocessing.connection import Connection
from urllib.parse import urlsplit

import httpx
import psutil

from faults.agents import percentile
from faults.checkin_process import ServedApi
from faults.flood import flooded
from faults.people import served_api
from faults.rig import FaultResult, Rig
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.web.http_limits import BODY_SECONDS

# The limits as they ship: the run as a whole raises them.
_SHIPPED = {
    "PLUMBLINE_ADMISSION_PER_SECOND": "500",
    "PLUMBLINE_ADMISSION_BURST": "2000",
    "PLUMBLINE_BAD_SIGNATURES_PER_SECOND": "50",
    "PLUMBLINE_BAD_SIGNATURES_BURST": "500",
}
_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_PIPELINED = _HEALTH * (2 * 1024 * 1024 // len(_HEALTH))
_HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"a" * (64 * 1024 * 1024)
_IDLE = 500
# Memory after the attacks, of that before, and how long it may take.
_MOST_AFTER, _AFTER_SECONDS = 1.10, 60.0
_SIGN_INS, _HEALTH_P99_SECONDS = 80, 0.5


def memory_taken(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S12: `count` times 2 MiB of pipelined requests and a head of 64 MiB, then idle connections and bodies that never end. Afterwards
    memory is as before."""
    result = FaultResult(seed)
    with served_api(_SHIPPED) as url:
        process, port = _process_on(url), urlsplit(url).port or 0
        for _ in range(300):
            httpx.get(f"{url}/healthz", trust_env=False)
        time.sleep(5)
        before = highest = process.memory_info().rss
        held: list[socket.socket] = []
        for _ in range(count):
            for name, wire in (("2 MiB of pipelined requests", _PIPELINED), ("a head of 64 MiB", _HEAD)):
                _send(port, wire)
                result.faults[name] += 1
                highest = max(highest, process.memory_info().rss)
        with contextlib.suppress(OSError):
            for number in range(_IDLE):
                one = socket.create_connection(("127.0.0.1", port), timeout=5)
                held.append(one)
                if number % 2:
                    one.sendall(b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Plumbline: 1\r\nContent-Length: 100000\r\n\r\n{")
                result.faults["a connection that says nothing more"] += 1
        highest = max(highest, process.memory_info().rss)
        answered = httpx.get(f"{url}/healthz", timeout=10, trust_env=False).status_code
        # Connections that send nothing are ended by time; a second more for the sweep, and some for a busy machine.
        time.sleep(BODY_SECONDS + 5)
        limit = time.monotonic() + _AFTER_SECONDS
        while (after := process.memory_info().rss) > before * _MOST_AFTER and time.monotonic() < limit:
            time.sleep(0.5)
        ended = sum(_has_ended(one) for one in held)
        for one in held:
            one.close()
    result.notes.append(
        f"resident {_mb(before)} before, at most {_mb(highest)}, {_mb(after)} after (goal: within 10 %); {ended} of {len(held)} held"
        f" connections were ended; answered {answered} meanwhile"
    )
    if after > before * _MOST_AFTER:
        result.wrong.append(f"{_mb(after)} after the attacks, {_mb(before)} before")
    if ended < len(held):
        result.wrong.append(f"{len(held) - ended} connections that said nothing were kept")
    if answered != 200:
        result.wrong.append(f"health answered {answered}")
    return result


def flood(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S13: `count` seconds of 2,000 bad signatures a second, alone and beside valid check-ins from the same address, under the limits as
    they ship."""
    result = FaultResult(seed)
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="S13", group_id=1, is_auto_approved=True, uses=10)).token
    database = get_settings().database_url.get_secret_value()
    with served_api(_SHIPPED) as url:
        out = flooded(ServedApi(urlsplit(url).port or 0), token, database, seconds=max(5, count))
    result.faults["bad signature"] = sum(out.statuses.values())
    share = 100 * out.valid_taken / max(1, out.valid_sent)
    result.notes.append(
        f"{out.figures['sent_per_second_beside']:.0f} a second beside; {out.valid_taken} of {out.valid_sent} valid check-ins taken"
        f" ({share:.1f} %, goal 99), p99 {out.figures['valid_p99_ms']:.0f} ms;"
        f" {out.figures['queries_per_100']:.2f} queries per 100 bad ones"
    )
    result.wrong += [f"{share:.1f} % of the valid check-ins were taken"] * (share < 99)
    result.wrong += [f"a bad signature was answered {status}" for status in out.statuses if status not in (401, 429)]
    result.wrong += ["nothing was refused by address"] * (429 not in out.statuses)
    return result


def sign_ins(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S14: 80 sign-ins at once, `count` times; meanwhile health is asked every 20 ms. The strangers are a process of their own, so that
    their work does not delay the clock that times health."""
    result = FaultResult(seed)
    waits: list[float] = []
    statuses: Counter[int] = Counter()
    with served_api(_SHIPPED) as url, httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        for _ in range(10):
            client.get("/healthz")
        for each in range(count):
            here, there = multiprocessing.Pipe()
            strangers = multiprocessing.get_context("spawn").Process(target=_sign_in_at_once, args=(there, url, each * _SIGN_INS))
            strangers.start()
            here.recv()
            while not here.poll():
                began = time.monotonic()
                client.get("/healthz")
                waits.append(time.monotonic() - began)
                time.sleep(0.02)
            statuses.update(here.recv())
            strangers.join()
            result.faults["a sign-in beside 79 others"] += _SIGN_INS
    slowest = percentile(waits, 0.99) if waits else 0.0
    said = ", ".join(f"{times} x {status}" for status, times in sorted(statuses.items()))
    median = percentile(waits, 0.5) if waits else 0.0
    result.notes.append(f"sign-ins: {said}; health p99 {1000 * slowest:.0f} ms (goal 500), median {1000 * median:.0f} ms, of {len(waits)}")
    result.wrong += [f"health p99 {1000 * slowest:.0f} ms"] * (slowest >= _HEALTH_P99_SECONDS)
    result.wrong += ["health was asked fewer than 100 times meanwhile"] * (len(waits) < 100)
    result.wrong += [f"a sign-in was answered {status}" for status in statuses if status not in (401, 429, 503)]
    return result


def _sign_in_at_once(answers: Connection, url: str, first: int) -> None:
    """80 sign-ins at the same time. Sends an empty word as they begin, and at the end how often each status was answered."""

    async def all_at_once() -> list[int]:
        limits = httpx.Limits(max_connections=_SIGN_INS)
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False, verify=False, limits=limits) as client:

            async def one(number: int) -> int:
                body = {"login": f"stranger-{number}", "password": "not the right one at all"}
                return (await client.post("/api/v1/session", json=body, headers={"X-Plumbline": "1"})).status_code

            answers.send(())
            return await asyncio.gather(*(one(first + number) for number in range(_SIGN_INS)))

    answers.send(Counter(asyncio.run(all_at_once())))


def _process_on(url: str) -> psutil.Process:
    """The API's process: a child of this one that names the port."""
    port = str(urlsplit(url).port)
    return next(one for one in psutil.Process(os.getpid()).children() if port in one.cmdline())


def _send(port: int, wire: bytes) -> None:
    """Sends the bytes and reads what is answered, until the server closes."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(wire)
        while connection.recv(65536):
            pass


def _has_ended(connection: socket.socket) -> bool:
    connection.settimeout(0.01)
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def _mb(count: int) -> str:
    return f"{count / 2**20:.0f} MB"
