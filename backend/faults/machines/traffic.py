"""What goes on while a machine fails: agents check in and keep their receipts, and a person looks at a page, all through the proxies."""

import contextlib
import hashlib
import secrets
import ssl
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import httpx

from faults.agents import enrolled
from faults.sending import Sender, compact

# A page is one request, as a browser makes it; it is asked for twice a second.
PAGE = "/api/v1/hosts?limit=20"
_PAGE_SECONDS = 8.0


@dataclass
class Seen:
    """Whether something worked, by time of request: monotonic seconds when it began, and whether it was answered well."""

    rows: list[tuple[float, float, bool]] = field(default_factory=list)

    def note(self, began: float, *, is_good: bool) -> None:
        """Adds one request that just ended."""
        self.rows.append((began, time.monotonic(), is_good))

    def back_after(self, fault_at: float) -> float:
        """Seconds from a fault until requests are answered well again: until the first of three good ones in a row that began after the
        first failure. 0 where none failed; infinite where they did not come back."""
        since = [row for row in self.rows if row[1] >= fault_at]
        failed = next((number for number, row in enumerate(since) if not row[2]), None)
        if failed is None:
            return 0.0
        later = since[failed:]
        for first, second, third in zip(later, later[1:], later[2:], strict=False):
            if first[2] and second[2] and third[2]:
                return first[1] - fault_at
        return float("inf")

    def failures_after(self, at: float) -> int:
        """How many requests that began after `at` were not answered well."""
        return sum(began >= at and not is_good for began, _, is_good in self.rows)


@dataclass(frozen=True)
class Receipt:
    """A check-in that was acknowledged: the digest of its first line, and the body that it brought."""

    host_id: str
    seq: int
    line: bytes
    body: bytes


class Traffic:
    """Agents in threads, and a person who looks at a page. `pause` is the time between two check-ins of an agent, in seconds."""

    def __init__(self, url: str, trust: ssl.SSLContext, cookies: dict[str, str], *, agents: int, token: str, pause: float = 1.0) -> None:
        self.url, self._trust, self._cookies, self._pause = url, trust, cookies, pause
        self.receipts: list[Receipt] = []
        self.statuses: Counter[int] = Counter()
        self.check_ins, self.pages = Seen(), Seen()
        # What the page was answered with: a status, or the kind of failure.
        self.page_answers: Counter[str] = Counter()
        self.refused: list[str] = []
        self._lock, self._is_over = threading.Lock(), threading.Event()
        with self.client() as client:
            self._senders = [enrolled(client, token, f"sender-{number}") for number in range(agents)]
        self._threads = [threading.Thread(target=self._agent, args=(sender,), daemon=True) for sender in self._senders]
        self._threads.append(threading.Thread(target=self._person, daemon=True))

    def client(self, seconds: float = 10.0) -> httpx.Client:
        """A client of the proxies' shared address."""
        return httpx.Client(base_url=self.url, verify=self._trust, timeout=seconds, trust_env=False, headers={"X-Plumbline": "1"})

    def start(self) -> None:
        """Starts all of them."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends all of them."""
        self._is_over.set()
        for thread in self._threads:
            thread.join(120)

    def _agent(self, sender: Sender) -> None:
        client = self.client()
        while not self._is_over.wait(self._pause):
            # Another name each time: a setting, so that the body has to be stored.
            named = {"status": "ok", "rows": [{"Name": secrets.token_hex(7)}]}
            sender.sections["system"] = compact({"Win32_ComputerSystem": named})
            body = sender.body(with_bodies={"system"})
            sender.seq += 1
            while (status := self._post(client, sender, body)) != 200:
                if status in (401, 403, 409, 413, 422):
                    # The agent would set it aside or stop, and a person would have to look.
                    self.refused.append(f"{sender.host_id} {sender.seq}: {status}")
                    break
                if status == 0:
                    client.close()
                    client = self.client()
                if self._is_over.wait(0.5):
                    # Not acknowledged: a real agent would keep it.
                    break
        client.close()

    def _post(self, client: httpx.Client, sender: Sender, body: bytes) -> int:
        began, status = time.monotonic(), 0
        with contextlib.suppress(httpx.HTTPError):
            status = sender.again(client, body).status_code
        self.check_ins.note(began, is_good=status == 200)
        with self._lock:
            self.statuses[status] += 1
            if status == 200:
                line = hashlib.sha256(body.split(b"\n")[0]).digest()
                self.receipts.append(Receipt(sender.host_id, sender.seq, line, sender.sections["system"]))
        return status

    def _person(self) -> None:
        while not self._is_over.wait(0.5):
            began = time.monotonic()
            try:
                with self.client(_PAGE_SECONDS) as client:
                    client.cookies.update(self._cookies)
                    answer = str(client.get(PAGE).status_code)
            except httpx.HTTPError as error:
                answer = type(error).__name__
            self.page_answers[answer] += 1
            self.pages.note(began, is_good=answer == "200")
