"""`python -m bench.pages [--hosts 10000] [--times-as-many 10] [--write]` (from `backend/`): measures the cost of the interface's pages
over a stored fleet, and how it grows with the fleet; writes a page of `docs/measured/`. With `--beside FOLDER`, another checkout (such as
one that `git worktree add` made of an older commit), only what its pages cost beside those of this one.
"""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from bench.checkin_stack import database, percentile
from bench.pages import beside
from bench.pages.lived_in import grow, lived_in_fleet, settle
from bench.pages.requests import Fleet, Page, measure
from bench.rules.__main__ import machine
from plumbline.infra.resources import CHECKOUT

# Milliseconds at the 95th percentile, and how much a tenfold fleet may lengthen it.
GOAL_STATEMENT_MS, GOAL_PAGE_MS, GOAL_RATIO, GOAL_ROLLED = 5.0, 15.0, 1.5, 1000
FEWEST_HOSTS = 1000


def main() -> None:
    """Stores the fleet, requests its pages, makes the fleet larger, requests them again."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages")
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--times-as-many", type=int, default=10)
    parser.add_argument("--times", type=int, default=15, help="how often each page is requested")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--beside", type=Path, help="another checkout, to compare with")
    options = parser.parse_args()
    if options.hosts < FEWEST_HOSTS:
        parser.error(f"--hosts: at least {FEWEST_HOSTS}, since a page from the middle of the list is requested too")
    with database() as postgres:
        cookie = lived_in_fleet(options.hosts)
        if options.beside is not None:
            print("\n".join(beside.table(beside.compare(cookie, options.beside.resolve(), options.times), options.beside.name)), flush=True)
            return
        fleets = [measure(cookie, options.times, postgres.pid)]
        _publish(fleets, options)
        if options.times_as_many > 1:
            grow(options.times_as_many)
            settle()
            fleets.append(measure(cookie, options.times, postgres.pid))
            _publish(fleets, options)


def _publish(fleets: list[Fleet], options: argparse.Namespace) -> None:
    text_of_page = page(fleets, options)
    print(text_of_page, flush=True)
    if options.write:
        # Not over the page itself, part of which is written by hand: new figures are copied into it.
        (CHECKOUT / "docs" / "measured" / "pages.new.md").write_text(text_of_page, encoding="utf-8")


def page(fleets: list[Fleet], options: argparse.Namespace) -> str:
    """The generated part of `docs/measured/pages.md`."""
    first, last = fleets[0], fleets[-1]
    lines = [*_head(fleets, options), *(line for fleet in fleets for line in _table(fleet, has_goals=fleet is first))]
    if len(fleets) > 1:
        lines += ["## Growth", "", f"Processor time of PostgreSQL for a page, {last.hosts:,} against {first.hosts:,} hosts.", ""]
        lines += ["| page | ms | ms | ratio | |", "|---|---:|---:|---:|---|"]
        lines += [_growth(small, large) for small, large in zip(first.pages, last.pages, strict=True)]
        lines.append("")
    lines += ["## The slowest statement of each page that missed by CPU", ""]
    lines += [f"- {each.name}: `{each.culprit[:220]}`" for each in first.pages if not _is_met(each)] or ["None missed."]
    return "\n".join([*lines, ""])


def _head(fleets: list[Fleet], options: argparse.Namespace) -> list[str]:
    command = f"cd backend && ../.venv/bin/python -m bench.pages --hosts {options.hosts} --times-as-many {options.times_as_many} --write"
    first, last = fleets[0], fleets[-1]
    also = ["."]
    if len(fleets) > 1:
        also = [
            f", then {last.hosts:,} ({last.findings:,} findings, {last.groups} groups: copies of the first, each with",
            "rows of its own).",
        ]
    return [
        "# Pages over a stored fleet",
        "",
        f"Made by `{command}`",
        f"on {datetime.now(UTC):%Y-%m-%d}; {machine()}, PostgreSQL on the same cores.",
        "",
        f"{first.hosts:,} evaluated hosts in a real PostgreSQL ({first.findings:,} findings, {first.groups} groups, clusters",
        "of eight, 30 days of changes, waivers and attestations given for one of two linked rules)" + also[0],
        *also[1:],
        f"Each page was requested {options.times} times by a person who may read all of it. By the clock: milliseconds at the 95th",
        "percentile, in brackets the median, of the slowest statement, of all together, and of the whole page over HTTP on one connection.",
        "CPU: processor time of a page on average, in PostgreSQL and in the server, which other programs on the machine change little.",
        f"Goals: at most {GOAL_STATEMENT_MS:.0f} ms in the database, {GOAL_PAGE_MS:.0f} ms over HTTP, at the first size. By CPU,",
        "PostgreSQL is held to the first and both together to the second; by the clock, the slowest statement and the whole page.",
        f"In the larger fleet at most {GOAL_RATIO} times as much of PostgreSQL's processor time.",
        "",
    ]


def _table(fleet: Fleet, *, has_goals: bool) -> list[str]:
    rate = fleet.raw_ms / fleet.rolled_ms
    return [
        f"## {fleet.hosts:,} hosts",
        "",
        "| page | statements | slowest | all | over HTTP | CPU: PostgreSQL | server | KB | by CPU | by the clock |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|---|",
        *(_row(each, has_goals=has_goals) for each in fleet.pages),
        "",
        f"The fleet's figures: {fleet.raw_ms:,.0f} ms counted from findings, {fleet.rolled_ms:.2f} ms from rollups,",
        f"1/{rate:,.0f} of it (goal at 100,000 hosts: at most 1/{GOAL_ROLLED:,}).",
        "",
    ]


def _row(each: Page, *, has_goals: bool) -> str:
    figures = [
        f"{percentile(times, 0.95):.1f} ({percentile(times, 0.5):.1f})" for times in (each.slowest, each.all_together, each.over_http)
    ]
    figures += [f"{each.database_cpu:.1f}", f"{each.server_cpu:.1f}", f"{each.bytes / 1000:.0f}"]
    verdicts = [_verdict(_is_met(each)), _verdict(_is_met_by_clock(each))] if has_goals else ["", ""]
    return " | ".join([f"| {each.name}", str(each.statements), *figures, *verdicts]) + " |"


def _is_met(each: Page) -> bool:
    return each.database_cpu <= GOAL_STATEMENT_MS and each.database_cpu + each.server_cpu <= GOAL_PAGE_MS


def _is_met_by_clock(each: Page) -> bool:
    return percentile(each.slowest, 0.95) <= GOAL_STATEMENT_MS and percentile(each.over_http, 0.95) <= GOAL_PAGE_MS


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "missed"


def _growth(small: Page, large: Page) -> str:
    before, after = small.database_cpu, large.database_cpu
    ratio = after / max(before, 0.01)
    return f"| {small.name} | {before:.1f} | {after:.1f} | {ratio:.2f} | {_verdict(ratio <= GOAL_RATIO)} |"


if __name__ == "__main__":
    main()
