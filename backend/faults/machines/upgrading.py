"""The newest version is installed node by node over the one before, with its data, while agents check in and jobs run.

The version before is the state of the repository just before its newest migration.
"""

import io
import re
import subprocess
import tarfile
import time
from pathlib import Path

from faults.machines.breaking import BACK_SECONDS, Rig, check_receipts, checked_jobs
from faults.machines.layout import BACKEND, answers
from faults.machines.machine import Machine
from faults.rig import FaultResult
from plumbline.infra.resources import CHECKOUT
from plumbline.ops.migrate import pending

# One node of a kind goes on while the other is replaced.
ORDER = ("background-2", "background-1", "executor-2", "executor-1", "api-2", "api-1")
_REVISION = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)
# How long a node serves before the next one is replaced.
_PAUSE_SECONDS = 8.0
_START_SECONDS = 60.0


def before_newest_migration(home: Path) -> Path:
    """A copy of the repository as it was before its newest migration, to run beside this one. Raises RuntimeError without a history."""
    newest = max((CHECKOUT / "migrations" / "versions").glob("*.py"), key=lambda file: _REVISION.findall(file.read_text())[0])
    added = _git("log", "--diff-filter=A", "--format=%H", "-1", "--", str(newest.relative_to(CHECKOUT))).strip()
    if not added:
        raise RuntimeError("the history of the repository does not say when the newest migration was added")
    folder = home / "before"
    with tarfile.open(fileobj=io.BytesIO(_git_bytes("archive", f"{added}^"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "backend"


def upgraded(rig: Rig) -> FaultResult:
    """Migrates with everything running, then replaces every node."""
    result = FaultResult(0)
    if not rig.installation.is_before:
        result.wrong.append("the nodes have this version already")
        return result
    since = rig.work.last_job()
    if still_new := [name for name in ORDER if name not in _nodes_before(rig)]:
        raise RuntimeError(f"{', '.join(still_new)} do not run the version before")
    rig.work.keep_busy()
    began = time.monotonic()
    said = rig.installation.migrate(BACKEND, "--check")
    result.notes.append(said.strip().splitlines()[-1])
    if not pending(None)[-1].is_additive:
        result.notes.append("SKIPPED: the newest migration asks for all processes to be stopped first")
        return result
    rig.installation.migrate(BACKEND)
    result.faults["database migrated under the old version"] += 1
    _go_on(rig)
    for name in ORDER:
        machine = rig.installation.machines[name]
        _replace(rig, machine)
        result.faults[f"{name} replaced"] += 1
        _go_on(rig)
    took = time.monotonic() - began
    pages, check_ins = rig.traffic.pages, rig.traffic.check_ins
    failed = [seen.failures_after(began) for seen in (pages, check_ins)]
    back = max(pages.back_after(began), check_ins.back_after(began))
    result.notes.append(f"{took:.0f} s, {failed[0]} requests of pages and {failed[1]} check-ins without a good answer")
    result.wrong += [f"pages or check-ins away for {back:.0f} s"] * (back > BACK_SECONDS)
    old = _nodes_before(rig)
    result.wrong += [f"{', '.join(old)} still run the version before"] * bool(old)
    rig.work.settle(result)
    checked_jobs(rig, result, since)
    check_receipts(rig, result)
    return result


def _go_on(rig: Rig) -> None:
    until = time.monotonic() + _PAUSE_SECONDS
    while time.monotonic() < until:
        rig.work.keep_busy()
        time.sleep(1)


def _replace(rig: Rig, machine: Machine) -> None:
    """Stops a node's processes as `systemctl stop` does, and starts those of this version."""
    machine.end_services()
    for service in machine.services:
        service.environment = {**service.environment, "PYTHONPATH": str(BACKEND)}
    machine.start_services()
    limit = time.monotonic() + _START_SECONDS
    while machine.name.startswith("api-") and not answers(f"http://{machine.name}:8080", rig.installation.certificate):
        if time.monotonic() > limit:
            raise RuntimeError(f"{machine.name} does not answer\n{machine.tail()}")
        time.sleep(0.2)


def _nodes_before(rig: Rig) -> list[str]:
    """The nodes of Plumbline on which a process of the version before runs."""
    folder = str(rig.installation.home / "before")
    return [name for name, machine in rig.installation.machines.items() if any(folder in path for path in _paths(machine))]


def _paths(machine: Machine) -> list[str]:
    """Where the running Python processes of a node of Plumbline have their program from."""
    found = []
    if machine.name.startswith(("api-", "executor-", "background-")):
        for process in machine.link.processes():
            variables = Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace").split("\0")
            found += [each for each in variables if each.startswith("PYTHONPATH=")]
    return found


def _git(*words: str) -> str:
    return _git_bytes(*words).decode()


def _git_bytes(*words: str) -> bytes:
    # The repository may belong to another user than the one that runs this.
    done = subprocess.run(["git", "-c", f"safe.directory={CHECKOUT}", "-C", str(CHECKOUT), *words], capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {words[0]}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout
