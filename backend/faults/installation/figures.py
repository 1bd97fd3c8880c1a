"""The faults of one machine: the function and the full count of each figure."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults.installation import full_disk, host_clocks, kills, network_cut, out_of_memory, power_cut
from faults.report import Line, print_line
from faults.rig import FaultResult


@dataclass(frozen=True)
class InstallationFigure:
    """One fault: its function, which gets a folder to work in, and its full count."""

    part: Callable[[Path, int, int], FaultResult]
    count: int


FIGURES: dict[str, InstallationFigure] = {
    "kills": InstallationFigure(kills.killed, 20),
    "power": InstallationFigure(power_cut.cut, 10),
    "disk": InstallationFigure(full_disk.filled, 10),
    "clocks": InstallationFigure(host_clocks.leaping, 100),
    "memory": InstallationFigure(out_of_memory.out_of_memory, len(out_of_memory.VICTIMS)),
    "network": InstallationFigure(network_cut.cut, 2),
}


def run_installation(
    *, wanted: Sequence[str], share: float, seed: int, until: float, note: Callable[[Line], None] = lambda _: None
) -> list[Line]:
    """Each wanted figure at `share` of its full count, each with an installation of its own. The line of each goes to `note` at once."""
    lines = []
    for name in wanted:
        if time.monotonic() > until:
            lines.append(print_line(Line(name, "not run: the time of this part was over", "", 0, [f"{name} was not run"])))
            continue
        began, load = time.monotonic(), os.getloadavg()[0]
        figure = FIGURES[name]
        count = max(1, round(figure.count * share))
        work = Path(tempfile.mkdtemp(prefix="plumbline-installation-"))
        # The database runs as another user, who has to reach its files.
        work.chmod(0o755)
        try:
            result = figure.part(work, count, seed)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        done = f"{result.done()} (asked: {count}, in full {figure.count})"
        lines.append(print_line(Line(name, done, result.words(), time.monotonic() - began, result.wrong, load)))
        note(lines[-1])
    return lines
