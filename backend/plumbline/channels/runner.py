"""One request to the runner on a host, one answer, as `agents/schema/runner.schema.json` defines them.

The host runs a fixed script (`agents/esxi/call_runner.py`, `agents/windows/Call-Runner.ps1`) that hashes the runner and runs it from the
same bytes. Everything else, the request included, is passed over standard input as data. The exit code is ignored: only a complete answer
with the operation and the nonce of the request counts, and anything less is an unknown outcome.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from plumbline.channels.errors import ChannelError, CommandRefused, OutcomeUnknown
from plumbline.channels.result import CommandResult
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.infra import resources

Platform = Literal["windows", "esxi"]
State = Literal["none", "started", "done", "refused", "reverted", "confirmed"]
Reason = Literal["fenced", "conflict", "busy", "late", "not_allowed", "bad_request", "failed"]

_FILES: dict[Platform, Path] = {
    "esxi": resources.AGENTS / "esxi" / "host_runner.py",
    "windows": resources.AGENTS / "windows" / "Plumbline-Runner.ps1",
}
_CALL_ESXI = resources.AGENTS / "esxi" / "call_runner.py"
_CALL_WINDOWS = resources.AGENTS / "windows" / "Call-Runner.ps1"
_START_AGENT = resources.AGENTS / "windows" / "Start-Agent.ps1"
_START_ESXI = resources.AGENTS / "esxi" / "start_agent.py"
_LARGEST_REQUEST = 60_000
_END = "plumbline"


NOT_DELIVERED = "agent ran but couldn't send its check-in; it will retry"
# Exit codes of `Plumbline-Agent.ps1 -Once` (`agents/windows/README.md`); 0 is a check-in that was delivered.
_ONCE: Mapping[int | None, str] = {
    None: "the host's agent did not end within its time and was stopped",
    1: "agent failed; see its log on the host",
    2: "the host's agent is not enrolled",
    3: NOT_DELIVERED,
    4: "another run of the host's agent is under way",
    5: "the host's policy runs PowerShell in constrained language: the agent must be allowed by it",
}


class RunnerUnanswered(OutcomeUnknown):
    """The request was sent and no answer to it came back. Send `receipt` with a new nonce; never send the request again."""

    code = "runner_unanswered"


class RunnerMissing(ChannelError):
    """No runner is installed on the host, so Plumbline cannot change it. Nothing was done."""

    code = "runner_missing"


class RunnerAltered(ChannelError):
    """The runner on the host is not the one that the plan was approved with. Nothing was done."""

    code = "runner_altered"


class ConstrainedLanguage(ChannelError):
    """The host's policy runs PowerShell in constrained language, in which neither runner nor agent can work. Nothing was done."""

    code = "constrained_language"

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address} runs PowerShell in constrained language: Plumbline's scripts must be allowed by its policy; nothing was done"
        )


class Health(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts that may not fall; None where the host could not read one."""

    sessions: int | None
    paths_healthy: int | None
    least_paths: int | None
    volumes: int | None
    adapters_up: int | None


class Fence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """The highest (generation, attempt) that a host has seen."""

    gen: int
    attempt: int


class RunnerAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a runner answered; the schema describes each field."""

    v: Literal[1]
    op_id: str | None
    nonce: str | None
    state: State
    reason: Reason | None
    error: Annotated[str, msgspec.Meta(max_length=600)] | None
    wrote: list[str]
    before: dict[str, str | None] | None
    after: dict[str, str | None] | None
    restart: Literal["owed", "begun", "done"] | None
    deadman: Literal["armed", "fired", "disarmed", "gone"] | None
    boot_id: str | None
    uptime_s: int | None
    fence: Fence | None
    health: Health | None
    end: Literal["plumbline"]


@dataclass(frozen=True, slots=True)
class InstalledRunner:
    """The folder of a host's runner and the hash that it must have. On Windows the installer decides the folder."""

    platform: Platform
    sha256: str
    folder: str = ""


def shipped(platform: Platform) -> bytes:
    """The runner that comes with this version."""
    return _FILES[platform].read_bytes()


def digest(platform: Platform, text: bytes) -> str:
    """SHA-256 of a runner as both sides count it: before a signature block, CRLF as LF, newlines at the end trimmed."""
    plain = text.replace(b"\r\n", b"\n")
    if platform == "windows":
        plain = plain.partition(b"# SIG # Begin signature block")[0]
    return hashlib.sha256(plain.rstrip(b"\n")).hexdigest()


def shipped_runner(platform: Platform, folder: str = "") -> InstalledRunner:
    """The runner of this version, installed in a folder of an ESXi host, or on a Windows host."""
    return InstalledRunner(platform, digest(platform, shipped(platform)), folder)


def send_request(
    channel: SshChannel | WinRmChannel, runner: InstalledRunner, request: Mapping[str, Any], *, deadline_seconds: float = 120.0
) -> RunnerAnswer:
    """Sends one request and returns its answer.

    Raises RunnerMissing, RunnerAltered, ConstrainedLanguage, HostUnreachable, HostBusy, AuthenticationRejected or CommandRefused where
    nothing can have happened; RunnerUnanswered where the request was sent and no answer came: the caller then sends `receipt`.
    """
    data = json.dumps(request, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    if len(data) > _LARGEST_REQUEST:
        raise CommandRefused(f"a request of {len(data)} bytes is too long for a runner ({_LARGEST_REQUEST})")
    try:
        if isinstance(channel, SshChannel):
            done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("ask", runner) + data, deadline_seconds=deadline_seconds)
        else:
            stdin = runner.sha256.encode("ascii") + b"\n" + base64.b64encode(data) + b"\n"
            done = channel.run(*fixed_script(_CALL_WINDOWS), stdin=stdin, deadline_seconds=deadline_seconds)
    except OutcomeUnknown as error:
        raise RunnerUnanswered(error.message) from error
    return _answer(channel, done, request)


def start_agent(channel: SshChannel | WinRmChannel, runner: InstalledRunner, *, deadline_seconds: float = 120.0) -> str:
    """Starts the host's own agent once and waits for it. Empty where its check-in was accepted, else why no check-in came.

    Raises RunnerMissing where no agent is installed, ConstrainedLanguage where it cannot run.
    """
    if isinstance(channel, SshChannel):
        # The agent that the host's own crontab starts; where there is none, the one in the runner's folder.
        done = channel.run(fixed_python(_START_ESXI), deadline_seconds=deadline_seconds)
        if _is_missing(_last_line(channel, done)):
            done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("check_in", runner), deadline_seconds=deadline_seconds)
    else:
        done = channel.run(*fixed_script(_START_AGENT), stdin=b"\n", deadline_seconds=deadline_seconds)
    line = _last_line(channel, done)
    word = _word(channel, line)
    if word not in ("checked_in", "not_delivered"):
        raise RunnerMissing(f"No agent installed on {channel.target.address}")
    return "" if word == "checked_in" else why_not_delivered(line)


def why_not_delivered(line: str) -> str:
    """Why an agent that was started brought no check-in, from the last line that its starter printed.

    On Windows the line names the exit code of `Plumbline-Agent.ps1 -Once`; null where the agent was ended because it took too long.
    """
    try:
        answer = json.loads(line)
    except ValueError:
        return NOT_DELIVERED
    if not isinstance(answer, dict) or "exit" not in answer:
        return NOT_DELIVERED
    code = answer["exit"]
    return _ONCE.get(code, NOT_DELIVERED) if isinstance(code, int | None) else NOT_DELIVERED


def find_runner_folder(channel: SshChannel, *, deadline_seconds: float = 60.0) -> tuple[str, str]:
    """The folder of an ESXi host where a runner may live, and why there. Reads only; nothing stays on the host."""
    text = shipped("esxi")
    stdin = _head("place", InstalledRunner("esxi", digest("esxi", text))) + text
    line = _last_line(channel, channel.run(fixed_python(_CALL_ESXI), stdin=stdin, deadline_seconds=deadline_seconds))
    try:
        answer = json.loads(line)
        return str(answer["folder"]), str(answer["why"])
    except (ValueError, KeyError, TypeError) as error:
        raise OutcomeUnknown(f"{channel.target.address} did not say where a runner may live: {line[:200]!r}") from error


def install(channel: SshChannel, folder: str, *, deadline_seconds: float = 60.0) -> InstalledRunner:
    """Copies the runner of this version to a folder of an ESXi host, whole or not at all."""
    if not folder.startswith(("/vmfs/volumes/", "/etc/")) or ".." in folder:
        raise CommandRefused(f"{folder} is no place that outlives a restart: a local datastore or /etc is")
    runner = shipped_runner("esxi", folder)
    done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("install", runner) + shipped("esxi"), deadline_seconds=deadline_seconds)
    if _word(channel, _last_line(channel, done)) != "installed":
        raise OutcomeUnknown(f"{channel.target.address} does not say that the runner was installed")
    return runner


def _head(act: str, runner: InstalledRunner) -> bytes:
    return json.dumps({"act": act, "folder": runner.folder, "sha256": runner.sha256}).encode("ascii") + b"\n"


@cache
def fixed_python(file: Path) -> str:
    """The command line that runs one of Plumbline's scripts with an ESXi host's Python. It holds nothing that a caller or host sent."""
    text = file.read_text("ascii")
    if "'" in text:
        raise CommandRefused(f"{file.name} must not hold a single quote")
    return f"P=$(command -v python3 || command -v python) && exec \"$P\" -c '{text}'"


@cache
def fixed_script(file: Path) -> tuple[str, tuple[str, ...]]:
    """The command line that runs one of Plumbline's scripts with PowerShell. It holds nothing that a caller or host sent."""
    encoded = base64.b64encode(file.read_text("ascii").encode("utf-16-le")).decode()
    return "powershell.exe", ("-NoProfile", "-NonInteractive", "-InputFormat", "None", "-EncodedCommand", encoded)


def _last_line(channel: SshChannel | WinRmChannel, done: CommandResult) -> str:
    """The answer is the last line: a banner or a profile may print before it. Raises RunnerUnanswered where nothing was printed."""
    lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines:
        errors = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise RunnerUnanswered(f"{channel.target.address} printed nothing (exit code {done.exit}) {errors}".strip())
    return lines[-1]


def _is_missing(line: str) -> bool:
    """The fixed script answers that nothing is installed."""
    try:
        answer = json.loads(line)
    except ValueError:
        return False
    return isinstance(answer, dict) and (answer.get("call"), answer.get("end")) == ("not_installed", _END)


def _word(channel: SshChannel | WinRmChannel, line: str) -> str:
    """The fixed script's own word (`call`), empty in an answer of the runner. Raises RunnerMissing, RunnerAltered, ConstrainedLanguage."""
    try:
        answer = json.loads(line)
    except ValueError:
        return ""
    word = answer.get("call") if isinstance(answer, dict) and answer.get("end") == _END else ""
    if word == "not_installed":
        raise RunnerMissing(f"No runner or agent installed on {channel.target.address}; the host is read-only")
    if word == "constrained":
        raise ConstrainedLanguage(channel.target.address)
    if word == "altered":
        raise RunnerAltered(f"The runner on {channel.target.address} has changed since approval; nothing was done")
    return str(word or "")


def _answer(channel: SshChannel | WinRmChannel, done: CommandResult, request: Mapping[str, Any]) -> RunnerAnswer:
    line = _last_line(channel, done)
    _word(channel, line)
    try:
        answer = msgspec.json.decode(line.encode(), type=RunnerAnswer)
    except msgspec.MsgspecError as error:
        raise RunnerUnanswered(f"Unexpected response from {channel.target.address}: {error}: {line[:120]!r}") from error
    if (answer.op_id, answer.nonce) != (request["op_id"], request["nonce"]):
        raise RunnerUnanswered(f"Response from {channel.target.address} doesn't match the request")
    return answer
