"""Keeps the database of this release for the upgrade test: `python tools/release_dump.py --home var`, run once for each release.

The home is that of a running `plumbline up` with its lab fleet, which people have used: backend/tests/releases/README.md says how. What it
writes is the whole database as SQL text, compressed, without anything secret, and in its first lines the public keys that check the
signatures in it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import zstandard
from psycopg import sql
from sqlalchemy import URL, make_url

from plumbline.ops import embedded_servers
from plumbline.ops.running import owner_url
from plumbline.web.health import VERSION

RELEASES = Path(__file__).resolve().parent.parent / "backend" / "tests" / "releases"
MOST_BYTES = 2_000_000
KEY_LINE = "-- public key "

# What takes the place of a secret, by its kind. None of it can be used: the texts are hashes of nothing that anybody knows.
_HASH = "sha256(convert_to(gen_random_uuid()::text, 'UTF8'))"
_HASHED_PASSWORD = "'$argon2id$v=19$m=65536,t=3,p=4$cmVtb3ZlZHJlbW92ZWQ$cmVtb3ZlZHJlbW92ZWRyZW1vdmVkcmVtb3ZlZHJlbW92ZWQ'"  # noqa: S105 - of no password
REPLACED = {
    "person.password_hash": _HASHED_PASSWORD,
    "web_session.id_hash": _HASH,
    "api_token.token_hash": _HASH,
    "enrolment_token.token_hash": _HASH,
    "enrolment.nonce": "md5(gen_random_uuid()::text)",
    "installation.setup_code_hash": _HASH,
    "answered_request.key_hash": _HASH,
    "sign_in_attempt.id_hash": _HASH,
    "sign_in_attempt.session_hash": _HASH,
    "sign_in_provider.client_secret": "decode(repeat('00', octet_length({column})), 'hex')",
    "recovery_code.code_hash": _HASH,
    "second_step.id_hash": _HASH,
    "second_step.session_hash": _HASH,
    "second_step.sealed": "decode(repeat('00', octet_length({column})), 'hex')",
    "second_factor.sealed": "decode(repeat('00', octet_length({column})), 'hex')",
    "vault_secret.sealed": "decode(repeat('00', octet_length({column})), 'hex')",
    "notice_channel.sealed": "decode(repeat('00', octet_length({column})), 'hex')",
    "notice_channel.secret_sealed": "decode(repeat('00', octet_length({column})), 'hex')",
    "notice_channel.old_secret_sealed": "decode(repeat('00', octet_length({column})), 'hex')",
}
# Columns whose names sound like a secret's and hold none.
HARMLESS = re.compile(
    r"(^audit_(entry|head)\.hash|^finding\.expected_hash|\.content_hash|^host\.runner_hash|_id|_version|_until|_words|_at|_by)$"
)
_SOUNDS_SECRET = re.compile(r"secret|sealed|password|token|nonce|hash|verifier|cookie")
# What secrets look like: Plumbline's tokens and webhook secrets, private keys.
_SECRET = re.compile(r"\b(plt|plb|whsec)_[A-Za-z0-9+/=_-]{16,}|BEGIN [A-Z ]*PRIVATE KEY")
_OPEN = "SELECT id, state FROM job WHERE state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN') ORDER BY id"


class CannotKeep(Exception):
    """The database is not fit to be kept, or holds what must not be; the message says what to do."""


def keep(home: Path, file: Path) -> int:
    """Writes the database of a running home into `file`; answers its size in bytes."""
    address = make_url(owner_url(home))
    with _copy(address) as copy:
        with psycopg.connect(_plain(copy)) as connection:
            replace_secrets(connection)
        text = _run(copy, "pg_dump", "--no-owner").decode()
    if match := _SECRET.search(text):
        raise CannotKeep(f"something that looks like a secret is left ({match[0][:12]}…): add its column to REPLACED")
    lines = [f"{KEY_LINE}{key.name} {key.read_text().strip()}\n" for key in sorted((home / "keys").glob("approval-*.pub"))]
    content = zstandard.ZstdCompressor(level=19).compress(("".join(lines) + text).encode())
    if len(content) > MOST_BYTES:
        raise CannotKeep(f"{len(content)} bytes, and {MOST_BYTES} are the most: take a lab that ran for half an hour")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return len(content)


@contextmanager
def _copy(address: URL) -> Iterator[URL]:
    """A copy of the database in the same cluster, gone at the end."""
    name = f"{address.database}_release_{os.getpid()}"
    made = address.set(database=name)
    with psycopg.connect(_plain(address.set(database="postgres")), autocommit=True) as owner:
        try:
            for _ in range(10):
                owner.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
                with tempfile.NamedTemporaryFile() as whole:
                    _run(address, "pg_dump", "--format=custom", "--no-owner", f"--file={whole.name}")
                    _run(made, "pg_restore", "--exit-on-error", "--no-owner", whole.name)
                if _is_at_rest(made):
                    break
                owner.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))
                time.sleep(1)
            else:
                raise CannotKeep("entries of the audit trail wait for the chain each time: is a worker of the background running?")
            yield made
        finally:
            owner.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _is_at_rest(copy: URL) -> bool:
    """Whether the audit chain reaches to the last entry. Raises `CannotKeep` for what would be overdue whenever the copy is read."""
    with psycopg.connect(_plain(copy)) as connection:
        if jobs := connection.execute(_OPEN).fetchall():
            summary = ", ".join(f"{number} {state}" for number, state in jobs)
            raise CannotKeep(f"jobs are open ({summary}): let them end, or cancel them, since a job has a time by which it is lost")
        row = connection.execute("SELECT count(*) FROM audit_entry WHERE number IS NULL").fetchone()
    return row is not None and row[0] == 0


def replace_secrets(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Puts something else in the place of every secret. Raises `CannotKeep` for a column that it does not know."""
    columns = {
        f"{table}.{column}"
        for table, column in connection.execute(
            "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped"
        )
    }
    if gone := REPLACED.keys() - columns:
        raise CannotKeep(f"REPLACED names columns that are not there any more: {', '.join(sorted(gone))}")
    # A table called after tokens does not make a secret of its other columns, so only names of columns count.
    sounding = {place for place in columns if _SOUNDS_SECRET.search(place.partition(".")[2])}
    if unknown := {place for place in sounding - REPLACED.keys() if not HARMLESS.search(place)}:
        raise CannotKeep(f"these columns sound like secrets: add them to REPLACED, or to HARMLESS: {', '.join(sorted(unknown))}")
    # Values and the references to them are replaced together: constraints need not hold in between.
    connection.execute("SET session_replication_role = replica")
    for place, expression in REPLACED.items():
        table, _, column = place.partition(".")
        name = sql.Identifier(column)
        value = sql.SQL(expression.format(column=column))
        connection.execute(sql.SQL("UPDATE {} SET {} = {} WHERE {} IS NOT NULL").format(sql.Identifier(table), name, value, name))


def _plain(address: URL) -> str:
    return address.set(drivername="postgresql").render_as_string(hide_password=False)


def _run(address: URL, program: str, *arguments: str) -> bytes:
    """One of PostgreSQL's own programs on a database; answers what it wrote."""
    binary = embedded_servers.find_postgres() / program
    done = subprocess.run(
        [str(binary), *arguments, f"--dbname={_plain(address.set(password=None))}"],
        env={**os.environ, "PGPASSWORD": address.password or ""},
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise CannotKeep(f"{program} failed: {done.stderr.decode(errors='replace').strip()[-600:]}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, default=Path("var"), help="home of a running `plumbline up`")
    parser.add_argument("--file", type=Path, default=RELEASES / f"{VERSION}.sql.zst", help="file to write")
    chosen = parser.parse_args()
    try:
        size = keep(chosen.home, chosen.file)
    except CannotKeep as error:
        print(f"release_dump: {error}", file=sys.stderr)
        return 1
    print(f"{chosen.file}: {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
