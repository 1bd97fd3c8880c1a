"""Entity tags of JSON answers: a client that has the present one gets 304 without a body (RFC 9110, 8.8.3 and 13.1.2).

The tag is a digest of the answer. It saves the transfer, not the reading: what an answer holds also depends on who asks.
"""

import hashlib
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX = "/api/v1/"
# A longer answer is passed on as it comes.
LARGEST = 4 * 1024 * 1024
_TAG = re.compile(r'(?:W/)?"[^"]*"')
# What a 304 repeats of the answer that it stands for.
_KEPT = frozenset({b"etag", b"cache-control", b"vary"})


class EntityTags:
    """Adds an ETag to JSON answers of GET, and answers 304 where the client names it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        answer = _Answer(send, Headers(scope=scope).getlist("if-none-match"))
        await self.app(scope, receive, answer.take)


class _Answer:
    """Holds an answer back until it is whole, or until it turns out not to be one with a tag."""

    def __init__(self, send: Send, known: list[str]) -> None:
        self._send = send
        self._known = known
        self._start: Message | None = None
        self._body = bytearray()

    async def take(self, message: Message) -> None:
        """One message of the application."""
        if message["type"] == "http.response.start" and _may_have_tag(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if message.get("more_body") and len(self._body) <= LARGEST:
                return
            await self._pass_on(more=bool(message.get("more_body")))

    async def _pass_on(self, *, more: bool) -> None:
        start, self._start = self._start, None
        assert start is not None
        body: bytes = bytes(self._body)
        if not more:
            tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
            headers = [*start["headers"], (b"etag", tag.encode())]
            if matches(tag, self._known):
                start = {**start, "status": 304, "headers": [(name, value) for name, value in headers if name.lower() in _KEPT]}
                body = b""
            else:
                start = {**start, "headers": headers}
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


def _may_have_tag(message: Message) -> bool:
    headers = {name.lower(): value for name, value in message.get("headers", [])}
    is_json = headers.get(b"content-type", b"").split(b";")[0].strip() == b"application/json"
    return message["status"] == 200 and is_json and b"etag" not in headers and b"content-disposition" not in headers


def matches(tag: str, known: Iterable[str]) -> bool:
    """Whether one of the If-None-Match headers names the tag, or any tag. Compared weakly, as the RFC asks of GET."""
    given = ",".join(known)
    return given.strip() == "*" or tag.removeprefix("W/") in {each.removeprefix("W/") for each in _TAG.findall(given)}
