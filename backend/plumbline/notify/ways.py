"""Sending one message down one channel: signed webhooks and heartbeats over the guarded way out, mail and chat through apprise.

Each function returns what the receiver answered, in words, or raises `NotSent` with what went wrong; no words hold a secret of the address.
"""

import base64
import hashlib
import hmac
import json
import logging
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx

from plumbline import outbound
from plumbline.clock import iso
from plumbline.errors import BadInput
from plumbline.notify import address
from plumbline.settings import get_settings

SECRET_PREFIX = "whsec_"  # noqa: S105 - how such secrets begin
_MOST_WORDS = 200
# How the system begins what it says of a connection that failed.
_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


class NotSent(Exception):
    """The message did not arrive, or nobody can say that it did. `is_final`: trying again cannot help."""

    def __init__(self, words: str, *, is_final: bool = False) -> None:
        super().__init__(words)
        self.words = words[:_MOST_WORDS]
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent: one notice."""

    delivery_id: str
    notice_id: int
    kind: str
    at: datetime
    title: str
    lines: tuple[str, ...]
    group: tuple[int, str]
    hosts: tuple[tuple[str, str], ...]
    page: str

    @property
    def link(self) -> str:
        """The page that shows it; empty where there is none."""
        return get_settings().public_url.rstrip("/") + self.page if self.page else ""

    @property
    def body(self) -> str:
        """The text of a mail or a chat message."""
        return "\n".join([*self.lines, *([self.link] if self.link else [])]) or self.title

    def as_json(self) -> bytes:
        """The body of a webhook (docs/notices.md)."""
        told = {
            "type": f"notice.{self.kind}",
            "timestamp": iso(self.at),
            "data": {
                "id": self.notice_id,
                "kind": self.kind,
                "title": self.title,
                "lines": list(self.lines),
                "group": {"id": self.group[0], "name": self.group[1]},
                "hosts": [{"id": host_id, "name": name} for host_id, name in self.hosts],
                "url": self.link,
            },
        }
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def send(way: str, values: Mapping[str, Any], message: Message, *, now: datetime) -> str:
    """Sends by the channel's way. Raises `NotSent`."""
    if way == "webhook":
        return send_webhook(values, message, now=now)
    if way == "mail":
        host = (str(values["server"]), int(values["port"]))
        return _by_apprise("the mail server", _made(address.mail_of, values), message, host, [str(values["password"])])
    chat = _made(address.chat_of, values["url"])
    return _by_apprise(chat.service.words, chat.sender, message, chat.host, _secrets_of(values["url"]))


def signature(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """As the Standard Webhooks have it: `v1,` and the base64 of HMAC-SHA256 over id, time and body under the decoded secret."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def send_webhook(values: Mapping[str, Any], message: Message, *, now: datetime) -> str:
    """Posts the notice, signed. Any answer of the 200s counts. Raises `NotSent`."""
    body, timestamp = message.as_json(), int(now.timestamp())
    headers = {
        "content-type": "application/json",
        "webhook-id": message.delivery_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(values["secret"], message.delivery_id, timestamp, body),
    }
    return _call("POST", values["url"], content=body, headers=headers)


def beat(values: Mapping[str, Any]) -> str:
    """Calls the address of a heartbeat. Raises `NotSent`."""
    return _call("GET", values["url"])


def _call(method: str, url: str, **more: Any) -> str:
    options = outbound.client_options()
    headers = {**options.pop("headers"), **more.pop("headers", {})}
    try:
        with closing(httpx.Client(**options)) as client:
            answer = client.request(method, url, headers=headers, **more)
    except outbound.AddressRefused as error:
        raise NotSent(str(error), is_final=True) from error
    except httpx.TimeoutException as error:
        raise NotSent("it did not answer in time") from error
    except httpx.HTTPError as error:
        words = _NUMBER.sub("", str(error)) or type(error).__name__
        raise NotSent(_scrubbed(words, _secrets_of(url))) from error
    if answer.is_redirect:
        raise NotSent(f"it redirects elsewhere ({answer.status_code}), which is not followed: enter the address that it leads to")
    if not answer.is_success:
        raise NotSent(f"it answers {answer.status_code} {answer.reason_phrase}".strip())
    return f"it answers {answer.status_code} {answer.reason_phrase}".strip()


def _made(make: Any, values: Any) -> Any:
    try:
        return make(values)
    except BadInput as error:
        raise NotSent(error.message, is_final=True) from error


def _by_apprise(who: str, service: Any, message: Message, host: tuple[str, int] | None, secrets: list[str]) -> str:
    if host is not None:
        try:
            outbound.allowed_addresses(*host)
        except outbound.AddressRefused as error:
            raise NotSent(str(error), is_final=True) from error
        except httpx.ConnectError as error:
            raise NotSent(str(error)) from error
    with _heard() as said:
        try:
            is_sent = service.notify(title=f"Plumbline: {message.title}", body=message.body, body_format="text")
        except Exception as error:  # a plugin of a service may raise what its libraries raise
            raise NotSent(_scrubbed(f"{who} could not be asked: {error}", secrets)) from error
    if not is_sent:
        raise NotSent(_scrubbed(" ".join(said) or f"{who} did not take it, and gives no reason", secrets))
    return f"{who} took it"


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What apprise says in this thread meanwhile: its answer is only whether it worked, and the reason stands in its log."""
    said: list[str] = []
    mine = threading.get_ident()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.thread == mine and record.levelno >= logging.WARNING:
                said.append(record.getMessage())

    ear, log = Ear(), logging.getLogger("apprise")
    log.addHandler(ear)
    try:
        yield said
    finally:
        log.removeHandler(ear)


def _secrets_of(url: str) -> list[str]:
    """The parts of an address that a log must not hold: all but its scheme and host."""
    parts = urlsplit(url)
    found = [*parts.path.split("/"), parts.username or "", parts.password or ""]
    found += [value for pair in parts.query.split("&") for value in pair.split("=")[1:]]
    return [each for part in found for each in {part, unquote(part)} if len(each) >= 4]


def _scrubbed(words: str, secrets: list[str]) -> str:
    for each in sorted((secret for secret in secrets if secret), key=len, reverse=True):
        words = words.replace(each, "…")
    return words
