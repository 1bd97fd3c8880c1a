"""The faults of agents and check-ins: the endpoint under malformed bodies, bombs, kills, replays, bad credentials and a burst; the ESXi
agent killed and hung."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from faults.agents import Outcome, bombs_and_drips, killed_in_the_middle, malformed_bodies
from faults.burst import came_back
from faults.checkin_process import ServedApi, served_api
from faults.flood import flooded
from faults.invariants import broken_promises
from faults.replay import replayed
from faults.report import Line, print_line
from faults.samples import samples, sections_of
from faults.tokens import tried
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.packs.publish import install_builtin

ALL = ("A1", "A2", "A3", "A7", "A8", "A9", "P16", "A10")
Measured = tuple[str, str, list[str]]

_BACKEND = Path(__file__).resolve().parents[1]
_BUCKET = (
    "PLUMBLINE_ADMISSION_PER_SECOND",
    "PLUMBLINE_ADMISSION_BURST",
    "PLUMBLINE_BAD_SIGNATURES_PER_SECOND",
    "PLUMBLINE_BAD_SIGNATURES_BURST",
)
# How the time of a run is shared among the faults that are counted, not timed.
_SHARES = {"A1": 0.35, "A3": 0.40, "A7": 0.10, "A8": 0.05, "P16": 0.05}
_AGENT_TESTS = [
    "tests/agents/esxi/test_spool.py::test_killed_at_each_call_nothing_is_lost_and_no_half_file_is_sent",
    "tests/agents/esxi/test_collecting.py::test_each_command_hung_in_turn",
    "tests/agents/esxi/test_collecting.py::test_everything_hung_at_the_limits_of_the_field_takes_less_than_a_minute",
]


def run_agents(
    cluster: embedded_servers.PostgresCluster,
    url: str,
    *,
    wanted: Sequence[str],
    share: float,
    seconds: float,
    note: Callable[[Line], None] = lambda _: None,
) -> list[Line]:
    """All wanted faults, one after the other, each on a server process of its own and the same database. Counts are those in full times
    `share`; what does not fit in `seconds` is cut, which the row says. Each line goes to `note` at once."""
    with session_scope() as session:
        install_builtin(session)
        token = make_token(session, TokenTerms(name="faults", group_id=1, is_auto_approved=True, uses=100_000)).token
    side = _Side(token, url, share, seconds / (sum(_SHARES.get(name, 0) for name in wanted) or 1))
    lines = []
    for name in wanted:
        began, load = time.monotonic(), os.getloadavg()[0]
        if name == "A10":
            what, seen, wrong = agent_tests()
        else:
            # The herd of P16 and the flood of A9 meet the limits as they ship.
            with served_api(without=_BUCKET if name in ("P16", "A9") else ()) as api:
                what, seen, wrong = side.acts()[name](api)
            wrong = wrong + broken_promises(cluster.url("plumbline_background", "postgres"))
        lines.append(print_line(Line(name, what, seen, time.monotonic() - began, wrong, load)))
        note(lines[-1])
    return lines


class _Side:
    """What every fault needs: a token that enrols, the database, the share of each count, and the seconds for the whole of it."""

    def __init__(self, token: str, url: str, share: float, seconds: float) -> None:
        self.token, self.url, self.share, self.seconds = token, url, share, seconds
        sections = sections_of(samples("windows")[0])
        self.small = {name: body for name, body in sections.items() if name in ("system", "offload", "tcp", "iscsi")}

    def acts(self) -> dict[str, Callable[[ServedApi], Measured]]:
        return {"A1": self.a1, "A2": self.a2, "A3": self.a3, "A7": self.a7, "A8": self.a8, "A9": self.a9, "P16": self.p16}

    def _part(self, count: int, least: int = 1) -> int:
        return max(least, round(count * self.share))

    def _until(self, name: str) -> float:
        return time.monotonic() + self.seconds * _SHARES[name]

    def a1(self, api: ServedApi) -> Measured:
        asked = self._part(100_000)
        out = malformed_bodies(api, self.token, self.small, bodies=asked, until=self._until("A1"))
        wrong = [*out.notes, *_missing(out), *_above(out, 50)]
        wrong += [f"{out.restarts} restarts"] * (out.restarts != 0)
        what = (
            f"{sum(out.statuses.values())} malformed bodies (seed 1), half as a stranger, half as an enrolled host; one valid for each ten "
            f"(asked: {asked:,}, in full 100,000)"
        )
        return what, f"{_answers(out.statuses)}; {_valid(out)}; memory {_mb(out)}; 0 restarts", wrong

    def a2(self, api: ServedApi) -> Measured:
        drips = self._part(500)
        out = bombs_and_drips(api, self.token, drips=drips, rounds=self._part(10))
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

    def a3(self, api: ServedApi) -> Measured:
        kills, asked = self._part(200), self._part(50_000)
        out = killed_in_the_middle(api, self.token, self.url, kills=kills, check_ins=asked, until=self._until("A3"))
        what = (
            f"server killed (-9) {out.restarts} times (seed 3) during {out.valid_sent} changed check-ins of 40 hosts "
            f"(asked: {kills} and {asked:,}, in full 200 and 50,000)"
        )
        return what, f"{_valid(out)}, each receipt's row and body compared", [*out.notes, *_missing(out)]

    def a7(self, api: ServedApi) -> Measured:
        asked = self._part(10_000)
        out = replayed(api, self.token, self.url, check_ins=asked, until=self._until("A7"))
        what = (
            f"{out.valid_sent} accepted check-ins of 20 hosts sent again, and again with one byte altered (seed 7) "
            f"(asked: {asked:,}, in full 10,000)"
        )
        seen = f"again: {_answers(out.statuses)}; altered: {_answers(out.altered)}; no row of nine tables changed"
        return what, seen, [*out.notes, *_missing(out)]

    def a9(self, api: ServedApi) -> Measured:
        out = flooded(api, self.token, self.url, seconds=max(5, 40 * self.share))
        wrong = [*out.notes, *_missing(out)]
        wrong += [f"{out.figures['queries_per_100']:.2f} queries per 100"] * (out.figures["queries_per_100"] > 1)
        wrong += [f"valid p99 {out.figures['valid_p99_ms']:.0f} ms"] * (out.figures["valid_p99_ms"] >= 500)
        wrong += [f"a bad credential was answered {status}" for status in out.statuses if status not in (401, 429)]
        what = (
            f"{sum(out.statuses.values())} bad credentials of five kinds, {out.figures['sent_per_second']:.0f} a second alone and "
            f"{out.figures['sent_per_second_beside']:.0f} beside valid check-ins (asked: 2,000); the limits as they ship"
        )
        seen = (
            f"{_answers(out.statuses)}; {out.figures['queries_per_100']:.2f} queries per 100 (goal 1); {_valid(out)}, "
            f"p99 {out.figures['valid_p99_ms']:.0f} ms (goal 500)"
        )
        return what, seen, wrong

    def a8(self, api: ServedApi) -> Measured:
        out = tried(api, self.token, rotations=self._part(1_000), pairs=self._part(2_000, 100), until=self._until("A8"))
        figures = out.figures
        what = (
            f"secrets of 20 hosts rotated {figures['rotations']:.0f} times while they check in; then old, odd and revoked ones "
            f"(asked: {self._part(1_000)}, in full 1,000)"
        )
        seen = (
            f"{_valid(out)}; {figures['bad_refused']:.0f} of 120 absent, empty, odd and borrowed signatures refused, every old secret too; "
            f"the last revoked host refused after {figures['revoked_seconds']:.1f} s (goal 5); known and unknown hosts "
            f"{figures['median_difference_ms']:.2f} ms apart in the median of {sum(out.statuses.values()) // 2} (goal 2)"
        )
        return what, seen, [*out.notes, *_missing(out)]

    def p16(self, api: ServedApi) -> Measured:
        asked = self._part(10_000)
        out = came_back(api, self.token, self.url, agents=asked, until=self._until("P16"))
        what = (
            f"{out.valid_sent} agents with a changed check-in each, all at once over 256 connections; the rate limit as it ships "
            f"(asked: {asked:,}, in full 10,000)"
        )
        seen = (
            f"{_answers(out.statuses)}; {_valid(out)} in {out.figures['seconds']:.0f} s, "
            f"at most {out.figures.get('most_tries', 0):.0f} tries; memory {_mb(out)} from {out.figures['idle_mb']:.0f} MB "
            "(goal 1.5 times and 100 MB)"
        )
        return what, seen, [*out.notes, *_missing(out)]


def agent_tests() -> Measured:
    """A10 and A11, of the ESXi agent: its own tests, the slow ones included."""
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
        cwd=_BACKEND,
        capture_output=True,
        text=True,
        check=False,
    )
    last = ran.stdout.strip().splitlines()[-1:] or ["nothing"]
    what = "ESXi agent: killed at each call on its spool, whole and torn writes; each of its commands hung in turn, and all at once"
    return what, last[0].strip("= "), [ran.stdout[-2000:]] if ran.returncode else []


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
