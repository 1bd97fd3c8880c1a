"""What the tests of the ESXi runner share: a lab host with its stand-in commands and state, and the real file as a process."""

import contextlib
import json
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import RUNNER, EsxiMachine
from lab.esxi.setter import Setter
from lab.host import LabHost
from tests.agents.esxi.old_pythons import VERSIONS, old_python
from tests.agents.runner.test_schema import validator

Answer = dict[str, Any]
PYTHON_3 = [sys.executable, "-I", "-S"]
VMK = "vnic/vmk1/mtu"


def engines() -> list[Any]:
    """Python 3 always, and those Pythons of ESXi hosts that are here; `test_static.py` names the others once, as skipped."""
    found: list[Any] = [pytest.param(PYTHON_3, id="python3")]
    return found + [pytest.param(engine, id=f"python{version}") for version in VERSIONS if (engine := old_python(version))]


class Esxi:
    """One lab host with an installed runner."""

    def __init__(self, folder: Path, name: str, engine: list[str]) -> None:
        spec = next(spec for spec in fleet.load() if spec.name == name)
        self.host = LabHost(spec, folder / name)
        self.machine = EsxiMachine(self.host)
        self.setter = Setter(self.machine)
        self.engine = engine
        self.program = self.machine.program
        self.program.mkdir(parents=True)
        shutil.copy(RUNNER, self.program)
        self.op = secrets.token_hex(16)
        self.good: dict[str, Any] = {}

    @property
    def state(self) -> Path:
        return self.machine.runner_state

    def alter(self, *, swaps: dict[str, str] | None = None, **figures: float) -> None:
        """Gives this host a runner with other figures (`SETTLE_SECONDS=1`), or with pieces of its text swapped, each there once."""
        file = self.program / "host_runner.py"
        text = file.read_text("ascii")
        for name, value in figures.items():
            text, count = re.subn(rf"(?m)^{name} = [0-9.]+", f"{name} = {value}", text)
            assert count == 1, name
        for old, new in (swaps or {}).items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file.write_text(text, "ascii")

    def processes(self) -> list[int]:
        """Ids of the processes of this host's runner."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                is_ours = f"LAB_HOST={self.machine.folder}".encode() in (entry / "environ").read_bytes().split(b"\0")
                if is_ours and b"host_runner.py" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return sorted(found)

    def new_operation(self) -> None:
        self.op = secrets.token_hex(16)

    def request(self, verb: str, **given: Any) -> dict[str, Any]:
        whole = {"v": 1, "verb": verb, "host_id": "ab" * 16, "job_id": "cd" * 16, "op_id": self.op, "nonce": secrets.token_hex(16)}
        whole |= {"gen": 7, "attempt": 1, "boot_id": None, "not_after_uptime_s": None, "step": [], "restart": None}
        whole |= {"deadman_s": None, "health_floor": None}
        return whole | (self.good if verb not in ("read", "receipt") else {}) | given

    def send(self, request: dict[str, Any] | bytes, *, before: list[str] | None = None) -> Answer:
        """One request to a process of its own, as the channel starts it; its answer, held to the schema."""
        data = request if isinstance(request, bytes) else json.dumps(request).encode()
        done = subprocess.run(
            [*self.engine, *(before or []), str(self.program / "host_runner.py")],
            input=data,
            capture_output=True,
            env=self.machine.environment(),
            timeout=60,
            check=False,
        )
        assert done.stderr == b"", done.stderr.decode()
        assert done.stdout.isascii()
        assert done.stdout.endswith(b'"end": "plumbline"}\n')
        answer: Answer = json.loads(done.stdout)
        validator("answer").validate(answer)
        if not isinstance(request, bytes):
            assert (answer["op_id"], answer["nonce"]) == (request["op_id"], request["nonce"])
        return answer

    def ask(self, verb: str, **given: Any) -> Answer:
        request = self.request(verb, **given)
        validator("request").validate(request)
        return self.send(request)

    def ready(self, gen: int = 7, attempt: int = 1) -> Answer:
        """Reads, takes boot and time from it, and raises the fence."""
        read = self.ask("read")
        self.good = {"boot_id": read["boot_id"], "not_after_uptime_s": read["uptime_s"] + 600, "gen": gen, "attempt": attempt}
        return self.ask("fence")

    def values(self, *settings: str) -> dict[str, str | None]:
        found: dict[str, str | None] = self.ask("read", step=[{"setting": setting} for setting in settings])["after"]
        return found

    def element(self, setting: str, target: str, seen: str | None = None) -> dict[str, str]:
        now = seen or str(self.values(setting)[setting])
        return {"setting": setting, "seen": now, "target": target, "inverse": now}

    def settled(self, seconds: float = 20) -> Answer:
        """The receipt once nobody is at work on it."""
        until = time.monotonic() + seconds
        while True:
            found = self.ask("receipt")
            if found["reason"] != "busy":
                return found
            assert time.monotonic() < until, found
            time.sleep(0.05)

    def wait_for(self, state: str, seconds: float = 20) -> Answer:
        until = time.monotonic() + seconds
        while True:
            found = self.ask("receipt")
            if found["state"] == state:
                return found
            assert time.monotonic() < until, found
            time.sleep(0.1)

    def effects(self, **wanted: object) -> list[tuple[str, str, str]]:
        """Effects of this operation by the host's journal: setting, old, new."""
        rows = [row for row in self.host.read_journal() if row["cause"] == "runner" and row["effect"] == "set" and row["op_id"] == self.op]
        return [(row["setting"], row["old"], row["new"]) for row in rows if all(row[key] == value for key, value in wanted.items())]


@contextmanager
def esxi(folder: Path, name: str = "esx-b10", engine: list[str] | None = None) -> Iterator[Esxi]:
    """A lab host, listening for what its commands set."""
    found = Esxi(folder, name, engine or PYTHON_3)
    found.setter.start()
    try:
        yield found
    finally:
        found.setter.stop()
