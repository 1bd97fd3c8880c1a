"""What notices are sent to in tests: a real HTTP server and a real mail server on this machine, each remembering what it got."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Got:
    """One request, or one mail."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A server: where it is, what it got, and what it answers next (status, headers, and a body if any); by default 204.

    `meanwhile` are done once each, one a request, before the answer.
    """

    address: str = ""
    port: int = 0
    got: list[Got] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]] | tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    meanwhile: list[Callable[[], None]] = field(default_factory=list)


@contextmanager
def web_receiver() -> Iterator[Receiver]:
    """An HTTP server."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            receiver.got.append(Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            status, headers, *rest = receiver.answers.pop(0) if receiver.answers else (204, {})
            content = rest[0] if rest else b""
            if receiver.meanwhile:
                receiver.meanwhile.pop(0)()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET = _take

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with _serving(server, receiver, "http"):
        yield receiver


@contextmanager
def mail_receiver() -> Iterator[Receiver]:
    """An SMTP server that takes every mail, or refuses the sender with the next answer's status. Nobody is called `gone@`. `meanwhile` are
    done once each, one a connection, before the greeting."""
    receiver = Receiver()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            if receiver.meanwhile:
                receiver.meanwhile.pop(0)()
            self._say("220 mail")
            people: list[str] = []
            for raw in self.rfile:
                line = raw.decode().strip()
                word = line.upper()
                if word.startswith("RCPT TO:<GONE@"):
                    self._say("550 no such person")
                elif word.startswith("RCPT TO"):
                    people.append(line.split(":", 1)[1])
                    self._say("250 ok")
                elif word.startswith("MAIL FROM") and receiver.answers:
                    self._say(f"{receiver.answers.pop(0)[0]} not from you")
                elif word == "DATA":
                    self._say("354 go on")
                    body = b""
                    while not body.endswith(b"\r\n.\r\n"):
                        body += self.rfile.readline()
                    receiver.got.append(Got(" ".join(people), {}, body))
                    people.clear()
                    self._say("250 taken")
                elif word == "QUIT":
                    self._say("221 bye")
                    return
                else:
                    self._say("250 ok")

        def _say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with _serving(Server(("127.0.0.1", 0), Handler), receiver, "smtp"):
        yield receiver


@contextmanager
def _serving(server: socketserver.BaseServer, receiver: Receiver, scheme: str) -> Iterator[None]:
    receiver.port = server.server_address[1]
    receiver.address = f"{scheme}://127.0.0.1:{receiver.port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
