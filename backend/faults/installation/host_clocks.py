"""The clocks of ESXi hosts leap forwards and back while their agents check in and the runner changes them, also within a step.

Agent and runner are the files that ship; a library gives them and the commands that they call another time of day. Windows hosts of the lab
have no clock of their own, and no agent here speaks TLS, which looks at the dates of certificates.
"""

import contextlib
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from faults.clocks import built, set_shift, shifted_by
from faults.installation.running import Installation, installed, rows
from faults.invariants import broken_promises
from faults.journals import check_jobs
from faults.rig import FaultResult, dice_of
from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost

_HOUR, _DAY = 3600, 86_400
# Forwards and back, by less than a check-in's interval and by years.
_LEAPS = (30, 10 * 60, _HOUR, _DAY, 400 * _DAY, 9000 * _DAY)
# The lab's hosts that check in by their own agent; the rig has others, which are changed.
_AGENTS = ("esx-c01", "esx-a01")
_READINGS = "SELECT at, uptime_seconds FROM counter_sample WHERE host_id = :host ORDER BY at"
_HOSTS = "SELECT id, name, alarm, seq_gaps, skew_seconds FROM host WHERE name = ANY(:names)"


@dataclass
class _Rounds:
    """What agents' rounds ended with."""

    ends: Counter[str] = field(default_factory=Counter)
    odd: list[str] = field(default_factory=list)

    def note(self, name: str, exit_code: int | None, output: str) -> None:
        """Adds one round."""
        self.ends["ok" if exit_code == 0 else f"exit {exit_code}"] += 1
        if exit_code != 0:
            self.odd.append(f"the agent of {name} ended with {exit_code}: {output[-200:]}")


def leaping(work: Path, count: int, seed: int) -> FaultResult:
    """`count` leaps of each host's clock, a few a second at times, with agents and jobs at work all the time."""
    result = FaultResult(seed)
    shim = built(work)
    if shim is None:
        result.notes.append("SKIPPED: no C compiler here, and without one no process can be given another clock")
        return result
    dice = dice_of(result)
    with installed(work / "clocks") as one, one.rig(windows=1, esxi=1) as rig:
        changed = [host.endpoint.machine for host in rig.fleet if host.platform == "esxi"]
        checking = _machines_with_agent(work / "agents", one)
        clocks = [_own_clock(machine, shim, work / f"clock-{number}") for number, machine in enumerate((*changed, *checking))]
        with _checking_in(checking) as rounds:
            for _ in range(count):
                with contextlib.suppress(Exception):
                    rig.keep_busy()
                for clock in clocks:
                    seconds = dice.choice(_LEAPS) * dice.choice((1, -1))
                    set_shift(clock, seconds)
                    result.faults["leap of a clock " + ("forwards" if seconds > 0 else "back")] += 1
                time.sleep(dice.uniform(0.1, 1.5))
            for clock in clocks:
                set_shift(clock, _DAY)
        for machine in checking:
            outcome = machine.check_in()
            rounds.note(machine.host.spec.name, outcome.exit, outcome.output)
        rig.settle(result)
        check_jobs(rig.fleet, result)
        result.wrong += ["no ESXi host was changed"] * (not any(host.effects() for host in rig.fleet if host.platform == "esxi"))
        result.wrong += rounds.odd[:5]
        _check_agents(result, rounds)
        result.wrong += broken_promises(one.cluster.url("plumbline_background"))
    return result


def _own_clock(machine: EsxiMachine, shim: Path, file: Path) -> Path:
    """Every process of this host has the clock of this file from now on."""
    set_shift(file, 0)
    own = machine.environment
    machine.environment = lambda: own() | shifted_by(file, shim)
    return file


def _machines_with_agent(folder: Path, one: Installation) -> list[EsxiMachine]:
    specs = {spec.name: spec for spec in fleet.load()}
    token = one.token()
    machines = []
    for name in _AGENTS:
        machine = EsxiMachine(LabHost(specs[name], folder / name))
        enrolled = machine.enrol(one.url, token)
        if enrolled.exit != 0:
            raise RuntimeError(f"{name} did not enrol: {enrolled.output}")
        machines.append(machine)
    return machines


@contextlib.contextmanager
def _checking_in(machines: Sequence[EsxiMachine]) -> Iterator[_Rounds]:
    """Rounds of every agent, one after the other, in a thread for each."""
    rounds, is_over = _Rounds(), threading.Event()

    def check_in(machine: EsxiMachine) -> None:
        turn = random.Random(machine.host.spec.name)
        while not is_over.wait(turn.uniform(0.0, 0.5)):
            outcome = machine.check_in()
            rounds.note(machine.host.spec.name, outcome.exit, outcome.output)

    threads = [threading.Thread(target=check_in, args=(machine,), daemon=True) for machine in machines]
    for thread in threads:
        thread.start()
    try:
        yield rounds
    finally:
        is_over.set()
        for thread in threads:
            thread.join(150)


def _check_agents(result: FaultResult, rounds: _Rounds) -> None:
    """Nothing of a check-in but the note of a wrong clock comes from the host's clock: numbers, order and counters go on."""
    hosts: list[Any] = rows(_HOSTS, names=list(_AGENTS))
    result.wrong += [f"{len(hosts)} of {len(_AGENTS)} hosts with agents are known"] * (len(hosts) != len(_AGENTS))
    for host in hosts:
        readings = rows(_READINGS, host=host.id)
        if len(readings) < 3:
            result.wrong.append(f"{host.name}: {len(readings)} readings of counters")
        back = sum(after.uptime_seconds < before.uptime_seconds for before, after in pairwise(readings))
        result.wrong += [f"{host.name}: uptime went back {back} times"] * (back > 0)
        result.wrong += [f"{host.name}: alarm {host.alarm!r}, {host.seq_gaps} numbers left out"] * bool(host.alarm or host.seq_gaps)
        if host.skew_seconds is None or abs(host.skew_seconds - _DAY) > 120:
            result.wrong.append(f"{host.name}: its clock is a day ahead, and {host.skew_seconds} seconds were noted")
    result.notes.append(f"{sum(rounds.ends.values())} rounds of agents ({', '.join(f'{n} x {end}' for end, n in rounds.ends.items())})")
