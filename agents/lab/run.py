"""The lab as a process: enrols every host, checks each in on a shortened schedule, lets events happen, and serves `lab.control`.

    python -m lab.run --home var                 (what `plumbline lab run --home var` calls)

Tokens are read from `HOME/run`: `lab.token`, `lab-waiting.token` for hosts that wait for approval and, where it exists,
`lab-<group>.token` (lower case) for the hosts of a group. The server's address comes from `--server` or `HOME/run/address`.
"""

import argparse
import heapq
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from lab import checkin, fleet
from lab.acts import COLLECTED, Acts, Member
from lab.control import Control
from lab.esxi import servers
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows import servers as windows_doors

WINDOWS_SECONDS = 60.0
# The real agent needs a quarter of a second of processor time per check-in, so its hosts check in half as often.
ESXI_SECONDS = 120.0
_THREADS = 3
# After the events of the script, a small change about this often.
_DRIFT_SECONDS = 900.0


@dataclass
class LabOptions:
    """How the lab runs."""

    home: Path
    server: str = ""
    token: str = ""
    interval_seconds: float = WINDOWS_SECONDS
    # As `plumbline up` sets it where it serves TLS with a CA of its own.
    ca_pin: str = field(default_factory=lambda: os.environ.get("PLUMBLINE_CA_PIN", ""))
    ca_file: Path | None = None
    hosts: tuple[str, ...] = ()
    with_events: bool = True
    with_channels: bool = True


class Lab:
    """The running fleet."""

    def __init__(self, options: LabOptions) -> None:
        self.options = options
        self.home = options.home
        own_ca = options.home / "keys" / "ca.pem"
        self.ca_file = options.ca_file or (own_ca if options.ca_pin and own_ca.exists() else None)
        self.folder = options.home / "lab"
        self.stopping = threading.Event()
        self.http: httpx.Client | None = None
        self.members: dict[str, Member] = {}
        self.collected: set[str] = set()
        self._due: list[tuple[float, str]] = []
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._chance = random.Random()
        self.control = Control(
            options.home,
            Acts(self.members, self.collected, self._change, self.check_in).by_name(),
        )

    def run(self) -> None:
        """Runs until `stop`."""
        server = self._server()
        if self.stopping.is_set():
            return
        self.http = httpx.Client(base_url=server, timeout=30, verify=self._trust(), trust_env=False, limits=httpx.Limits(max_connections=8))
        for spec in fleet.load():
            if not self.options.hosts or spec.name in self.options.hosts:
                host = LabHost(spec, self.folder / spec.name)
                is_esxi = spec.platform == "esxi"
                self.members[spec.name] = Member(
                    host, EsxiMachine(host) if is_esxi else None, None if is_esxi else checkin.WindowsClient(host, self.http)
                )
        self.control.start()
        channels = self._open_doors() if self.options.with_channels else []
        # These run no agent of their own: Plumbline signs in to them.
        self.collected.update(servers.collected(self.home) if channels else ())
        for name in self.collected & set(self.members):
            self.members[name].last = COLLECTED
        now = time.monotonic()
        self._due = [(now, name) for name in self.members if name not in self.collected]
        events = threading.Thread(target=self._events, daemon=True)
        if self.options.with_events:
            events.start()
        _print(f"{len(self.members)} hosts check in at {server}")
        try:
            with ThreadPoolExecutor(_THREADS) as pool:
                while not self.stopping.is_set():
                    name = self._next()
                    if name is not None:
                        pool.submit(self._turn, name)
        finally:
            self.control.stop()
            # Each checks about once a second whether it is to end, so all are stopped together.
            with ThreadPoolExecutor(max(len(channels), 1)) as pool:
                list(pool.map(lambda channel: channel.stop(), channels))
            self.http.close()

    def _open_doors(self) -> list[Any]:
        """Serves SSH and WS-Management; a host with an agent of its own has its runner too, on others Plumbline installs it."""
        machines = {name: member.machine for name, member in self.members.items() if member.machine}
        for name, machine in machines.items():
            if name not in servers.collected(self.home):
                machine.install_runner()
        windows = {name: member.host for name, member in self.members.items() if member.client}
        winrm = windows_doors.open_doors(self.home, windows, servers.remembered(self.home), self._checks_in_now)
        return [*servers.open_doors(self.home, machines, winrm), winrm]

    def _checks_in_now(self, host: LabHost) -> bool:
        """Starts the agent of a Windows host, as its task would; true where its check-in was taken."""
        member = self.members[host.spec.name]
        self.check_in(member)
        return member.last.startswith("200")

    def stop(self) -> None:
        """Ends `run` after what is in flight."""
        self.stopping.set()
        with self._wake:
            self._wake.notify_all()

    def _next(self) -> str | None:
        with self._wake:
            now = time.monotonic()
            if self._due and self._due[0][0] <= now:
                return heapq.heappop(self._due)[1]
            self._wake.wait(min(self._due[0][0] - now, 5.0) if self._due else 5.0)
        return None

    def _schedule(self, name: str, seconds: float) -> None:
        with self._wake:
            heapq.heappush(self._due, (time.monotonic() + seconds, name))
            self._wake.notify_all()

    def _turn(self, name: str) -> None:
        member = self.members[name]
        wait = self.options.interval_seconds * (ESXI_SECONDS / WINDOWS_SECONDS if member.machine else 1.0)
        try:
            if not member.is_silent:
                wait = max(wait * self._chance.uniform(0.9, 1.1), self.check_in(member))
        except Exception as error:
            member.last = f"error: {error}"
            _print(f"{name}: {error!r}")
        if not self.stopping.is_set():
            self._schedule(name, wait)

    def check_in(self, member: Member) -> float:
        """One turn of a host: enrols it if needed, then checks in. Returns the seconds to wait as the server requests."""
        with member.turn:
            spec = member.host.spec
            if spec.behaviour.silent_after_first and (member.host.folder / "checked-in-once").exists():
                member.is_silent, member.last = True, "silent since its first check-in"
                return 0
            if not self._enrol(member):
                return 5
            if member.machine is not None:
                outcome = member.machine.check_in()
                is_ok, summary, wait = outcome.exit == 0, f"exit {outcome.exit} {outcome.output}".strip(), 0.0
            else:
                assert member.client is not None
                answer = member.client.check_in()
                is_ok, summary, wait = (
                    answer.status == 200,
                    f"{answer.status} {answer.detail}".strip(),
                    0.0 if answer.status == 200 else answer.wait_seconds,
                )
            member.last, member.last_at = summary, time.time()
            if is_ok and not (member.host.folder / "checked-in-once").exists():
                (member.host.folder / "checked-in-once").touch()
            if not is_ok:
                _print(f"{spec.name}: {summary}")
            return wait

    def _enrol(self, member: Member) -> bool:
        assert self.http is not None
        host = member.host
        try:
            if member.machine is not None:
                if not member.machine.is_enrolled():
                    outcome = member.machine.enrol(str(self.http.base_url).rstrip("/"), self._token(host.spec), self.options.ca_pin)
                    if outcome.exit != 0:
                        raise checkin.EnrolmentRefused(f"{host.spec.name}: {outcome.output}")
                    host.journal(cause="enrolled")
            else:
                checkin.enrol(self.http, host, self._token(host.spec))
        except (checkin.EnrolmentRefused, httpx.HTTPError) as error:
            member.last = f"not enrolled: {error}"
            _print(member.last)
            return False
        return True

    def _token(self, spec: fleet.HostSpec) -> str:
        if self.options.token:
            return self.options.token
        run = self.home / "run"
        names = ["lab-waiting"] if spec.behaviour.waits_for_approval else [f"lab-{spec.group.lower()}", "lab"]
        for name in names:
            file = run / f"{name}.token"
            if file.exists():
                return file.read_text().strip()
        raise checkin.EnrolmentRefused(f"{spec.name}: no token in {run} ({', '.join(f'{name}.token' for name in names)})")

    def _server(self) -> str:
        """Waits until the server answers, and returns its address."""
        while not self.stopping.is_set():
            address = self.options.server
            file = self.home / "run" / "address"
            if not address and file.exists():
                address = file.read_text().strip()
            if address:
                try:
                    if httpx.get(f"{address}/healthz", timeout=3, verify=self._trust(), trust_env=False).status_code < 500:
                        return address
                except httpx.HTTPError:
                    pass
            self.stopping.wait(0.5)
        return ""

    def _trust(self) -> Any:
        import ssl

        return ssl.create_default_context(cafile=str(self.ca_file)) if self.ca_file else True

    def _events(self) -> None:
        """Applies the fleet's events, each once in the lifetime of the lab's folder."""
        file = self.folder / "events.json"
        done: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {"started_at": time.time(), "done": []}
        file.write_text(json.dumps(done), "utf-8")
        next_drift = time.time() + _DRIFT_SECONDS
        while not self.stopping.wait(5):
            minutes = (time.time() - done["started_at"]) / 60
            for number, event in enumerate(fleet.events()):
                if number in done["done"] or minutes < event.at_minutes:
                    continue
                for name in event.hosts:
                    if name in self.members:
                        self._change(name, event.settings, event.what)
                done["done"].append(number)
                file.write_text(json.dumps(done), "utf-8")
            if time.time() > next_drift:
                next_drift = time.time() + _DRIFT_SECONDS * self._chance.uniform(0.5, 1.5)
                self._drift()

    def _change(self, name: str, settings: Mapping[str, object], cause: str) -> list[str]:
        member = self.members[name]
        found: list[str] = []
        for setting, value in settings.items():
            found += member.host.set(setting, value, cause=cause)
        if member.machine is not None:
            member.machine.refresh()
        return found

    def _drift(self) -> None:
        """One small change on one host of the test group, and back the next time."""
        names = [
            name
            for name, member in self.members.items()
            if member.host.spec.group == "TEST" and member.client is not None and member.host.ports("san")
        ]
        if not names:
            return
        name = self._chance.choice(sorted(names))
        role, port = self.members[name].host.ports("san")[0]
        self._change(
            name,
            {f"{role}.interrupt_moderation": "disabled" if port["interrupt_moderation"] == "enabled" else "enabled"},
            "changed by hand",
        )


def _print(sentence: str) -> None:
    print(f"lab: {sentence}", file=sys.stderr, flush=True)


def run(options: LabOptions) -> int:
    """Runs the lab until SIGINT or SIGTERM."""
    lab = Lab(options)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: lab.stop())
    lab.run()
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Command line of the lab process."""
    parser = argparse.ArgumentParser(prog="plumbline lab run", description="Run the simulated fleet against a server.")
    parser.add_argument("--home", type=Path, default=Path("var"))
    parser.add_argument("--server", default="", help="address of the server; by default what `plumbline up` wrote under the home")
    parser.add_argument("--token", default=os.environ.get("PLUMBLINE_LAB_TOKEN", ""))
    parser.add_argument(
        "--interval",
        type=float,
        default=WINDOWS_SECONDS,
        help="seconds between two check-ins of a Windows host; ESXi hosts take twice as long",
    )
    parser.add_argument("--ca-pin", default=os.environ.get("PLUMBLINE_CA_PIN", ""))
    parser.add_argument("--ca-file", type=Path, help="PEM of the CA that the server's certificate comes from")
    parser.add_argument("--hosts", default="", help="only these hosts, by name, with commas")
    parser.add_argument("--no-events", action="store_true")
    parser.add_argument("--no-channels", action="store_true", help="do not serve SSH for the ESXi hosts")
    given = parser.parse_args(arguments)
    names = tuple(name for name in given.hosts.split(",") if name)
    home = given.home.resolve()
    return run(
        LabOptions(
            home, given.server, given.token, given.interval, given.ca_pin, given.ca_file, names, not given.no_events, not given.no_channels
        )
    )


if __name__ == "__main__":
    sys.exit(main())
