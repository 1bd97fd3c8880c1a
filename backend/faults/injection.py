"""S1: hostile names wherever a name could get into a command line. Command lines, argument lists and journals decide."""

import importlib.util
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import yaml

from faults.esxi import make_esxi
from faults.fleet import FaultHost
from faults.hostile import MARK, is_plain, names
from faults.invariants import broken_promises
from faults.rig import FaultResult, Rig
from plumbline.channels import ChannelError, CommandRefused, probes, runner
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.core.facts.configuration import Platform
from plumbline.core.planning.ansible import playbook
from plumbline.core.planning.commands import one_line, write_commands
from plumbline.core.planning.plan import Element, Forecast, Gate, HostPlan, Plan, Refusal, Step, Wave
from plumbline.core.planning.runner_settings import RunnerSettings, parse
from plumbline.core.planning.script import plan_script
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.remediation.access.runner_client import RunnerTarget, find_target, with_channel

# Of so many names one goes over the wires to real runners, and one through a real shell.
_WIRE_EVERY, _SHELL_EVERY = 100, 50
_AT_ONCE = 4
_ASK_SECONDS = 120.0
_PING = probes.Pair("vmk1", "10.10.1.1")


def hostile_names(rig: Rig, count: int, seed: int) -> FaultResult:
    """S1: `count` hostile names as every field of a request to a runner, as addresses of pings, and in every text that people copy; one in
    a hundred over SSH and WS-Management to runners that work, one in fifty of the texts through a real shell."""
    result = FaultResult(seed)
    folder = rig.home / "s1"
    folder.mkdir()
    target = str(folder / MARK)
    _requests(result, names(seed, count, target))
    _pings(result, names(seed + 1, count, target))
    _texts(result, list(names(seed + 2, count, target)), folder)
    _wires(rig, result, list(names(seed + 3, max(_AT_ONCE, count // _WIRE_EVERY), target)))
    result.wrong += ["a hostile name was run: its file is there"] * any(MARK in found.name for found in folder.rglob("*"))
    if shutil.which("pwsh") is None:
        result.notes.append("SKIPPED: PowerShell's own parser, which is not here; its quoting is checked by a reader of ours")
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


# --- The request: what the runner that ships refuses --------------------------------------------------------------------------------------


def _requests(result: FaultResult, hostile: Iterator[str]) -> None:
    shipped = _runner_module()
    passed, tried = 0, 0
    for name in hostile:
        for request_fields in _made_with(name):
            tried += 1
            try:
                shipped.parse_request(json.dumps(request_fields).encode())
            except shipped.Refused:
                continue
            # Nothing else than a refusal is an answer: what passes must be plain throughout, and no hostile name is.
            passed += 1
            if passed <= 5:
                result.wrong.append(f"the runner takes {name[:80]!r} in {json.dumps(request_fields)[:200]}")
    result.faults["hostile field of a request"] = tried
    result.notes.append(f"{passed} of {tried} requests with a hostile field pass the runner's patterns")
    if passed:
        result.wrong.append(f"{passed} hostile requests passed the runner's patterns")


def _runner_module() -> ModuleType:
    """The ESXi runner, as it ships."""
    file = runner._FILES["esxi"]
    spec = importlib.util.spec_from_file_location("shipped_runner", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _request(**more: Any) -> dict[str, Any]:
    return {
        "v": 1, "verb": "begin", "host_id": "0" * 32, "job_id": "0" * 16, "op_id": "0" * 32, "nonce": "0" * 32, "gen": 1, "attempt": 1,
        "boot_id": "0" * 32, "not_after_uptime_s": 60, "restart": None, "deadman_s": None, "health_floor": None,
        "step": [{"setting": "host//net.lro", "seen": "1", "target": "0", "inverse": "1"}],
    } | more  # fmt: skip


_SETTINGS = (
    "vnic/{}/mtu", "vswitch/{}/mtu", "adapter/{}/flow_control", "initiator/{}/delayed_ack", "target/{}/login_timeout_seconds",
    "target/vmhba64>{}/delayed_ack", "volume/{}/policy", "host/{}/net.lro", "{}",
)  # fmt: skip
_IDS = ("host_id", "job_id", "op_id", "nonce", "boot_id", "verb", "restart")


def _made_with(name: str) -> Iterator[dict[str, Any]]:
    """Requests that are right but for one field each, which is the name."""
    good = {"seen": "1", "target": "0", "inverse": "1"}
    for pattern in _SETTINGS:
        yield _request(step=[{"setting": pattern.format(name), **good}])
    for field in good:
        yield _request(step=[{"setting": "host//net.lro", **good, field: name}])
    for field in _IDS:
        yield _request(**{field: name})


# --- Pings --------------------------------------------------------------------------------------------------------------------------------


def _pings(result: FaultResult, hostile: Iterator[str]) -> None:
    """Refused before anything is sent: the channel is closed, so that anything that is not refused fails with another error."""
    closed = SshChannel(SshTarget("127.0.0.1"), SshCredential("root"))
    sent = 0
    for name in hostile:
        for pair in (probes.Pair(name, _PING.portal), probes.Pair(_PING.source, name)):
            result.faults["hostile address of a ping"] += 1
            try:
                probes.send(closed, 9000, [_PING, pair])
            except CommandRefused:
                continue
            except ChannelError:
                sent += 1
    result.wrong += [f"{sent} hostile addresses would have been sent to a host"] * (sent != 0)


# --- Texts that people copy ---------------------------------------------------------------------------------------------------------------

_QUIET = Forecast("none", "nothing is disturbed", 0, 0)
_BENIGN = "vSwitch0"


def _texts(result: FaultResult, hostile: list[str], folder: Path) -> None:
    """Outside of quotes and comments, each text with a hostile name must equal the text with a harmless one."""
    settings, broken, shelled = parse((resources.SCHEMA / "runner-settings.yaml").read_text("utf-8")), 0, []
    plain: dict[tuple[str, str, str], list[str]] = {}
    for number, name in enumerate(hostile):
        # A host's name has at most 255 letters, and a long text is a long time in a shell.
        name = name[:255]
        for platform, form in _FORMS:
            result.faults["text to copy"] += 1
            # Each name in the text of one setting, each setting in its turn.
            keys = settings.keys(platform)
            key = keys[number % len(keys)]
            if (platform, form, key) not in plain:
                plain[platform, form, key] = _skeleton(platform, form, _text(settings, platform, form, _BENIGN, [key]), _BENIGN)
            text = _text(settings, platform, form, name, [key])
            if _skeleton(platform, form, text, name) != plain[platform, form, key]:
                broken += 1
                if broken <= 5:
                    result.wrong.append(f"the {form} for {platform} is another text with the name {name[:80]!r}")
        if number % _SHELL_EVERY == 0:
            shelled.append(name)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        calls = list(pool.map(lambda name: _calls(settings, name, folder), shelled))
    expected = _calls(settings, _BENIGN, folder)
    assert expected
    for name, seen_calls in zip(shelled, calls, strict=True):
        result.faults["script run by a real shell"] += 1
        if [len(call) for call in seen_calls] != [len(call) for call in expected]:
            result.wrong.append(f"the script with the name {name[:80]!r} called esxcli {len(seen_calls)} times in another shape")
    result.notes.append(f"{broken} texts had another shape than with a harmless name")
    result.wrong += [f"{broken} texts had another shape than with a harmless name"] * (broken > 5)


_FORMS: tuple[tuple[Platform, str], ...] = (("windows", "script"), ("esxi", "script"), ("windows", "playbook"), ("esxi", "playbook"))


def _text(settings: RunnerSettings, platform: Platform, form: str, name: str, keys: list[str]) -> str:
    plan = _plan(settings, platform, name, keys)
    return plan_script(plan) if form == "script" else playbook(plan)


def _plan(settings: RunnerSettings, platform: Platform, name: str, keys: list[str]) -> Plan:
    """A plan of some settings of a platform, in which everything that a host can report about itself is the name."""
    steps = []
    for number, key in enumerate(keys, 1):
        setting = settings.get(platform, key)
        assert setting is not None
        given = {
            "name": name,
            "id": "TCP,0-65535,3260-3260,*",
            "guid": "{" + "0" * 8 + "}",
            "target": name,
            "portals": "10.0.0.1",
            "keyword": name,
        }
        value = _value_of(setting.value)
        texts = write_commands(platform, setting, given, value, value, "component")
        element = Element(f"kind/{name}/{key}", name, name, name, key, name, name, name, name)
        steps.append(
            Step(number, f"set {name}", (element,), "", (), name, "none", "now", 0, 0, 0, _QUIET, (Gate("facts_known", name, name, name),),
                 texts, texts, ())
        )  # fmt: skip
    part = HostPlan("0" * 32, name, platform, name, name, name, (), (), tuple(steps), _QUIET)
    refusal = Refusal("1" * 32, name, "facts_known", name, name, name)
    return Plan(1, name, (), (part,), (Wave(1, "canary", (part.host,), 0),), 1, (refusal,), (), (), _QUIET)


def _value_of(pattern: str) -> str:
    """A value that the pattern of a setting allows."""
    tried = ("1", "true", "9000", "1,1,1", "true,true,true", "445:5", "ets:50:3", "VMW_PSP_RR", "normal", "RR", "Enabled", "Normal", "LQD")
    return next((text for text in tried if re.fullmatch(pattern, text)), "1")


def _skeleton(platform: str, form: str, text: str, name: str) -> list[str]:
    """What of a text is neither quoted nor a comment. The guard of a script holds the name up to its first dot."""
    words = {one_line(name), one_line(name).partition(".")[0]}
    try:
        if form == "playbook":
            return _shape_of(platform, yaml.load(text, _Reader), words)
        return [_outside(platform, line.strip(), words) for line in text.split("\n")]
    except (yaml.YAMLError, ValueError) as error:
        return ["cannot be read", str(error)]


class _Unsafe(str):
    __slots__ = ()


class _Reader(yaml.SafeLoader):
    """Keeps apart what Ansible takes as plain text from what it takes as a template."""


_Reader.add_constructor("!unsafe", lambda loader, node: _Unsafe(loader.construct_scalar(node)))  # type: ignore[arg-type]


def _shape_of(platform: str, found: Any, words: set[str]) -> list[str]:
    if isinstance(found, dict):
        return [part for key, value in found.items() for part in (str(key), *_shape_of(platform, value, words))]
    if isinstance(found, list):
        return [part for value in found for part in ("-", *_shape_of(platform, value, words))]
    if isinstance(found, _Unsafe):
        lines = found.split("\n")
        is_command = any(line.startswith(("esxcli", "$Error")) for line in lines)
        return ["unsafe", *(_outside(platform, line, words) for line in lines)] if is_command else ["unsafe"]
    # A host with an odd name is named by its id.
    return ["host"] if found in (_BENIGN, f"host_{'0' * 32}") else [repr(found)]


def _outside(platform: str, line: str, words: set[str]) -> str:
    """The part of a line that is neither quoted nor a comment, as the platform's shell reads it."""
    if line.startswith("#"):
        return "#"
    if platform == "esxi":
        # What shlex had to quote and what it had not are both one word.
        return " ".join("word" if word in words or not is_plain(word) else word for word in shlex.split(line))
    kept, at, is_open = [], 0, False
    while at < len(line):
        if line[at] in "'\u2018\u2019\u201a\u201b":
            if is_open and at + 1 < len(line) and line[at + 1] in "'\u2018\u2019\u201a\u201b":
                at += 2
                continue
            is_open = not is_open
            kept.append("'")
        elif not is_open:
            kept.append(line[at])
        at += 1
    return "".join(kept) + ("open" if is_open else "")


def _calls(settings: RunnerSettings, name: str, folder: Path) -> list[list[str]]:
    """Runs the script for an ESXi host by a real shell in an empty folder, where `esxcli` only notes its arguments."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        bench = Path(place)
        (bench / "bin").mkdir()
        (bench / "bin" / "esxcli").write_text('#!/bin/sh\nprintf "%s\\0" "$@" >> "$NOTES"; printf "\\n\\0" >> "$NOTES"\n')
        # The guard of a script reads the host's own name, which is the hostile one here.
        (bench / "bin" / "hostname").write_text('#!/bin/sh\nprintf "%s" "$NAME"\n')
        for tool in ("esxcli", "hostname"):
            (bench / "bin" / tool).chmod(0o700)
        text = plan_script(_plan(settings, "esxi", name, settings.keys("esxi")))
        guard = re.search(r"= (.*) \] \|\|", text)
        assert guard is not None
        env = {"PATH": f"{bench / 'bin'}:/usr/bin:/bin", "NOTES": str(bench / "notes"), "NAME": shlex.split(guard[1])[0]}
        script = os.fsencode(bench / "script.sh")
        Path(os.fsdecode(script)).write_text(text, "utf-8", errors="surrogateescape")
        subprocess.run(["/bin/sh", script], cwd=bench, env=env, capture_output=True, timeout=30, check=False)
        if any(MARK in found.name for found in bench.rglob("*")):
            (folder / MARK).touch()
        notes = (bench / "notes").read_bytes() if (bench / "notes").exists() else b""
    return [call.split(b"\0")[:-1] for call in notes.split(b"\n\0")[:-1]]  # type: ignore[misc]


# --- Over the wires to runners that work --------------------------------------------------------------------------------------------------


def _wires(rig: Rig, result: FaultResult, hostile: list[str]) -> None:
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="S1", group_id=1, is_auto_approved=True)).token
    with httpx.Client(base_url=rig.api.url, timeout=30, trust_env=False) as client:
        esxi = make_esxi(rig.home / "lab", client, token, ["esx-b10"])
    try:
        hosts = [*esxi, *rig.fleet[:1]]
        lines = {host.id: set(_command_lines(host)) for host in hosts}
        for host in hosts:
            before, values = len(host.effects()), host.values()
            with session_scope() as session:
                target = find_target(session, host_id=host.id, runner_hash=host.runner_hash)
            _send_request(target, _request(verb="read", step=[], boot_id=None, not_after_uptime_s=None))
            lines[host.id] |= set(_command_lines(host))
            request_fields = [request for number, name in enumerate(hostile) for request in [list(_made_with(name))[number % 19]]]
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                answers = list(pool.map(lambda request, target=target: _send_request(target, request), request_fields))
            result.faults[f"hostile request over the wire to {host.platform}"] += len(request_fields)
            refused = sum(answer in ("bad_request", "not_allowed", "refused here") for answer in answers)
            more = set(_command_lines(host)) - lines[host.id]
            result.notes.append(
                f"{host.platform}: {refused} of {len(request_fields)} refused by pattern, {len(more)} command lines but the fixed one"
            )
            result.wrong += [f"{host.platform}: a hostile request was answered {answer}" for answer in sorted(set(answers)) if answer not in
                           ("bad_request", "not_allowed", "refused here")]  # fmt: skip
            result.wrong += [f"{host.platform} was given the command line {line[:200]!r}" for line in sorted(more)[:3]]
            if len(host.effects()) != before or host.values() != values:
                result.wrong.append(f"{host.platform}: hostile requests changed something")
    finally:
        for host in esxi:
            host.stop()


def _send_request(target: RunnerTarget, request_fields: dict[str, Any]) -> str:
    """The outcome of one request: the reason of a refusal, else the state of the runner or the message of the channel."""
    request = request_fields | {"nonce": request_fields["nonce"] if request_fields["nonce"] != "0" * 32 else secrets.token_hex(16)}
    try:
        answer = with_channel(target, lambda channel: runner.send_request(channel, target.runner, request, deadline_seconds=_ASK_SECONDS))
    except CommandRefused:
        return "refused here"
    except ChannelError as error:
        # A request whose own id is hostile is answered without that id.
        return "bad_request" if "another request" in error.message else error.message
    return answer.reason or answer.state


def _command_lines(host: FaultHost) -> list[str]:
    """Every command line that the host received, by its own journal."""
    return [row["command"] for row in host.lab.read_journal() if "command" in row]
