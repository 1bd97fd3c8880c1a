"""Faults of the agents' side against a real server: malformed bodies (A1, A2), the server killed in the middle (A3)."""

import concurrent.futures
import contextlib
import hashlib
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import zstandard

from faults.mutants import request
from faults.sending import PATH, Sender, compact, enrol, sender_of, signature


@dataclass
class ServedDoor:
    """A uvicorn process with the door; the environment says which database and keys."""

    port: int
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it and waits until it answers."""
        command = [sys.executable, "-m", "faults.serve", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=Path(__file__).resolve().parents[1], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.starts += 1
        for _ in range(300):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(self.url + PATH, timeout=2).status_code == 405:
                    return
            time.sleep(0.05)
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """Asks it to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)

    def memory_bytes(self) -> int:
        """Resident memory."""
        assert self.process is not None
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@contextlib.contextmanager
def served_door() -> Iterator[ServedDoor]:
    """A server process for one fault."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        door = ServedDoor(free.getsockname()[1])
    door.start()
    try:
        yield door
    finally:
        door.stop()


@dataclass
class Outcome:
    """What a fault run saw."""

    statuses: dict[int, int] = field(default_factory=dict)
    valid_sent: int = 0
    valid_taken: int = 0
    memory_growth_bytes: int = 0
    restarts: int = 0
    notes: list[str] = field(default_factory=list)

    def count(self, status: int) -> None:
        """Adds one answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1


def malformed_bodies(door: ServedDoor, token: str, sections: dict[str, bytes], *, bodies: int, seed: int = 1) -> Outcome:
    """A1: `bodies` malformed ones, half as a stranger, half as an enrolled host, ten for each valid one of another host."""
    outcome = Outcome()
    rng = random.Random(seed)
    with httpx.Client(base_url=door.url, timeout=30) as client:
        bad = sender_of(enrol(client, token, "bad"), sections=sections)
        good = sender_of(enrol(client, token, "good"), sections=sections)
        body = bad.body()
        assert bad.send(client, body).status_code == 200
        for _ in range(200):
            headers, wire = request(rng, bad, body, is_stranger=False)
            client.post(PATH, content=wire, headers=_sendable(headers))
        before = door.memory_bytes()
        for number in range(bodies):
            headers, wire = request(rng, bad, body, is_stranger=number % 2 == 0)
            answer = client.post(PATH, content=wire, headers=_sendable(headers))
            outcome.count(answer.status_code)
            if answer.status_code >= 500:
                outcome.notes.append(f"{answer.status_code} for {wire[:200]!r}")
            if number % 10 == 0:
                outcome.valid_sent += 1
                outcome.valid_taken += good.send(client).status_code == 200
        outcome.memory_growth_bytes = door.memory_bytes() - before
    outcome.restarts = 0 if door.process is not None and door.process.poll() is None else 1
    return outcome


def _sendable(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def bombs_and_drips(door: ServedDoor, token: str, *, drips: int = 100) -> Outcome:
    """A2: zip bombs, a body of 100 MB, nesting of a million, and connections that drip a byte a second, beside valid check-ins."""
    outcome = Outcome()
    with httpx.Client(base_url=door.url, timeout=60) as client:
        sender = sender_of(enrol(client, token, "bomber"), sections={"system": b"{}"})
        good = sender_of(enrol(client, token, "calm"), sections={"system": b"{}"})
        before = door.memory_bytes()
        slow = [_Drip(door.port, good) for _ in range(drips)]
        waits = []
        for name, wire, encoding in _bombs():
            headers, _ = sender.request(b"", seq=1, encoding="identity")
            headers["Content-Encoding"] = encoding
            headers["Plumbline-Signature"] = signature(sender.secret, headers, wire, encoding)
            started = time.monotonic()
            with contextlib.suppress(httpx.WriteError):
                answer = client.post(PATH, content=wire, headers=headers)
                outcome.count(answer.status_code)
                outcome.notes.append(f"{name}: {answer.status_code} in {time.monotonic() - started:.2f} s")
            started = time.monotonic()
            outcome.valid_sent += 1
            outcome.valid_taken += good.send(client).status_code == 200
            waits.append(time.monotonic() - started)
        outcome.notes.append(f"slowest valid check-in meanwhile: {max(waits):.2f} s")
        ended = [drip.wait(25) for drip in slow]
        outcome.notes.append(
            f"{sum(each is not None for each in ended)} of {drips} drips were cut, the last after {max(each or 99 for each in ended):.1f} s"
        )
        outcome.memory_growth_bytes = door.memory_bytes() - before
    return outcome


def _bombs() -> Iterator[tuple[str, bytes, str]]:
    packed = zstandard.compress(bytes(50_000_000))
    yield "zstd, 50 MB from a few kB", packed, "zstd"
    import gzip

    yield "gzip, 200 MB from 200 kB", gzip.compress(bytes(200_000_000), 1)[: 2 * 1024 * 1024], "gzip"
    yield "100 MB", b"x" * 100_000_000, "identity"
    yield "nested a million deep", b"[" * 1_000_000, "identity"


class _Drip:
    """One connection that sends its body a byte a second, until the server has had enough."""

    def __init__(self, port: int, sender: Sender) -> None:
        headers, _ = sender.request(b"", seq=10**9, encoding="identity")
        lines = [f"POST {PATH} HTTP/1.1", "Host: x", "Content-Length: 1000", *(f"{name}: {value}" for name, value in headers.items())]
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        self._started = time.monotonic()
        self._ended: float | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._socket.settimeout(1)
        for _ in range(40):
            try:
                self._socket.sendall(b" ")
                if self._socket.recv(4096) is not None:
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            return
        self._ended = time.monotonic() - self._started
        self._socket.close()

    def wait(self, seconds: float) -> float | None:
        """After how long it was cut; None: never."""
        self._thread.join(seconds)
        return self._ended


def killed_in_the_middle(door: ServedDoor, token: str, database_url: str, *, kills: int, check_ins: int, hosts: int = 40) -> Outcome:
    """A3: the server is killed again and again while agents send; each keeps its receipts. No receipt without its stored body."""
    outcome = Outcome()
    receipts: list[tuple[str, int, bytes, bytes]] = []
    lock = threading.Lock()
    per_host = max(1, check_ins // hosts)
    stop = threading.Event()

    def agent(number: int) -> None:
        with httpx.Client(base_url=door.url, timeout=10) as client:
            sender = _enrolled(client, token, f"agent-{number}")
            for _ in range(per_host):
                # Another name of the machine each time: a setting, so that the body has to be stored.
                named = {"status": "ok", "rows": [{"Name": secrets.token_hex(7)}]}
                sender.sections["system"] = compact({"Win32_ComputerSystem": named})
                body = sender.body(with_bodies={"system"})
                sender.seq += 1
                while True:
                    with contextlib.suppress(httpx.HTTPError):
                        answer = sender.again(client, body)
                        if answer.status_code == 200:
                            with lock:
                                outcome.valid_taken += 1
                                receipts.append(
                                    (sender.host_id, sender.seq, hashlib.sha256(body.split(b"\n")[0]).digest(), sender.sections["system"])
                                )
                            break
                        if answer.status_code not in (429, 503):
                            raise AssertionError(answer.text)
                    time.sleep(0.02)

    def killer() -> None:
        rng = random.Random(3)
        for _ in range(kills):
            if stop.wait(rng.uniform(0.15, 0.5)):
                return
            door.kill()
            outcome.restarts += 1
            door.start()

    with concurrent.futures.ThreadPoolExecutor(hosts + 1) as pool:
        killing = pool.submit(killer)
        agents = [pool.submit(agent, number) for number in range(hosts)]
        for each in agents:
            each.result()
        stop.set()
        killing.result()
    outcome.valid_sent = hosts * per_host
    outcome.notes += _check_receipts(database_url, receipts)
    return outcome


def _enrolled(client: httpx.Client, token: str, name: str) -> Sender:
    nonce = secrets.token_hex(16)
    while True:
        with contextlib.suppress(httpx.HTTPError):
            answer = enrol(client, token, name, nonce=nonce)
            if answer.status_code == 200:
                return sender_of(answer)
        time.sleep(0.05)


def _check_receipts(database_url: str, receipts: list[tuple[str, int, bytes, bytes]]) -> list[str]:
    """Every receipt against the database: the check-in's row, and its body under its digest. Answers what is wrong."""
    wrong: list[str] = []
    plain = zstandard.ZstdDecompressor()
    with psycopg.connect(database_url.replace("+psycopg", "")) as connection:
        for host_id, seq, line, body in receipts:
            digest = hashlib.sha256(body).digest()
            rows = connection.execute("SELECT digest FROM check_in WHERE host_id = %s AND seq = %s", (host_id, seq)).fetchall()
            stored = connection.execute(
                "SELECT content FROM section_body WHERE host_id = %s AND section = 'system' AND sha256 = %s", (host_id, digest)
            ).fetchall()
            if [bytes(row[0]) for row in rows] != [line]:
                wrong.append(f"{host_id} {seq}: {len(rows)} rows for a receipt")
            if len(stored) != 1:
                wrong.append(f"{host_id} {seq}: {len(stored)} bodies for a receipt")
            elif plain.decompress(stored[0][0], max_output_size=1 << 20) != body:
                wrong.append(f"{host_id} {seq}: another body than was receipted")
        doubled = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM check_in GROUP BY host_id, epoch, seq HAVING count(*) > 1) d"
        ).fetchone()
        if doubled and doubled[0]:
            wrong.append(f"{doubled[0]} check-ins stored twice")
    return wrong
