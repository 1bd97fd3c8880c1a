"""One request to the runner on a host, one answer; `agents/schema/runner.schema.json` is the agreement.

The host runs a fixed text of ours (`agents/esxi/call_runner.py`, `agents/windows/Call-Runner.ps1`) that hashes the runner and runs it
from the same bytes. Everything else, the request among it, comes over standard input as data. An exit code never counts: an answer that
names our operation and our nonce and ends as it should does, and anything less is an unknown outcome.
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


class RunnerUnanswered(OutcomeUnknown):
    """The request was sent and no answer of its own came back. Ask again by `receipt`, with a new nonce; never send it again."""

    code = "runner_unanswered"


class RunnerMissing(ChannelError):
    """No runner is installed on the host: it is read-only to us. Nothing was done."""

    code = "runner_missing"


class RunnerAltered(ChannelError):
    """The runner on the host is not the one that the plan was approved with. Nothing was done."""

    code = "runner_altered"


class Health(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts that may not fall; None where the host could not tell."""

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
    """What a runner answered; each field as the schema says it."""

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

    @property
    def is_at_work(self) -> bool:
        """Somebody holds the host's mutex for this operation: wait, then ask by `receipt`."""
        return self.state == "started" and self.reason == "busy"


@dataclass(frozen=True, slots=True)
class RunnerPlace:
    """Where a host's runner lies and which one it must be. On Windows the installer decides the folder."""

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


def shipped_place(platform: Platform, folder: str = "") -> RunnerPlace:
    """The place of the runner of this version in a folder of an ESXi host, or on a Windows host."""
    return RunnerPlace(platform, digest(platform, shipped(platform)), folder)


def ask(
    channel: SshChannel | WinRmChannel, place: RunnerPlace, request: Mapping[str, Any], *, deadline_seconds: float = 120.0
) -> RunnerAnswer:
    """One request, one answer.

    Raises RunnerMissing, RunnerAltered, HostUnreachable, HostBusy, AuthenticationRejected or CommandRefused where nothing can have
    happened; RunnerUnanswered where it was sent and its answer did not come: the caller asks again by `receipt`.
    """
    data = json.dumps(request, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    if len(data) > _LARGEST_REQUEST:
        raise CommandRefused(f"a request of {len(data)} bytes is too long for a runner ({_LARGEST_REQUEST})")
    try:
        if isinstance(channel, SshChannel):
            done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("ask", place) + data, deadline_seconds=deadline_seconds)
        else:
            stdin = place.sha256.encode("ascii") + b"\n" + base64.b64encode(data) + b"\n"
            done = channel.run(*fixed_script(_CALL_WINDOWS), stdin=stdin, deadline_seconds=deadline_seconds)
    except OutcomeUnknown as error:
        raise RunnerUnanswered(error.message) from error
    return _answer(channel, done, request)


def start_agent(channel: SshChannel | WinRmChannel, place: RunnerPlace, *, deadline_seconds: float = 120.0) -> bool:
    """Starts the host's own agent once and waits for it. True where its check-in was taken; False where it lies in the agent's spool.

    Raises RunnerMissing where no agent is installed.
    """
    if isinstance(channel, SshChannel):
        # The agent that the host's own crontab starts; one that lies beside the runner where there is none.
        done = channel.run(fixed_python(_START_ESXI), deadline_seconds=deadline_seconds)
        if _is_missing(_last_line(channel, done)):
            done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("check_in", place), deadline_seconds=deadline_seconds)
    else:
        done = channel.run(*fixed_script(_START_AGENT), stdin=b"\n", deadline_seconds=deadline_seconds)
    word = _word(channel, _last_line(channel, done))
    if word not in ("checked_in", "not_delivered"):
        raise RunnerMissing(f"no agent is installed on {channel.place.address}")
    return word == "checked_in"


def find_place(channel: SshChannel, *, deadline_seconds: float = 60.0) -> tuple[str, str]:
    """The folder of an ESXi host where a runner may live, and why there. Reads only; nothing stays on the host."""
    text = shipped("esxi")
    stdin = _head("place", RunnerPlace("esxi", digest("esxi", text))) + text
    line = _last_line(channel, channel.run(fixed_python(_CALL_ESXI), stdin=stdin, deadline_seconds=deadline_seconds))
    try:
        found = json.loads(line)
        return str(found["folder"]), str(found["why"])
    except (ValueError, KeyError, TypeError) as error:
        raise OutcomeUnknown(f"{channel.place.address} did not say where a runner may live: {line[:200]!r}") from error


def install(channel: SshChannel, folder: str, *, deadline_seconds: float = 60.0) -> RunnerPlace:
    """Copies the runner of this version to a folder of an ESXi host, whole or not at all. An act of its own that people see."""
    if not folder.startswith(("/vmfs/volumes/", "/etc/")) or ".." in folder:
        raise CommandRefused(f"{folder} is no place that outlives a restart: a local datastore or /etc is")
    place = shipped_place("esxi", folder)
    done = channel.run(fixed_python(_CALL_ESXI), stdin=_head("install", place) + shipped("esxi"), deadline_seconds=deadline_seconds)
    if _word(channel, _last_line(channel, done)) != "installed":
        raise OutcomeUnknown(f"{channel.place.address} does not say that the runner was installed")
    return place


def _head(act: str, place: RunnerPlace) -> bytes:
    return json.dumps({"act": act, "folder": place.folder, "sha256": place.sha256}).encode("ascii") + b"\n"


@cache
def fixed_python(file: Path) -> str:
    """The fixed command line of one of our texts on ESXi: the host's own Python with it, nothing of the host or the caller in it."""
    text = file.read_text("ascii")
    if "'" in text:
        raise CommandRefused(f"{file.name} must not hold a single quote")
    return f"P=$(command -v python3 || command -v python) && exec \"$P\" -c '{text}'"


@cache
def fixed_script(file: Path) -> tuple[str, tuple[str, ...]]:
    """The fixed command line of one of our texts on Windows: PowerShell with it, nothing of the host or the caller in it."""
    encoded = base64.b64encode(file.read_text("ascii").encode("utf-16-le")).decode()
    return "powershell.exe", ("-NoProfile", "-NonInteractive", "-InputFormat", "None", "-EncodedCommand", encoded)


def _last_line(channel: SshChannel | WinRmChannel, done: CommandResult) -> str:
    """A banner or a profile of the account may print before; the answer is the last line. Raises RunnerUnanswered where there is none."""
    lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise RunnerUnanswered(f"{channel.place.address} printed nothing (exit code {done.exit}) {said}".strip())
    return lines[-1]


def _is_missing(line: str) -> bool:
    """Our own text says that there is nothing to run."""
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and (found.get("call"), found.get("end")) == ("not_installed", _END)


def _word(channel: SshChannel | WinRmChannel, line: str) -> str:
    """What our own text on the host says where it did not come to run the runner; empty where it says nothing."""
    try:
        found = json.loads(line)
    except ValueError:
        return ""
    word = found.get("call") if isinstance(found, dict) and found.get("end") == _END else ""
    if word == "not_installed":
        raise RunnerMissing(f"no runner or agent is installed on {channel.place.address}: the host is read-only")
    if word == "altered":
        raise RunnerAltered(f"the runner on {channel.place.address} is not the one that was approved; nothing was done")
    return str(word or "")


def _answer(channel: SshChannel | WinRmChannel, done: CommandResult, request: Mapping[str, Any]) -> RunnerAnswer:
    line = _last_line(channel, done)
    _word(channel, line)
    try:
        found = msgspec.json.decode(line.encode(), type=RunnerAnswer)
    except msgspec.MsgspecError as error:
        raise RunnerUnanswered(f"{channel.place.address} answered something else than a runner does: {error}: {line[:120]!r}") from error
    if (found.op_id, found.nonce) != (request["op_id"], request["nonce"]):
        raise RunnerUnanswered(f"{channel.place.address} answered another request than ours")
    return found
