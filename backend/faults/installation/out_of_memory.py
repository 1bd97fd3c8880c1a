"""The kernel ends each part for want of memory while agents check in and jobs run: each gets a memory limit that leaves it no room to grow.

As with `systemd` or a container engine, the limit is a control group's. What the kernel ends is started again without the limit.
"""

import contextlib
import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from faults.installation.running import Installation, installed, judge
from faults.installation.steady_agents import Steady, steady_agents
from faults.rig import FaultResult, Rig

# The scheduler, the isolated worker and the broker ask for no memory for minutes, so that the kernel has no reason to end them. Where it
# does, it sends the SIGKILL that is a figure of its own.
VICTIMS = ("api", "executor", "background", "postgres")
# The controller as Linux has it today, and as it was before.
_UNIFIED, _OLD = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")
# What a part may add to the memory that it has.
_ROOM_BYTES = 256 * 1024
_ENDS_WITHIN_SECONDS = 60.0
_GOAL_SECONDS = 60.0


class MemoryGroup:
    """A control group whose processes get no more memory than a few pages above what they have."""

    def __init__(self, parent: Path, *, is_old: bool) -> None:
        self.folder, self._is_old = parent / f"plumbline-faults-{secrets.token_hex(4)}", is_old
        self.folder.mkdir()

    def hold(self, processes: Sequence[psutil.Process]) -> None:
        """Moves processes into it. Memory that they have stays charged where it is, so the limit is on what they add."""
        if self._is_old:
            self._write("memory.limit_in_bytes", str(_ROOM_BYTES))
        else:
            # No swapping instead of an end.
            self._write("memory.swap.max", "0", may_lack=True)
            self._write("memory.max", str(_ROOM_BYTES))
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                self._write("cgroup.procs", str(process.pid))

    def ended(self) -> int:
        """How many processes the kernel ended in it for want of memory."""
        lines = (self.folder / ("memory.oom_control" if self._is_old else "memory.events")).read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.split()[0] == "oom_kill"), 0)

    def release(self) -> None:
        """Lets those that live go on, and removes the group."""
        if self._is_old:
            self._write("memory.limit_in_bytes", "-1")
        else:
            self._write("memory.max", "max")
        for pid in (self.folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError, OSError):
                (self.folder.parent / "cgroup.procs").write_text(pid)
        # A process that is being ended still belongs to it.
        until = time.monotonic() + 10
        while self.folder.exists() and time.monotonic() < until:
            with contextlib.suppress(OSError):
                self.folder.rmdir()
            time.sleep(0.1)

    def _write(self, name: str, value: str, *, may_lack: bool = False) -> None:
        if not may_lack or (self.folder / name).exists():
            (self.folder / name).write_text(value)


@contextlib.contextmanager
def memory_group() -> Iterator[MemoryGroup | None]:
    """A new group; None where this machine lets nobody make one."""
    group = None
    for parent, control, is_old in ((_OLD, "memory.limit_in_bytes", True), (_UNIFIED, "cgroup.subtree_control", False)):
        readable = parent / control
        if not readable.exists() or not (is_old or "memory" in readable.read_text().split()):
            continue
        with contextlib.suppress(OSError):
            group = MemoryGroup(parent, is_old=is_old)
            break
    try:
        yield group
    finally:
        if group is not None:
            group.release()


def out_of_memory(work: Path, count: int, seed: int) -> FaultResult:
    """`count` parts in turn run out of memory, each with jobs at work."""
    result = FaultResult(seed)
    with memory_group() as probe:
        if probe is None or os.geteuid() != 0:
            result.notes.append("SKIPPED: no control group of memory can be made here")
            return result
    with installed(work / "memory") as one, one.rig(windows=2, esxi=1) as rig, steady_agents(one.url, one.token(), hosts=3) as seen:
        for number in range(count):
            _one(result, one, rig, seen, VICTIMS[number % len(VICTIMS)])
        judge(one, rig, seen, result, fewest_jobs=3)
    return result


def _one(result: FaultResult, one: Installation, rig: Rig, seen: Steady, victim: str) -> None:
    """One part gets no more memory until the kernel ends a process of it; then it has to work again by itself."""
    rig.keep_busy()
    pid = one.pid(victim)
    part = psutil.Process(pid)
    began, ended = time.monotonic(), 0
    with memory_group() as group:
        assert group is not None
        group.hold([part, *part.children(recursive=True)])
        while not ended and time.monotonic() - began < _ENDS_WITHIN_SECONDS:
            with contextlib.suppress(Exception):
                rig.keep_busy()
            one.health()
            ended = group.ended()
            time.sleep(0.2)
    if not ended:
        result.notes.append(f"{victim}: needed no memory in {_ENDS_WITHIN_SECONDS:.0f} s")
        result.wrong += [f"{victim} was never ended for want of memory"]
        return
    result.faults[f"{victim} out of memory"] += 1
    room_at = time.monotonic()
    with contextlib.suppress(RuntimeError):
        one.wait_until("ok", _GOAL_SECONDS * 2)
        while not seen.taken_since(room_at) and time.monotonic() - room_at < _GOAL_SECONDS * 2:
            time.sleep(0.1)
    took = time.monotonic() - room_at
    result.wrong += [f"{victim}: all works {took:.0f} s after, and {_GOAL_SECONDS:.0f} are allowed"] * (took > _GOAL_SECONDS)
    result.notes.append(f"{victim}: ended after {room_at - began:.0f} s, works {took:.0f} s after")
    print(result.notes[-1], file=sys.stderr, flush=True)
