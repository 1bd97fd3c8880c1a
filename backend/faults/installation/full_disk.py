"""The disk of each writer fills while agents check in and jobs run. Nothing receipted is lost; all goes on by itself once there is room."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from faults.installation.running import Installation, installed, judge
from faults.installation.steady_agents import Steady, steady_agents
from faults.rig import FaultResult, Rig

# What has a disk of its own in this run, and its size: the folders below the home, and the home itself.
_SIZES = {"": "64m", "postgres": "400m", "log": "8m", "run": "1m", "valkey": "8m", "keys": "1m", "tmp": "16m"}
# Seconds from room on the disk until all parts work and a check-in is receipted (O5).
_GOAL_SECONDS = 30.0
_LONGEST_SECONDS = 120.0


def filled(work: Path, count: int, seed: int) -> FaultResult:
    """Each disk is full for `count` seconds in turn, then all of them at once."""
    result = FaultResult(seed)
    if os.geteuid() != 0:
        result.notes.append("SKIPPED: only root can mount a small disk")
        return result
    seconds = float(max(8, count))
    with contextlib.ExitStack() as mounts:
        home = work / "disk"
        for place, size in _SIZES.items():
            mounts.enter_context(_small_disk(home / place, size))
        one = mounts.enter_context(installed(home, more={"TMPDIR": str(home / "tmp")}))
        rig = mounts.enter_context(one.rig(windows=2, esxi=1))
        seen = mounts.enter_context(steady_agents(one.url, one.token()))
        for places in (*([place] for place in _SIZES), list(_SIZES)):
            _one(result, one, rig, seen, [home / place for place in places], seconds)
        judge(one, rig, seen, result)
        _ends_while_full(result, one, home)
    return result


@contextlib.contextmanager
def _small_disk(folder: Path, size: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "plumbline-faults", str(folder)], check=True)
    try:
        yield
    finally:
        # What still has a file open there keeps the disk, not its place.
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Takes all the room that the folder's disk has left, to the last byte."""
    with (folder / "filler").open("ab", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2


def free(folder: Path) -> None:
    """Gives the room back."""
    (folder / "filler").unlink(missing_ok=True)


def _one(result: FaultResult, one: Installation, rig: Rig, seen: Steady, folders: list[Path], seconds: float) -> None:
    name = "all disks" if len(folders) > 1 else f"disk of {folders[0].name if folders[0] != one.home else 'the home'}"
    before, restarts = len(seen.receipts), len(one.restarted())
    rig.keep_busy()
    for folder in folders:
        fill(folder)
    until = time.monotonic() + seconds
    said = set()
    while time.monotonic() < until:
        # What is freed by the product's own files is taken at once, as by whatever else filled the disk.
        for folder in folders:
            fill(folder)
        said.add(str(one.health().get("status", "no answer")))
        rig.keep_busy()
        time.sleep(0.5)
    during = len(seen.receipts) - before
    full = [shutil.disk_usage(folder).free for folder in folders]
    result.faults[f"{name} full for {seconds:.0f} s"] += 1
    result.wrong += [f"{name}: {max(full)} bytes were left"] * (max(full) > 4096)
    for folder in folders:
        free(folder)
    room_at = time.monotonic()
    if one.process is None or one.process.poll() is not None:
        raise RuntimeError(f"{name}: the supervisor ended: {one.log()}")
    with contextlib.suppress(RuntimeError):
        one.wait_until("ok", _LONGEST_SECONDS)
        while not seen.taken_since(room_at) and time.monotonic() - room_at < _LONGEST_SECONDS:
            time.sleep(0.1)
    took = time.monotonic() - room_at
    result.wrong += [f"{name}: all works {took:.0f} s after there was room, and {_GOAL_SECONDS:.0f} are allowed"] * (took > _GOAL_SECONDS)
    parts = sorted(set(one.restarted()[restarts:]))
    result.notes.append(
        f"{name}: health {'/'.join(sorted(said))}, {during} check-ins receipted meanwhile, works {took:.0f} s after"
        + (f", started again: {', '.join(parts)}" if parts else "")
    )
    print(result.notes[-1], file=sys.stderr, flush=True)


def _ends_while_full(result: FaultResult, one: Installation, home: Path) -> None:
    """Ctrl-C with every disk full."""
    for place in _SIZES:
        fill(home / place)
    assert one.process is not None
    one.process.send_signal(signal.SIGINT)
    try:
        one.process.wait(60)
    except subprocess.TimeoutExpired:
        result.wrong.append("with all disks full it does not end within a minute of Ctrl-C")
    result.faults["Ctrl-C with all disks full"] += 1
