"""`python -m bench.counters [--hosts 2000] [--rounds 12] [--write]` (from `backend/`): storing counters as wide rows, compared with the
two ways that one would use otherwise; writes `docs/measured/counters.md`.

The statement is the one that stores a check-in's counters, with as many check-ins as share a commit. Beside it in the same rounds: COPY of
narrow rows (a host, a series, a time, a value) in the same number of commits, and an INSERT for each value. Hosts come in random order.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from bench.checkin_stack import children_of, cpu_of, database
from bench.rules.__main__ import machine
from plumbline.checkin import statements
from plumbline.checkin.counter_rows import array_text
from plumbline.infra.database import get_engine
from plumbline.infra.resources import CHECKOUT

# A Windows host of the sizes page.
SERIES = 74
# Check-ins that share a commit when many come at once.
BATCH = 64
GOAL_COPY, GOAL_INSERT = 3.0, 200.0
# Values in one round of single INSERTs: a tenth of a second, or a round would take minutes.
_SINGLE = 400
_NARROW = """
CREATE TABLE narrow_sample (
  host_id text NOT NULL, no smallint NOT NULL, at timestamptz NOT NULL, value float8, PRIMARY KEY (host_id, no, at)
)
"""
_ORDER = list(range(SERIES))


def main() -> int:
    """Measures, prints the page, writes it on request."""
    parser = argparse.ArgumentParser(prog="python -m bench.counters")
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with database(_NARROW) as postgres:
        page = _page(_Ways(options.hosts, postgres.pid), options)
        get_engine().dispose()
    print(page)
    if options.write:
        (CHECKOUT / "docs" / "measured" / "counters.md").write_text(page, encoding="utf-8")
    return 0


class _Ways:
    """The three ways to store the same readings. Each stores every host once and returns values a second by the clock and by PostgreSQL's
    processor."""

    def __init__(self, hosts: int, postgres: int) -> None:
        self.hosts = [f"{number:032x}" for number in range(hosts)]
        self.postgres = postgres
        self.at = datetime.now(UTC).replace(microsecond=0)

    def readings(self, hosts: int) -> list[tuple[str, list[float]]]:
        """The next reading of so many hosts in random order; totals of the size that adapters count."""
        self.at += timedelta(milliseconds=1)
        return [(host, [float(random.randrange(10**12)) for _ in _ORDER]) for host in random.sample(self.hosts, hosts)]

    def timed(self, values: int, store: Callable[[Any], None]) -> tuple[float, float]:
        """Values a second, by the clock and by the processor of PostgreSQL."""
        raw = get_engine().raw_connection()
        try:
            connection = raw.driver_connection
            before = (time.perf_counter(), cpu_of(children_of(self.postgres)))
            store(connection)
            after = (time.perf_counter(), cpu_of(children_of(self.postgres)))
        finally:
            raw.close()
        seconds, cpu = (late - early for early, late in zip(before, after, strict=True))
        return values / seconds, values / cpu if cpu else 0.0

    def wide(self) -> tuple[float, float]:
        """As a batch of check-ins is stored."""
        readings = self.readings(len(self.hosts))
        written = [(host, b"[%s]" % b",".join(b"%d" % int(value) for value in values)) for host, values in readings]

        def store(connection: "psycopg.Connection[Any]") -> None:
            for first in range(0, len(written), BATCH):
                rows = [(host, self.at, 1, array_text(_ORDER, values)) for host, values in written[first : first + BATCH]]
                connection.cursor(binary=True).execute(statements.INSERT_SAMPLES, statements.SAMPLES.arrays(rows))
                connection.commit()

        return self.timed(len(readings) * SERIES, store)

    def copied(self) -> tuple[float, float]:
        """COPY of a narrow row for each value."""
        readings = self.readings(len(self.hosts))

        def store(connection: "psycopg.Connection[Any]") -> None:
            for first in range(0, len(readings), BATCH):
                rows = [
                    f"{host}\t{no}\t{self.at.isoformat()}\t{value}\n"
                    for host, values in readings[first : first + BATCH]
                    for no, value in enumerate(values)
                ]
                with connection.cursor().copy("COPY narrow_sample FROM STDIN") as copy:
                    copy.write("".join(rows))
                connection.commit()

        return self.timed(len(readings) * SERIES, store)

    def single(self) -> tuple[float, float]:
        """An INSERT and a commit for each value."""
        readings = self.readings(-(-_SINGLE // SERIES))
        rows = [(host, no, self.at, value) for host, values in readings for no, value in enumerate(values)][:_SINGLE]

        def store(connection: "psycopg.Connection[Any]") -> None:
            for row in rows:
                connection.execute("INSERT INTO narrow_sample VALUES (%s, %s, %s, %s)", row)
                connection.commit()

        return self.timed(len(rows), store)


def _page(ways: _Ways, options: argparse.Namespace) -> str:
    named = {"wide": ways.wide, "copy": ways.copied, "single": ways.single}
    for each in named.values():
        each()
    rounds: list[dict[str, tuple[float, float]]] = []
    for _ in range(options.rounds):
        order = list(named)
        random.shuffle(order)
        rounds.append({name: named[name]() for name in order})
    middle = {name: statistics.median(each[name][0] for each in rounds) for name in named}
    by_copy = statistics.median(each["wide"][0] / each["copy"][0] for each in rounds)
    by_single = statistics.median(each["wide"][0] / each["single"][0] for each in rounds)
    cpu = statistics.median(each["wide"][1] / each["copy"][1] for each in rounds if each["copy"][1])
    is_met = by_copy >= GOAL_COPY and by_single >= GOAL_INSERT
    return f"""# Storing counters

`cd backend && ../.venv/bin/python -m bench.counters --hosts {options.hosts} --rounds {options.rounds} --write`,
{datetime.now(UTC):%Y-%m-%d}, {machine()}, PostgreSQL with durability on, on the same cores.

{options.hosts:,} hosts in random order, each with {SERIES} series, {BATCH} check-ins a commit; medians of {options.rounds} rounds in
which the three ways take turns. *Times*: how many values Plumbline stores for one of this way, the median of the rounds' own ratios.

| way | values a second | times | by PostgreSQL's processor time | goal |
|---|---:|---:|---:|---:|
| a wide row for each check-in, as Plumbline stores them | {middle["wide"]:,.0f} | | | |
| COPY of narrow rows | {middle["copy"]:,.0f} | {by_copy:.1f} | {cpu:.1f} | {GOAL_COPY:.0f} |
| an INSERT and a commit for each value | {middle["single"]:,.0f} | {by_single:,.0f} | | {GOAL_INSERT:.0f} |

Goals: {"met" if is_met else "missed"}. What a value takes in the database, and a chart of 30 days: [sizes](sizes.md).
"""


if __name__ == "__main__":
    sys.exit(main())
