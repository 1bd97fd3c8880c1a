"""`plumbline backup` and `plumbline restore`: the database in one file, and back again beside the one that is there.

A restored database is older than the world: jobs that it shows as waiting may have run since. So a restore raises the installation's
sequence of claims by 10^9, which no host's fence reaches, stops everything until an admin lifts it, and marks every open job as one that is
read back first. The keys are not in the file: they are kept apart from it.
"""

import os
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.pool import NullPool
from sqlmodel import Session, text

from plumbline import audit
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, Unavailable
from plumbline.infra.settings import RETIRED_ROLES
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade
from plumbline.remediation.controls.checks import stop_switch
from plumbline.remediation.texts import counted
from plumbline.remediation.transitions import add_job_event, lock_job

# How far a restore lifts the numbers of claims (no host's fence may stand above the installation's numbers).
GENERATIONS = 10**9
_OPEN = "SELECT id FROM job WHERE state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN') ORDER BY id"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore left: the name under which the database of before is kept (empty: there was none), and the jobs that were open."""

    kept_as: str
    open_jobs: int


def make_backup(url: str, file: Path) -> int:
    """Writes the whole database of the owner's `url` into `file`, readable by its owner only; answers its size in bytes.

    The state is that of one moment, taken while everything runs. The act is audited first, so that the copy holds it. Raises
    `Unavailable`.
    """
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        audit.record(session, actor=audit.SYSTEM, action="installation.backed_up", object_kind="installation", after={"file": file.name})
        session.commit()
    waiting = file.with_name(file.name + ".part")
    try:
        waiting.touch(mode=0o600)
        _run(url, "pg_dump", "--format=custom", "--no-owner", f"--file={waiting}")
        with waiting.open("rb") as written:
            os.fsync(written.fileno())
        waiting.replace(file)
    finally:
        waiting.unlink(missing_ok=True)
    return file.stat().st_size


def restore_backup(url: str, file: Path) -> Restored:
    """Puts a backup in the place of the database that the owner's `url` names; the one there is kept under another name.

    Everything else has to be stopped: a database with connections is not moved. Raises `BadInput` for a file that is no backup, `Conflict`
    while somebody is connected, `Unavailable` where PostgreSQL refuses.
    """
    if not file.is_file():
        raise BadInput(f"there is no file {file}")
    place = make_url(url)
    name = place.database or ""
    _run(url, "pg_restore", "--list", str(file), is_about_file=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
    made, kept = f"{name}_restoring_{stamp}", f"{name}_before_{stamp}"
    with closing(_owner(place)) as owner:
        _refuse_connected(owner, name)
        owner.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(made)))
        try:
            for role in (*embedded_servers.ROLES, *RETIRED_ROLES):
                # A backup from before the roles were renamed grants to the retired names; the migration that follows moves those grants.
                statement = "DO $$ BEGIN CREATE ROLE {} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
                owner.execute(sql.SQL(statement).format(sql.Identifier(role)))
            target = place.set(database=made).render_as_string(hide_password=False)
            _run(target, "pg_restore", "--exit-on-error", "--no-owner", str(file))
            upgrade(target)
            open_jobs = pause(target, words=f"restored from {file.name}")
            _refuse_connected(owner, name)
            is_there = owner.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is not None
            rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            with owner.transaction():
                if is_there:
                    owner.execute(rename.format(sql.Identifier(name), sql.Identifier(kept)))
                owner.execute(rename.format(sql.Identifier(made), sql.Identifier(name)))
        except BaseException:
            owner.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(made)))
            raise
    return Restored(kept if is_there else "", open_jobs)


def pause(url: str, *, words: str) -> int:
    """Makes a database that was restored safe to start: claims above every host's fence, everything stopped, open jobs marked. Answers
    how many are open. One transaction."""
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        session.execute(
            text("SELECT setval('job_gen', greatest((SELECT last_value FROM job_gen), (SELECT coalesce(max(gen), 0) FROM job)) + :far)"),
            {"far": GENERATIONS},
        )
        jobs = list(session.execute(text(_OPEN)).scalars())
        for job_id in jobs:
            job = lock_job(session, job_id)
            # Whoever held it may still be at it in another world; here nobody does.
            job.lease_until = job.enqueued_at = None
            add_job_event(session, job, "restored", f"{words}: the host is asked what holds before anything is sent")
        switch = stop_switch(session)
        before = {"is_stopped": switch.is_stopped, "cause": switch.cause}
        switch.is_stopped, switch.cause, switch.changed_by = True, "restore", audit.SYSTEM
        switch.reason = f"{words}; {counted(len(jobs), 'job')} {'was' if len(jobs) == 1 else 'were'} open then"
        switch.changed_at = now_of(session)
        session.add(switch)
        session.execute(text("DELETE FROM worker_heartbeat"))
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="installation.restored",
            object_kind="installation",
            before=before,
            after={"is_stopped": True, "open_jobs": len(jobs)},
            reason=words,
        )
        session.commit()
    return len(jobs)


def set_heads_aside(home: Path) -> Path | None:
    """The exported heads of the audit chain tell of entries that a restored database lacks: they are kept under another name, as the
    proof of what was there. Answers it."""
    heads = home / "audit-heads.jsonl"
    if not heads.exists():
        return None
    aside = heads.with_name(f"audit-heads.before-{datetime.now(UTC):%Y%m%d%H%M%S}.jsonl")
    heads.rename(aside)
    return aside


def _owner(place: URL) -> "psycopg.Connection[tuple[object, ...]]":
    address = place.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    return psycopg.connect(address, autocommit=True)


def _refuse_connected(owner: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    rows = owner.execute("SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = %s ORDER BY 1", (name,)).fetchall()
    if rows:
        who = ", ".join(str(row[0]) for row in rows)
        raise Conflict(f"the database {name} is in use by {who}: stop Plumbline everywhere first, then restore")


def _run(url: str, program: str, *arguments: str, is_about_file: bool = False) -> None:
    """One of PostgreSQL's own programs; the password goes by the environment, never by the command line."""
    place = make_url(url)
    host = place.query.get("host", place.host or "")
    known = {"host": str(host), "port": place.port, "user": place.username, "dbname": place.database}
    binary = embedded_servers.find_postgres() / program
    where = [] if is_about_file else [f"--dbname={make_conninfo('', **{name: value for name, value in known.items() if value})}"]
    done = subprocess.run(
        [str(binary if binary.exists() else program), *where, *arguments],
        env={**os.environ, "PGPASSWORD": place.password or ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    said = done.stderr.strip()[-600:]
    if is_about_file:
        raise BadInput(f"this is no backup that can be restored: {said}")
    raise Unavailable(f"{program} failed: {said}")
