"""`python -m bench.rules [contest] [rescoring] [--hosts 10000] [--write]` (from `backend/`): measures evaluation; each part
writes a page of `docs/measured/`.

`contest` compares with Open Policy Agent and JSON Schema; `rescoring` re-evaluates a stored fleet.
"""

import argparse
import os
import platform

from bench.checkin_stack import database
from bench.rules import contest, rescoring
from plumbline.infra.resources import CHECKOUT
from plumbline.ops.generated_fleet.hosts import reevaluate_all, store

PARTS = ("contest", "rescoring")
SEED = 20131


def machine() -> str:
    """What it ran on, and how busy that was."""
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} shared cores, load {os.getloadavg()[0]:.0f}"


def main() -> None:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.rules")
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=f"which of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=contest.ROUNDS)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part called {', '.join(sorted(unknown))}: choose from {', '.join(PARTS)}")
    if "contest" in options.parts:
        _publish("rules", contest.page(contest.contest(options.rounds), machine()), is_written=options.write)
    if "rescoring" in options.parts:
        with database() as postgres:
            store(options.hosts, SEED)
            print(f"{reevaluate_all():,} hosts stored and evaluated", flush=True)
            _publish("rescoring", rescoring.page(rescoring.rescore(postgres.pid), machine()), is_written=options.write)


def _publish(name: str, text: str, *, is_written: bool) -> None:
    print(text)
    if is_written:
        target = CHECKOUT / "docs" / "measured" / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
