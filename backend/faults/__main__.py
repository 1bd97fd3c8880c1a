"""`python -m faults agents [--short]`: the faults of the agents' side in full, on a database of its own; writes `docs/measured/agents.md`.

A1: 100,000 malformed bodies. A2: bombs and 500 drips. A3: the server killed 200 times during 50,000 check-ins. At most 90 minutes.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from faults.agents import Outcome, bombs_and_drips, killed_in_the_middle, malformed_bodies, served_door
from faults.samples import samples, sections_of
from plumbline import servers
from plumbline.database import get_engine, session_scope
from plumbline.findings.rollups import compare_rollups
from plumbline.hosts.service import make_token
from plumbline.migrate import upgrade
from plumbline.resources import CHECKOUT
from plumbline.rulesets.active import install_builtin
from plumbline.settings import get_settings


def main() -> None:
    """Runs one part."""
    asked = argparse.ArgumentParser()
    asked.add_argument("part", choices=["agents"])
    asked.add_argument("--short", action="store_true", help="a twentieth of everything")
    options = asked.parse_args()
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
            "PLUMBLINE_DATABASE_URL": url,
            "PLUMBLINE_KEYS_FOLDER": str(home / "agent-keys"),
            "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
            "PLUMBLINE_ADMISSION_BURST": "100000",
        }
        get_settings.cache_clear()
        page, is_good = run(url, 20 if options.short else 1)
        get_engine().dispose()
    finally:
        postgres.terminate()
        postgres.wait(30)
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(place.socket, ignore_errors=True)
    print(page)
    if not options.short:
        (CHECKOUT / "docs" / "measured").mkdir(parents=True, exist_ok=True)
        (CHECKOUT / "docs" / "measured" / "agents.md").write_text(page)
    sys.exit(0 if is_good else 1)


def run(url: str, divisor: int) -> tuple[str, bool]:
    """All parts; the page, and whether everything held."""
    with session_scope() as session:
        install_builtin(session)
        token = make_token(session, name="faults", group_id=1, is_auto_approved=True, uses=100_000).token
    sections = sections_of(samples("windows")[0])
    small = {name: body for name, body in sections.items() if name in ("system", "offload", "tcp", "iscsi")}
    with served_door() as door:
        malformed = malformed_bodies(door, token, small, bodies=100_000 // divisor)
    with served_door() as door:
        bombs = bombs_and_drips(door, token, drips=500 // divisor)
    with served_door() as door:
        killed = killed_in_the_middle(door, token, url, kills=200 // divisor, check_ins=50_000 // divisor)
    with session_scope() as session:
        differing = compare_rollups(session)
    good_1 = malformed.valid_taken == malformed.valid_sent and not malformed.notes and malformed.memory_growth_bytes < 50_000_000
    good_2 = bombs.valid_taken == bombs.valid_sent and set(bombs.statuses) <= {413, 422} and bombs.memory_growth_bytes < 100_000_000
    good_3 = killed.valid_taken == killed.valid_sent and not killed.notes
    lines = [
        "# Faults of the agents' side, measured",
        "",
        f"Command: `python -m faults agents` from `backend/`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()},",
        f"{os.cpu_count()} shared cores. One server process and PostgreSQL with durability on.",
        "",
        "| fault | answers | valid taken | memory growth | held |",
        "|---|---|---|---|---|",
        _line(f"A1 {100_000 // divisor} malformed bodies", malformed, good_1),
        _line(f"A2 bombs and {500 // divisor} drips", bombs, good_2),
        _line(f"A3 {killed.restarts} kills during {killed.valid_sent} check-ins", killed, good_3),
        "",
        *(f"- {note}" for note in bombs.notes),
        f"- rollups against the raw counts afterwards: {differing or 'equal'}",
        "",
    ]
    return "\n".join(lines), good_1 and good_2 and good_3 and not differing


def _line(name: str, outcome: Outcome, is_good: bool) -> str:
    answers = ", ".join(f"{status}: {count}" for status, count in sorted(outcome.statuses.items())) or "200 for all"
    memory = f"{outcome.memory_growth_bytes / 1e6:.0f} MB" if outcome.statuses else "not measured"
    return f"| {name} | {answers} | {outcome.valid_taken} of {outcome.valid_sent} | {memory} | {'yes' if is_good else '**no**'} |"


if __name__ == "__main__":
    main()
