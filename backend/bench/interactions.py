"""`python -m bench.interactions [--hosts 10000] [--write]` (from `backend/`): from a press or a key to the next picture, in Chromium over a
stored fleet; writes `docs/measured/interactions.md`. Needs what `make build e2e/node_modules/.installed chromium` installs.
"""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

from bench.checkin_stack import database
from bench.pages.lived_in import lived_in_fleet
from bench.pages.requests import served
from bench.rules.__main__ import machine
from plumbline.infra.resources import CHECKOUT

GOAL_MS = 100


def main() -> int:
    """Stores the fleet, serves it, and lets the browser do what people do."""
    parser = argparse.ArgumentParser(prog="python -m bench.interactions")
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=9, help="how often each act is done")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with database():
        cookie = lived_in_fleet(options.hosts)
        with served() as (address, _):
            command = ["node", "measure/interactions.mjs", address, cookie, str(options.times)]
            done = subprocess.run(command, cwd=CHECKOUT / "e2e", stdout=subprocess.PIPE, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    text = _page(rows, options)
    print(text)
    if options.write and rows:
        (CHECKOUT / "docs" / "measured" / "interactions.md").write_text(text, encoding="utf-8")
    return done.returncode


def _page(rows: list[dict[str, Any]], options: argparse.Namespace) -> str:
    met = sum(row["median"] <= GOAL_MS for row in rows)
    return "\n".join(
        [
            "# Interactions in the browser",
            "",
            f"Made by `cd backend && ../.venv/bin/python -m bench.interactions --hosts {options.hosts} --times {options.times} --write`",
            f"on {datetime.now(UTC):%Y-%m-%d}; {machine()}, browser, server and PostgreSQL on the same cores.",
            "",
            f"{options.hosts:,} evaluated hosts in a real PostgreSQL, pages in Chromium. Each act was done {options.times} times.",
            "Milliseconds from the press or the key to the next picture, as the browser's",
            "[Event Timing](https://www.w3.org/TR/event-timing/) says it, in steps of 8; 16 stands for 16 or less. The server's answer",
            "comes later and is not in it: [pages.md](pages.md) has that. *phone*: 390 px, the processor slowed down four times.",
            "",
            f"Goal: {GOAL_MS} ms at the median. Met by {met} of {len(rows)}.",
            "",
            "| device | page | act | median | longest | |",
            "|---|---|---|---:|---:|---|",
            *(
                f"| {row['device']} | `{row['page']}` | {row['what']} | {row['median']:.0f} | {row['longest']:.0f}"
                f" | {'met' if row['median'] <= GOAL_MS else 'missed'} |"
                for row in rows
            ),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
