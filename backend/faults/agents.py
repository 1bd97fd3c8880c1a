"""Faults of the agents' side against a real server: malformed bodies (A1, A2), the server killed in the middle (A3)."""

import concurrent.futures
import contextlib
import gzip
import hashlib
import math
import random
import secrets
import select
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import psycopg
import zstandard

from faults.checkin_process import ServedApi
from faults.mutants import request
from faults.sending import PATH, Sender, compact, enrol, sender_of, signature
from plumbline.checkin.decompress import MAX_WIRE_BYTES
from plumbline.configurations.compression import Unpacker


@dataclass
class Outcome:
    """What a fault run saw."""

    statuses: dict[int, int] = field(default_factory=dict)
    valid_sent: int = 0
    valid_taken: int = 0
    memory_growth_bytes: int = 0
    restarts: int = 0
    # What broke a promise or a figure; empty where all held.
    notes: list[str] = field(default_factory=list)
    # Figures of the run by name, with their unit in the name.
    figures: dict[str, float] = field(default_factory=dict)
    # A7: answers to requests with one byte changed.
    altered: dict[int, int] = field(default_factory=dict)

    def count(self, status: int) -> None:
        """Adds one answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1


def percentile(values: list[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def malformed_bodies(
    api: ServedApi, token: str, sections: dict[str, bytes], *, bodies: int, seed: int = 1, until: float = float("inf")
) -> Outcome:
    """A1: `bodies` malformed ones, half as a stranger, half as an enrolled host, ten for each valid one of another host.

    `until` (monotonic) ends it early; `statuses` then count fewer.
    """
    outcome = Outcome()
    rng = random.Random(seed)
    with httpx.Client(base_url=api.url, timeout=30) as client:
        bad = sender_of(enrol(client, token, "bad"), sections=sections)
        good = sender_of(enrol(client, token, "good"), sections=sections)
        body = bad.body()
        assert bad.send(client, body).status_code == 200
        for _ in range(200):
            headers, wire = request(rng, bad, body, is_stranger=False)
            client.post(PATH, content=wire, headers=_sendable(headers))
        before = api.memory_bytes()
        for number in range(bodies):
            if time.monotonic() > until:
                break
            headers, wire = request(rng, bad, body, is_stranger=number % 2 == 0)
            answer = client.post(PATH, content=wire, headers=_sendable(headers))
            outcome.count(answer.status_code)
            if answer.status_code >= 500:
                outcome.notes.append(f"{answer.status_code} for {wire[:200]!r}")
            if number % 10 == 0:
                outcome.valid_sent += 1
                outcome.valid_taken += good.send(client).status_code == 200
        outcome.memory_growth_bytes = api.memory_bytes() - before
    outcome.restarts = 0 if api.is_alive() else 1
    return outcome


def _sendable(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def bombs_and_drips(api: ServedApi, token: str, *, drips: int = 100, rounds: int = 5) -> Outcome:
    """A2: bombs, a body of 100 MB, nesting of a million, and connections that drip a byte a second, together with valid check-ins.

    Each bomb goes once with a good signature and once as a stranger's, `rounds` times. `figures`: `slowest_refusal_s`, `slowest_drip_s`,
    `cut_drips`, `valid_p99_ms`; memory is the highest seen while it went on, not only what is left.
    """
    outcome = Outcome()
    waits: list[float] = []
    slowest = 0.0
    with httpx.Client(base_url=api.url, timeout=60) as client, contextlib.ExitStack() as beside:
        sender = enrolled(client, token, "bomber", sections={"system": b"{}"})
        good = enrolled(client, token, "calm", sections={"system": b"{}"})
        good.send(client)
        before = api.memory_bytes()
        peak = [before]
        stop = threading.Event()

        def calm() -> None:
            with httpx.Client(base_url=api.url, timeout=60) as calm_client:
                while not stop.wait(0.02):
                    started = time.monotonic()
                    outcome.valid_sent += 1
                    outcome.valid_taken += good.send(calm_client).status_code == 200
                    waits.append(time.monotonic() - started)
                    peak[0] = max(peak[0], api.memory_bytes())

        # Made before anything drips: packing ten gigabytes takes longer than a drip lives.
        bombs = list(_bombs())
        slow = [_Drip(api.port, sender) for _ in range(drips)]
        valid = threading.Thread(target=calm)
        valid.start()
        beside.callback(valid.join)
        beside.callback(stop.set)
        for _ in range(rounds):
            for name, wire, encoding, is_chunked in bombs:
                for is_stranger in (False, True):
                    headers, _ = sender.request(b"", seq=1, encoding="identity")
                    headers["Content-Encoding"] = encoding
                    headers["Plumbline-Signature"] = (
                        secrets.token_hex(32) if is_stranger else signature(sender.secret, headers, wire, encoding)
                    )
                    status, took = _post_raw(api.port, headers, wire, is_chunked=is_chunked)
                    outcome.count(status)
                    slowest = max(slowest, took)
                    if took > 1:
                        outcome.notes.append(f"{name}: {status} only after {took:.2f} s")
        ended = [drip.wait(25) for drip in slow]
    outcome.figures["slowest_refusal_s"] = slowest
    outcome.figures["cut_drips"] = sum(each is not None for each in ended)
    outcome.figures["slowest_drip_s"] = max(each or 99 for each in ended)
    outcome.figures["valid_p99_ms"] = 1000 * percentile(waits, 0.99)
    outcome.memory_growth_bytes = peak[0] - before
    return outcome


def _bombs() -> Iterator[tuple[str, bytes, str, bool]]:
    """Name, bytes on the wire, encoding, and whether it is sent in chunks, so that no length is announced."""
    yield "zstd, 10 GB from 1 MB", _zstd_of_zeros(10_000_000_000), "zstd", False
    yield "gzip, 2 GB from 2 MB", _gzip_of_zeros(2_000_000_000)[:MAX_WIRE_BYTES], "gzip", False
    yield "100 MB announced", b"x" * 100_000_000, "identity", False
    yield "100 MB in chunks", b"x" * 100_000_000, "identity", True
    yield "nested a million deep", b"[" * 1_000_000, "identity", False
    yield "nested a million deep, packed", gzip.compress(b"[" * 1_000_000), "gzip", False


def _zstd_of_zeros(size: int) -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    piece = bytes(10_000_000)
    return b"".join(packer.compress(piece) for _ in range(size // len(piece))) + packer.flush()


def _gzip_of_zeros(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = bytes(10_000_000)
    return b"".join(packer.compress(piece) for _ in range(size // len(piece))) + packer.flush()


def _post_raw(port: int, headers: dict[str, str], wire: bytes, *, is_chunked: bool) -> tuple[int, float]:
    """Sends until the server answers or hangs up; the status and the seconds since the first byte. Status 0: cut without an answer."""
    announced = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {len(wire)}"
    lines = [f"POST {PATH} HTTP/1.1", "Host: x", announced, *(f"{name}: {value}" for name, value in headers.items())]
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        view = memoryview(wire)
        with contextlib.suppress(ConnectionError):
            for at in range(0, len(view), 65536):
                piece = view[at : at + 65536]
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), bytes(piece)) if is_chunked else piece)
                if select.select([connection], [], [], 0)[0]:
                    break
            else:
                if is_chunked:
                    connection.sendall(b"0\r\n\r\n")
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = connection.recv(65536)
        return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0, time.monotonic() - started


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


def killed_in_the_middle(
    api: ServedApi, token: str, database_url: str, *, kills: int, check_ins: int, hosts: int = 40, until: float = float("inf")
) -> Outcome:
    """A3: the server is killed again and again while agents send; each keeps its receipts. No receipt without its stored body.

    `until` (monotonic) ends it early, with fewer check-ins and kills.
    """
    outcome = Outcome()
    receipts: list[tuple[str, int, bytes, bytes]] = []
    lock = threading.Lock()
    per_host = max(1, check_ins // hosts)
    stop = threading.Event()

    def agent(number: int) -> None:
        with httpx.Client(base_url=api.url, timeout=10) as client:
            sender = enrolled(client, token, f"agent-{number}")
            for _ in range(per_host):
                if time.monotonic() > until:
                    break
                with lock:
                    outcome.valid_sent += 1
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
        for number in range(kills):
            # Spread over check-ins, not over time: a fast machine is killed as often as a slow one, and each has something to lose.
            due = (number + 1) * per_host * hosts // (kills + 1)
            while outcome.valid_taken < due:
                if stop.wait(0.002):
                    return
            if stop.wait(rng.uniform(0, 0.02)):
                return
            api.kill()
            outcome.restarts += 1
            api.start()

    with concurrent.futures.ThreadPoolExecutor(hosts + 1) as pool:
        killing = pool.submit(killer)
        agents = [pool.submit(agent, number) for number in range(hosts)]
        for each in agents:
            each.result()
        stop.set()
        killing.result()
    outcome.notes += _check_receipts(database_url, receipts)
    return outcome


def enrolled(client: httpx.Client, token: str, name: str, *, sections: dict[str, bytes] | None = None) -> Sender:
    """A new host; repeats the enrolment with the same nonce until it is answered, since its rate is limited and the server may be down."""
    nonce = secrets.token_hex(16)
    while True:
        with contextlib.suppress(httpx.HTTPError):
            answer = enrol(client, token, name, nonce=nonce)
            if answer.status_code == 200:
                return sender_of(answer, sections=sections or {})
            if answer.status_code not in (429, 503):
                raise AssertionError(answer.text)
        time.sleep(0.05)


def _check_receipts(database_url: str, receipts: list[tuple[str, int, bytes, bytes]]) -> list[str]:
    """Every receipt against the database: the check-in's row, and its body under its digest. Answers what is wrong."""
    wrong: list[str] = []
    plain = Unpacker()
    with psycopg.connect(database_url.replace("+psycopg", "")) as connection:
        for host_id, seq, line, body in receipts:
            digest = hashlib.sha256(body).digest()
            rows = connection.execute("SELECT digest FROM check_in WHERE host_id = %s AND seq = %s", (host_id, seq)).fetchall()
            stored = connection.execute(
                "SELECT content, dictionary_id FROM section_body WHERE host_id = %s AND section = 'system' AND sha256 = %s",
                (host_id, digest),
            ).fetchall()
            if [bytes(row[0]) for row in rows] != [line]:
                wrong.append(f"{host_id} {seq}: {len(rows)} rows for a receipt")
            if len(stored) != 1:
                wrong.append(f"{host_id} {seq}: {len(stored)} bodies for a receipt")
                continue
            plain.learn(connection, [stored[0][1]])
            if plain.unpack(stored[0][0], stored[0][1]) != body:
                wrong.append(f"{host_id} {seq}: another body than was receipted")
        doubled = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM check_in GROUP BY host_id, epoch, seq HAVING count(*) > 1) d"
        ).fetchone()
        if doubled and doubled[0]:
            wrong.append(f"{doubled[0]} check-ins stored twice")
    return wrong
