"""Limits of the HTTP server: what a client without a credential may take of it."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import uvicorn

from plumbline.web import http_limits
from plumbline.web.http_limits import LimitedProtocol
from tests.web.served import make_app

BACKEND = Path(__file__).parents[2]


@contextmanager
def running() -> Iterator[int]:
    server = uvicorn.Server(uvicorn.Config(make_app(), port=0, http=LimitedProtocol, log_level="critical", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running() as number:
        yield number


def all_of(connection: socket.socket, seconds: float = 10) -> bytes:
    """Everything that the server sends until it closes."""
    connection.settimeout(seconds)
    got = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            got += piece
    return got


def ask(port: int, wire: bytes, seconds: float = 10) -> bytes:
    """What is answered to these bytes until the server closes."""
    with closing(socket.create_connection(("127.0.0.1", port))) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(wire)
        return all_of(connection, seconds)


def test_one_request_at_a_time(port: int) -> None:
    answer = ask(port, b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n" * 1000)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.endswith(b'"slow"')


def test_a_request_that_comes_before_the_answer_closes(port: int) -> None:
    with closing(socket.create_connection(("127.0.0.1", port))) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.5)
        connection.sendall(b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = all_of(connection)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answer


def test_one_after_the_other_over_one_connection(port: int) -> None:
    with closing(socket.create_connection(("127.0.0.1", port))) as connection:
        for number in range(3):
            connection.sendall(b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n" % number)
            got = b""
            while not got.endswith(b'"%d"' % number):
                piece = connection.recv(65536)
                assert piece, got
                got += piece


@pytest.mark.parametrize(
    ("wire", "status"),
    [
        (b"GET /a HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 40_000, 431),
        (b"GET /a HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (b"GET /a HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % number for number in range(120)) + b"\r\n", 431),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n", 413),
        (b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n", 413),
        (b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        (b"POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 40, 413),
        (b"GARBAGE\r\n\r\n", 400),
    ],
)
def test_limits_of_size(port: int, wire: bytes, status: int) -> None:
    answer = ask(port, wire)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b"content-security-policy" in answer
    assert b"application/problem+json" in answer


# Where one request ends must never be a matter of opinion between a proxy and us (RFC 9112, section 6.3).
@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 50\r\n",
        b"Content-Length: 4, 50\r\n",
        b"Content-Length: +4\r\n",
        b"Content-Length : 4\r\n",
        b"Transfer-Encoding: identity, chunked, identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b"X: y\r\n folded: z\r\nContent-Length: 4\r\n",
        b"X: y\nContent-Length: 4\r\n",
    ],
)
def test_a_body_of_doubtful_length_is_refused(port: int, head: bytes) -> None:
    hidden = b"GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = ask(port, b"POST /body HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n" + b"0\r\n\r\n" + hidden)
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:100]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"hidden" not in answer


def test_a_body_at_the_limit_is_read(port: int) -> None:
    body = b"x" * http_limits.MAX_BODY_BYTES
    assert httpx.post(f"http://127.0.0.1:{port}/body", content=body, trust_env=False).json() == len(body)


def test_a_refused_body_still_gets_its_answer(port: int) -> None:
    """The route answers without reading: what is on its way is taken, and the connection serves on."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        for _ in range(3):
            assert client.post("/unread", content=b"x" * 500_000).text == '"unread"'


@pytest.mark.parametrize(
    ("beginning", "piece", "status"),
    [
        (b"GET /a HTTP/1.1\r\nHost: x\r\n", b"X: 1\r\n", b"HTTP/1.1 408"),
        (b"", b"\r\n", b"HTTP/1.1 408"),
        (b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", b"x", b"HTTP/1.1 408"),
        (b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", b"x", b"HTTP/1.1 200"),
        (b"", b"", b""),
    ],
    ids=["head", "empty lines", "body", "body after the answer", "nothing"],
)
def test_limits_of_time(port: int, monkeypatch: pytest.MonkeyPatch, beginning: bytes, piece: bytes, status: bytes) -> None:
    monkeypatch.setattr(http_limits, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(http_limits, "BODY_SECONDS", 1.0)
    started = time.monotonic()
    with closing(socket.create_connection(("127.0.0.1", port))) as connection:
        connection.sendall(beginning)
        connection.settimeout(0.1)
        got = b""
        while time.monotonic() < started + 8:
            try:
                if piece:
                    connection.sendall(piece)
                more = connection.recv(65536)
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
            if not more:
                break
            got += more
    assert time.monotonic() - started < 5
    assert got.startswith(status)
    assert got.count(b"HTTP/1.1 ") == bool(status)


def test_who_takes_nothing_of_an_answer_is_let_go(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "WRITE_SECONDS", 1.0)
    with closing(socket.create_connection(("127.0.0.1", port))) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(4)
        # What the kernel holds of it can still be read; the rest was thrown away.
        assert len(all_of(connection)) < 4 * 1024 * 1024


def test_idle_connections_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "most_connections", 20)
    with running() as port:
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        try:
            time.sleep(0.3)
            for _ in range(5):
                assert httpx.get(f"http://127.0.0.1:{port}/a", trust_env=False, timeout=2).text == '"a"'
            ended = 0
            for one in idle:
                one.settimeout(0.05)
                try:
                    ended += one.recv(1) == b""
                except ConnectionResetError:
                    ended += 1
                except TimeoutError:
                    pass
            assert ended >= 40
        finally:
            for one in idle:
                one.close()


def resident(process: "subprocess.Popen[str]") -> int:
    line = next(each for each in Path(f"/proc/{process.pid}/status").read_text().splitlines() if each.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory of a process is read from /proc")
def test_memory_comes_back_after_an_attack() -> None:
    process = subprocess.Popen([sys.executable, "-m", "tests.web.served"], cwd=BACKEND, text=True, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        for _ in range(300):
            httpx.get(f"http://127.0.0.1:{port}/a", trust_env=False)
        before = resident(process)
        highest = before
        pipelined = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n" * (2 * 1024 * 1024 // 29)
        head = b"GET /a HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * (64 * 1024 * 1024)
        for wire in (pipelined, pipelined, pipelined, head, head):
            ask(port, wire, 30)
            highest = max(highest, resident(process))
        assert httpx.get(f"http://127.0.0.1:{port}/a", trust_env=False).text == '"a"'
        limit = time.monotonic() + 20
        while resident(process) > before * 1.10 and time.monotonic() < limit:
            time.sleep(0.2)
        assert resident(process) <= before * 1.10, (before, highest, resident(process))
        assert highest < before + 32 * 1024 * 1024, (before, highest)
    finally:
        process.terminate()
        process.wait(20)


def test_what_is_a_cycle_is_collected_though_python_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from plumbline.infra import memory

    monkeypatch.setattr(memory, "LOOK_SECONDS", 0.01)
    # At the start; twice with little growth; grown by a fifth, and after that collection; once more.
    sizes = [100_000_000, 100_000_000, 101_000_000, 120_000_000, 100_000_000, 100_000_000]
    read = iter([*sizes, *[100_000_000] * 1000])
    left = [len(sizes)]

    def next_size() -> int:
        left[0] -= 1
        return next(read)

    def used_up() -> bool:
        return left[0] < 0

    monkeypatch.setattr(memory, "resident_bytes", next_size)
    collected: list[int] = []
    monkeypatch.setattr(memory, "collect", lambda: float(collected.append(1) or 0))

    async def a_while() -> None:
        task = asyncio.create_task(memory.keep_small())
        limit = time.monotonic() + 30
        while not used_up() and time.monotonic() < limit:
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(a_while())
    assert collected == [1]
