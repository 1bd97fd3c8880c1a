"""One machine: its services, started again two seconds after they end as by systemd, and the faults that it can have."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from faults.clocks import set_shift, shifted_by
from faults.machines.network import Link

# As RestartSec in docs/systemd.
RESTART_SECONDS = 2.0
# As TimeoutStopSec there.
_END_SECONDS = 30.0


@dataclass
class Service:
    """One process that its machine keeps running."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[bytes] | None" = None
    ended_at: float = 0.0
    starts: int = 0


class Machine:
    """A namespace with services. `shim` is the library that gives its processes the machine's own clock; None: no compiler is here."""

    def __init__(self, name: str, number: int, home: Path, shim: Path | None) -> None:
        self.name, self.home = name, home / name
        self.link = Link(name, number)
        self.services: list[Service] = []
        self.is_on = True
        self._shim, self._clock = shim, self.home / "clock"
        self._lock = threading.RLock()
        self.home.mkdir(parents=True)
        self.set_clock(0)
        self.link.make()

    @property
    def address(self) -> str:
        return self.link.address

    def set_clock(self, seconds: int) -> None:
        """From now on the date of every process of this machine is wrong by so many seconds. Clocks that measure how long something takes
        go on."""
        set_shift(self._clock, seconds)

    def has_own_clock(self) -> bool:
        """Whether every service that runs has this machine's clock. Go programs ask the kernel itself, and keep the real one."""
        running = [service.process.pid for service in self.services if service.process is not None and service.name != "etcd"]
        name = self._shim.name if self._shim is not None else "?"
        return bool(running) and all(name in Path(f"/proc/{pid}/maps").read_text() for pid in running)

    def add(self, name: str, command: list[str], environment: Mapping[str, str] | None = None) -> Service:
        """Adds a service and starts it."""
        service = Service(name, command, environment or {})
        with self._lock:
            self.services.append(service)
            if self.is_on:
                self._start(service)
        return service

    def _environment(self, service: Service) -> dict[str, str]:
        own = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8", **service.environment}
        if self._shim is not None:
            own |= shifted_by(self._clock, self._shim)
        return own

    def _start(self, service: Service) -> None:
        with (self.home / f"{service.name}.log").open("ab") as log:
            service.process = subprocess.Popen(
                self.link.inside(service.command), env=self._environment(service), cwd=self.home, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log,
            )  # fmt: skip
        service.starts += 1
        service.ended_at = 0.0

    def run(self, command: list[str], environment: Mapping[str, str]) -> str:
        """Runs a command on this machine to its end and returns what it printed. Raises RuntimeError."""
        done = subprocess.run(
            self.link.inside(command), env=self._environment(Service("", [], environment)), cwd=self.home, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{self.name}: {command}: {(done.stderr or done.stdout).strip()[-800:]}")
        return done.stdout

    def look_after(self) -> None:
        """Starts again what has ended for two seconds; called a few times a second."""
        with self._lock:
            for service in self.services if self.is_on else ():
                if service.process is None or service.process.poll() is None:
                    continue
                service.ended_at = service.ended_at or time.monotonic()
                if time.monotonic() - service.ended_at >= RESTART_SECONDS:
                    self._start(service)

    def kill(self) -> None:
        """The power is gone: nothing says goodbye to anybody."""
        with self._lock:
            self.is_on = False
            self.link.cut()
            self._end()

    def _end(self) -> None:
        while found := self.link.processes():
            for process in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            for service in self.services:
                if service.process is not None:
                    service.process.wait()
            time.sleep(0.05)

    def start(self) -> None:
        """The power is back."""
        with self._lock:
            self.link.restore()
            self.is_on = True
            for service in self.services:
                self._start(service)

    def end_services(self) -> None:
        """Asks its services to end, as `systemctl stop` does, and waits; what is left after half a minute is killed."""
        with self._lock:
            self.is_on = False
        for service in self.services:
            if service.process is not None:
                service.process.terminate()
        limit = time.monotonic() + _END_SECONDS
        for service in self.services:
            if service.process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    service.process.wait(max(0.1, limit - time.monotonic()))
        with self._lock:
            self._end()

    def start_services(self) -> None:
        """Starts them again."""
        with self._lock:
            self.is_on = True
            for service in self.services:
                self._start(service)

    def stop(self) -> None:
        """Ends its processes at the end of the run."""
        with self._lock:
            self.is_on = False
            self._end()

    def cpu_seconds(self) -> float:
        """Processor time that its running processes have used."""
        used = 0
        for process in self.link.processes():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")

    def tail(self, lines: int = 8) -> str:
        """The last lines of each of its logs."""
        said = []
        for log in sorted(self.home.glob("*.log")):
            last = log.read_text("utf-8", "replace").splitlines()[-lines:]
            said.append("\n".join([f"== {self.name} {log.name}", *(line[:300] for line in last)]))
        return "\n".join(said)
