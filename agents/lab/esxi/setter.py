"""What commands that set something do to an ESXi lab host: its state changes, its journal records who did it, its paths react.

Whose act it is comes from what the runner had put on its disk before it set anything (`last.json` and the receipt), never from the
command: an effect without a receipt shows as one without an operation.
"""

import contextlib
import json
import os
import re
import signal
import socketserver
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lab import faults
from lab.esxi import devices, iscsi
from lab.esxi.agent import EsxiMachine
from lab.esxi.common import is_at_least, mac_of, pause
from lab.fleet import cards
from lab.host import LabHost

Words = list[str]


class Refusal(Exception):
    """The command ends with exit code 1 and this sentence."""


class Setter:
    """Listens on loopback for the set commands of one machine."""

    def __init__(self, machine: EsxiMachine) -> None:
        self.machine = machine
        self.host = machine.host
        self.server = _Server(("127.0.0.1", 0), _handler(self))
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.5}, daemon=True)

    def start(self) -> None:
        """Listens, and writes down where the commands find it."""
        self.thread.start()
        (self.machine.folder / "set-port").write_text(str(self.server.server_address[1]))

    def stop(self) -> None:
        """Stops listening."""
        self.server.shutdown()
        self.server.server_close()

    def act(self, words: Words, parent: int) -> tuple[int, str]:
        """One command: exit code and output."""
        host = self.host
        if faults.strikes(host, "die_before_set"):
            _kill(parent)
            return 1, ""
        if faults.strikes(host, "refuse"):
            return 1, "Unable to complete Sysinfo operation.  Please see the VMkernel log file for more details.\n"
        if not faults.strikes(host, "lie"):
            try:
                with host.lock:
                    bounced = self._apply(words)
                    faults.lose_adapter(host)
            except Refusal as refusal:
                return 1, f"{refusal}\n"
            for name in bounced:
                timer = threading.Timer(host.restart_port(name) + 0.05, self._back)
                timer.daemon = True
                timer.start()
            self.machine.refresh()
        if faults.strikes(host, "die_after_set"):
            _kill(parent)
        faults.go_dark(host)
        return 0, ""

    def _back(self) -> None:
        with contextlib.suppress(OSError):  # the folder may be gone with its test
            if self.host.heal():
                self.machine.refresh()

    def _apply(self, words: Words) -> list[str]:
        """Changes the state. Answers the uplinks whose link bounces."""
        for head, function in _COMMANDS.items():
            if words[: len(head.split())] == head.split():
                change = function(self.host, _options(words[len(head.split()) :]))
                if change.old != change.new:
                    change.store()
                    self.host.effect(setting=change.setting, old=change.old, new=change.new, mark=runner_mark(self.machine))
                    return change.bounces
                self.host.journal(cause="runner", effect="none", setting=change.setting, new=change.new, **runner_mark(self.machine))
                return []
        raise Refusal(f"Error: Unknown command or namespace {' '.join(words[1:])}")


def runner_mark(machine: EsxiMachine) -> dict[str, Any]:
    """Whose act this is, by the files on the host's disk."""
    try:
        last = json.loads((machine.runner_state / "last.json").read_text())
        receipt = json.loads((machine.runner_state / "receipts" / f"{last['op_id']}.json").read_text())
    except (OSError, ValueError):
        return {"op_id": "", "gen": 0, "attempt": 0, "reverting": False}
    armed = _fired(machine, receipt)
    owner = armed or receipt
    return {
        "op_id": owner["op_id"],
        "job_id": owner["job_id"],
        "gen": owner["gen"],
        "attempt": owner["attempt"],
        "reverting": bool(owner.get("reverting")),
    }


def _fired(machine: EsxiMachine, newest: Mapping[str, Any]) -> dict[str, Any] | None:
    """The receipt that is being taken back, where it is another than the newest."""
    if newest.get("reverting"):
        return None
    for file in (machine.runner_state / "receipts").glob("*.json"):
        with contextlib.suppress(OSError, ValueError):
            found: dict[str, Any] = json.loads(file.read_text())
            if found.get("reverting"):
                return found
    return None


class _Change:
    """One value of the host: where it stands, its address, what it was and shall be. A driver that takes a new ring or pause setting
    bounces its link, a VMkernel interface with a new frame size its sessions."""

    def __init__(self, setting: str, old: object, new: object, store: Callable[[], object], bounces: list[str] | None = None) -> None:
        self.setting, self.old, self.new, self.store = setting, old, new, store
        self.bounces = bounces or []


def _options(words: Words) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while at < len(words):
        is_flag = at + 1 >= len(words) or (words[at + 1].startswith("-") and not words[at + 1][1:].isdigit())
        found[words[at].lstrip("-")] = "" if is_flag else words[at + 1]
        at += 1 if is_flag else 2
    return found


def _put(part: dict[str, Any], key: str, value: object) -> Callable[[], object]:
    return lambda: part.__setitem__(key, value)


def _frame(text: str) -> int:
    if not re.fullmatch(r"[0-9]{3,4}", text) or not 1280 <= int(text) <= 9000:
        raise Refusal(f"Invalid value for MTU: {text}. The MTU must be between 1280 and 9000")
    return int(text)


def _vmk_mtu(host: LabHost, given: Mapping[str, str]) -> _Change:
    part = _part(host.state["vmks"], given["i"], "vmkernel interface")
    mtu = _frame(given["m"])
    if mtu > host.state["vswitches"][part["vswitch"]]["mtu"]:
        raise Refusal(f"Unable to set MTU to {mtu}: the virtual switch {part['vswitch']} carries less")
    return _Change(f"vnic/{given['i']}/mtu", str(part["mtu"]), str(mtu), _put(part, "mtu", mtu), [part["uplink"]])


def _switch_mtu(host: LabHost, given: Mapping[str, str]) -> _Change:
    part = _part(host.state["vswitches"], given["v"], "vSwitch")
    mtu = _frame(given["m"])
    return _Change(f"vswitch/{given['v']}/mtu", str(part["mtu"]), str(mtu), _put(part, "mtu", mtu))


def _pause(host: LabHost, given: Mapping[str, str]) -> _Change:
    name = given["n"]
    part = _part(host.state["ports"], name, "NIC")
    if not is_at_least(host, "6.7"):
        raise Refusal("Error: Unknown command or namespace network nic pauseParams set")
    old = ",".join(str(flag).lower() for flag in (part["pause_auto"], *pause(part["flow_control"])))
    words = {("true", "true"): "rx_tx", ("true", "false"): "rx", ("false", "true"): "tx", ("false", "false"): "off"}
    # What is not given stays as it is.
    auto, receive, transmit = (given.get(option, now) for option, now in zip("art", old.split(","), strict=True))
    new = f"{auto},{receive},{transmit}"

    def store() -> None:
        part["pause_auto"] = auto == "true"
        part["flow_control"] = words[receive, transmit]

    return _Change(f"adapter/{mac_of(host, name)}/flow_control", old, new, store, [name])


def _ring(host: LabHost, given: Mapping[str, str]) -> _Change:
    name = given["n"]
    part = _part(host.state["ports"], name, "NIC")
    if not is_at_least(host, "6.7"):
        raise Refusal("Error: Unknown command or namespace network nic ring current set")
    key, size = ("receive_buffers", int(given["r"])) if "r" in given else ("transmit_buffers", int(given["t"]))
    if size > cards()[part["card"]]["esxi"]["ring_maximum"]:
        raise Refusal("Unable to set ring parameters: Invalid argument")
    return _Change(f"adapter/{mac_of(host, name)}/{key}", str(part[key]), str(size), _put(part, key, size), [name])


def _initiator(host: LabHost, given: Mapping[str, str]) -> _Change:
    part = _part(host.state["initiators"], given["A"], "adapter")
    key, value = given["k"], given["v"]
    if key == "DelayedAck":
        old = "true" if part["delayed_ack"] == "enabled" else "false"
        return _Change(
            f"initiator/{given['A']}/delayed_ack", old, value, _put(part, "delayed_ack", "enabled" if value == "true" else "disabled")
        )
    if key == "LoginTimeout" and value.isdigit() and 1 <= int(value) <= 60:
        old = str(part["login_timeout_seconds"])
        return _Change(f"initiator/{given['A']}/login_timeout_seconds", old, value, _put(part, "login_timeout_seconds", int(value)))
    raise Refusal(f"Invalid value {value} for parameter {key}")


_TARGET_KEYS = {"DelayedAck": "delayed_ack", "LoginTimeout": "login_timeout_seconds"}


def _target(host: LabHost, given: Mapping[str, str]) -> _Change:
    _part(host.state["initiators"], given["A"], "adapter")
    if given["k"] not in _TARGET_KEYS:
        raise Refusal(f"Invalid parameter {given['k']}")
    own = iscsi.overrides(host).setdefault(f"{given['A']}>{given['n']}", {})
    new = "inherit" if "I" in given else given["v"]

    def store() -> None:
        if new == "inherit":
            own.pop(given["k"], None)
        else:
            own[given["k"]] = new

    return _Change(f"target/{given['A']}>{given['n']}/{_TARGET_KEYS[given['k']]}", own.get(given["k"], "inherit"), new, store)


_OPTIONS = {"/Net/TcpipDefLROEnabled": "net.lro", "/Net/UseHwTSO": "net.hw_tso", "/Net/UseHwTSO6": "net.hw_tso6"}


def _advanced(host: LabHost, given: Mapping[str, str]) -> _Change:
    if given["o"] not in _OPTIONS:
        raise Refusal(f"Unable to find branch for {given['o']}")
    key, part = _OPTIONS[given["o"]], host.state["host"]
    old = "1" if part.get(key, "enabled") == "enabled" else "0"
    return _Change(f"host//{key}", old, given["i"], _put(part, key, "enabled" if given["i"] == "1" else "disabled"))


def _policy(host: LabHost, given: Mapping[str, str]) -> _Change:
    naa = given["d"]
    _volume(host, naa)
    return _Change(f"volume/{naa}/policy", devices.path_policy(host, naa), given["P"], _put(host.state["policies"], naa, given["P"]))


def _round_robin(host: LabHost, given: Mapping[str, str]) -> _Change:
    naa = given["d"]
    _volume(host, naa)
    old = str(devices.round_robin_limit(host, naa))
    return _Change(f"volume/{naa}/round_robin_iops", old, given["I"], _put(host.state["round_robin_iops"], naa, int(given["I"])))


_COMMANDS: dict[str, Callable[[LabHost, Mapping[str, str]], _Change]] = {
    "esxcli network ip interface set": _vmk_mtu,
    "esxcli network vswitch standard set": _switch_mtu,
    "esxcli network nic pauseParams set": _pause,
    "esxcli network nic ring current set": _ring,
    "esxcli iscsi adapter target portal param set": _target,
    "esxcli iscsi adapter param set": _initiator,
    "esxcli system settings advanced set": _advanced,
    "esxcli storage nmp device set": _policy,
    "esxcli storage nmp psp roundrobin deviceconfig set": _round_robin,
}


def _part(parts: Mapping[str, Any], name: str, what: str) -> dict[str, Any]:
    if name not in parts:
        raise Refusal(f"Error: no {what} of the name {name}")
    found: dict[str, Any] = parts[name]
    return found


def _volume(host: LabHost, naa: str) -> None:
    if naa not in [known for _, known in iscsi.volumes(host)]:
        raise Refusal(f"Unable to find device {naa}")


def _kill(process: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def _handler(setter: Setter) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            asked = json.loads(self.rfile.readline())
            exit_code, output = setter.act(list(asked["words"]), int(asked["parent"]))
            with contextlib.suppress(OSError):
                self.wfile.write(json.dumps({"exit": exit_code, "output": output}).encode() + b"\n")

    return Handler


def end_processes(machine: EsxiMachine) -> None:
    """Everything that runs on the host ends."""
    wanted = f"LAB_HOST={machine.folder}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in entry.read_bytes().split(b"\0") and int(entry.parent.name) != os.getpid():
                _kill(int(entry.parent.name))


def restart_host(machine: EsxiMachine) -> None:
    """The host is restarted: everything that runs there ends, and what is on its RAM disk is gone."""
    end_processes(machine)
    for file in (machine.folder / "run").glob("*"):
        if file.is_file():
            file.unlink()
    machine.host.journal(cause="boot")
