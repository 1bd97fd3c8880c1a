"""The lab's hosts while its past is written: enrolled and checked in over HTTP, each check-in signed and judged as any other.

Windows hosts send what the lab renders. ESXi hosts run the real agent whenever something about them has changed; in between only their
counters move, and the lab sends the agent's last check-in again with new ones.
"""

import hashlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import urllib3

from plumbline.infra.clock import iso, utc_now
from plumbline.ops.demo import COLLECTED, add_lab_to_path

add_lab_to_path()
from lab import checkin, fleet, uptime  # noqa: E402
from lab.esxi import servers  # noqa: E402
from lab.esxi.agent import AGENT, EsxiMachine  # noqa: E402
from lab.esxi.common import mac_of as esxi_mac_of  # noqa: E402
from lab.host import LabHost  # noqa: E402
from lab.windows import servers as windows_doors  # noqa: E402

_AT_ONCE = 6
# Runs the agent's file with its clock, of which it reads `gmtime` only, ahead by the first argument.
_AGENT_AT = """
import runpy, sys, time
ahead, agent = float(sys.argv[1]), sys.argv[2]
del sys.argv[1:2]
sys.argv[0:1] = []
real, gmtime = time.time, time.gmtime
time.gmtime = lambda seconds=None: gmtime(real() + ahead if seconds is None else seconds)
runpy.run_path(agent, run_name="__main__")
"""

# Between the machine's clock and its monotonic one, before anything is simulated.
_REAL_AHEAD = time.time() - time.monotonic()


# Events of the running lab (agents/lab/events.yaml) that the story tells with another day.
HAPPENED = (
    "driver update 7.4.23 to 7.8.1, which resets flow control",
    "receive buffers set back manually",
    "best practices of the multipathing module applied",
)


class PastFailed(Exception):
    """The past cannot be written; the message says why."""


@dataclass
class PastHost:
    """One host of the fleet. `is_changed`: its sections have to be read again before its next check-in."""

    host: LabHost
    machine: EsxiMachine | None
    identity: dict[str, Any] = field(default_factory=dict)
    seq: int = 0
    is_changed: bool = True
    is_silent: bool = False
    envelope: dict[str, Any] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The host's name."""
        return str(self.host.spec.name)


class PastFleet:
    """Every lab host that has a past: all but those that Plumbline reads itself and those that wait for approval."""

    def __init__(self, home: Path, url: str, pass_minutes: Callable[[float], None]) -> None:
        self.pass_minutes = pass_minutes
        self._home = home
        self._url = url
        # Thousands of check-ins: an httpx client would take longer to send one than the server to store it.
        self._connections = urllib3.connection_from_url(url, maxsize=_AT_ONCE, block=True, timeout=60, retries=False)
        self.hosts: dict[str, PastHost] = {}
        for spec in fleet.load():
            if spec.name in COLLECTED or spec.behaviour.waits_for_approval:
                continue
            host = LabHost(spec, home / "lab" / spec.name)
            # A gap between two check-ins of the past is a gap in what was asked, not in what was carried.
            host.longest_tick_seconds = 86_400.0
            host.saves_ticks = False
            self.hosts[spec.name] = PastHost(host, EsxiMachine(host) if spec.platform == "esxi" else None)
        self._pool = ThreadPoolExecutor(_AT_ONCE)
        # Whether check-ins carry counters, of which charts need many.
        self.has_counters = True
        self._doors = windows_doors.open_doors(
            home,
            {name: each.host for name, each in self.hosts.items() if each.machine is None},
            servers.remembered(home),
            self._checks_in_now,
        )

    def _checks_in_now(self, host: LabHost) -> bool:
        """A job starts the agent of a Windows host."""
        self.touch(host.spec.name)
        self.check_in([host.spec.name])
        return True

    def close(self) -> None:
        """Ends the connections."""
        self._doors.stop()
        self._pool.shutdown()
        self._connections.close()

    def enrol(self) -> None:
        """Enrols every host with its group's token."""
        with httpx.Client(base_url=self._url, timeout=60, trust_env=False) as client:
            for each in self.hosts.values():
                name = f"lab-{each.host.spec.group.lower()}"
                each.identity = checkin.enrol(client, each.host, (self._home / "run" / f"{name}.token").read_text("utf-8").strip())
                each.host.state["counters"]["at"] = time.time()

    def change(self, names: Iterable[str], settings: Mapping[str, object], what: str) -> None:
        """Something happens to hosts: it shows with their next check-in."""
        for name in names:
            each = self.hosts[name]
            for setting, value in settings.items():
                each.host.set(setting, value, cause=what)
            self.touch(name)

    def silence(self, name: str) -> None:
        """The host checks in no more."""
        self.hosts[name].is_silent = True

    def touch(self, name: str) -> None:
        """The host was changed from outside: its next check-in reads it again."""
        each = self.hosts[name]
        each.is_changed = True
        if each.machine is not None:
            each.machine.refresh()

    def check_in_twice(self) -> None:
        """All hosts check in, five minutes later again: a plan needs to know their load over the last minutes."""
        before, self.has_counters = self.has_counters, True
        self.check_in()
        self.pass_minutes(5)
        self.check_in()
        self.has_counters = before

    @contextmanager
    def quick_restarts(self, names: Iterable[str]) -> Iterator[None]:
        """Adapters of these hosts are back at once, so that nobody waits for them at a first start. Check-ins carry counters meanwhile."""
        before, self.has_counters = self.has_counters, True
        faults = [self.hosts[name].host.faults() for name in names]
        usual = [each["restart_seconds"] for each in faults]
        for each in faults:
            each["restart_seconds"] = 0.2
        try:
            yield
        finally:
            self.has_counters = before
            for each, seconds in zip(faults, usual, strict=True):
                each["restart_seconds"] = seconds

    def check_in(self, names: Iterable[str] | None = None) -> None:
        """All hosts, or these, check in now. Raises `PastFailed` where one is refused."""
        chosen = [each for each in self.hosts.values() if not each.is_silent and (names is None or each.name in names)]
        for answer in self._pool.map(self._one, chosen):
            if answer:
                raise PastFailed(answer)

    def _one(self, each: PastHost) -> str:
        if each.is_changed:
            self._read(each)
            each.is_changed = False
        elif self.has_counters:
            each.host.tick()
        now = iso(utc_now())
        counters = self._counters(each) if self.has_counters else {"series": []}
        # No host of the story was restarted.
        counters = counters | {"at": now, "uptime_s": int(uptime.seconds())}
        envelope = each.envelope | {"made_at": now, "counters": counters}
        if "clock" in envelope.get("live", {}):
            envelope["live"] = envelope["live"] | {"clock": now, "uptime_s": counters["uptime_s"]}
        line = json.dumps(envelope, separators=(",", ":")).encode("ascii")
        each.seq += 1
        wanted = [name for name, row in envelope["sections"].items() if "sha256" in row and row["sha256"] not in each.known]
        for _ in range(3):
            body = b"\n".join([line, *(each.bodies[name] for name in wanted if name in each.bodies)]) + b"\n"
            headers = checkin.signed_headers(each.identity, seq=each.seq, body=body, encoding="identity")
            answer = self._connections.request("POST", checkin.PATH, body=body, headers=headers)
            if answer.status == 409 and "want" in answer.json():
                wanted = sorted({*wanted, *answer.json()["want"]})
            elif answer.status == 429:
                time.sleep(0.2)
            else:
                break
        if answer.status != 200:
            return f"{each.name}: {answer.status} {answer.data[:300].decode('utf-8', 'replace')}"
        each.known |= {row["sha256"] for row in envelope["sections"].values() if "sha256" in row}
        rotated = answer.json().get("secret")
        if rotated:
            each.identity |= rotated if isinstance(rotated, dict) else {"secret": rotated, "generation": each.identity["generation"] + 1}
        return ""

    def _read(self, each: PastHost) -> None:
        if each.machine is None:
            _, envelope, bodies = checkin.WindowsClient.show(each.host)
            each.envelope, each.bodies = json.loads(envelope), {name: body.encode("ascii") for name, body in bodies.items()}
            return
        each.host.tick()
        each.machine.refresh()
        state = each.machine.state
        state.mkdir(exist_ok=True)
        self._write_agent(each, server=self._url)
        ahead = utc_now().timestamp() - _real_now()
        arguments = ["--collect-only", "--state", str(state), "--run-folder", str(each.host.folder / "run")]
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _AGENT_AT, str(ahead), str(AGENT), *arguments],
            env=each.machine.environment(),
            capture_output=True,
            timeout=120,
            check=False,
            cwd=each.host.folder,
        )
        line, *bodies = done.stdout.rstrip(b"\n").split(b"\n")
        if done.returncode != 0 or not bodies:
            raise PastFailed(f"{each.name}: the agent made no check-in: {(done.stderr or done.stdout)[-400:]!r}")
        each.envelope = json.loads(line)
        # The installed agent keeps the boot's name in this file; the one that only collects does not write it.
        boot = each.host.folder / "run" / "boot"
        boot.parent.mkdir(exist_ok=True)
        if not boot.exists():
            boot.write_text(secrets.token_hex(16))
        each.envelope["boot"] = boot.read_text()
        by_digest = {hashlib.sha256(body).hexdigest(): body for body in bodies}
        each.bodies = {name: by_digest[row["sha256"]] for name, row in each.envelope["sections"].items() if "sha256" in row}

    def _counters(self, each: PastHost) -> dict[str, Any]:
        if each.machine is None:
            return dict(checkin.counters(each.host))
        counters = each.host.state["counters"]
        ports = {f"adapter/{esxi_mac_of(each.host, name)}": values for name, values in counters["ports"].items()}
        series = []
        for row in each.envelope["counters"]["series"]:
            values = ports.get(row["subject"]) or counters
            series.append(row | {"value": values.get(row["name"], row["value"])})
        return dict(each.envelope["counters"]) | {"series": series}

    def leave(self, address: str, ca_pin: str) -> None:
        """Hands identity and number of the last check-in to the agents, which go on from there; what has happened does not happen again."""
        done = [number for number, event in enumerate(fleet.events()) if event.what in HAPPENED]
        checkin._write(self._home / "lab" / "events.json", json.dumps({"started_at": time.time(), "done": done}))
        for each in self.hosts.values():
            each.host.save()
            (each.host.folder / "checked-in-once").touch()
            if each.machine is None:
                checkin._write(each.host.folder / "identity.json", json.dumps(each.identity))
                checkin._write(each.host.folder / "seq", str(each.seq))
            else:
                self._write_agent(each, server=address, ca_pin=ca_pin)
                (each.host.folder / "identity.json").unlink(missing_ok=True)
                checkin._write(each.machine.state / "counter", str(each.seq))

    def _write_agent(self, each: PastHost, *, server: str, ca_pin: str = "") -> None:
        assert each.machine is not None
        each.machine.state.mkdir(exist_ok=True)
        settings = {name: each.identity[name] for name in ("host_id", "secret", "epoch", "generation")}
        settings |= {"server": server, "ca_pin": ca_pin or None, "proxy": None, "interval_seconds": 120, "renumber": False}
        checkin._write(each.machine.state / "agent.json", json.dumps(settings))


def _real_now() -> float:
    """The machine's own time: `time.monotonic` is not simulated, so the difference at the import, before any simulation, still holds."""
    return _REAL_AHEAD + time.monotonic()
