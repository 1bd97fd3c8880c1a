"""A simulated host: its state, the changes made to it, its journal, and counters that react."""

import fnmatch
import json
import os
import random
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab import identity, traffic
from lab.fleet import HostSpec
from lab.initial_state import State, initial_state

# The L3 size of the array's own ports at first, as EqualLogic has it, and what a switch's figure counts beside it.
PORTAL_BYTES = 9000
ETHERNET_BYTES = 14

# The faults that can be set for changes, with their first values.
FAULTS: State = {
    **dict.fromkeys(("lose_answer", "lose_receipt", "die_before_set", "die_after_set", "lie", "refuse", "refuse_log_ins", "cut_on_set"), 0),
    **dict.fromkeys(("adapter_down_on_set", "late_set", "no_dead_man", "no_path_gate"), 0),
    **dict.fromkeys(("delay_seconds", "dark_on_set_seconds", "hang_on_set_seconds"), 0),
    "restart_seconds": 2,
}


class NoSuchSetting(ValueError):
    """The lab does not know the setting, or the host has no such part."""


class LabHost:
    """One host. State and journal live in a folder of its own, so that a restart of the lab goes on where it stopped."""

    def __init__(self, spec: HostSpec, folder: Path) -> None:
        self.spec = spec
        self.folder = folder
        self.lock = threading.RLock()
        # Counters grow by no more than this between two calls of `tick`, so that a lab that was stopped does not leap.
        self.longest_tick_seconds = 3600.0
        # Whether `tick` keeps the counters on disk. Where many ticks follow each other, the last `save` is enough.
        self.saves_ticks = True
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "state.json"
        if file.exists():
            self.state: State = json.loads(file.read_text("utf-8"))
        else:
            self.state = initial_state(spec)
            for name, value in spec.settings.items():
                self._apply(name, value)
            self.save()

    def set(self, name: str, value: object, *, cause: str) -> list[str]:
        """Changes settings by a name such as `SAN*.flow_control`, journals each effect, and returns what changed."""
        with self.lock:
            changes = self._apply(name, value)
            for line in changes:
                self.journal(cause=cause, setting=line)
            self.save()
            return changes

    def journal(self, **entry: object) -> None:
        """Adds one line to the journal, which is the record of what happened to this host."""
        line = json.dumps({"at": time.time(), "host": self.spec.name, **entry}, ensure_ascii=False)
        with (self.folder / "journal.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def read_journal(self) -> list[dict[str, Any]]:
        """All that happened to this host, oldest first. A line that another process has not finished writing is not there yet."""
        file = self.folder / "journal.jsonl"
        text = file.read_text("utf-8") if file.exists() else ""
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def ports(self, use: str) -> list[tuple[str, State]]:
        """Adapters of a use (san, lan, s2d), in order."""
        return [(name, port) for name, port in self.state["ports"].items() if port["use"] == use]

    def sessions(self) -> list[dict[str, Any]]:
        """The paths of this host: one for each volume, SAN port and session, with whether it is logged in (`alive`) and whether it is only
        a standby path. Sessions that moved (`session.SAN2 = SAN1`) leave over the other port."""
        self.heal()
        found = []
        places = {name: index for index, (name, _) in enumerate(self.ports("san"))}
        for volume in self.state["volumes"]:
            for own in places:
                name = self.state.get("moved", {}).get(own, own)
                up = self.state["ports"][name]["link"] == "up"
                for turn in range(self.state["sessions_per_adapter"]):
                    alive = up and f"{own}/{volume}" not in self.state["cut"]
                    standby = alive and f"{own}/{volume}" in self.state.get("standby", [])
                    found.append({"volume": volume, "port": name, "index": places[name], "turn": turn, "alive": alive, "standby": standby})
        return found

    def is_hidden(self, volume: str) -> bool:
        """A volume that another multipath module holds (`dsm.vol-a = other`), which does not show its paths."""
        return bool(self.state.get("dsm", {}).get(volume, "own") != "own")

    def faults(self) -> State:
        """The faults of changes on this host (`lab.faults` explains each)."""
        found: State = self.state.setdefault("faults", {})
        for name, first in FAULTS.items():
            found.setdefault(name, first)
        return found

    def effect(self, *, setting: str, old: object, new: object, mark: Mapping[str, Any], restart: str = "") -> None:
        """One effect of a runner on this host. `mark` says whose: op_id, gen, attempt, and `reverting` for a rollback."""
        self.journal(cause="runner", effect="restart" if restart else "set", setting=setting, old=old, new=new, restart=restart, **mark)
        self.save()

    def restart_port(self, name: str) -> float:
        """An adapter goes away for the seconds of the fault `restart_seconds`, with its paths. Answers those seconds."""
        with self.lock:
            seconds = float(self.faults()["restart_seconds"])
            if seconds > 0 and self.state["ports"][name]["link"] == "up":
                self.state["ports"][name]["link"] = "down"
                self.state.setdefault("back_at", {})[name] = time.time() + seconds
                self.save()
            return seconds

    def heal(self) -> bool:
        """Adapters whose restart is over are back. Answers whether any came back."""
        with self.lock:
            waiting: State = self.state.get("back_at", {})
            back = [name for name, at in waiting.items() if at <= time.time()]
            for name in back:
                del waiting[name]
                self.state["ports"][name]["link"] = "up"
            if back:
                self.save()
            return bool(back)

    def frame_size(self, port: State) -> int:
        """L3 size that a port sends; the switch of the lab's SAN carries up to `switch_mtu`."""
        return min(int(port.get("running", {}).get("mtu", port["mtu"])), int(self.state["switch_mtu"]))

    def carried_to(self, portal: str) -> int:
        """L3 bytes that come through to a portal: what the SAN's switches carry, and no more than the portal itself takes."""
        number = identity.portals(self.spec.group).index(portal) + 1
        of_portal = self.state.get("portal_mtu", {}).get(str(number), PORTAL_BYTES)
        return min(int(self.state["switch_mtu"]) - ETHERNET_BYTES, int(of_portal))

    def tick(self) -> None:
        """Advances the counters by the time since the last call: traffic follows the paths and the settings (`lab.traffic`)."""
        with self.lock:
            now = time.time()
            counters = self.state["counters"]
            seconds = min(max(now - counters["at"], 0.0), self.longest_tick_seconds)
            counters["at"] = now
            chance = random.Random(f"{self.spec.name}{int(now)}")
            # Load peaks in the middle of the day, at another hour for each host, so that charts differ.
            busy = 0.55 + 0.4 * _wave((now / 3600 + self.spec.number) % 24 / 24)
            for name, port in self.state["ports"].items():
                port_counters = counters["ports"].setdefault(name, dict.fromkeys(_PORT_COUNTERS, 0))
                if port["link"] != "up":
                    continue
                load = {"san": 9e7, "s2d": 2.4e8, "lan": 4e6}[port["use"]] * busy * chance.uniform(0.8, 1.2)
                on_san = traffic.of_port(self.state, port) if port["use"] == "san" else None
                if on_san:
                    load *= on_san.load
                received, sent = int(load * seconds), int(load * 0.45 * seconds)
                frame = max(int(port["mtu"]) * 0.7, 600)
                port_counters["bytes_received"] += received
                port_counters["bytes_sent"] += sent
                port_counters["packets_received"] += int(received / frame)
                port_counters["packets_sent"] += int(sent / frame)
                if on_san and on_san.has_pauses:
                    port_counters["pause_received"] += int(chance.uniform(0, 3) * seconds * busy)
                elif on_san:
                    port_counters["drops_received"] += int(received / frame * on_san.drops * busy)
            segments = sum(int(port["packets_sent"]) for port in counters["ports"].values())
            grown = max(segments - counters["segments_seen"], 0)
            counters["segments_seen"] = segments
            shaped = traffic.of_host(self.state, [port for _, port in self.ports("san")])
            counters["tcp_segments_sent"] += grown
            counters["tcp_segments_retransmitted"] += int(grown * shaped.retransmits / 1e6 * chance.uniform(0.7, 1.3))
            counters["cpu_percent"] = round(min(100.0, 4 + 22 * busy * shaped.cpu * chance.uniform(0.7, 1.3)), 1)
            for volume in self.state["volumes"]:
                volume_counters = counters["volumes"].setdefault(volume, {"read_bytes": 0, "write_bytes": 0, "reads": 0, "writes": 0})
                reads, writes = int(900 * busy * seconds), int(440 * busy * seconds)
                volume_counters["reads"] += reads
                volume_counters["writes"] += writes
                volume_counters["read_bytes"] += reads * 24_576
                volume_counters["write_bytes"] += writes * 16_384
                volume_counters["read_latency_us"] = int(1100 * shaped.latency * (0.6 + busy) * chance.uniform(0.9, 1.1))
                volume_counters["write_latency_us"] = int(1600 * shaped.latency * (0.6 + busy) * chance.uniform(0.9, 1.1))
                for way, operations in (("read", reads), ("write", writes)):
                    # ESXi counts the time that operations took, Windows gives their mean.
                    spent = volume_counters.get(f"{way}_time_us", 0) + operations * volume_counters[f"{way}_latency_us"]
                    volume_counters[f"{way}_time_us"] = spent
            if self.saves_ticks:
                self.save()

    def save(self) -> None:
        """Keeps the state on disk."""
        file = self.folder / "state.json"
        waiting = file.with_suffix(".tmp")
        waiting.write_text(json.dumps(self.state, ensure_ascii=False), "utf-8")
        os.replace(waiting, file)

    def _apply(self, name: str, value: object) -> list[str]:
        subject, _, key = name.partition(".")
        if not key:
            raise NoSuchSetting(f"{name}: a setting is named `part.key`, such as SAN1.flow_control")
        parts = self._parts(subject, key)
        if not parts:
            known = ", ".join(
                [*self.state["ports"], *self.state.get("vmks", {}), *self.state.get("vswitches", {}), *self.state["initiators"], "host"]
            )
            raise NoSuchSetting(f"{self.spec.name} has no part {subject!r}; it has {known}")
        changes = []
        for label, part, field in parts:
            kind = _typed(part, field, value, label)
            old = part.get(field)
            if old != kind:
                part[field] = kind
                changes.append(f"{label}.{key}: {old} -> {kind}")
        return changes

    def _parts(self, subject: str, key: str) -> list[tuple[str, State, str]]:
        """The places in the state that a name means: (label, mapping, field)."""
        state = self.state
        if subject == "fault":
            return [("fault", self.faults(), key)]
        if subject == "host":
            return [("host", state["host"], key)] if key in state["host"] else []
        if subject == "qos_class" or subject == "qos_policy":
            item, _, field = key.partition(".")
            return [(f"{subject}.{item}", state[subject].setdefault(item, dict(_QOS_DEFAULTS[subject])), field)]
        if subject == "path":
            # path.SAN1/vol-a = dead | standby | healthy: a single path cut, or standing by, with the link up.
            return [(f"path.{key}", _OnePath({"dead": state["cut"], "standby": state.setdefault("standby", [])}, key), "state")]
        if subject in ("session", "dsm"):
            # session.SAN2 = SAN1: the sessions of one port leave over another. dsm.vol-a = other: a module that shows no path holds it.
            of: State = state.setdefault("moved" if subject == "session" else "dsm", {})
            of.setdefault(key, key if subject == "session" else "own")
            return [(subject, of, key)]
        if subject == "switch" and key == "mtu":
            # The largest frame, Ethernet header included, that the SAN's switches carry.
            return [("switch", state, "switch_mtu")]
        if subject.startswith("portal-") and key == "mtu":
            # portal-1, portal-*: the L3 size of the array's own ports.
            sizes: State = state.setdefault("portal_mtu", {"1": PORTAL_BYTES, "2": PORTAL_BYTES})
            return [(f"portal-{number}", sizes, number) for number in sizes if fnmatch.fnmatchcase(f"portal-{number}", subject)]
        if subject == "initiator":
            return [(name, hba, key) for name, hba in state["initiators"].items()]
        found: list[tuple[str, State, str]] = []
        for group in ("ports", "vmks", "vswitches", "initiators"):
            for name, part in state.get(group, {}).items():
                if fnmatch.fnmatchcase(name, subject) or fnmatch.fnmatchcase(part.get("label", name), subject):
                    first, _, rest = key.partition(".")
                    if first == "binding":
                        found.append((name, part["bindings"], rest))
                    elif first == "keyword":
                        found.append((name, part["keywords"], rest))
                    else:
                        found.append((name, part, key))
        return found


class _OnePath(dict[str, Any]):
    """A single path as a mapping with one field, over the lists of paths that are not healthy."""

    def __init__(self, lists: Mapping[str, list[str]], path: str) -> None:
        super().__init__(state=next((word for word, paths in lists.items() if path in paths), "healthy"))
        self._lists, self._path = lists, path

    def __setitem__(self, key: str, value: object) -> None:
        super().__setitem__(key, value)
        for word, paths in self._lists.items():
            if word == value and self._path not in paths:
                paths.append(self._path)
            if word != value and self._path in paths:
                paths.remove(self._path)


_PORT_COUNTERS = (
    *("bytes_received", "bytes_sent", "packets_received", "packets_sent", "drops_received", "drops_sent"),
    *("errors_received", "errors_sent", "pause_received", "pause_sent"),
)
_QOS_DEFAULTS: dict[str, State] = {
    "qos_class": {"algorithm": "ETS", "bandwidth_percent": 80, "priorities": [5]},
    "qos_policy": {"priority": 5, "net_direct_port": 445},
}


def _wave(part: float) -> float:
    """A smooth hill over a day: 0 at night, 1 at noon."""
    return max(0.0, 1 - abs(part - 0.5) * 3.2)


def _typed(part: Mapping[str, Any], field: str, value: object, label: str) -> object:
    """The value in the type that the field has, from a command line or a file."""
    if field not in part:
        raise NoSuchSetting(f"{label} has no setting {field!r}; it has {', '.join(sorted(part))}")
    old = part[field]
    if isinstance(old, bool):
        return str(value).lower() in ("true", "1", "yes", "enabled")
    if isinstance(old, int) and not isinstance(value, bool):
        try:
            return int(str(value))
        except ValueError:
            raise NoSuchSetting(f"{label}.{field} takes a whole number, not {value!r}") from None
    if isinstance(old, list):
        return [item.strip() for item in value.split(",")] if isinstance(value, str) else [str(value)]
    return str(value)
