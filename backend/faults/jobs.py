"""The faults of jobs: the function and the full count of each figure, and what it needs."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults import answers, clocks, comparison, crashes, forged_messages, kills_and_outages, poison, races, restarts, unreachable_host
from faults.report import Line, print_line
from faults.rig import FaultResult, Rig, running_rig
from plumbline.ops import embedded_servers

Part = Callable[[Rig, int, int], FaultResult]


@dataclass(frozen=True)
class Figure:
    """One figure of the requirements: its function, its full count, and whether it needs worker processes to kill."""

    part: Part
    count: int
    has_workers: bool = False
    # Lab hosts that it needs in full.
    hosts: int = 16


FIGURES: dict[str, Figure] = {
    "J1": Figure(kills_and_outages.killed, 200, has_workers=True),
    # At most so many: seventeen places in one kind of step, fifteen in each of the other five, and three of the reconciler.
    "J2": Figure(crashes.dead_everywhere, 120),
    # Each statement of submitting, approving, stopping, cancelling and undoing.
    "J2api": Figure(answers.died_in_answers, 200),
    "J3": Figure(kills_and_outages.paused, 50, has_workers=True),
    "J4": Figure(kills_and_outages.broker, 50, has_workers=True),
    "J6": Figure(kills_and_outages.database, 50, has_workers=True),
    "J7": Figure(kills_and_outages.lost_answers, 5000, has_workers=True),
    "J8": Figure(forged_messages.forged_task_messages, 10_000, has_workers=True),
    "J9": Figure(forged_messages.forged_rows, 20),
    "J10": Figure(races.raced, 500),
    "J11": Figure(races.cancelled, 300),
    "J12": Figure(races.stopped, 5),
    "J13": Figure(unreachable_host.went_dark, 200),
    "J14": Figure(unreachable_host.health_dropped, 100),
    "J15": Figure(poison.poisoned, 5, has_workers=True),
    "J16": Figure(unreachable_host.third_value, 100),
    "J17": Figure(clocks.clocks_wrong, 60, has_workers=True),
    "J18": Figure(restarts.restarted, 20, has_workers=True, hosts=24),
    "yardstick": Figure(comparison.beside, 200, has_workers=True),
}


def run_figures(
    home: Path,
    cluster: embedded_servers.PostgresCluster,
    database: str,
    *,
    figures: Mapping[str, Figure],
    wanted: Sequence[str],
    share: float,
    seed: int,
    until: float,
    hosts: int = 0,
    note: Callable[[Line], None] = lambda _: None,
) -> list[Line]:
    """Each wanted figure at `share` of its full count, those without processes first; figures for which no time is left are
    reported as not run. The line of each figure goes to `note` at once. `hosts`: this many lab hosts, whatever a figure needs."""
    lines = []
    for has_workers in (False, True):
        names = [name for name in wanted if figures[name].has_workers == has_workers]
        if not names:
            continue
        many = hosts or (8 if share < 1 else max(figures[name].hosts for name in names))
        with running_rig(home, cluster, database, windows=many, groups=3 if has_workers else 0, prefix="w" if has_workers else "f") as rig:
            for name in names:
                if time.monotonic() > until:
                    lines.append(print_line(Line(name, "not run: the time of this part was over", "", 0, [f"{name} was not run"])))
                    continue
                lines.append(_line(rig, name, figures[name], share, seed))
                note(lines[-1])
    return lines


def _line(rig: Rig, name: str, figure: Figure, share: float, seed: int) -> Line:
    began, load = time.monotonic(), os.getloadavg()[0]
    count = max(1, round(figure.count * share))
    result = figure.part(rig, count, seed)
    done = f"{result.done()} (asked: {count}, in full {figure.count})"
    return print_line(Line(name, done, result.words(), time.monotonic() - began, result.wrong, load))
