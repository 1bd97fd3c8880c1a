"""A real uvicorn with the check-in endpoint, on a database of the test's own."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from faults.sending import Sender, enrol, sender_of
from plumbline.checkin.asgi import CheckInApp
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from plumbline.web.http_limits import LimitedProtocol


class Served:
    """A check-in endpoint that is served."""

    def __init__(self, app: CheckInApp, url: str) -> None:
        self.app = app
        self.url = url
        self.client = httpx.Client(base_url=url, timeout=30)


@pytest.fixture
def serve(fresh_database: str, keys_folder: Path) -> Iterator[Callable[..., Served]]:
    """Starts endpoints, each a server of its own; several stand for several API processes."""
    running: list[tuple[uvicorn.Server, threading.Thread, Served]] = []

    def start(**options: object) -> Served:
        app = CheckInApp(**options)  # type: ignore[arg-type]
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="warning", lifespan="on", http=LimitedProtocol, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        served = Served(app, f"http://127.0.0.1:{listener.getsockname()[1]}")
        running.append((server, thread, served))
        return served

    yield start
    for server, thread, served in running:
        served.client.close()
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture
def served(serve: Callable[..., Served]) -> Served:
    return serve()


@pytest.fixture
def token(fresh_database: str, keys_folder: Path) -> str:
    with session_scope() as session:
        return make_token(session, TokenTerms(name="test", group_id=1, is_auto_approved=True, uses=1000)).token


@pytest.fixture
def sender(served: Served, token: str) -> Sender:
    answer = enrol(served.client, token, "win-01")
    assert answer.status_code == 200, answer.text
    return sender_of(answer, sections={"system": b'{"a":1}', "adapters": b'{"b":2}'})


def host_of(sender: Sender) -> Host:
    """The row of a sender's host."""
    with session_scope() as session:
        return session.get_one(Host, sender.host_id)
