"""Each part is killed while several jobs change hosts of both platforms: workers, scheduler, API, database, broker, the supervisor itself,
and the runner on an ESXi host. The hosts' journals decide."""

import contextlib
import time
from collections import Counter
from pathlib import Path

import psutil

from faults.installation.running import Installation, installed, judge
from faults.installation.steady_agents import steady_agents
from faults.rig import FaultResult, Rig, dice_of

VICTIMS = ("executor", "runner on a host", "api", "postgres", "executor", "beat", "valkey", "background", "isolated", "supervisor")
# Jobs that a job takes over from a dead worker wait for its lease; a part that ends often waits longer before it starts again.
_LONGEST_SECONDS = 120.0
# How long a part that is being started again is waited for before the next one has its turn.
_TURN_SECONDS = 30.0


def killed(work: Path, count: int, seed: int) -> FaultResult:
    """`count` kills, the victims in turn, each with jobs at work."""
    result = FaultResult(seed)
    dice = dice_of(result)
    deaths: Counter[str] = Counter()
    with installed(work / "kills") as one, one.rig(windows=4, esxi=1) as rig, steady_agents(one.url, one.token(), hosts=3) as seen:
        number = 0
        turn_at = time.monotonic()
        until = turn_at + 20.0 * count
        while deaths.total() < count and time.monotonic() < until:
            with contextlib.suppress(Exception):
                rig.keep_busy()
            time.sleep(dice.uniform(0.3, 1.5))
            victim = VICTIMS[number % len(VICTIMS)]
            if _kill(one, rig, victim, work / "kills-lab"):
                deaths[victim] += 1
                number += 1
                turn_at = time.monotonic()
            elif time.monotonic() - turn_at > _TURN_SECONDS:
                # A part that is not started again for long, or no runner at work: the next one.
                number += 1
                turn_at = time.monotonic()
        for name, times in deaths.items():
            result.faults[f"kill -9 of {name}"] = times
        missing = {name for name in VICTIMS[:count] if not deaths[name]}
        result.wrong += [f"{name} was never killed" for name in sorted(missing)]
        one.wait_until("ok", _LONGEST_SECONDS)
        judge(one, rig, seen, result, longest=_LONGEST_SECONDS, fewest_jobs=5)
        platforms = {host.platform for host in rig.fleet if host.effects()}
        result.wrong += ["not both platforms were changed"] * (platforms != {"windows", "esxi"})
    return result


def _kill(one: Installation, rig: Rig, victim: str, lab: Path) -> bool:
    """Whether there was one to kill."""
    if victim == "supervisor":
        assert one.process is not None
        one.process.kill()
        one.process.wait(30)
        one.process = None
        # Its watcher ends the rest within seconds; whoever starts it again does not wait for that.
        one.start()
        return True
    found = _runner_at_work(rig, lab) if victim == "runner on a host" else one.pid(victim)
    if not found:
        return False
    try:
        psutil.Process(found).kill()
    except psutil.NoSuchProcess:
        return False
    return True


def _runner_at_work(rig: Rig, lab: Path) -> int:
    """A process of the runner, which lives for a fraction of a second; 0 where none was met in ten seconds."""
    until = time.monotonic() + 10.0
    while time.monotonic() < until:
        with contextlib.suppress(Exception):
            rig.keep_busy()
        near = time.monotonic() + 0.5
        while time.monotonic() < near:
            if found := _runner(lab):
                return found
    return 0


def _runner(lab: Path) -> int:
    """A process of the runner on one of the lab's ESXi hosts; 0 where none is at work. Its file is read by a script that the host's Python
    gets as text, and the host's folder is where it runs."""
    for process in psutil.process_iter(["cmdline", "cwd"]):
        words = process.info["cmdline"] or ()
        if "-I" in words and "-c" in words and (process.info["cwd"] or "").startswith(f"{lab}/"):
            return int(process.pid)
    return 0
