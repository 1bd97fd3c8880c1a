"""The past of the lab's fleet: 90 days that the product itself wrote, on simulated time, before `plumbline up` shows its first page.

Nothing here writes history rows: hosts check in at the check-in endpoint, people act through the same functions as the pages, background
work runs as the scheduler would run it, and jobs change the lab's hosts through their channels. Only the clocks are simulated, for two
processes of their own (`build` and its `server`) and for the database while nothing else uses it.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg import sql

from plumbline.infra.database import direct_url

# About half a minute on two cores; a machine that is ten times slower goes without.
_LONGEST_SECONDS = 300


def is_new(url: str) -> bool:
    """Whether nobody has used this database yet, so that a past can come before it."""
    with psycopg.connect(direct_url(url)) as connection:
        row = connection.execute("SELECT is_demo OR setup_done_at IS NOT NULL FROM installation WHERE id = 1").fetchone()
    return row is None or not row[0]


def wants_lab(url: str, asked: bool | None) -> tuple[bool, str]:
    """Whether a start shall run a lab, and what a person shall know about it; `asked` is the option, None where it was left out.

    An installation that has a lab keeps it, and none gets one that somebody has begun to set up.
    """
    with psycopg.connect(direct_url(url)) as connection:
        row = connection.execute(
            "SELECT is_demo, setup_done_at IS NOT NULL, setup_code_hash IS NOT NULL FROM installation WHERE id = 1"
        ).fetchone()
    is_demo, is_set_up, is_begun = row or (False, False, False)
    if is_demo:
        return True, "This home has a lab. An admin can remove it: choose Lab fleet at the top of any page." if asked is False else ""
    if is_set_up:
        return False, "This home is in use, so no lab is added to it. Use another --home for a lab." if asked else ""
    return (bool(asked) if is_begun else asked is not False), ""


def is_unfinished(url: str) -> bool:
    """Whether a start was killed while it wrote the past: then the database still has the simulated time."""
    with psycopg.connect(direct_url(url)) as connection:
        return connection.execute("SELECT to_regnamespace('simulated') IS NOT NULL").fetchone() == (True,)


def write_in_child(home: Path, env: Mapping[str, str], owner_url: str, days: int, log: Path) -> str:
    """Writes the past in a process of its own. Returns what went wrong in words; empty where all went well."""
    child_env = dict(env) | {
        "PLUMBLINE_DATABASE_URL": owner_url,
        # No worker runs yet: what would be sent to one is done here.
        "PLUMBLINE_REDIS_URL": "",
        # A check-in of the past comes as fast as the one before was stored.
        "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
        "PLUMBLINE_ADMISSION_BURST": "100000",
        # Nobody watches these jobs, so they look for the result of a step more often.
        "PLUMBLINE_JOB_POLL_SECONDS": "0.1",
    }
    command = [sys.executable, "-m", "plumbline.ops.lab_past.build", str(home), str(days)]
    with log.open("ab") as out:
        try:
            code = subprocess.run(command, env=child_env, stdout=out, stderr=out, timeout=_LONGEST_SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            return f"It took longer than {_LONGEST_SECONDS} s, so the fleet begins now, without a past."
    return f"It could not be written, so the fleet begins now, without a past; {log} shows why." if code else ""


def start_over(home: Path, server_url: str, database: str) -> None:
    """Removes what an unfinished past left: the database, and the lab's hosts and tokens."""
    with psycopg.connect(direct_url(server_url), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
    shutil.rmtree(home / "lab", ignore_errors=True)
    for left in (*(home / "run").glob("lab*"), home / "demo-logins.json", home / "audit-heads.jsonl"):
        left.unlink(missing_ok=True)
