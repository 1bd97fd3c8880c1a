"""What the tests of the ESXi agent share: the real file as a module and as a process, Python engines, and a server that takes check-ins."""

import contextlib
import fcntl
import gzip
import hashlib
import hmac
import importlib.util
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.agents.esxi.old_pythons import is_version, old_python

REPOSITORY = Path(__file__).resolve().parents[4]
AGENT = REPOSITORY / "agents" / "esxi" / "host_agent.py"
SAMPLES = REPOSITORY / "agents" / "schema" / "samples" / "esxi"
RECORDINGS = sorted(path.stem for path in (REPOSITORY / "agents" / "esxi" / "tests" / "recorded").glob("*.txt"))

# As on an ESXi host.
NO_LOCALE = {"LANG": "C", "LC_ALL": "C"}

HOST_ID = "0123456789abcdef0123456789abcdef"
SECRET = "11" * 32


def _load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


agent = _load(AGENT, "host_agent")
stand_in = _load(AGENT.parent / "tests" / "stand_in.py", "stand_in")
write_samples = _load(AGENT.parent / "tests" / "write_samples.py", "write_samples")


@cache
def python_27() -> list[str] | None:
    """The command line of a real Python 2.7, else of Jython where it has been fetched."""
    return old_python("2.7") or _jython()


JYTHON = "jython-standalone-2.7.4.jar"
# Whoever fetched in vain keeps the others from waiting for it too.
IN_VAIN_SECONDS = 600


def _jython() -> list[str] | None:
    """Jython, kept below `var/` once Maven has fetched it; None where Java or Maven is missing or the jar cannot be had.

    Several processes of tests ask for it at once: one fetches it, and starts it a first time, which fills its cache.
    """
    java, maven = shutil.which("java"), shutil.which("mvn")
    if java is None:
        return None
    folder = REPOSITORY / "var" / "jython"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / JYTHON).is_file() and maven is not None:
            _fetch_jython(maven, folder)
        # Java, unlike Python 2.7, would hand "?" to commands for what the locale "C" cannot say. It runs for seconds only: verifying and
        # optimising its code would take more than half of them.
        command = [
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-BytecodeVerificationRemote",
            "-Dsun.jnu.encoding=UTF-8",
            "-Dfile.encoding=UTF-8",
            f"-Dpython.cachedir={folder / 'cache'}",
            "-jar",
            str(folder / JYTHON),
        ]
        return command if (folder / JYTHON).is_file() and is_version(command, "2.7") else None


def _fetch_jython(maven: str, folder: Path) -> None:
    in_vain = folder / "in-vain"
    if in_vain.exists() and time.time() - in_vain.stat().st_mtime < IN_VAIN_SECONDS:
        return
    copy = [
        "dependency:copy",
        "-Dartifact=org.python:jython-standalone:2.7.4",
        f"-DoutputDirectory={folder}",
        "-Dmdep.useBaseVersion=true",
    ]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run([maven, "-q", "-B", *copy], capture_output=True, timeout=150, check=False)
    if not (folder / JYTHON).is_file():
        in_vain.touch()


def collected(recording: str, folder: Path, engine: list[str], *arguments: str, extra: dict[str, str] | None = None) -> bytes:
    """What `--collect-only` prints on a recorded host, the file coming over standard input as it does over SSH."""
    done = subprocess.run(
        [*engine, "-", "--collect-only", *arguments],
        input=AGENT.read_bytes(),
        capture_output=True,
        env=write_samples.environment(folder, recording) | NO_LOCALE | (extra or {}),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def check_in(number: int = 0, **bodies: str) -> Any:
    """A check-in with bodies of our choice, as the agent would make it."""
    data = {
        name: json.dumps({"esxcli x": {"status": "ok", "format": "text", "exit": 0, "output": text}}).encode()
        for name, text in bodies.items()
    }
    sections = {name: {"sha256": hashlib.sha256(body).hexdigest(), "status": "ok", "took_ms": 1} for name, body in data.items()}
    envelope = {"v": 1, "boot": "0" * 32, "made_at": "2026-01-01T00:00:00Z", "sections": sections, "live": {"number": number}}
    return agent.CheckIn(json.dumps(envelope, separators=(",", ":")).encode(), data)


def enrolled(state: Path, url: str, **other: object) -> Path:
    """A state folder as enrolment leaves it."""
    state.mkdir(parents=True, exist_ok=True)
    settings = {"server": url, "host_id": HOST_ID, "secret": SECRET, "epoch": 1, "generation": 1, "interval_seconds": 900} | other
    (state / "agent.json").write_text(json.dumps(settings))
    return state


class Arrival:
    """One request as it arrived."""

    def __init__(self, path: str, headers: dict[str, str], wire: bytes) -> None:
        self.path, self.headers, self.wire = path, headers, wire
        self.body = gzip.decompress(wire) if headers.get("content-encoding") == "gzip" else wire

    @property
    def lines(self) -> list[bytes]:
        return self.body.split(b"\n")[:-1]

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.lines[0]).hexdigest()

    @property
    def seq(self) -> int:
        return int(self.headers["plumbline-seq"])

    def is_signed(self, secret: str = SECRET) -> bool:
        """Computed by hand over what docs/security.md says is signed, not by the agent's code."""
        header = self.headers
        text = "plumbline-1\nPOST\n/agent/v1/check-in\n" + "".join(
            header[f"plumbline-{name}"] + "\n" for name in ("host", "epoch", "seq", "id", "generation", "sent-at")
        )
        text += header.get("content-encoding", "identity") + "\n" + hashlib.sha256(self.wire).hexdigest() + "\n"
        return hmac.digest(bytes.fromhex(secret), text.encode(), "sha256").hex() == header["plumbline-signature"]

    def bodies(self) -> dict[str, bytes]:
        names = {facts.get("sha256"): name for name, facts in json.loads(self.lines[0])["sections"].items()}
        return {names[hashlib.sha256(line).hexdigest()]: line for line in self.lines[1:]}


Answer = tuple[int, dict[str, str], dict[str, Any] | bytes]


def receipt(arrival: Arrival, **more: Any) -> Answer:
    """The answer to a check-in that is stored."""
    return 200, {}, {"seq": arrival.seq, "digest": arrival.digest, "receipt": "ab" * 32, "next_seconds": 900, **more}


class CheckInServer:
    """Listens like the server: each request is answered by the next of `answers`, or accepted when there is none left."""

    def __init__(self, answers: list[Callable[[Arrival], Answer] | Answer]) -> None:
        self.answers = list(answers)
        self.arrivals: list[Arrival] = []
        self.url = ""

    def answer(self, arrival: Arrival) -> Answer:
        self.arrivals.append(arrival)
        if not self.answers:
            return receipt(arrival)
        next_one = self.answers.pop(0)
        return next_one(arrival) if callable(next_one) else next_one


@contextmanager
def check_in_server(*answers: Callable[[Arrival], Answer] | Answer) -> Iterator[CheckInServer]:
    """A listening server on a port of its own."""
    listening = CheckInServer(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            wire = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, extra, body = listening.answer(Arrival(self.path, headers, wire))
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in extra.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    listening.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield listening
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
