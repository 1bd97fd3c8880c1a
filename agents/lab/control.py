"""How people and tests reach into a running lab: HTTP on loopback, opened by a token in a file that only the owner can read.

`HOME/run/lab-control.json` holds `{"port": …, "token": …}`. Every act is a POST of JSON with the header `Authorization: Bearer TOKEN`:

    POST /set       {"host", "setting", "value"}    changes a setting, answers what changed
    POST /hang      {"host", "command", "on"}       an ESXi command never answers, or answers again
    POST /silence   {"host", "on"}                  the host stops checking in, or goes on
    POST /check-in  {"host"}                        checks in now, answers what came of it
    GET  /hosts                                     name, platform, group, last outcome of each host
    GET  /journal?host=NAME                         every effect on a host, oldest first
    GET  /faults?host=NAME                          what is set to go wrong there, and what can be
    POST /boot      {"host"}                        the host is restarted: another boot, RAM disk empty, no process left
    POST /fence     {"host", "gen"}                 raises the host's fence by hand, as a newer claim would
"""

import json
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import httpx

Act = Callable[[Mapping[str, Any]], Any]


class LabRefused(Exception):
    """The lab refused, or does not run; the message says which."""


class Control:
    """The lab's control server, for people and tests."""

    def __init__(self, home: Path, acts: Mapping[str, Act]) -> None:
        self.acts = acts
        self.token = secrets.token_urlsafe(24)
        self.file = home / "run" / "lab-control.json"
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 1.0}, daemon=True)

    def start(self) -> None:
        """Starts the server and writes its address to a file."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump({"port": self.server.server_port, "token": self.token}, file)
        self.thread.start()

    def stop(self) -> None:
        """Stops the server."""
        self.server.shutdown()
        self.server.server_close()
        self.file.unlink(missing_ok=True)


def _handler(control: Control) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        # An answer is sent as one: its body would else wait until the client has acknowledged the head, 40 ms.
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            self._act(f"GET {parts.path}", {name: values[0] for name, values in parse_qs(parts.query).items()})

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            try:
                body = json.loads(self.rfile.read(min(length, 65536)) or b"{}")
            except ValueError:
                self._answer(400, {"error": "JSON was expected"})
                return
            self._act(f"POST {urlsplit(self.path).path}", body)

        def _act(self, name: str, body: Mapping[str, Any]) -> None:
            given = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if not secrets.compare_digest(given.encode(), control.token.encode()):
                self._answer(401, {"error": "the token of lab-control.json is needed"})
            elif name not in control.acts:
                self._answer(404, {"error": f"no such act: {name}"})
            else:
                try:
                    self._answer(200, control.acts[name](body))
                except (ValueError, KeyError) as error:
                    self._answer(422, {"error": str(error.args[0] if error.args else error)})

        def _answer(self, status: int, body: Any) -> None:
            data = json.dumps(body, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Acts are in the journal."""

    return Handler


def call(home: Path, act: str, **body: object) -> Any:
    """One act against the lab that runs from a home; `act` is `set`, `hosts` and so on. Raises LabRefused with a sentence."""
    try:
        address = json.loads((home / "run" / "lab-control.json").read_text("utf-8"))
    except FileNotFoundError:
        raise LabRefused(f"no lab runs from {home}: start it with `plumbline up` or `plumbline lab run`") from None
    reads = act in ("hosts", "journal", "faults")
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{address['port']}", trust_env=False, timeout=120) as client:
            headers = {"Authorization": f"Bearer {address['token']}"}
            if reads:
                answer = client.get(f"/{act}", params={name: str(value) for name, value in body.items()}, headers=headers)
            else:
                answer = client.post(f"/{act}", json=body, headers=headers)
    except httpx.HTTPError as error:
        raise LabRefused(f"the lab of {home} does not answer: {error}") from error
    body = answer.json()
    if answer.status_code != 200:
        raise LabRefused(str(cast("dict[str, Any]", body).get("error", answer.text)))
    return body
