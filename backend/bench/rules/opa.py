"""Open Policy Agent's own server, built from its Go module where Go is, with the same Rego and the same input."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.checkin_stack import cpu_of
from bench.rules.rego import module
from plumbline.core.rules.rule import Pack
from plumbline.infra.resources import CHECKOUT

SOURCE = CHECKOUT / "tools" / "opa"
BUILT = SOURCE / "bin" / "opa"
_BUILD_SECONDS = 1800
_ASKED = "/v1/data/plumbline/findings"


def program() -> Path | None:
    """The program: named by PLUMBLINE_OPA, built earlier, or built now, which takes some minutes the first time. None where no Go is."""
    if named := os.environ.get("PLUMBLINE_OPA"):
        return Path(named)
    newest = max((SOURCE / name).stat().st_mtime for name in ("main.go", "go.mod"))
    if BUILT.exists() and BUILT.stat().st_mtime >= newest:
        return BUILT
    go = shutil.which("go")
    if go is None:
        return None
    print("Building Open Policy Agent ...", flush=True)
    command = [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(BUILT), "."]
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False, timeout=_BUILD_SECONDS)
    if done.returncode != 0:
        print(f"It could not be built: {done.stderr.strip()[-500:]}")
        return None
    return BUILT


class Server:
    """A running server with the module loaded; one connection, kept open."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self._process = process
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def findings_of(self, document: bytes) -> list[list[Any]]:
        """All findings of a host over REST; `document` is the request's body, made beforehand."""
        return list(self._post(_ASKED, document)["result"])

    def cpu_seconds(self) -> float:
        """Processor time of the server so far."""
        return cpu_of([self._process.pid])

    def _post(self, path: str, document: bytes) -> dict[str, Any]:
        self._connection.request("POST", path, document, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"OPA answered {answer.status}: {content[:500]!r}")
        return dict(json.loads(content))


@contextlib.contextmanager
def server(packs: list[Pack], severities: Mapping[str, str]) -> Iterator[Server | None]:
    """The server with these rules; None where there is no program."""
    found = program()
    if found is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="plumbline-opa-") as folder:
        rules = Path(folder) / "plumbline.rego"
        rules.write_text(module(packs, severities), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(found), "run", "--server", "--skip-version-check", "--log-level", "error", "--addr", f"127.0.0.1:{port}", str(rules)]
        process = subprocess.Popen(command)
        try:
            _answers(port, process)
            yield Server(process, port)
        finally:
            process.terminate()
            process.wait(30)


def _answers(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit("OPA did not start: the rules are no Rego to it")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit("OPA did not answer within a minute")


def body(document: Mapping[str, Any]) -> bytes:
    """A host as the body of a request."""
    return json.dumps({"input": document}, separators=(",", ":")).encode()
