"""Sends one message through one channel: signed webhooks and heartbeats with the guarded HTTP client, mail and chat through apprise.

Each function returns the receiver's answer as a sentence, or raises `NotSent` with the reason; neither ever holds a secret of the address.
"""

import base64
import hashlib
import hmac
import json
import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx

from plumbline.infra import http_client
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput
from plumbline.infra.settings import get_settings
from plumbline.notify import address
from plumbline.notify.signing import SECRET_PREFIX
from plumbline.notify.ticket_form import TicketForm

_MOST_WORDS = 200
# Answers of a ticket system that was asked and did nothing: asked too slowly, too often, or not there now.
_NOT_TAKEN = (408, 429, 503)
_MAY_EXIST = "The ticket may exist: look there before you send it again."
# Shorter than the lease of a delivery (`send.LEASED_FOR`), so that the outcome is stored within it.
_MAIL_SECONDS = 90.0
# How apprise's log lines about network errors begin, and those about the mail of one recipient.
_REASON = "Socket Exception:"
_OF_ONE = "Sending email to "
# What it calls a channel that was left to the webhook.
_TO_NONE = re.compile(r" to (?:channel )?None\b")
# How the system's messages about failed connections begin.
_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


class NotSent(Exception):
    """The message did not arrive, or it is unknown whether it did. `is_final`: another attempt cannot help."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.message = message[:_MOST_WORDS]
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class Message:
    """One notice, as it is sent."""

    delivery_id: str
    notice_id: int
    kind: str
    at: datetime
    title: str
    lines: tuple[str, ...]
    group: tuple[int, str]
    hosts: tuple[tuple[str, str], ...]
    page: str
    # Of a ticket, who sends it.
    requested_by: str = ""

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
        notice = {
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
        return json.dumps(notice, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Sent:
    """The receiver's answer as a sentence; and the ticket that it created, with its page, where it is a ticket system and said so."""

    words: str
    ticket_number: str = ""
    ticket_url: str = ""


def send(transport: str, values: Mapping[str, Any], message: Message, *, now: datetime) -> Sent:
    """Sends through the channel's transport; a ticket system's `values` have its `form`. Raises `NotSent`."""
    if transport == "ticket":
        return send_ticket(values, message)
    if transport == "webhook":
        return Sent(send_webhook(values, message, now=now))
    if transport == "mail":
        return Sent(send_mail(values, message))
    chat = _sender_of(address.chat_of, values["url"])
    # In the address of a service with a host of its own, the part in the host's place is a key.
    secrets = _secrets_of(values["url"], with_host=not chat.service.names_host)
    with http_client.guarded_connections(http_client.WHOLE_SECONDS) as watch:
        _by_apprise(chat.service.words, chat.sender, message, secrets, watch)
    return Sent(f"Delivered to {chat.service.words}")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a mail."""

    name: str
    media: str
    content: bytes


def send_mail(values: Mapping[str, Any], message: Message, attachments: Sequence[Attachment] = ()) -> str:
    """One mail to each recipient, so that a refused address does not keep the others from getting theirs. Raises `NotSent`.

    It is final once one recipient got the mail: those would get it again with every attempt.
    """
    secrets = [str(values["password"])]
    accepted = 0
    refused: list[NotSent] = []
    with http_client.guarded_connections(_MAIL_SECONDS) as watch:
        for recipient in values["to"]:
            try:
                sender = _sender_of(address.mail_of, {**values, "to": [recipient]})
                _by_apprise("the mail server", sender, message, secrets, watch, attachments)
                accepted += 1
            except NotSent as error:
                refused.append(error)
                if not error.message.startswith(_OF_ONE):
                    break  # not about this recipient: a server that is down, or an account that another attempt could lock
    if not refused:
        return "Accepted by the mail server"
    if not accepted:
        raise refused[0]
    left = len(values["to"]) - accepted
    raise NotSent(f"Accepted for {accepted}; rejected for {left}: {refused[0].message}", is_final=True)


def signature(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """As the Standard Webhooks define it: `v1,` and the base64 of HMAC-SHA256 over id, time and body under the decoded secret."""
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
        "webhook-signature": " ".join(signature(secret, message.delivery_id, timestamp, body) for secret in values["secrets"]),
    }
    return _call("POST", values["url"], content=body, headers=headers)


def send_ticket(values: Mapping[str, Any], message: Message) -> Sent:
    """Posts the ticket and reads its number from the answer. Raises `NotSent`.

    Only what surely created no ticket is tried again: a connection that was not made, and the answers 408, 429 and 503.
    """
    form: TicketForm = values["form"]
    body = form.filled(
        {
            "title": message.title,
            "description": message.body,
            "hosts": ", ".join(name for _, name in message.hosts),
            "group": message.group[1],
            "requested_by": message.requested_by,
            "url": message.link,
            "id": message.delivery_id,
        }
    )
    headers = {"content-type": "application/json", "accept": "application/json"}
    if values["account"]:
        login = base64.b64encode(f"{values['account']}:{values['password']}".encode()).decode()
        headers["authorization"] = f"Basic {login}"
    elif values["password"]:
        headers["authorization"] = f"Bearer {values['password']}"
    try:
        answer = _answer_of("POST", values["url"], content=body, headers=headers)
    except _AnswerMissing as error:
        raise NotSent(f"{error.message}. {_MAY_EXIST}", is_final=True) from error
    words = f"Responded with {answer.status_code} {answer.reason_phrase}".strip()
    if answer.is_redirect:
        raise NotSent(f"Redirect ({answer.status_code}) not followed. Enter the final URL.", is_final=True)
    if not answer.is_success:
        may_exist = answer.is_server_error and answer.status_code not in _NOT_TAKEN
        raise NotSent(f"{words}. {_MAY_EXIST}" if may_exist else words, is_final=answer.status_code not in _NOT_TAKEN)
    number = form.number_in(answer.content)
    if not number and form.number:
        words += f"; no ticket number at {form.number}"
    return Sent(words, number, form.link_to(number))


def beat(values: Mapping[str, Any]) -> str:
    """Calls the address of a heartbeat. Raises `NotSent`."""
    return _call("GET", values["url"])


class _AnswerMissing(NotSent):
    """The request may have arrived: it was sent, and no whole answer came back."""


def _call(method: str, url: str, **more: Any) -> str:
    # Only the status counts. The body is not read, since it may be long or never end.
    answer = _answer_of(method, url, reads_body=False, **more)
    if answer.is_redirect:
        raise NotSent(f"Redirect ({answer.status_code}) not followed. Enter the final URL.")
    if not answer.is_success:
        raise NotSent(f"Responded with {answer.status_code} {answer.reason_phrase}".strip())
    return f"Responded with {answer.status_code} {answer.reason_phrase}".strip()


def _answer_of(method: str, url: str, *, reads_body: bool = True, **more: Any) -> httpx.Response:
    options = http_client.client_options()
    headers = {**options.pop("headers"), **more.pop("headers", {})}
    secrets = [*_secrets_of(url), headers.get("authorization", "").partition(" ")[2]]
    try:
        with closing(httpx.Client(**options)) as client, client.stream(method, url, headers=headers, **more) as answer:
            if reads_body:
                answer.read()
            return answer
    except http_client.AddressRefused as error:
        raise NotSent(str(error), is_final=True) from error
    except httpx.ConnectTimeout as error:
        raise NotSent("No response in time") from error
    except httpx.TimeoutException as error:
        raise _AnswerMissing("No response in time") from error
    except httpx.HTTPError as error:
        message = _without_secrets(_NUMBER.sub("", str(error)) or type(error).__name__, secrets)
        raise (NotSent if isinstance(error, httpx.ConnectError) else _AnswerMissing)(message) from error


def _sender_of(make: Any, values: Any) -> Any:
    try:
        return make(values)
    except BadInput as error:
        raise NotSent(error.message, is_final=True) from error


def _by_apprise(
    who: str, service: Any, message: Message, secrets: list[str], watch: http_client.Watch, attachments: Sequence[Attachment] = ()
) -> None:
    with _captured_log() as lines:
        try:
            files = _attached(attachments) if attachments else None
            is_sent = service.notify(title=f"Plumbline: {message.title}", body=message.body, body_format="text", attach=files)
        except Exception as error:  # apprise's plugins may raise anything that their libraries raise
            raise NotSent(_without_secrets(f"Couldn't connect to {who}: {error}", secrets)) from error
    if watch.refused:
        raise NotSent(watch.refused, is_final=True)
    # Before what apprise says: it may take the end of a connection that was cut for the end of the answer.
    if watch.is_flooded:
        raise NotSent(f"{who} sends more than any answer holds")
    if watch.is_timed_out:
        raise NotSent(f"{who} didn't respond in time")
    if is_sent:
        return
    raise NotSent(_without_secrets(" ".join(lines) or f"{who} rejected the message without a reason", secrets))


def _attached(attachments: Sequence[Attachment]) -> Any:
    """The files as apprise takes them: from memory, so that nothing of the fleet lies on disk."""
    files = import_module("apprise").AppriseAttachment()
    memory = import_module("apprise.attachment.memory").AttachMemory
    for each in attachments:
        files.add(memory(content=each.content, name=each.name, mimetype=each.media))
    return files


@contextmanager
def _captured_log() -> Iterator[list[str]]:
    """The lines that apprise logs in this thread meanwhile: it returns only whether it succeeded, and its log has the reason."""
    lines: list[str] = []
    this_thread = threading.get_ident()

    class Capture(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.thread != this_thread:
                return
            message = _TO_NONE.sub("", record.getMessage())
            if record.levelno >= logging.WARNING:
                lines.insert(0, message)
            elif message.startswith(_REASON):
                lines.append(f"({message.removeprefix(_REASON).strip()})")

    capture, log = Capture(), logging.getLogger("apprise")
    # apprise logs network errors at debug level only, together with addresses and keys: so nothing is passed on to other handlers.
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(capture)
    try:
        yield lines
    finally:
        log.removeHandler(capture)


def _secrets_of(url: str, *, with_host: bool = False) -> list[str]:
    """The parts of an address that must not be logged: all but the scheme and the host. `with_host`: the host too, unless over HTTPS."""
    parts = urlsplit(url)
    people, _, host = parts.netloc.rpartition("@")
    pieces = [*parts.path.split("/"), *people.split(":"), *re.split("[&=]", parts.query), parts.fragment]
    if with_host and parts.scheme != "https":
        pieces += host.split(":")
    return [form for piece in pieces for form in {piece, unquote(piece)} if len(form) >= 4]


def _without_secrets(message: str, secrets: list[str]) -> str:
    for secret in sorted((secret for secret in secrets if secret), key=len, reverse=True):
        message = message.replace(secret, "…")
    return message
