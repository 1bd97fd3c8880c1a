"""Check-ins against a FastAPI echo of the same bytes and against the ordinary way: `python -m bench.checkin` from `backend/`.

One server process, one PostgreSQL with durability on, interleaved rounds, medians; processor time of the server and of PostgreSQL from
/proc. Fleets of several sizes, in random order: no host comes twice before all have come once, so nothing is measured that remembers the
hosts that came last. Goals P1 to P5 and P16. `--write` puts the table into `docs/measured/checkin.md`.
"""

# The rows of the page are long lines.
# ruff: noqa: E501

import argparse
import contextlib
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.checkin_fleet import Fleet
from bench.checkin_stack import Round, Stack, percentile, settle, stack
from plumbline.infra.resources import CHECKOUT

PAGE = CHECKOUT / "docs" / "measured" / "checkin.md"
_BEGIN, _END = "## After the redesign", "## Before the redesign"


@dataclass
class Contest:
    """One kind of check-in with one fleet, against its peers, over all rounds."""

    name: str
    hosts: int
    ours: list[Round] = field(default_factory=list)
    echo: list[Round] = field(default_factory=list)
    ordinary: list[Round] = field(default_factory=list)

    def ratio(self, peer: list[Round]) -> float:
        return statistics.median(a.rate / b.rate for a, b in zip(self.ours, peer, strict=True))

    def median(self, rounds: list[Round], what: str) -> float:
        return statistics.median(getattr(each, what) for each in rounds)

    @property
    def cost_us(self) -> float:
        """Processor time of a check-in, ours and PostgreSQL's."""
        return statistics.median(each.cpu_us + each.database_us for each in self.ours)


@dataclass
class Measured:
    """All that was measured."""

    contests: list[Contest] = field(default_factory=list)
    wide: dict[int, list[Round]] = field(default_factory=dict)
    burst: Round | None = None
    burst_hosts: int = 0
    load: list[float] = field(default_factory=list)

    def of(self, name: str) -> list[Contest]:
        return [each for each in self.contests if each.name == name]


def contest(running: Stack, fleet: Fleet, name: str, changed_share: float, rounds: int, count: int) -> Contest:
    """Interleaved rounds; the order turns, so that nobody always comes first."""
    found = Contest(name, fleet.size)
    for number in range(rounds):
        ours, echoes, ordinary = fleet.requests(count, changed_share, plain=max(20, count // 20))
        turns = [(found.ours, ours), (found.echo, echoes), (found.ordinary, ordinary)]
        for place, requests in turns[number % 3 :] + turns[: number % 3]:
            place.append(running.run(requests, 16))
        rates = ", ".join(
            f"{peer} {rows[-1].rate:.0f}/s" for peer, rows in (("ours", found.ours), ("echo", found.echo), ("ordinary", found.ordinary))
        )
        print(f"{fleet.size} hosts, {name}, round {number + 1}: {rates}, {found.ours[-1].cpu_us:.0f} us", flush=True)
    return found


def measure(running: Stack, sizes: list[int], rounds: int, count: int) -> Measured:
    """Every contest with every size of the fleet, which grows from one to the next."""
    found, fleet = Measured(), Fleet()
    for size in sizes:
        began = time.monotonic()
        fleet.grow(size)
        fleet.check()
        settle()
        print(f"{size} hosts after {time.monotonic() - began:.0f} s", flush=True)
        contest(running, fleet, "warm-up", 0.5, 1, min(200, count))
        for name, share in (("unchanged", 0.0), ("changed", 1.0)):
            found.load.append(os.getloadavg()[0])
            found.contests.append(contest(running, fleet, name, share, rounds, min(count, size)))
        found.wide[size] = [running.run(fleet.requests(min(count, size), 0.05)[0], 64) for _ in range(rounds)]
    # Eight pieces, as they are made: all requests of ten thousand hosts at once would be what is measured.
    found.burst_hosts = min(10_000, fleet.size)
    pieces = [running.run(fleet.requests(found.burst_hosts // 8, 1.0)[0], 64) for _ in range(8)]
    total = Round(0, 0.0, 0.0, 0.0, [])
    for each in pieces:
        total = Round(
            total.requests + each.requests,
            total.seconds + each.seconds,
            total.server_cpu + each.server_cpu,
            total.database_cpu + each.database_cpu,
            [],
        )
    found.burst = total
    return found


def verdict(is_met: bool) -> str:
    return "met" if is_met else "**not met**"


def _goal(name: str, asked: str, value: float, shown: str, is_met: Callable[[float], bool]) -> str:
    return f"| {name} | {asked} | {shown} | {verdict(is_met(value))} |"


def report(found: Measured, command: str) -> str:
    """The section of the page."""
    load = f"{min(found.load):.1f} to {max(found.load):.1f}" if found.load else "0"
    lines = [
        _BEGIN,
        "",
        f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} shared cores with PostgreSQL and the load generator, load",
        f"average of the machine {load}. Median of the rounds. Hosts come in random order, none twice before all have come once. Bodies of the",
        "samples, each host with its own adapters, name and ids. Plain gets every section, since it remembers none.",
        "",
        "| check-in | hosts | ours /s | echo /s | plain /s | ours CPU µs | echo CPU µs | plain CPU µs | ours database µs | plain database µs |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found.contests:
        figures = [each.median(rows, what) for what in ("rate", "cpu_us") for rows in (each.ours, each.echo, each.ordinary)]
        figures += [each.median(each.ours, "database_us"), each.median(each.ordinary, "database_us")]
        lines.append(f"| {each.name} | {each.hosts} | " + " | ".join(f"{figure:.0f}" for figure in figures) + " |")
    lines += ["", "| goal | asked | measured | |", "|---|---|---|---|"]
    for each in found.of("unchanged"):
        lines.append(
            _goal(
                f"P2 unchanged against the echo, {each.hosts} hosts",
                ">= 0.40x",
                each.ratio(each.echo),
                f"{each.ratio(each.echo):.2f}x",
                lambda x: x >= 0.40,
            )
        )
        lines.append(
            _goal(
                f"P4 unchanged against plain, {each.hosts} hosts",
                ">= 20x",
                each.ratio(each.ordinary),
                f"{each.ratio(each.ordinary):.1f}x",
                lambda x: x >= 20,
            )
        )
    for each in found.of("changed"):
        a_core = 1e6 / each.median(each.ours, "cpu_us")
        lines.append(_goal(f"P1 changed, {each.hosts} hosts", ">= 150/s on a core", a_core, f"{a_core:.0f}/s", lambda x: x >= 150))
        lines.append(
            _goal(
                f"P4 changed against plain, {each.hosts} hosts",
                ">= 9x",
                each.ratio(each.ordinary),
                f"{each.ratio(each.ordinary):.1f}x",
                lambda x: x >= 9,
            )
        )
    for name in ("unchanged", "changed"):
        costs = found.of(name)
        if len(costs) > 1:
            growth = costs[-1].cost_us / costs[0].cost_us
            lines.append(
                _goal(
                    f"cost {name}, {costs[-1].hosts} hosts against {costs[0].hosts}",
                    "<= 1.3x",
                    growth,
                    f"{growth:.2f}x",
                    lambda x: x <= 1.3,
                )
            )
    for size, rounds in found.wide.items():
        p50, p99 = (1000 * statistics.median(percentile(each.latencies, share) for each in rounds) for share in (0.5, 0.99))
        commits = statistics.median(each.commits for each in rounds)
        lines.append(
            _goal(
                f"P3, P5 p99 of the mix with 64 connections, {size} hosts",
                "<= 4x p50, <= 250 ms",
                p99,
                f"{p99 / p50:.1f}x ({p50:.1f} ms, {p99:.1f} ms)",
                lambda x, p50=p50: x <= min(4 * p50, 250),
            )
        )  # type: ignore[misc]
        lines.append(_goal(f"P5 commits a check-in of the mix, {size} hosts", "<= 0.25", commits, f"{commits:.2f}", lambda x: x <= 0.25))
    if found.burst is not None:
        seconds = found.burst.seconds * 10_000 / found.burst.requests
        lines.append(
            _goal(
                f"P16 10,000 changed at once (measured with {found.burst.requests})",
                "< 66 s",
                seconds,
                f"{seconds:.0f} s",
                lambda x: x < 66,
            )
        )
    return "\n".join([*lines, "", ""])


def write(section: str) -> None:
    """Puts the section in its place on the page."""
    page = PAGE.read_text()
    before, after = page.index(_BEGIN), page.index(_END)
    PAGE.write_text(page[:before] + section + page[after:])


def main() -> None:
    """Runs it all."""
    wanted = argparse.ArgumentParser()
    wanted.add_argument("--rounds", type=int, default=5)
    wanted.add_argument("--count", type=int, default=600)
    wanted.add_argument("--hosts", default="500,10000,50000", help="sizes of the fleet, rising")
    wanted.add_argument("--write", action="store_true", default=False)
    options = wanted.parse_args()
    sizes = sorted(int(each) for each in options.hosts.split(","))
    with contextlib.ExitStack() as opened:
        running = opened.enter_context(stack())
        found = measure(running, sizes, options.rounds, options.count)
    command = f"python -m bench.checkin --rounds {options.rounds} --count {options.count} --hosts {options.hosts}"
    section = report(found, command)
    print(section)
    if options.write:
        write(section)


if __name__ == "__main__":
    main()
