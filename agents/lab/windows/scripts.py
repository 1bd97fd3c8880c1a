"""The fixed scripts that a Windows lab host understands, by the SHA-256 of their text, and what each does there."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from lab.checkin import WindowsClient, runner_digest
from lab.host import LabHost
from lab.windows import storage, watch
from lab.windows.runner import WindowsRunner
from lab.windows.wsman import Script

AGENT = Path(__file__).resolve().parents[2] / "windows" / "Plumbline-Agent.ps1"
_CALL_RUNNER = AGENT.with_name("Call-Runner.ps1")
_START_AGENT = AGENT.with_name("Start-Agent.ps1")
_SEND_PROBE = AGENT.with_name("Send-Probe.ps1")
# `plumbline/collection/bootstrap.ps1`, as `collection` encodes it, with its comments and white space.
COLLECT_SHA256 = "c29aeeebcbcf732ef7dd141a0d1d05da9024e6a27ccaa62d189bf3370b6f9653"


# Starts the host's own agent: True where its check-in was taken.
CheckIn = Callable[[LabHost], bool]
Answered = tuple[bytes, bytes, int]
# Exit codes of `Plumbline-Agent.ps1 -Once`: this check-in was delivered, or collected and not delivered.
_DELIVERED, _NOT_DELIVERED, _CONSTRAINED = 0, 3, 5
_runners: dict[Path, WindowsRunner] = {}


def scripts(check_in: CheckIn | None = None) -> dict[str, Script]:
    """What the endpoint knows. Without `check_in` the host has no agent that could be started."""

    def start_agent(host: LabHost, _: bytes) -> Answered:
        if check_in is None:
            return _said("not_installed")
        code = _once(host, check_in)
        return _said("checked_in" if code == _DELIVERED else "not_delivered", code)

    return {
        COLLECT_SHA256: Script(_unless_constrained(_collect, exit_code=_CONSTRAINED), _watch),
        _digest(_CALL_RUNNER): Script(_unless_constrained(_call_runner)),
        _digest(_START_AGENT): Script(_unless_constrained(start_agent)),
        _digest(_SEND_PROBE): Script(_unless_constrained(_send_probe)),
    }


def _once(host: LabHost, check_in: CheckIn) -> int | None:
    """The exit code of one run of the agent; a file `agent-exit` on the host holds another one, `null` for an agent that did not end."""
    file = host.folder / "agent-exit"
    if file.exists():
        found: int | None = json.loads(file.read_text())
        return found
    return _DELIVERED if check_in(host) else _NOT_DELIVERED


def _unless_constrained(act: Callable[[LabHost, bytes], Answered], *, exit_code: int = 0) -> Callable[[LabHost, bytes], Answered]:
    """A file `constrained` on the host: its policy allows constrained language only, and each script reports that before anything else."""
    said = (_said("constrained")[0], b"", exit_code)
    return lambda host, stdin: said if (host.folder / "constrained").exists() else act(host, stdin)


def runner_of(host: LabHost) -> WindowsRunner:
    """The one runner of a host in this process: its mutex is one, however many connections use it."""
    with host.lock:
        if host.folder not in _runners:
            _runners[host.folder] = WindowsRunner(host)
        return _runners[host.folder]


@cache
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_text("ascii").encode()).hexdigest()


def _said(word: str, *code: int | None) -> Answered:
    exit_code = {"exit": code[0]} if code else {}
    return json.dumps({"call": word, **exit_code, "end": "plumbline"}).encode() + b"\n", b"", 0


def _call_runner(host: LabHost, stdin: bytes) -> Answered:
    """Passes the request to the host's runner if its hash is the requested one. A folder `no-runner` on the host: none is installed."""
    wanted, request = stdin.split()[:2]
    if (host.folder / "no-runner").exists():
        return _said("not_installed")
    if wanted.decode() != runner_digest():
        return _said("altered")
    answer = runner_of(host).answer(base64.b64decode(request))
    return json.dumps(answer).encode() + b"\n", b"", 0


def _send_probe(host: LabHost, stdin: bytes) -> Answered:
    """The outcome of each ping: by the port of its source address, its frame size and that of the lab's switch."""
    first, *pairs = stdin.decode("ascii").split("\n")
    outcomes = [storage.echo(host, *pair.split(" "), int(first)) for pair in pairs if pair]
    host.journal(cause="winrm", probed=int(first), outcomes=outcomes)
    return json.dumps({"call": "probed", "outcomes": outcomes, "end": "plumbline"}).encode() + b"\n", b"", 0


def _watch(host: LabHost, stdin: bytes) -> Iterator[bytes] | None:
    """What the agent's `-Watch` prints, line by line; None where the order is another one, or the script would refuse it."""
    order, _, file = stdin.partition(b"\n")
    match = re.fullmatch(rb"([0-9a-f]{64}) -Watch ([0-9]{1,3})", order)
    if match is None or hashlib.sha256(file).hexdigest().encode() != match[1] or (host.folder / "constrained").exists():
        return None
    host.journal(cause="winrm", watched_seconds=int(match[2]))
    return watch.lines(host, float(match[2]))


def _collect(host: LabHost, stdin: bytes) -> Answered:
    """Checks the file as the script does, and that it is the agent's; prints what the agent's `-Show` would."""
    order, _, file = stdin.partition(b"\n")
    wanted, _, act = order.partition(b" ")
    if act != b"-Show":
        return b"", b"plumbline: the order arrived damaged", 90
    if hashlib.sha256(file).hexdigest().encode() != wanted:
        return b"", b"plumbline: the file arrived damaged", 90
    if file != AGENT.read_bytes():
        return b"", b"the lab knows only the agent's own file", 1
    _, envelope, bodies = WindowsClient.show(host)
    host.journal(cause="winrm", collected=sorted(bodies))
    lines = [envelope, *bodies.values()]
    return ("\n".join(lines) + "\n").encode("ascii"), b"", 0
