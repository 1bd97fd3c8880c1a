"""`python -m faults agents|jobs|security|installation [--faults J8,J9] [--share 0.1] [--minutes N]`: the faults of one part.
`python -m faults machines [--short] [--faults M1] [--on primary,api-1]`: those of the larger installation, in network namespaces.

Each figure writes its own row of the part's page in `docs/measured/` as it ends, if it ran in full or with `--write`; the others stay as
they were.

Agents:

A1: 100,000 malformed bodies. A2: bombs and 500 drips. A3: the server killed 200 times during 50,000 check-ins. A7: 10,000 check-ins sent
again, and again altered. A8: secrets rotated under load, stolen, revoked. A9: 2,000 bad credentials a second. P16: 10,000 agents back at
once. A10: the ESXi agent killed at each call, and each command hung in turn. After each the doctor's promises are checked. `--minutes`
shares that time among the counted ones that are wanted; the page tells the counts that were run.

Jobs, security and installation: `faults/jobs.py`, `faults/security.py` and `faults/installation/figures.py` list the figures with their
counts. Each prints its seed and what it did, and fails where a promise broke or where its fault never happened. Those of the installation
run a whole `plumbline up` each.

Machines: each machine in turn killed (M1), cut off (M2), slowed (M3), with a wrong clock (M4); check-ins by one, two and three API nodes
(M5); this version installed node by node over the one before (M6). Needs root and some programs; where they are missing it says which, and
exits with 77.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from faults import security
from faults.agent_figures import ALL, run_agents
from faults.installation import figures as installation
from faults.jobs import FIGURES, run_figures
from faults.machines import command
from faults.page import Page, page_of
from faults.report import Line
from plumbline.infra.database import get_engine
from plumbline.infra.resources import CHECKOUT
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade

_FIGURES = {"jobs": FIGURES, "security": security.FIGURES}
_PARTS = ["agents", *_FIGURES, "installation"]


def main() -> None:
    """Runs one part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=["machines", *_PARTS])
    parser.add_argument("--short", action="store_true", help="a twentieth of everything")
    parser.add_argument("--share", type=float, default=0.0, help="this share of every count, such as 0.1")
    parser.add_argument("--seed", type=int, default=1, help="the seed of every part of the jobs' side")
    parser.add_argument("--minutes", type=float, default=90, help="bound of the whole; counts that do not fit are cut, and it is said")
    parser.add_argument("--faults", default="", help="some of them only, with commas, such as J8,J9")
    parser.add_argument("--hosts", type=int, default=0, help="so many lab hosts instead of eight or more, for a machine that is busy")
    parser.add_argument("--write", action="store_true", help="writes rows of the page also of figures that ran with a share only")
    parser.add_argument("--on", default="", help="machines: these alone, such as primary,api-1")
    options = parser.parse_args()
    others = {"agents": ALL, "installation": tuple(installation.FIGURES), "machines": command.FIGURES}
    known = others.get(options.part) or tuple(_FIGURES[options.part])
    options.faults = options.faults or ",".join(known)
    options.share = options.share or (0.05 if options.short else 1.0)
    unknown = [name for name in options.faults.split(",") if name not in known]
    if unknown:
        parser.error(f"no fault called {', '.join(unknown)}: choose from {', '.join(known)}")
    if options.part == "machines":
        _run_machines(options)
    lines = _run_installation(options, known) if options.part == "installation" else _run_on_a_database(options, known)
    print(page_of(lines, f"python -m faults {' '.join(sys.argv[1:])}", part=options.part))
    sys.exit(1 if any(line.wrong for line in lines) else 0)


def _run_installation(options: argparse.Namespace, known: Sequence[str]) -> list[Line]:
    return installation.run_installation(
        wanted=options.faults.split(","), share=options.share, seed=options.seed,
        until=time.monotonic() + options.minutes * 60, note=_note(options, known),
    )  # fmt: skip


def _run_on_a_database(options: argparse.Namespace, known: Sequence[str]) -> list[Line]:
    """The parts that need a database, and start the rest themselves."""
    home = Path(tempfile.mkdtemp(prefix="plumbline-faults-"))
    home.chmod(0o755)
    cluster = embedded_servers.postgres_cluster(home)
    embedded_servers.prepare_postgres(cluster)
    postgres = embedded_servers.start_postgres(cluster, home / "postgres.log")
    try:
        embedded_servers.wait_for_postgres(cluster)
        passwords = {role: (cluster.secrets / f"{role}.password").read_text().strip() for role in embedded_servers.ROLES}
        upgrade(cluster.url(embedded_servers.OWNER, "postgres"), role_passwords=passwords)
        url = cluster.url("plumbline_api", "postgres")
        os.environ |= {
            "PLUMBLINE_HOME": str(home),
            "PLUMBLINE_DATABASE_URL": url,
            "PLUMBLINE_KEYS_FOLDER": str(home / "agent-keys"),
            # Every request is to reach the work behind the admission bucket: that is what is tried here.
            "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
            "PLUMBLINE_ADMISSION_BURST": "100000",
            "PLUMBLINE_BAD_SIGNATURES_PER_SECOND": "100000",
            "PLUMBLINE_BAD_SIGNATURES_BURST": "100000",
        }
        get_settings.cache_clear()
        wanted, seconds = options.faults.split(","), options.minutes * 60
        note = _note(options, known)
        figures = _FIGURES.get(options.part)
        if figures is None:
            lines = run_agents(cluster, url, wanted=wanted, share=options.share, seconds=seconds, note=note)
        else:
            lines = run_figures(
                home, cluster, "postgres", figures=figures, wanted=wanted, share=options.share, seed=options.seed,
                until=time.monotonic() + seconds, hosts=options.hosts, note=note,
            )  # fmt: skip
        get_engine().dispose()
    finally:
        # "Fast" shutdown: it does not wait for open connections.
        postgres.send_signal(signal.SIGINT)
        postgres.wait(60)
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(cluster.socket, ignore_errors=True)
    return lines


def _note(options: argparse.Namespace, known: Sequence[str]) -> Callable[[Line], None]:
    page = Page(CHECKOUT / "docs" / "measured" / f"{options.part}.md", options.part, known)
    return _writer(page, options) if options.write or options.share == 1 else _nowhere


def _run_machines(options: argparse.Namespace) -> NoReturn:
    """The figures of more than one machine, which have databases of their own. Exits."""
    page = Page(CHECKOUT / "docs" / "measured" / "machines.md", "machines", command.FIGURES)
    on = f" --on {options.on}" if options.on else ""

    def write(line: Line) -> None:
        page.put(line, f'make faults PART=machines ARGS="--faults {line.name}{on}{" --short" if options.short else ""} --write"')

    done = command.run_command(
        sys.argv[1:], wanted=options.faults.split(","), is_short=options.short, seed=options.seed,
        targets=[name for name in options.on.split(",") if name], note=write if options.write else _nowhere,
    )  # fmt: skip
    if isinstance(done, int):
        sys.exit(done)
    print(page_of(done, f"python -m faults {' '.join(sys.argv[1:])}", part="machines"))
    sys.exit(1 if any(line.wrong for line in done) else 0)


def _nowhere(_line: Line) -> None:
    """Writes nothing."""


def _writer(page: Page, options: argparse.Namespace) -> Callable[[Line], None]:
    share = "" if options.share == 1 else f" --share {options.share:g} --write"

    def write(line: Line) -> None:
        # The seeds of the agents' side are fixed.
        seed = "" if options.part == "agents" else f" --seed {options.seed}"
        page.put(line, f'make faults PART={options.part} ARGS="--faults {line.name}{seed}{share}"')

    return write


if __name__ == "__main__":
    main()
