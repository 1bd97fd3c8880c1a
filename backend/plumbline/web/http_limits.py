"""Limits of the HTTP server, the same for every route, before any work is done for a request.

uvicorn's protocol over httptools accepts heads of any size, waits for ever for the rest of one, and keeps every further request that a
client sends before it has its answer (docs/adr/0030). `LimitedProtocol` adds what is missing: one request at a time on a connection, limits
of size and time for heads and bodies, and a limit of connections. All connections of a server are looked through once a second, so that
the limits of time cost a request two assignments.
"""

import json
import math
import resource
import time
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar
from weakref import WeakSet

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from plumbline.checkin.decompress import MAX_WIRE_BYTES
from plumbline.web.middleware import security_headers

# Request line and header fields together. Cookies and signatures take less than two.
MAX_HEAD_BYTES = 32 * 1024
MAX_HEADER_FIELDS = 100
MAX_URL_BYTES = 16 * 1024
# The largest body of any route is a check-in's; what a route reads of it is limited further by the route.
MAX_BODY_BYTES = MAX_WIRE_BYTES
# What a request may take on the wire: chunks and their extensions are more than the body.
_MAX_WIRE_BYTES = MAX_HEAD_BYTES + 2 * MAX_BODY_BYTES
# From the first byte of a head, or from the connection, to its last byte.
HEAD_SECONDS = 10.0
# From the end of the head to the end of the body. A check-in's own limit of 12 s comes first and gives a better reason.
BODY_SECONDS = 15.0
# A client that takes nothing of its response for so long is gone.
WRITE_SECONDS = 60.0
SWEEP_SECONDS = 1.0
# Connections of a process. A process also has files and connections to its database and broker.
MOST_CONNECTIONS = 4000
_OTHER_FILES = 200

# The servers (one in a process, but for tests) whose connections are looked through.
_SWEPT: WeakSet[ServerState] = WeakSet()

_TITLES = {400: "Bad request", 408: "Not received in time", 413: "Request too large", 414: "Address too long", 431: "Head too large"}
# Codes are an interface: this one stayed where the title was reworded.
_CODES = {413: "too_large"}


def allow_connections() -> int:
    """Raises this process's limit of open files as far as it may and is of use; returns how many connections it may then hold."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(10, min(MOST_CONNECTIONS, soft - _OTHER_FILES))


class _RefusedError(Exception):
    """Ends the parser's work in the middle of what was received: the connection is refused for the reason that it noted."""


class LimitedProtocol(HttpToolsProtocol):
    """One connection. Give the class to uvicorn as `http`."""

    most_connections: ClassVar[int] = MOST_CONNECTIONS

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Whether the head of the next request has not arrived whole, and the bytes of this request so far.
        self._in_head = True
        self._bytes = 0
        self._fields_bytes = 0
        self._body_bytes = 0
        self._is_request_whole = False
        # Why the connection ends after what it has started: a status, or 0 where a further request came too early.
        self._refusal: int | None = None
        # The times, by the loop's clock, at which the connection is late.
        self._late_at = math.inf
        self._write_late_at = math.inf
        self._closing_late_at = math.inf

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._late_at = self.loop.time() + HEAD_SECONDS
        connections = self.server_state.connections
        if len(connections) > self.most_connections:
            _make_room(self)
        if len(connections) == 1:
            _Sweep(self)

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None or self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        if self._in_head and self._bytes == 0:
            self._late_at = self.loop.time() + HEAD_SECONDS
        self._bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing here supports another protocol. The request is answered, and then the connection closed.
            self._pipelined()
        except httptools.HttpParserError:
            self._refuse(400 if self._refusal is None else self._refusal)
        else:
            if self._in_head and self._bytes > MAX_HEAD_BYTES:
                self._refuse(431)
            elif self._bytes > _MAX_WIRE_BYTES:
                self._refuse(413)

    def on_message_begin(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._refusal = 0
            raise _RefusedError
        self._fields_bytes = self._body_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._check(len(self.url) <= MAX_URL_BYTES, 414)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields_bytes += len(name) + len(value)
        self._check(self._fields_bytes <= MAX_HEAD_BYTES and len(self.headers) < MAX_HEADER_FIELDS, 431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self._check(len(length) <= 10 and int(length) <= MAX_BODY_BYTES, 413)
        super().on_headers_complete()
        self._in_head = self._is_request_whole = False
        self._late_at = self.loop.time() + BODY_SECONDS

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        self._check(self._body_bytes <= MAX_BODY_BYTES, 413)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_request_whole = True
        self._late_at = math.inf
        if self.cycle.response_complete:
            # What came after the response was the rest of its request's body.
            self._expect_head()
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_request_whole:
            self._expect_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_late_at = self.loop.time() + WRITE_SECONDS

    def resume_writing(self) -> None:
        super().resume_writing()
        self._write_late_at = math.inf

    def sweep(self, now: float) -> None:
        """Ends the connection if it is late by the loop's time `now`."""
        if self.transport.is_closing():
            # It is closed once its last bytes are taken, which a client may put off for ever.
            self._closing_late_at = min(self._closing_late_at, now + WRITE_SECONDS)
            if now > self._closing_late_at:
                self.transport.abort()
        elif now > self._write_late_at:
            self.transport.abort()
        elif now > self._late_at:
            if self._in_head and self._bytes == 0:
                self.transport.close()
            else:
                self._refuse(408)

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is being done for this connection: it is idle, or its request has not arrived."""
        return self._in_head or not self._is_request_whole

    @property
    def late_at(self) -> float:
        """The loop's time at which it is closed if nothing more arrives; the lower, the longer it has waited."""
        return self._late_at

    def _expect_head(self) -> None:
        self._in_head = True
        self._bytes = 0
        # uvicorn's own timer ends a connection that sends nothing more.
        self._late_at = math.inf

    def _check(self, is_kept: bool, status: int) -> None:
        if not is_kept:
            self._refusal = status
            raise _RefusedError

    def _pipelined(self) -> None:
        """Answers the request that is being worked on, reads nothing more, and closes."""
        self._refusal = 0
        self._late_at = math.inf
        self.flow.pause_reading()
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
        else:
            self.cycle.keep_alive = False

    def _refuse(self, status: int) -> None:
        """Answers with this status, if no response has started, and closes; 0: as for a further request that came too early."""
        if status == 0:
            self._pipelined()
            return
        self._refusal = status
        self._late_at = math.inf
        is_response_begun = not self._in_head and self.cycle is not None and self.cycle.response_started
        if not is_response_begun:
            self.transport.write(_answer(status))
        if self.cycle is not None and not self.cycle.response_complete:
            # The application reads no further, and what it sends goes nowhere.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


class _Sweep:
    """Looks through the connections of one server once a second, as long as it has any."""

    def __init__(self, first: LimitedProtocol) -> None:
        self._loop = first.loop
        self._connections = first.server_state.connections
        if first.server_state in _SWEPT:
            return
        self._state = first.server_state
        _SWEPT.add(self._state)
        self._loop.call_later(SWEEP_SECONDS, self._run)

    def _run(self) -> None:
        now = self._loop.time()
        for connection in list(self._connections):
            if isinstance(connection, LimitedProtocol):
                connection.sweep(now)
        if self._connections:
            self._loop.call_later(SWEEP_SECONDS, self._run)
        else:
            _SWEPT.discard(self._state)


def _make_room(newest: LimitedProtocol) -> None:
    """Ends waiting connections of the address that holds most of them, those that waited longest first; a tenth of them at once, so that
    the search is seldom made. Where none waits, the newest connection ends."""
    waiting = [one for one in newest.server_state.connections if isinstance(one, LimitedProtocol) and one.is_waiting and one is not newest]
    if not waiting:
        newest.transport.abort()
        return
    busiest = Counter(one.client[0] if one.client else "" for one in waiting).most_common(1)[0][0]
    theirs = [one for one in waiting if (one.client[0] if one.client else "") == busiest]
    theirs.sort(key=lambda one: one.late_at)
    for one in theirs[: max(1, len(theirs) // 10)]:
        one.transport.abort()


def _answer(status: int) -> bytes:
    """A whole response, as a problem (RFC 9457), for a request that reaches no route."""
    title = _TITLES[status]
    body = json.dumps(
        {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": title.lower(),
            "code": _CODES.get(status) or title.lower().replace(" ", "_"),
            # No log entry belongs to it.
            "request_id": "",
        }
    ).encode()
    fields = {
        **security_headers(),
        "content-type": "application/problem+json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "connection": "close",
        "date": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime()),
    }
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return head.encode() + b"\r\n" + body
