"""Sizes: what the database and the server need for fleets of several sizes. `python -m bench.sizes --write` from `backend/`.

The hosts are those of `bench.checkin`: copies of hosts that checked in for real, with 74 series of counters each, in random order. What a
check-in adds is what the tables and their indexes grew by, over so many check-ins that single pages do not matter; rows that are only
changed, as the host's own, are at rest after the rounds before.
"""

import argparse
import os
import platform
import random
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
from sqlalchemy import event
from sqlmodel import Session, text

from bench.checkin_fleet import Fleet
from bench.checkin_stack import Stack, percentile, settle, stack
from plumbline.auth.actor import Actor, Grant
from plumbline.infra.database import get_engine, session_scope
from plumbline.models.counters import CounterDay
from plumbline.performance.charts import ChartRequest, read_charts
from plumbline.performance.fold import day_of, pack
from plumbline.performance.rates import Line

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measured" / "sizes.md"
# Default settings: an agent checks in every 15 minutes; five in a hundred bring a change (docs/measured/checkin.md).
INTERVAL_SECONDS, CHANGED_SHARE = 900, 0.05
CHART_DAYS = 30
# Of each table with its partitions: the bytes of rows and indexes. A partition counts to the table that it is one of.
_SIZES = """
SELECT coalesce(parent.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::bigint AS bytes
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1
"""


@dataclass
class Measured:
    """What one size of the fleet showed."""

    hosts: int
    database_bytes: int
    server_bytes: int
    # Table -> bytes that one check-in added.
    unchanged: dict[str, float] = field(default_factory=dict)
    changed: dict[str, float] = field(default_factory=dict)


def _sizes() -> dict[str, int]:
    settle()
    with session_scope() as session:
        return {row.name: int(row.bytes) for row in session.execute(text(_SIZES))}


def _grown(running: Stack, fleet: Fleet, count: int, share: float) -> dict[str, float]:
    """Bytes of each table that a check-in added, over `count` of them."""
    before = _sizes()
    sent = 0
    while sent < count:
        part = min(count - sent, fleet.size, 2000)
        running.run(fleet.requests(part, share)[0], 16)
        sent += part
    after = _sizes()
    return {name: (after[name] - before.get(name, 0)) / count for name in after if after[name] != before.get(name, 0)}


def measure(running: Stack, sizes: list[int], count: int) -> list[Measured]:
    """Each size in turn; the fleet grows from one to the next."""
    found, fleet = [], Fleet()
    for size in sizes:
        fleet.grow(size)
        # As after some rounds: rows that are changed in place have their room.
        for share in (0.0, CHANGED_SHARE, 0.0):
            running.run(fleet.requests(min(size, 2000), share)[0], 16)
        database = sum(_sizes().values())
        memory = int(Path(f"/proc/{running.server.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        each = Measured(size, database, memory)
        each.unchanged = _grown(running, fleet, count, 0.0)
        each.changed = _grown(running, fleet, max(1, count // 4), 1.0)
        found.append(each)
        print(f"{size:,} hosts: {database / 1e6:.0f} MB, server {memory / 1e6:.0f} MB", flush=True)
    return found


def day_chunks(days: int) -> tuple[float, str]:
    """Stores `days` days of chunks for some hosts; bytes of one series and day with its index, and a host that has them."""
    with session_scope() as session:
        hosts = list(session.execute(text("SELECT DISTINCT host_id FROM counter_series ORDER BY 1 LIMIT 20")).scalars())
        numbers = {
            host: list(session.execute(text("SELECT no FROM counter_series WHERE host_id = :h"), {"h": host}).scalars()) for host in hosts
        }
    before, rows = _sizes(), 0
    today = datetime.now(UTC).date()
    for host in hosts:
        with session_scope() as session:
            for back in range(1, days + 1):
                day = today - timedelta(days=back)
                for no in numbers[host]:
                    session.add(CounterDay(host_id=host, no=no, day=day, chunk=_chunk(day)))
                    rows += 1
    return (_sizes()["counter_day"] - before.get("counter_day", 0)) / rows, hosts[0]


def _chunk(day: date) -> bytes:
    """A day of one series: a rate that wanders, one reading in 15 minutes."""
    start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
    at = start + np.arange(86_400 // INTERVAL_SECONDS, dtype=np.int64) * INTERVAL_SECONDS * 1000
    steps = np.cumsum(np.array([random.gauss(0, 1) for _ in at])) * 1e6
    return pack(day_of(Line(at, np.abs(5e7 + steps)), day))


def chart(host: str, times: int) -> tuple[float, int]:
    """A chart of 30 days and eight series of one host: the 95th percentile of its slowest statement in milliseconds, and its points."""
    spent: list[float] = []
    began = 0.0

    @event.listens_for(get_engine(), "before_cursor_execute")
    def before(*_: object) -> None:
        nonlocal began
        began = time.perf_counter()

    @event.listens_for(get_engine(), "after_cursor_execute")
    def after(*_: object) -> None:
        spent.append(time.perf_counter() - began)

    actor = Actor(1, "bench", grants=(Grant("viewer", 1, "1/"),))
    slowest, points = [], 0
    try:
        for _ in range(times):
            spent.clear()
            with Session(get_engine()) as session:
                names = session.execute(
                    text("SELECT subject, name FROM counter_series WHERE host_id = :h ORDER BY no LIMIT 8"), {"h": host}
                ).all()
                series = [f"{host}~{subject}:{name}" for subject, name in names]
                charts = read_charts(session, actor=actor, request=ChartRequest(series=series, hours=24 * CHART_DAYS))
            slowest.append(1000 * max(spent))
            points = max(len(line.values) for line in charts.series)
    finally:
        event.remove(get_engine(), "before_cursor_execute", before)
        event.remove(get_engine(), "after_cursor_execute", after)
    return percentile(slowest, 0.95), points


def report(found: list[Measured], chunk_bytes: float, series: int, chart_ms: float, points: int, command: str) -> str:
    """The page."""
    day = 86_400 / INTERVAL_SECONDS
    lines = [
        "# Sizes",
        "",
        f"`{command}` from `backend/`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()},",
        f"{os.cpu_count()} cores.",
        "",
        f"Hosts are copies of Windows hosts that checked in for real, each with {series} series of counters, in random order. *Database*:",
        "all tables and indexes when every host has checked in some times. *Server*: resident memory of one process that takes check-ins.",
        "*Unchanged*, *changed*: bytes that one check-in added to all tables, its counters apart. *A day*: what a day adds to the database",
        f"at one check-in in {INTERVAL_SECONDS // 60} minutes, {CHANGED_SHARE:.0%} of them with a change, and its counters as day chunks.",
        "*Samples*: the counters of the last two days as they came, beside that.",
        "",
        "| hosts | database MB | KB a host | server MB | unchanged B | changed B | counters, B a value | a day, MB | samples, MB |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for each in found:
        sample = each.unchanged.get("counter_sample", 0.0)
        plain = sum(each.unchanged.values()) - sample
        changed = sum(each.changed.values()) - each.changed.get("counter_sample", 0.0)
        a_day = each.hosts * (day * ((1 - CHANGED_SHARE) * plain + CHANGED_SHARE * changed) + series * chunk_bytes)
        figures = [
            f"{each.hosts:,}", f"{each.database_bytes / 1e6:,.0f}", f"{each.database_bytes / 1e3 / each.hosts:.0f}",
            f"{each.server_bytes / 1e6:.0f}", f"{plain:.0f}", f"{changed:,.0f}", f"{sample / series:.1f}", f"{a_day / 1e6:,.0f}",
            f"{2 * day * each.hosts * sample / 1e6:,.0f}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(figures)} |")
    last = found[-1]
    lines += [
        "",
        f"What a check-in added at {last.hosts:,} hosts, in bytes by table:",
        "",
        "| table | unchanged | changed |",
        "|---|---:|---:|",
    ]
    for name in sorted(set(last.unchanged) | set(last.changed), key=lambda each: -last.changed.get(each, 0.0)):
        lines.append(f"| {name} | {last.unchanged.get(name, 0.0):,.0f} | {last.changed.get(name, 0.0):,.0f} |")
    sample, changed = last.unchanged.get("counter_sample", 0.0), sum(last.changed.values()) - last.changed.get("counter_sample", 0.0)
    lines += [
        "",
        f"- A changed check-in adds {changed:,.0f} bytes (goal: at most 1,200), an unchanged one"
        f" {sum(last.unchanged.values()) - sample:.0f} (goal: 0),",
        f"  a value of a counter {sample / series:.1f} as it comes (goal: at most 10), and"
        f" {chunk_bytes * INTERVAL_SECONDS / 86_400:.1f} in its day's chunk.",
        f"- A day of one series as a chunk of five-minute steps with its index: {chunk_bytes:.0f} bytes.",
        f"- A chart of {CHART_DAYS} days and eight series of one host from day chunks: its slowest statement took {chart_ms:.2f} ms at",
        f"  the 95th percentile (goal: at most 2), with {points} points a series (goal: at most 1,000).",
        "- How long rows are kept: [retention](../operating/retention.md). Check-ins a second: [check-ins](checkin.md). Pages:",
        "  [pages](pages.md).",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Runs it all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", default="100,1000,10000,50000", help="sizes of the fleet, rising")
    parser.add_argument("--count", type=int, default=8000, help="unchanged check-ins of each size; a quarter as many changed ones")
    parser.add_argument("--write", action="store_true", default=False)
    options = parser.parse_args()
    with stack() as running:
        found = measure(running, sorted(int(each) for each in options.hosts.split(",")), options.count)
        chunk_bytes, host = day_chunks(CHART_DAYS)
        with session_scope() as session:
            series = session.execute(text("SELECT count(*) FROM counter_series WHERE host_id = :h"), {"h": host}).scalar_one()
        settle()
        chart_ms, points = chart(host, 40)
    command = f"python -m bench.sizes --hosts {options.hosts} --count {options.count} --write"
    page = report(found, chunk_bytes, int(series), chart_ms, points, command)
    print(page)
    if options.write:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
