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

from plumbline.infra import http_client
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput
from plumbline.infra.settings import get_settings
from plumbline.notify import address
from plumbline.notify.signing import SECRET_PREFIX

_MOST_WORDS = 200
# As long as a delivery is taken, less what noting it takes (`send.TAKEN_FOR`).
_MAIL_SECONDS = 90.0
# How apprise begins what went wrong on the wire, and what it says of one person's mail alone.
_REASON = "Socket Exception:"
_OF_ONE = "Sending email to "
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
        return send_mail(values, message)
    chat = _made(address.chat_of, values["url"])
    # Where the service is known, what stands in the host's place is a key.
    secrets = _secrets_of(values["url"], with_host=not chat.service.names_host)
    with http_client.watched(http_client.WHOLE_SECONDS) as watch:
        _by_apprise(chat.service.words, chat.sender, message, secrets, watch)
    return f"{chat.service.words} took it"


def send_mail(values: Mapping[str, Any], message: Message) -> str:
    """One mail to each, so that one address that is refused takes nothing from the others. Raises `NotSent`.

    Tried again only while nobody got it: the others would get it with every try.
    """
    secrets = [str(values["password"])]
    taken = 0
    refused: list[NotSent] = []
    with http_client.watched(_MAIL_SECONDS) as watch:
        for each in values["to"]:
            try:
                _by_apprise("the mail server", _made(address.mail_of, {**values, "to": [each]}), message, secrets, watch)
                taken += 1
            except NotSent as error:
                refused.append(error)
                if not error.words.startswith(_OF_ONE):
                    break  # not about this person: a server that is away, or an account that another try could lock
    if not refused:
        return "the mail server took it"
    if not taken:
        raise refused[0]
    left = len(values["to"]) - taken
    raise NotSent(f"the mail server took it for {taken}, and not for {left}: {refused[0].words}", is_final=True)


def signature(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """As the Standard Webhooks have it: `v1,` and the base64 of HMAC-SHA256 over id, time and body under the decoded secret."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def send_webhook(values: Mapping[str, Any], message: Message, *, now: datetime) -> str:
    """Posts the notice, signed with each of `secrets`, newest first. Any answer of the 200s counts. Raises `NotSent`."""
    body, timestamp = message.as_json(), int(now.timestamp())
    headers = {
        "content-type": "application/json",
        "webhook-id": message.delivery_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(each, message.delivery_id, timestamp, body) for each in values["secrets"]),
    }
    return _call("POST", values["url"], content=body, headers=headers)


def beat(values: Mapping[str, Any]) -> str:
    """Calls the address of a heartbeat. Raises `NotSent`."""
    return _call("GET", values["url"])


def _call(method: str, url: str, **more: Any) -> str:
    options = http_client.client_options()
    headers = {**options.pop("headers"), **more.pop("headers", {})}
    try:
        # The status is the answer. What stands below it is not read: a receiver that took it and then says much has taken it.
        with closing(httpx.Client(**options)) as client, client.stream(method, url, headers=headers, **more) as answer:
            pass
    except http_client.AddressRefused as error:
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


def _by_apprise(who: str, service: Any, message: Message, secrets: list[str], watch: http_client.Watch) -> None:
    with _heard() as said:
        try:
            is_sent = service.notify(title=f"Plumbline: {message.title}", body=message.body, body_format="text")
        except Exception as error:  # a plugin of a service may raise what its libraries raise
            raise NotSent(_scrubbed(f"{who} could not be asked: {error}", secrets)) from error
    if is_sent:
        return
    if watch.refused:
        raise NotSent(watch.refused, is_final=True)
    if watch.is_over:
        raise NotSent(f"{who} did not answer in time")
    raise NotSent(_scrubbed(" ".join(said) or f"{who} did not take it, and gives no reason", secrets))


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What apprise says in this thread meanwhile: its answer is only whether it worked, and the reason stands in its log."""
    said: list[str] = []
    mine = threading.get_ident()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.thread != mine:
                return
            words = record.getMessage()
            if record.levelno >= logging.WARNING:
                said.insert(0, words)
            elif words.startswith(_REASON):
                said.append(f"({words.removeprefix(_REASON).strip()})")

    ear, log = Ear(), logging.getLogger("apprise")
    # What went wrong on the wire is told on its lowest level only, among addresses and keys: so nobody else is to hear it.
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(ear)
    try:
        yield said
    finally:
        log.removeHandler(ear)


def _secrets_of(url: str, *, with_host: bool = False) -> list[str]:
    """The parts of an address that a log must not hold: all but its scheme and, unless asked for or a page's of the web, its host."""
    parts = urlsplit(url)
    people, _, host = parts.netloc.rpartition("@")
    found = [*parts.path.split("/"), *people.split(":"), *re.split("[&=]", parts.query), parts.fragment]
    if with_host and parts.scheme != "https":
        found += host.split(":")
    return [each for part in found for each in {part, unquote(part)} if len(each) >= 4]


def _scrubbed(words: str, secrets: list[str]) -> str:
    for each in sorted((secret for secret in secrets if secret), key=len, reverse=True):
        words = words.replace(each, "…")
    return words
