"""A mail server, a webhook, a heartbeat monitor, a chat or an identity provider that never answers, drips or sends without end holds no
worker past the time limit, and takes no memory."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any

import psutil
import pytest

from faults.talking_peer import talking
from plumbline.auth import oidc_client
from plumbline.infra import http_client
from plumbline.notify import transports
from plumbline.notify.ticket_form import TicketForm
from plumbline.notify.transports import Message, NotSent

pytestmark = pytest.mark.usefixtures("loopback")

LIMIT_SECONDS = 1.0
# The limit above and a busy machine.
LONGEST_SECONDS = 8.0
# What arrives between two looks at the size is read, and held twice by some libraries.
MOST_BYTES = 120_000_000

NOW = datetime(2026, 11, 25, tzinfo=UTC)
MESSAGE = Message("dlv_1", 1, "failed_job", NOW, "A job failed", ("on a host",), (1, "All hosts"), (), "/jobs/1")
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"
LINES = b"x-header: value\r\n" * 4000


@pytest.fixture(autouse=True)
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "WHOLE_SECONDS", LIMIT_SECONDS)
    monkeypatch.setattr(http_client, "READ_SECONDS", LIMIT_SECONDS)
    monkeypatch.setattr(transports, "_MAIL_SECONDS", LIMIT_SECONDS)


@contextmanager
def memory_is_bounded() -> Iterator[None]:
    own, over = psutil.Process(), Event()
    before = highest = own.memory_info().rss

    def watch() -> None:
        nonlocal highest
        while not over.wait(0.01):
            highest = max(highest, own.memory_info().rss)

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
    assert highest - before < MOST_BYTES


def webhook(port: int) -> None:
    transports.send(
        "webhook", {"url": f"http://127.0.0.1:{port}/hook", "secrets": ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}, MESSAGE, now=NOW
    )


def heartbeat(port: int) -> None:
    transports.beat({"url": f"http://127.0.0.1:{port}/beat"})


def ticket(port: int) -> None:
    form = TicketForm('{"title": "{{title}}"}', "number", "")
    transports.send("ticket", {"url": f"http://127.0.0.1:{port}/", "account": "", "password": "", "form": form}, MESSAGE, now=NOW)


def chat(port: int) -> None:
    transports.send("chat", {"url": f"mmost://127.0.0.1:{port}/3ccdd113474722377935511fc85d3dd4"}, MESSAGE, now=NOW)


def mail(port: int) -> None:
    server = {"server": "127.0.0.1", "port": port, "security": "insecure", "account": "", "password": ""}
    transports.send("mail", {**server, "sender": "plumbline@example.com", "to": ["ana@example.com", "raj@example.com"]}, MESSAGE, now=NOW)


def _client(port: int) -> oidc_client.Client:
    return oidc_client.Client(
        issuer=f"http://127.0.0.1:{port}", client_id="plumbline", client_secret="x" * 32, redirect_uri="https://plumbline.example/back",
        scopes="openid", groups_claim="groups", login_claim="preferred_username",
    )  # fmt: skip


def _documents(port: int) -> oidc_client.Documents:
    place = f"http://127.0.0.1:{port}"
    return oidc_client.Documents(f"{place}/auth", f"{place}/token", f"{place}/keys", f"{place}/me", "", ("client_secret_basic",), (), False)


def provider_documents(port: int) -> None:
    oidc_client.discover(_client(port))


def provider_keys(port: int) -> None:
    oidc_client.read_keys(_client(port), _documents(port))


def provider_code(port: int) -> None:
    asked = oidc_client.SignInState(state="the-state", nonce="the-nonce", code_verifier="v" * 43)
    oidc_client.identify(_client(port), _documents(port), asked, answer={"state": "the-state", "code": "c0de"}, now=NOW)


HTTP: list[tuple[str, bytes, bytes]] = [
    ("silent", b"", b""),
    ("silent", ANSWER, b""),
    ("drip", b"HTTP/1.1 200 OK\r\nx: ", b""),
    ("drip", ANSWER, b""),
    ("endless", ANSWER, b"x" * 65536),
    ("endless", b"HTTP/1.1 200 OK\r\n", LINES),
    ("endless", b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2000),
    ("endless", b"", b"x" * 65536),
]
MAIL: list[tuple[str, bytes, bytes]] = [
    ("silent", b"", b""),
    ("silent", b"220 mail.example.com\r\n", b""),
    ("drip", b"", b""),
    ("drip", b"220 mail.example.com\r\n", b""),
    ("endless", b"220 mail.example.com\r\n", b"x" * 65536),
    # Each line says that another one follows: the library collects them all.
    ("endless", b"", b"220-mail.example.com\r\n" * 3000),
]
TABLE: list[tuple[Callable[[int], Any], str, bytes, bytes]] = [
    *((call, *peer) for call in (webhook, heartbeat, ticket, chat, provider_documents, provider_keys, provider_code) for peer in HTTP),
    *((mail, *peer) for peer in MAIL),
]


@pytest.mark.parametrize(("call", "behaviour", "beginning", "block"), TABLE)
def test_it_is_given_up_in_time_and_takes_no_memory(call: Callable[[int], None], behaviour: str, beginning: bytes, block: bytes) -> None:
    # The status counts, which has come: of a webhook and a heartbeat nothing else is read. Of a chat service the whole answer is.
    has_taken_it = call in (webhook, heartbeat) and beginning == ANSWER
    with talking(behaviour, beginning, block=block or b"x") as port, memory_is_bounded():
        began = time.monotonic()
        if has_taken_it:
            call(port)
        else:
            with pytest.raises((NotSent, oidc_client.ProviderFailed)) as refused:
                call(port)
            assert refused.value.message
        assert time.monotonic() - began < LONGEST_SECONDS
