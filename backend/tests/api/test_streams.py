"""Live streams end with the session, the account and the right that they were opened with; a few are open at most."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from sqlmodel import text

from plumbline.auth import streams
from plumbline.infra.database import session_scope
from plumbline.web import live
from tests.api.conftest import Ask
from tests.api.world import World

# A client that asks every two seconds, on a busy machine.
SECONDS = 15


class Stream:
    """A stream that is read in a thread until the server ends it."""

    def __init__(self, address: str, cookies: dict[str, str]) -> None:
        where = urlsplit(address)
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.connection = socket.create_connection((where.hostname or "", where.port or 0), timeout=60)
        self.connection.sendall(
            f"GET /api/v1/events HTTP/1.1\r\nHost: {where.netloc}\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        self.status = int(self.connection.recv(12).split(b" ")[1])
        self.is_over = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while self.connection.recv(65536):
                pass
            self.is_over.set()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


@pytest.fixture
def follow(address: str, world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Stream]]:
    monkeypatch.setattr(live, "POLL_SECONDS", 0.3)
    opened: list[Stream] = []

    def start(login: str) -> Stream:
        opened.append(Stream(address, world.cookies[login]))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def execute(statement: str, **values: object) -> None:
    with session_scope() as session:
        session.execute(text(statement), values)


def test_a_stream_ends_when_its_session_ends(follow: Callable[[str], Stream], ask: Ask) -> None:
    stream, other = follow("approver"), follow("operator")
    assert not stream.is_over.wait(1.5)
    assert ask("approver", "DELETE", "/session").status_code == 204
    assert stream.is_over.wait(SECONDS)
    assert not other.is_over.is_set()


def test_a_stream_ends_when_its_person_is_disabled(follow: Callable[[str], Stream], world: World) -> None:
    stream = follow("operator")
    execute("UPDATE person SET is_disabled = true WHERE login = 'operator'")
    try:
        assert stream.is_over.wait(SECONDS)
    finally:
        execute("UPDATE person SET is_disabled = false WHERE login = 'operator'")


def test_a_stream_ends_when_the_last_role_is_taken(follow: Callable[[str], Stream], world: World) -> None:
    stream = follow("prod-viewer")
    execute("DELETE FROM role_grant WHERE person_id = (SELECT id FROM person WHERE login = 'prod-viewer')")
    assert stream.is_over.wait(SECONDS)


def test_a_few_streams_of_a_session_are_open_at_once(follow: Callable[[str], Stream], ask: Ask) -> None:
    opened = [follow("admin") for _ in range(streams.MOST_STREAMS)]
    assert {one.status for one in opened} == {200}
    refused = ask("admin", "GET", "/events")
    assert refused.status_code == 429
    assert refused.json()["code"] == "too_many_requests"
    # Another session is not concerned, and one that was closed makes room.
    follow("viewer")
    opened[0].close()
    deadline = time.monotonic() + SECONDS
    while follow("admin").status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_stream_of_an_unknown_job_is_not_found(ask: Ask) -> None:
    answer = ask("viewer", "GET", "/jobs/999999/stream")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert ask("", "GET", "/jobs/999999/stream").status_code == 401
