"""The pages of this checkout beside those of another one: two servers over one database answer in turns, so that a busy machine lengthens
both alike. What differs is then the code, and not the day. The other checkout must know the same database.
"""

import functools
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench.checkin_stack import cpu_of, percentile
from bench.pages.requests import WARM, WRITE, Page, pages_of, request, served, worker_beside
from plumbline.infra.resources import CHECKOUT


@dataclass
class Cost:
    """One page of one checkout: milliseconds by the clock of each time, and of the server's processor all together."""

    over_http: list[float] = field(default_factory=list)
    cpu: float = 0.0


@dataclass
class Beside:
    """One page of the other checkout and of this one."""

    name: str
    times: int
    other: Cost = field(default_factory=Cost)
    this: Cost = field(default_factory=Cost)


def compare(cookie: str, other: Path, times: int) -> list[Beside]:
    """Requests each page of both checkouts so many times, one after the other."""
    client_of = functools.partial(httpx.Client, timeout=120, headers={"cookie": cookie, **WRITE})
    with (
        worker_beside() as worker,
        served(other) as (its_address, its_pid),
        served(CHECKOUT) as (address, pid),
        client_of(base_url=its_address) as its_client,
        client_of(base_url=address) as client,
    ):
        found = []
        for page in pages_of(client):
            row = Beside(page.name, times)
            with worker:
                for number in range(times + WARM):
                    for cost, asked, server in ((row.other, its_client, its_pid), (row.this, client, pid)):
                        _note(cost if number >= WARM else Cost(), asked, page, server)
            found.append(row)
    return found


def _note(cost: Cost, client: httpx.Client, page: Page, server: int) -> None:
    before, started = cpu_of([server]), time.perf_counter()
    request(client, page)
    cost.over_http.append(1000 * (time.perf_counter() - started))
    cost.cpu += 1000 * (cpu_of([server]) - before)


def table(rows: list[Beside], other: str) -> list[str]:
    """As Markdown."""
    lines = [
        f"## Beside {other}",
        "",
        "Both answered in turns. Milliseconds, the other checkout first: the median over HTTP, and the processor time of the server.",
        "",
        "| page | over HTTP | | server | |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        its, own = percentile(row.other.over_http, 0.5), percentile(row.this.over_http, 0.5)
        its_cpu, own_cpu = row.other.cpu / row.times, row.this.cpu / row.times
        figures = f"{its:.1f}, {own:.1f} | {own / its:.2f} | {its_cpu:.1f}, {own_cpu:.1f} | {own_cpu / max(its_cpu, 0.01):.2f}"
        lines.append(f"| {row.name} | {figures} |")
    return [*lines, ""]
