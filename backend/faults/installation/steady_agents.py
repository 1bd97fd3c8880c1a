"""Agents that check in all the time and keep what they were receipted, as the real ones do: the judge of what was lost."""

import contextlib
import hashlib
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx

from faults.agents import _check_receipts, enrolled
from faults.checkin_process import ServedApi
from faults.sending import Sender, compact

_Receipt = tuple[str, int, bytes, bytes]


@dataclass
class Steady:
    """What the agents saw."""

    receipts: list[_Receipt] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    # Answers that an agent does not expect: it could not do anything about them.
    odd: list[str] = field(default_factory=list)
    unanswered: int = 0
    last_taken_at: float = 0.0
    # Check-ins begun and not receipted yet: repeated until they are.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def taken_since(self, moment: float) -> bool:
        """Whether one was receipted after this moment (monotonic)."""
        return self.last_taken_at > moment

    def lost(self, database_url: str) -> list[str]:
        """Receipts whose row or body is not stored, and check-ins stored twice."""
        with self.lock:
            return _check_receipts(database_url, list(self.receipts))

    def words(self) -> str:
        """For the page."""
        said = ", ".join(f"{status}: {count}" for status, count in sorted(self.answers.items()))
        return f"{len(self.receipts)} check-ins receipted ({said}; {self.unanswered} times no answer)"


@contextlib.contextmanager
def steady_agents(url: str, token: str, *, hosts: int = 6, pause_seconds: float = 0.05) -> Iterator[Steady]:
    """`hosts` agents, each with a changed section body every time and one check-in under way, repeated until it is receipted."""
    seen, stop = Steady(), threading.Event()
    api = ServedApi(int(url.rpartition(":")[2]))
    with httpx.Client(base_url=api.url, timeout=30, trust_env=False) as client:
        senders = [enrolled(client, token, f"steady-{number}-{secrets.token_hex(3)}") for number in range(hosts)]
    threads = [threading.Thread(target=_agent, args=(api.url, sender, seen, stop, pause_seconds), daemon=True) for sender in senders]
    for each in threads:
        each.start()
    try:
        yield seen
    finally:
        stop.set()
        for each in threads:
            each.join(60)


def _agent(url: str, sender: Sender, seen: Steady, stop: threading.Event, pause_seconds: float) -> None:
    with httpx.Client(base_url=url, timeout=10, trust_env=False) as client:
        while not stop.is_set():
            named = {"status": "ok", "rows": [{"Name": secrets.token_hex(7)}]}
            sender.sections["system"] = compact({"Win32_ComputerSystem": named})
            body = sender.body(with_bodies={"system"})
            sender.seq += 1
            while not stop.is_set() and not _is_taken(client, sender, body, seen):
                stop.wait(0.2)
            stop.wait(pause_seconds)


def _is_taken(client: httpx.Client, sender: Sender, body: bytes, seen: Steady) -> bool:
    try:
        answer = sender.again(client, body)
    except httpx.HTTPError:
        with seen.lock:
            seen.unanswered += 1
        return False
    with seen.lock:
        seen.answers[answer.status_code] += 1
        if answer.status_code == 200:
            line = hashlib.sha256(body.split(b"\n")[0]).digest()
            seen.receipts.append((sender.host_id, sender.seq, line, sender.sections["system"]))
            seen.last_taken_at = time.monotonic()
            return True
        if answer.status_code not in (429, 503):
            seen.odd.append(f"{answer.status_code} {answer.text[:160]}")
    return False
