"""`plumbline backup` and `plumbline restore`: the database in one file, and back; a restore keeps the present database.

A restored database is older than the hosts: jobs that it shows as waiting may have run since. So a restore raises the sequence of claim
numbers by 10^9, above the fence of every host, turns the emergency stop on until an admin turns it off, and marks every open job so that
its host is read first. A restore revives no one's access: sessions, API tokens and enrolment tokens of the backup end, and accounts that
are disabled in the present database stay disabled. The keys are not in the file and are backed up separately.
"""

import os
import subprocess
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import structlog
from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.pool import NullPool
from sqlmodel import Session, text

from plumbline import audit
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, Unavailable
from plumbline.infra.settings import RETIRED_ROLES
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade
from plumbline.remediation.controls.checks import stop_switch
from plumbline.remediation.transitions import add_job_event, lock_job

log = structlog.get_logger()

# How far a restore raises the claim numbers: no host's fence may be above the installation's numbers.
CLAIM_NUMBERS_RAISED_BY = 10**9
_OPEN = "SELECT id FROM job WHERE state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN') ORDER BY id"


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    `kept_as` is the name under which the previous database is kept; empty: there was none, so it is not known who was disabled since.
    """

    kept_as: str
    open_jobs: int
    disabled: tuple[str, ...] = ()


def make_backup(url: str, file: Path) -> int:
    """Writes the whole database of the owner's `url` into `file`, readable by its owner only; returns its size in bytes.

    It is a snapshot of one moment and can be taken while everything runs. The backup is audited first, so that the copy has the entry.
    Raises `Unavailable`.
    """
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        audit.record(
            session, actor=audit.SYSTEM, action="installation.backed_up", about=audit.Object("installation"), after={"file": file.name}
        )
        session.commit()
    unfinished = file.with_name(file.name + ".part")
    try:
        unfinished.touch(mode=0o600)
        _run(url, "pg_dump", "--format=custom", "--no-owner", f"--file={unfinished}")
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def restore_backup(url: str, file: Path) -> Restored:
    """Replaces the database that the owner's `url` names with a backup; the present one is kept under another name.

    Everything else has to be stopped, since a database with connections cannot be renamed. Raises `BadInput` for a file that is no backup,
    `Conflict` while a client is connected, `Unavailable` where PostgreSQL refuses.
    """
    if not file.is_file():
        raise BadInput(f"File not found: {file}")
    address = make_url(url)
    name = address.database or ""
    _run(url, "pg_restore", "--list", str(file), is_about_file=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
    restoring_name, kept_name = f"{name}_restoring_{stamp}", f"{name}_before_{stamp}"
    with closing(_owner(address)) as owner:
        _refuse_connected(owner, name)
        owner.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(restoring_name)))
        try:
            for role in (*embedded_servers.ROLES, *RETIRED_ROLES):
                # A backup from before the roles were renamed grants to the retired names; the migration that follows moves those grants.
                statement = "DO $$ BEGIN CREATE ROLE {} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
                owner.execute(sql.SQL(statement).format(sql.Identifier(role)))
            target = address.set(database=restoring_name).render_as_string(hide_password=False)
            _run(target, "pg_restore", "--exit-on-error", "--no-owner", str(file))
            upgrade(target)
            open_jobs = pause(target, words=f"restored from {file.name}")
            exists = owner.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is not None
            disabled = end_access(target, disabled=_disabled_accounts(address) if exists else (), words=f"restored from {file.name}")
            _refuse_connected(owner, name)
            rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            with owner.transaction():
                if exists:
                    owner.execute(rename.format(sql.Identifier(name), sql.Identifier(kept_name)))
                owner.execute(rename.format(sql.Identifier(restoring_name), sql.Identifier(name)))
        except BaseException:
            owner.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(restoring_name)))
            raise
    return Restored(kept_name if exists else "", open_jobs, disabled)


def pause(url: str, *, words: str) -> int:
    """Makes a restored database safe to start, in one transaction: claim numbers above every host's fence, the emergency stop on, open jobs
    marked. Returns the number of open jobs."""
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        session.execute(
            text("SELECT setval('job_gen', greatest((SELECT last_value FROM job_gen), (SELECT coalesce(max(gen), 0) FROM job)) + :far)"),
            {"far": CLAIM_NUMBERS_RAISED_BY},
        )
        jobs = list(session.execute(text(_OPEN)).scalars())
        for job_id in jobs:
            job = lock_job(session, job_id)
            # The worker that had the lease belongs to the previous database.
            job.lease_until = job.enqueued_at = None
            add_job_event(session, job, "restored", f"{words}: the host's state is re-read before anything is sent")
        switch = stop_switch(session)
        before = {"is_stopped": switch.is_stopped, "cause": switch.cause}
        switch.is_stopped, switch.cause, switch.changed_by = True, "restore", audit.SYSTEM
        switch.reason = f"{words}; {counted(len(jobs), 'job')} {'was' if len(jobs) == 1 else 'were'} open"
        switch.changed_at = now_of(session)
        session.add(switch)
        session.execute(text("DELETE FROM worker_heartbeat"))
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="installation.restored",
            about=audit.Object("installation"),
            before=before,
            after={"is_stopped": True, "open_jobs": len(jobs)},
            reason=words,
        )
        session.commit()
    return len(jobs)


# By id and login: an id alone could be another account's, where the backup is of another installation.
_DISABLE = "UPDATE person SET is_disabled = true WHERE id = :id AND login = :login AND NOT is_disabled RETURNING login"
_END = (
    ("sessions", "UPDATE web_session SET ended_at = now() WHERE ended_at IS NULL"),
    ("api_tokens", "UPDATE api_token SET revoked_at = now() WHERE revoked_at IS NULL"),
    ("enrolment_tokens", "UPDATE enrolment_token SET revoked_at = now() WHERE revoked_at IS NULL"),
    # A code that was used since the backup must not work again; people make new ones.
    ("recovery_codes", "UPDATE recovery_code SET used_at = now() WHERE used_at IS NULL"),
    ("second_steps", "DELETE FROM second_step"),
    # Sign-ins at the provider that had started, and the responses to requests that may be repeated.
    ("sign_ins", "DELETE FROM oidc_flow"),
    ("responses", "DELETE FROM idempotent_response"),
)


def end_access(url: str, *, disabled: Sequence[tuple[int, str]], words: str) -> tuple[str, ...]:
    """Ends in a restored database what may have been ended since the backup: all users sign in again and make new tokens.

    `disabled` are the (id, login) of accounts that are disabled in the database that is replaced; returns the logins that this disabled.
    """
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        ended = {name: int(session.execute(text(statement)).rowcount) for name, statement in _END}  # type: ignore[attr-defined]
        logins = [session.execute(text(_DISABLE), {"id": each, "login": login}).scalar_one_or_none() for each, login in disabled]
        again = tuple(sorted(str(login) for login in logins if login is not None))
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="installation.access_ended",
            about=audit.Object("installation"),
            after={**ended, "disabled": list(again)},
            reason=words,
        )
        session.commit()
    return again


def _disabled_accounts(address: URL) -> list[tuple[int, str]]:
    """The accounts that are disabled in the present database; none where it has no such table, or cannot be read."""
    url = address.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        with psycopg.connect(url) as present:
            return [(int(row[0]), str(row[1])) for row in present.execute("SELECT id, login FROM person WHERE is_disabled").fetchall()]
    except psycopg.Error as error:
        log.warning("disabled accounts of the current database not read", error=str(error)[:200])
        return []


def rename_heads(home: Path) -> Path | None:
    """Renames the file of exported audit heads, since they belong to entries that the restored database lacks; returns its new path.

    They stay as proof of the previous entries.
    """
    heads = home / "audit-heads.jsonl"
    if not heads.exists():
        return None
    renamed = heads.with_name(f"audit-heads.before-{datetime.now(UTC):%Y%m%d%H%M%S}.jsonl")
    heads.rename(renamed)
    return renamed


def _owner(address: URL) -> "psycopg.Connection[tuple[object, ...]]":
    url = address.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    return psycopg.connect(url, autocommit=True)


def _refuse_connected(owner: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    rows = owner.execute("SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = %s ORDER BY 1", (name,)).fetchall()
    if rows:
        who = ", ".join(str(row[0]) for row in rows)
        raise Conflict(f"the database {name} is in use by {who}: stop Plumbline everywhere first, then restore")


def _run(url: str, program: str, *arguments: str, is_about_file: bool = False) -> None:
    """Runs one of PostgreSQL's own programs. The password is passed in the environment, never on the command line."""
    address = make_url(url)
    host = address.query.get("host", address.host or "")
    parameters = {"host": str(host), "port": address.port, "user": address.username, "dbname": address.database}
    binary = embedded_servers.find_postgres() / program
    target = [] if is_about_file else [f"--dbname={make_conninfo('', **{name: value for name, value in parameters.items() if value})}"]
    done = subprocess.run(
        [str(binary if binary.exists() else program), *target, *arguments],
        env={**os.environ, "PGPASSWORD": address.password or ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    message = done.stderr.strip()[-600:]
    if is_about_file:
        raise BadInput(f"Not a valid backup: {message}")
    raise Unavailable(f"{program} failed: {message}")
