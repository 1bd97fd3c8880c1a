"""Check-ins against a FastAPI echo of the same bytes and against a naive endpoint: `python -m bench.checkin` from `backend/`.

One server process, one PostgreSQL with durability on, interleaved rounds, medians; processor time of the server and of PostgreSQL from
/proc. Fleets of several sizes, in random order: no host comes twice before all have come once, so no cache of recent hosts can help.
`--write` puts the tables into `docs/measured/checkin.md`.
"""

# The rows of the page are long lines.
# ruff: noqa: E501

import argparse
import os
import platform
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.checkin_fleet import GROUP_SIZE, Fleet
from bench.checkin_stack import Round, Stack, percentile, settle, stack
from plumbline.infra.resources import CHECKOUT

PAGE = CHECKOUT / "docs" / "measured" / "checkin.md"
_BEGIN, _END = "## Results", "## How the earlier figures misled"
# PostgreSQL's files, WAL included, for each host of the fleet.
_BYTES_A_HOST = 200_000
_BURST = 10_000
# The mix has rounds of five times as many check-ins and three times as many rounds: one check-in in a hundred is read from each, and single
# rounds of one run differ by more than a factor of two.
_MIX_LONGER, _MIX_MORE = 5, 3
_WARM_UP_ROUNDS = 5


@dataclass
class Contest:
    """All rounds of one kind of check-in with one size of the fleet."""

    name: str
    hosts: int
    ours: list[Round] = field(default_factory=list)
    echo: list[Round] = field(default_factory=list)
    naive: list[Round] = field(default_factory=list)

    def ratio(self, other: list[Round]) -> float:
        """Our rate as a multiple of the other's."""
        return statistics.median(a.rate / b.rate for a, b in zip(self.ours, other, strict=True))

    @property
    def cost_us(self) -> float:
        """Processor time of a check-in, of the server and PostgreSQL together."""
        return statistics.median(each.cpu_us + each.database_us for each in self.ours)


@dataclass
class Measured:
    """All that was measured."""

    contests: list[Contest] = field(default_factory=list)
    # Rounds of the mix with 64 connections, by size of the fleet.
    mixes: dict[int, list[Round]] = field(default_factory=dict)
    burst_requests: int = 0
    burst_seconds: float = 0.0
    load: list[float] = field(default_factory=list)

    def of(self, name: str) -> list[Contest]:
        """The contests of one kind of check-in."""
        return [each for each in self.contests if each.name == name]


def contest(running: Stack, fleet: Fleet, name: str, changed_share: float, rounds: int, count: int) -> Contest:
    """Interleaved rounds; each round begins with another of the three."""
    found = Contest(name, fleet.size)
    for number in range(rounds):
        ours, echo, naive = fleet.requests(count, changed_share, naive_count=max(20, count // 20))
        turns = [(found.ours, ours), (found.echo, echo), (found.naive, naive)]
        for results, requests in turns[number % 3 :] + turns[: number % 3]:
            results.append(running.run(requests, 16))
        rates = f"ours {found.ours[-1].rate:.0f}/s, echo {found.echo[-1].rate:.0f}/s, naive {found.naive[-1].rate:.0f}/s"
        print(f"{fleet.size} hosts, {name}, round {number + 1}: {rates}, {found.ours[-1].cpu_us:.0f} us", flush=True)
    return found


def measure(running: Stack, sizes: list[int], rounds: int, count: int) -> Measured:
    """Every contest with every size of the fleet, which grows from one to the next."""
    found, fleet = Measured(), Fleet()
    for size in sizes:
        started = time.monotonic()
        fleet.grow(size)
        fleet.check()
        settle()
        print(f"{size} hosts after {time.monotonic() - started:.0f} s", flush=True)
        # As after some minutes of running: the process has read the peers of every group, which later check-ins share.
        for _ in range(_WARM_UP_ROUNDS):
            running.run(fleet.requests(min(size, max(200, size // GROUP_SIZE)), 0.5)[0], 16)
        contest(running, fleet, "warm-up", 0.5, 1, min(100, count, size))
        for name, share in (("unchanged", 0.0), ("changed", 1.0)):
            found.load.append(os.getloadavg()[0])
            found.contests.append(contest(running, fleet, name, share, rounds, min(count, size)))
        mix_count = min(_MIX_LONGER * count, size)
        found.mixes[size] = [running.run(fleet.requests(mix_count, 0.05)[0], 64) for _ in range(_MIX_MORE * rounds)]
    # In eight parts, since all requests of the burst at once would take the load generator's memory.
    for _ in range(8):
        part = running.run(fleet.requests(min(_BURST, fleet.size) // 8, 1.0)[0], 64)
        found.burst_requests += part.requests
        found.burst_seconds += part.seconds
        print(f"burst: {part.requests} changed in {part.seconds:.1f} s", flush=True)
    return found


def _median(rounds: list[Round], what: str) -> float:
    return float(statistics.median(getattr(each, what) for each in rounds))


def _goal(name: str, asked: str, shown: str, is_met: bool) -> str:
    return f"| {name} | {asked} | {shown} | {'met' if is_met else '**not met**'} |"


def _goals(found: Measured) -> list[str]:
    rows = []
    for each in found.of("unchanged"):
        echo, naive = each.ratio(each.echo), each.ratio(each.naive)
        rows.append(_goal(f"P2 unchanged against the echo, {each.hosts:,} hosts", ">= 0.40x", f"{echo:.2f}x", echo >= 0.40))
        rows.append(_goal(f"P4 unchanged against naive, {each.hosts:,} hosts", ">= 20x", f"{naive:.0f}x", naive >= 20))
    for each in found.of("changed"):
        on_a_core, naive = 1e6 / _median(each.ours, "cpu_us"), each.ratio(each.naive)
        rows.append(_goal(f"P1 changed on one core, {each.hosts:,} hosts", ">= 150/s", f"{on_a_core:.0f}/s", on_a_core >= 150))
        rows.append(_goal(f"P4 changed against naive, {each.hosts:,} hosts", ">= 9x", f"{naive:.1f}x", naive >= 9))
    for name in ("unchanged", "changed"):
        smallest, largest = found.of(name)[0], found.of(name)[-1]
        growth = largest.cost_us / smallest.cost_us
        rows.append(
            _goal(f"{name}, cost with {largest.hosts:,} hosts against {smallest.hosts:,}", "<= 1.3x", f"{growth:.2f}x", growth <= 1.3)
        )
    for size, rounds in found.mixes.items():
        p50, p99 = (1000 * statistics.median(percentile(each.latencies, share) for each in rounds) for share in (0.5, 0.99))
        commits = _median(rounds, "commits")
        shown = f"{p99 / p50:.1f}x ({p50:.0f} ms, {p99:.0f} ms)"
        rows.append(_goal(f"P3, P5 p99 of the mix against its p50, {size:,} hosts", "<= 4x, <= 250 ms", shown, p99 <= min(4 * p50, 250)))
        rows.append(_goal(f"P5 commits for each check-in of the mix, {size:,} hosts", "<= 0.25", f"{commits:.2f}", commits <= 0.25))
    seconds = found.burst_seconds * _BURST / found.burst_requests
    name = "P16 10,000 changed at once" + ("" if found.burst_requests == _BURST else f" (from {found.burst_requests:,})")
    return [*rows, _goal(name, "< 66 s", f"{seconds:.0f} s", seconds < 66)]


def report(found: Measured, command: str) -> str:
    """The section of the page."""
    lines = [
        _BEGIN,
        "",
        f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores shared with PostgreSQL and the load generator,",
        f"load average {min(found.load):.1f} to {max(found.load):.1f}. Medians of the rounds, 16 connections.",
        "",
        "| check-in | hosts | ours /s | echo /s | naive /s | ours CPU µs | echo CPU µs | naive CPU µs | ours database µs | naive database µs |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for each in found.contests:
        figures = [_median(rounds, what) for what in ("rate", "cpu_us") for rounds in (each.ours, each.echo, each.naive)]
        figures += [_median(each.ours, "database_us"), _median(each.naive, "database_us")]
        lines.append(f"| {each.name} | {each.hosts:,} | " + " | ".join(f"{figure:.0f}" for figure in figures) + " |")
    lines += [
        "",
        "The mix is 5 % changed, with 64 connections, and has three times as many rounds: single rounds differ by more than a factor of two.",
        "",
        "| goal | asked | measured | |",
        "|---|---|---|---|",
        *_goals(found),
    ]
    return "\n".join([*lines, "", ""])


def write(section: str) -> None:
    """Puts the section in its place on the page."""
    page = PAGE.read_text()
    before, after = page.index(_BEGIN), page.index(_END)
    PAGE.write_text(page[:before] + section + page[after:])


def main() -> None:
    """Runs it all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=600, help="check-ins of one round")
    parser.add_argument("--hosts", default="500,10000,50000", help="sizes of the fleet, rising")
    parser.add_argument("--write", action="store_true", default=False)
    options = parser.parse_args()
    sizes = sorted(int(each) for each in options.hosts.split(","))
    needed = sizes[-1] * _BYTES_A_HOST
    if shutil.disk_usage(tempfile.gettempdir()).free < needed:
        raise SystemExit(f"{sizes[-1]:,} hosts need {needed / 1e9:.0f} GB of disk")
    with stack() as running:
        found = measure(running, sizes, options.rounds, options.count)
    section = report(found, f"python -m bench.checkin --rounds {options.rounds} --count {options.count} --hosts {options.hosts}")
    print(section)
    if options.write:
        write(section)


if __name__ == "__main__":
    main()
