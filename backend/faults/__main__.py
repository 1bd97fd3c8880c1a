"""`python -m faults agents|jobs|security [--faults J8,J9] [--share 0.1] [--minutes N]`: the faults of one side on a database of its own.

Writes `docs/measured/agents.md` when everything was run in full. Of `jobs.md` and `security.md` each figure writes its own row as it ends,
if it ran in full or with `--write`; the others stay as they were.

Agents:

A1: 100,000 malformed bodies. A2: bombs and 500 drips. A3: the server killed 200 times during 50,000 check-ins. A7: 10,000 check-ins sent
again, and again altered. A8: secrets rotated under load, stolen, revoked. A9: 2,000 bad credentials a second. P16: 10,000 agents back at
once. A10, A11: the ESXi agent killed at each call, and each command hung in turn. After each the doctor's promises are checked. `--minutes`
shares that time among the counted ones; the page tells the counts that were run.

Jobs and security: `faults/jobs.py` and `faults/security.py` list the figures with their counts. Each prints its seed and what it did, and
fails where a promise broke or where its fault never happened.
"""

import argparse
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from faults import security
from faults.agents import Outcome, bombs_and_drips, killed_in_the_middle, malformed_bodies
from faults.burst import came_back
from faults.door import ServedDoor, served_door
from faults.flood import flooded
from faults.jobs import FIGURES, run_figures
from faults.line import Line, told
from faults.page import Page, page_of
from faults.promises import broken_promises
from faults.replay import replayed
from faults.samples import samples, sections_of
from faults.tokens import tried
from plumbline import servers
from plumbline.database import get_engine, session_scope
from plumbline.hosts.service import make_token
from plumbline.migrate import upgrade
from plumbline.resources import CHECKOUT
from plumbline.rulesets.active import install_builtin
from plumbline.settings import get_settings

BACKEND = Path(__file__).resolve().parents[1]
_BUCKET = ("PLUMBLINE_ADMISSION_PER_SECOND", "PLUMBLINE_ADMISSION_BURST")
# How the time is shared among the faults that are counted, not timed.
_SHARES = {"A1": 0.35, "A3": 0.40, "A7": 0.10, "A8": 0.05, "P16": 0.05}
_FIGURES = {"jobs": FIGURES, "security": security.FIGURES}
_ALL = ("A1", "A2", "A3", "A7", "A8", "A9", "P16", "A10")
_AGENT_TESTS = [
    "tests/agents/esxi/test_spool.py::test_killed_at_each_call_nothing_is_lost_and_no_half_file_is_sent",
    "tests/agents/esxi/test_collecting.py::test_each_command_hung_in_turn",
    "tests/agents/esxi/test_collecting.py::test_everything_hung_at_the_limits_of_the_field_takes_less_than_a_minute",
]


def main() -> None:
    """Runs one part."""
    asked = argparse.ArgumentParser()
    asked.add_argument("part", choices=["agents", *_FIGURES])
    asked.add_argument("--short", action="store_true", help="a twentieth of everything")
    asked.add_argument("--share", type=float, default=0.0, help="this share of every count, such as 0.1")
    asked.add_argument("--seed", type=int, default=1, help="the seed of every part of the jobs' side")
    asked.add_argument("--minutes", type=float, default=90, help="bound of the whole; counts that do not fit are cut and told")
    asked.add_argument("--faults", default="", help="some of them only, with commas, such as J8,J9")
    asked.add_argument("--hosts", type=int, default=0, help="so many lab hosts instead of eight or more, for a machine that is busy")
    asked.add_argument("--write", action="store_true", help="writes rows of the page also of figures that ran with a share only")
    options = asked.parse_args()
    is_whole = not (options.short or options.share or options.faults)
    figures = _FIGURES.get(options.part)
    known = _ALL if figures is None else tuple(figures)
    options.faults = options.faults or ",".join(known)
    options.share = options.share or (0.05 if options.short else 1.0)
    unknown = [name for name in options.faults.split(",") if name not in known]
    if unknown:
        asked.error(f"no fault called {', '.join(unknown)}: choose from {', '.join(known)}")
    home = Path(tempfile.mkdtemp(prefix="plumbline-faults-"))
    home.chmod(0o755)
    place = servers.postgres_place(home)
    servers.prepare_postgres(place)
    postgres = servers.start_postgres(place, home / "postgres.log")
    try:
        servers.wait_for_postgres(place)
        passwords = {role: (place.secrets / f"{role}.password").read_text().strip() for role in servers.ROLES}
        upgrade(place.url(servers.OWNER, "postgres"), role_passwords=passwords)
        url = place.url("plumbline_api", "postgres")
        os.environ |= {
            "PLUMBLINE_HOME": str(home),
            "PLUMBLINE_DATABASE_URL": url,
            "PLUMBLINE_KEYS_FOLDER": str(home / "agent-keys"),
            # Every request is to reach the work behind the admission bucket: that is what is tried here.
            "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
            "PLUMBLINE_ADMISSION_BURST": "100000",
        }
        get_settings.cache_clear()
        if figures is not None:
            wanted, until = options.faults.split(","), time.monotonic() + options.minutes * 60
            page = Page(CHECKOUT / "docs" / "measured" / f"{options.part}.md", options.part, known)
            lines = run_figures(
                home, place, "postgres", figures=figures, wanted=wanted, share=options.share, seed=options.seed, until=until,
                hosts=options.hosts,
                note=_writer(page, options) if options.write or options.share == 1 else lambda _: None,
            )  # fmt: skip
        else:
            lines = run(place, url, round(1 / options.share), options.minutes, options.faults.split(","))
        get_engine().dispose()
    finally:
        # "Fast" shutdown: whoever is still connected is not waited for.
        postgres.send_signal(signal.SIGINT)
        postgres.wait(60)
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(place.socket, ignore_errors=True)
    whole = page_of(lines, f"python -m faults {' '.join(sys.argv[1:])}", part=options.part)
    print(whole)
    if is_whole and figures is None:
        (CHECKOUT / "docs" / "measured").mkdir(parents=True, exist_ok=True)
        (CHECKOUT / "docs" / "measured" / f"{options.part}.md").write_text(whole)
    sys.exit(1 if any(line.wrong for line in lines) else 0)


def _writer(page: Page, options: argparse.Namespace) -> Callable[[Line], None]:
    share = "" if options.share == 1 else f" --share {options.share:g} --write"

    def write(line: Line) -> None:
        page.put(line, f'make faults PART={options.part} ARGS="--faults {line.name} --seed {options.seed}{share}"')

    return write


def run(place: servers.PostgresPlace, url: str, divisor: int, minutes: float, wanted: list[str]) -> list[Line]:
    """All faults, one after the other, each on a server process of its own and the same database."""
    with session_scope() as session:
        install_builtin(session)
        token = make_token(session, name="faults", group_id=1, is_auto_approved=True, uses=100_000).token
    sections = sections_of(samples("windows")[0])
    small = {name: body for name, body in sections.items() if name in ("system", "offload", "tcp", "iscsi")}
    desk = place.url("plumbline_desk", "postgres")

    def at(name: str) -> float:
        return time.monotonic() + minutes * 60 * _SHARES[name]

    def fault(name: str, act: Callable[[ServedDoor], tuple[str, str, list[str]]]) -> Line:
        started = time.monotonic()
        # The herd of P16 meets the admission bucket as it ships.
        with served_door(without=_BUCKET if name == "P16" else ()) as door:
            what, seen, wrong = act(door)
        return told(Line(name, what, seen, time.monotonic() - started, wrong + broken_promises(desk)))

    def a1(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = malformed_bodies(door, token, small, bodies=100_000 // divisor, until=at("A1"))
        wrong = [*out.notes, *_missing(out), *_above(out, 50)]
        wrong += [f"{out.restarts} restarts"] * (out.restarts != 0)
        what = (
            f"{sum(out.statuses.values())} malformed bodies (seed 1), half as a stranger, half as an enrolled host; one valid for each ten"
        )
        return what, f"{_answers(out.statuses)}; {_valid(out)}; memory {_mb(out)}; 0 restarts", wrong

    def a2(door: ServedDoor) -> tuple[str, str, list[str]]:
        drips = 500 // divisor
        out = bombs_and_drips(door, token, drips=drips, rounds=max(1, 10 // divisor))
        wrong = [*out.notes, *_missing(out), *_above(out, 100)]
        wrong += [f"only {out.figures['cut_drips']:.0f} drips were cut"] * (out.figures["cut_drips"] != drips)
        wrong += [f"a drip lasted {out.figures['slowest_drip_s']:.1f} s"] * (out.figures["slowest_drip_s"] > 15)
        wrong += [f"valid p99 {out.figures['valid_p99_ms']:.0f} ms"] * (out.figures["valid_p99_ms"] >= 500)
        wrong += [f"a bomb was answered {status}" for status in out.statuses if status not in (401, 413, 422)]
        what = f"{sum(out.statuses.values())} bombs (six kinds, by an enrolled host and by a stranger) beside {drips} drips"
        seen = (
            f"{_answers(out.statuses)}; slowest refusal {out.figures['slowest_refusal_s']:.2f} s (goal 1), all drips cut, the last after "
            f"{out.figures['slowest_drip_s']:.1f} s (goal 15); {_valid(out)}, p99 {out.figures['valid_p99_ms']:.0f} ms (goal 500); "
            f"memory at its highest {_mb(out)} (goal 100)"
        )
        return what, seen, wrong

    def a3(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = killed_in_the_middle(door, token, url, kills=200 // divisor, check_ins=50_000 // divisor, until=at("A3"))
        what = f"server killed (-9) {out.restarts} times (seed 3) during {out.valid_sent} changed check-ins of 40 hosts"
        return what, f"{_valid(out)}, each receipt's row and body compared", [*out.notes, *_missing(out)]

    def a7(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = replayed(door, token, url, check_ins=10_000 // divisor, until=at("A7"))
        what = f"{out.valid_sent} accepted check-ins of 20 hosts sent again, and again with one byte altered (seed 7)"
        seen = f"again: {_answers(out.statuses)}; altered: {_answers(out.altered)}; no row of nine tables changed"
        return what, seen, [*out.notes, *_missing(out)]

    def a9(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = flooded(door, token, url, seconds=max(5, 40 / divisor))
        wrong = [*out.notes, *_missing(out)]
        wrong += [f"{out.figures['queries_per_100']:.2f} queries per 100"] * (out.figures["queries_per_100"] > 1)
        wrong += [f"valid p99 {out.figures['valid_p99_ms']:.0f} ms"] * (out.figures["valid_p99_ms"] >= 500)
        wrong += [f"a bad credential was answered {status}" for status in out.statuses if status != 401]
        what = (
            f"{sum(out.statuses.values())} bad credentials of five kinds, {out.figures['sent_per_second']:.0f} a second alone and "
            f"{out.figures['sent_per_second_beside']:.0f} beside valid check-ins (asked: 2,000)"
        )
        seen = (
            f"{_answers(out.statuses)}; {out.figures['queries_per_100']:.2f} queries per 100 (goal 1); {_valid(out)}, "
            f"p99 {out.figures['valid_p99_ms']:.0f} ms (goal 500)"
        )
        return what, seen, wrong

    def a8(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = tried(door, token, rotations=1_000 // divisor, pairs=max(100, 2_000 // divisor), until=at("A8"))
        figures = out.figures
        what = f"secrets of 20 hosts rotated {figures['rotations']:.0f} times while they check in; then old, odd and revoked ones"
        seen = (
            f"{_valid(out)}; {figures['bad_refused']:.0f} of 120 absent, empty, odd and borrowed signatures refused, every old secret too; "
            f"the last revoked host refused after {figures['revoked_seconds']:.1f} s (goal 5); known and unknown hosts "
            f"{figures['median_difference_ms']:.2f} ms apart in the median of {sum(out.statuses.values()) // 2} (goal 2)"
        )
        return what, seen, [*out.notes, *_missing(out)]

    def p16(door: ServedDoor) -> tuple[str, str, list[str]]:
        out = came_back(door, token, url, agents=10_000 // divisor, until=at("P16"))
        what = f"{out.valid_sent} agents with a changed check-in each, all at once over 256 connections; the admission bucket as it ships"
        seen = (
            f"{_answers(out.statuses)}; {_valid(out)} in {out.figures['seconds']:.0f} s, "
            f"at most {out.figures.get('most_tries', 0):.0f} tries; memory {_mb(out)} from {out.figures['idle_mb']:.0f} MB "
            "(goal 1.5 times and 100 MB)"
        )
        return what, seen, [*out.notes, *_missing(out)]

    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        # The agent's own tests wait for hung commands most of the time, so they run beside the others.
        agent = beside.submit(agent_tests) if "A10" in wanted else None
        acts = {"A1": a1, "A2": a2, "A3": a3, "A7": a7, "A8": a8, "A9": a9, "P16": p16}
        lines = [fault(name, act) for name, act in acts.items() if name in wanted]
        return [*lines, agent.result()] if agent else lines


def agent_tests() -> Line:
    """A10 and A11 of the ESXi agent: its own tests, the slow ones included."""
    started = time.monotonic()
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-n0",
            "-o",
            "addopts=--strict-markers -p no:cacheprovider",
            "-m",
            "slow or not slow",
            "--timeout=3600",
            *_AGENT_TESTS,
        ],
        cwd=BACKEND,
        capture_output=True,
        text=True,
        check=False,
    )
    told = ran.stdout.strip().splitlines()[-1:] or ["nothing"]
    what = "ESXi agent: killed at each call on its spool, whole and torn writes; each of its commands hung in turn, and all at once"
    return told(Line("A10, A11", what, told[0].strip("= "), time.monotonic() - started, [ran.stdout[-2000:]] if ran.returncode else []))


def _missing(out: Outcome) -> list[str]:
    return (
        [] if out.valid_taken == out.valid_sent else [f"{out.valid_sent - out.valid_taken} of {out.valid_sent} valid ones were not taken"]
    )


def _above(out: Outcome, limit: int) -> list[str]:
    return [f"memory grew by {_mb(out)}"] if out.memory_growth_bytes >= limit * 1_000_000 else []


def _answers(statuses: dict[int, int]) -> str:
    return ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))


def _valid(out: Outcome) -> str:
    return f"{out.valid_taken} of {out.valid_sent} valid taken"


def _mb(out: Outcome) -> str:
    return f"+{out.memory_growth_bytes / 1e6:.0f} MB"


if __name__ == "__main__":
    main()
