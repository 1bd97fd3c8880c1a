"""A database that an earlier release left is brought to the present shape with all that is in it, and answers.

`releases/` holds one dump for each release; its README says how one is made. Each is restored into a cluster of its own, as the site of
that release has it: with the roles of that time and none of ours.
"""

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import zstandard
from alembic import command
from psycopg import sql
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, select

from plumbline.auth import sessions
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.auth import Person
from plumbline.ops import embedded_servers
from plumbline.ops.doctor import PROMISES, examine
from plumbline.ops.migrate import alembic_config, upgrade
from tests.api.conftest import served, the_app
from tests.conftest import pointed_at, role_passwords, running_cluster

RELEASES = Path(__file__).resolve().parents[1] / "releases"
DUMPS = sorted(RELEASES.glob("*.sql.zst"))
DATABASE = "plumbline"
# The broker is not part of a database; everything else that `plumbline doctor` promises has to hold.
CHECKED = PROMISES - {"broker"}
# Tables, and columns as table.column, by their names in the dump, that a migration took away on purpose, each with its reason.
TAKEN_AWAY: dict[str, str] = {}

Read = Callable[..., httpx.Response]

_TABLES = """
SELECT c.oid::bigint, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'alembic_version'
"""
_COLUMNS = "SELECT attnum, attname FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum"


@dataclass(frozen=True, slots=True)
class Counts:
    """A table at one time. Its object id and the numbers of its columns stay when it and they are renamed."""

    name: str
    rows: int
    columns: dict[int, str]
    # Rows in which a column holds something, by its number.
    filled: dict[int, int]


@dataclass(frozen=True, slots=True)
class Upgraded:
    """A database before and after: what its tables held, and where it is now."""

    cluster: embedded_servers.PostgresCluster
    before: dict[int, Counts]
    after: dict[int, Counts]
    # The first column of each row, by question: what the API has to answer later.
    known: dict[str, list[Any]]


# What people see of it, asked before the upgrade: in the words of the release that made the dump, which later releases keep.
KNOWN = {
    "hosts": "SELECT name FROM host WHERE state = 'active' ORDER BY name",
    # The host that fails most, and how often; what linked rules say together counts once.
    "worst": "SELECT id FROM host WHERE state = 'active' ORDER BY n_fail DESC, id LIMIT 1",
    "worst fails": "SELECT n_fail FROM host WHERE state = 'active' ORDER BY n_fail DESC, id LIMIT 1",
    "waivers": "SELECT id FROM waiver ORDER BY id",
    "plans": "SELECT id FROM plan ORDER BY id",
    "jobs": "SELECT id FROM job ORDER BY id",
    "reports": "SELECT id FROM report ORDER BY id",
    "attestations": "SELECT id FROM attestation ORDER BY id",
    "baselines": "SELECT id FROM baseline ORDER BY id",
    "audit": "SELECT count(*) FROM audit_entry",
}


@pytest.fixture(scope="module", params=DUMPS, ids=lambda path: path.name.removesuffix(".sql.zst"))
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    text = zstandard.ZstdDecompressor().decompress(request.param.read_bytes(), max_output_size=200_000_000).decode()
    home = tmp_path_factory.mktemp("home")
    (home / "keys").mkdir(mode=0o700)
    for name, key in re.findall(r"^-- public key (\S+) (\S+)$", text, re.MULTILINE):
        (home / "keys" / name).write_text(f"{key}\n")
    with running_cluster() as place, pytest.MonkeyPatch.context() as patch:
        url = place.url(embedded_servers.OWNER, DATABASE)
        restore(place, text)
        before = count(url)
        known = {name: [row[0] for row in asked(url, question)] for name, question in KNOWN.items()}
        upgrade(url, role_passwords=role_passwords(place))
        patch.setenv("PLUMBLINE_HOME", str(home))
        get_settings.cache_clear()
        yield Upgraded(place, before, count(url), known)
    get_settings.cache_clear()


def restore(place: embedded_servers.PostgresCluster, text: str) -> None:
    """Makes the database and the roles that the dump names, and fills it."""
    plain = place.url(embedded_servers.OWNER, "postgres").replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(DATABASE)))
        for role in sorted(set(re.findall(r"^GRANT .* TO (plumbline_\w+);$", text, re.MULTILINE))):
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    with psycopg.connect(place.url(embedded_servers.OWNER, DATABASE).replace("+psycopg", ""), autocommit=True) as connection:
        statements: list[str] = []
        lines = io.StringIO(text, newline="\n")
        for line in lines:
            if line.startswith(("\\restrict ", "\\unrestrict ")):
                continue
            if not re.match(r"COPY .* FROM stdin;$", line):
                statements.append(line)
                continue
            connection.execute("".join(statements).encode())
            statements = []
            with connection.cursor().copy(line.encode()) as copy:
                for row in lines:
                    if row == "\\.\n":
                        break
                    copy.write(row)
        connection.execute("".join(statements).encode())


def asked(url: str, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        return connection.execute(question.encode()).fetchall()


def count(url: str) -> dict[int, Counts]:
    """Every table of ours by its object id."""
    found = {}
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        for oid, name in connection.execute(_TABLES).fetchall():
            columns = dict(connection.execute(_COLUMNS, (oid,)).fetchall())
            counts = sql.SQL(", ").join(sql.SQL("count({})").format(sql.Identifier(each)) for each in columns.values())
            row = connection.execute(sql.SQL("SELECT count(*), {} FROM {}").format(counts, sql.Identifier(name))).fetchone()
            assert row is not None
            found[oid] = Counts(name, row[0], columns, dict(zip(columns, row[1:], strict=True)))
    return found


def test_there_is_a_dump_of_a_release() -> None:
    assert DUMPS


def test_no_row_is_lost(upgraded: Upgraded) -> None:
    by_name = {counts.name: counts for counts in upgraded.after.values()}
    lost = []
    for oid, before in upgraded.before.items():
        # By its object id wherever it was renamed; by its name where a migration made it anew.
        after = upgraded.after.get(oid) or by_name.get(before.name)
        if before.name not in TAKEN_AWAY and (after is None or after.rows != before.rows):
            lost.append(f"{before.name} had {before.rows} rows, {'and is gone' if after is None else f'{after.name} has {after.rows}'}")
    assert lost == []


def test_no_column_is_emptied(upgraded: Upgraded) -> None:
    lost = []
    for oid, before in upgraded.before.items():
        after = upgraded.after.get(oid)
        for number, column in before.columns.items() if after is not None else ():
            place = f"{before.name}.{column}"
            if place not in TAKEN_AWAY and (left := after.filled.get(number, 0)) < before.filled[number]:
                lost.append(f"{place} was filled in {before.filled[number]} rows, and is in {left}")
    assert lost == []


def test_the_dump_fills_what_people_fill(upgraded: Upgraded) -> None:
    """What is empty in it would prove nothing. These are empty most of the time: work that waits for the next few seconds."""
    passing = {"host_count_delta", "peer_change", "peer_lag", "rollup_delta"}
    assert {counts.name for counts in upgraded.before.values() if counts.rows == 0} <= passing


def test_the_models_agree_with_it(upgraded: Upgraded) -> None:
    command.check(alembic_config(upgraded.cluster.url(embedded_servers.OWNER, DATABASE)))


def test_the_doctor_finds_its_promises_kept(upgraded: Upgraded) -> None:
    engine = create_engine(upgraded.cluster.url(embedded_servers.OWNER, DATABASE), poolclass=NullPool)
    with Session(engine) as session:
        broken = {check.name: sentences for check, sentences in examine(session) if check.name in CHECKED and sentences}
    engine.dispose()
    assert broken == {}


@pytest.fixture(scope="module")
def read(upgraded: Upgraded) -> Iterator[Read]:
    """Asks the upgraded database over HTTP, as one of the people that are in it."""
    with pointed_at(upgraded.cluster, DATABASE):
        cookies = {}
        with session_scope() as session:
            for person in session.exec(select(Person)).all():
                cookies[person.login] = {"plumbline-development": sessions.start(session, person=person, address="127.0.0.1", agent="test")}
        with served(the_app()) as base, httpx.Client(base_url=f"{base}/api/v1", trust_env=False, timeout=30) as client:

            def ask(path: str, *, login: str = "admin", **params: str) -> httpx.Response:
                answer = client.get(path, params=params, headers={"cookie": "; ".join("=".join(each) for each in cookies[login].items())})
                assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:300]}"
                return answer

            yield ask


def test_hosts_and_their_findings_are_answered(upgraded: Upgraded, read: Read) -> None:
    hosts = read("/hosts", limit="500").json()["items"]
    assert sorted(host["name"] for host in hosts) == upgraded.known["hosts"]
    assert {host["score"] for host in hosts} != {None}
    (worst,), (fails,) = upgraded.known["worst"], upgraded.known["worst fails"]
    host = read(f"/hosts/{worst}").json()
    assert (host["id"], host["n_fail"]) == (worst, fails)
    assert read(f"/hosts/{worst}/settings").json()["items"]
    assert "fail" in {finding["outcome"] for finding in read(f"/hosts/{worst}/findings").json()["items"]}
    assert read(f"/hosts/{worst}/score").json()
    assert read("/drift", hours="8784").json()
    assert read("/overview").json()["headline"]["hosts"] == len(hosts)


@pytest.mark.parametrize("what", ["waivers", "attestations", "plans", "jobs", "baselines", "reports"])
def test_what_people_made_is_answered(upgraded: Upgraded, read: Read, what: str) -> None:
    found = read(f"/{what}").json()
    rows = found if isinstance(found, list) else found["items"]
    assert sorted(row["id"] for row in rows) == upgraded.known[what] != []


@pytest.mark.parametrize(
    ("what", "page"), [("waivers", "/waivers/{}"), ("plans", "/plans/{}"), ("jobs", "/jobs/{}"), ("jobs", "/jobs/{}/events")]
)
def test_each_of_it_has_its_page(upgraded: Upgraded, read: Read, what: str, page: str) -> None:
    for number in upgraded.known[what]:
        assert read(page.format(number)).json()


def test_reports_hand_out_the_files_they_made(upgraded: Upgraded, read: Read) -> None:
    for number in upgraded.known["reports"]:
        report = read(f"/reports/{number}").json()
        assert report["state"] == "ready"
        for file in report["files"]:
            content = read(f"/reports/{number}/files/{file['format']}", login="viewer").content
            assert hashlib.sha256(content).hexdigest() == file["sha256"]


def test_the_audit_trail_is_answered_whole(upgraded: Upgraded, read: Read) -> None:
    entries: list[dict[str, Any]] = []
    after: dict[str, str] = {}
    while True:
        page = read("/audit", limit="500", **after).json()
        entries += page["items"]
        if not page["next"]:
            break
        after = {"after": page["next"]}
    # The people of this test signed in meanwhile; nothing else was added.
    (known,) = upgraded.known["audit"]
    assert len(entries) >= known
    assert sum(entry["number"] is not None for entry in entries) >= known
