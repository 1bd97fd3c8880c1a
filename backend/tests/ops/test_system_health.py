"""The System health page, and the support file, which holds no secret whatever is planted where."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline import audit
from plumbline.infra.database import session_scope
from plumbline.infra.settings import Settings, get_settings
from plumbline.ops import support_file, system_health
from plumbline.ops.support_file import REMOVED, own_secrets, redacted, shown_settings
from plumbline.ops.system_health import read_system_health
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World

__all__ = ["address", "api_database", "app", "ask", "world"]


def parts(ask: Ask) -> dict[str, dict[str, Any]]:
    answer = ask("admin", "GET", "/system-health")
    assert answer.status_code == 200, answer.text
    found = answer.json()["parts"]
    ranks = [system_health.RANK[part["level"]] for part in found]
    assert ranks == sorted(ranks)
    assert answer.json()["level"] == found[0]["level"]
    return {part["name"]: part for part in found}


def test_every_part_is_read(ask: Ask, world: World) -> None:
    found = parts(ask)
    assert set(found) == {name for name, _ in system_health._PARTS}
    assert "unknown" not in {part["level"] for part in found.values()}, found
    facts = {fact["label"]: fact["value"] for fact in found["Database"]["facts"]}
    assert facts["Version"].startswith("PostgreSQL ")
    assert facts["Schema revision"]
    hosts = {fact["label"]: fact["value"] for fact in found["Hosts"]["facts"]}
    assert (hosts["Active"], hosts["Waiting for approval"], hosts["Not reporting"]) == ("4", "1", "1")
    assert found["Hosts"]["level"] == "warning"
    # These tests run without a broker.
    assert found["Broker"]["level"] == "failed"
    agents = ask("admin", "GET", "/system-health").json()["agents"]
    assert sum(row["hosts"] for row in agents) == 4
    assert {row["platform"] for row in agents} == {"windows", "esxi"}


def test_a_backup_and_late_work_are_shown(ask: Ask, world: World) -> None:
    assert "No backup was made" in parts(ask)["Backup"]["words"]
    with session_scope() as session:
        audit.record(
            session, actor=audit.SYSTEM, action="installation.backed_up", about=audit.Object("installation"), after={"file": "a.dump"}
        )
    assert parts(ask)["Backup"]["level"] == "ok"
    assert parts(ask)["Work queue"]["level"] == "ok"
    assert ask("viewer", "POST", "/evidence-bundles", json={"group_id": 1}).status_code == 201
    with session_scope() as session:
        session.execute(text("UPDATE evidence_bundle SET requested_at = now() - interval '1 hour'"))
    late = parts(ask)["Work queue"]
    assert late["level"] == "warning"
    assert "evidence bundles" in late["words"]


def test_a_part_that_cannot_be_read_hides_no_other(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(session: Session, name: str) -> system_health.Part:
        session.execute(text("SELECT nothing FROM nowhere"))
        raise AssertionError

    monkeypatch.setattr(system_health, "_PARTS", (("Database", broken), *system_health._PARTS[1:]))
    found = parts(ask)
    assert found["Database"]["level"] == "unknown"
    assert found["Hosts"]["level"] == "warning"


def test_who_may(ask: Ask, world: World) -> None:
    for path in ("/system-health", "/system-health/support-file"):
        for login in ("viewer", "operator", "approver", "prod-admin"):
            assert ask(login, "GET", path).status_code == 403, (login, path)


# What is planted, by where. Each is one that nothing else in the file contains.
SECRETS = {
    "password of the database": "Pq7-database-password",
    "password of the broker": "Pq8-broker-password",
    "raw key": "rawkey\x00\x01\xfe",
    "text key": "Pq9TextKeyOfTheVault0001",
    "client secret": "PqA-client-secret-of-oidc",
    "token": "plb_PqBabcdefghijklmnopqrstuvwxyz0123456789ABCD",
    "password in a log": "PqC-typed-password",
    "bearer": "PqDbearerbearerbearer",
    "pem": "MIIEvQPqEprivate",
    "webhook": "https://chat.example.com/hooks/PqFsecretpath",
    "login": "PqG-demo-login",
    "cookie": "PqHsessioncookie",
    "hex key": "ab" * 32,
}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every secret in its place: settings, key files, logs, the database."""
    home = get_settings().home
    url = get_settings().database_url.get_secret_value()
    (home / "log").mkdir(exist_ok=True)
    (home / "keys").mkdir(exist_ok=True)
    (home / "keys" / "planted-raw.key").write_bytes(SECRETS["raw key"].encode("latin-1"))
    (home / "keys" / "planted.key").write_text(SECRETS["text key"])
    (home / "demo-logins.json").write_text(json.dumps([{"login": "ana", "password": SECRETS["login"]}]))
    oidc = home / "oidc-secret"
    oidc.write_text(SECRETS["client secret"])
    (home / "log" / "plumbline.log").write_text(
        f"""12:00 api | connected to postgresql://plumbline_api:{SECRETS["password of the database"]}@db/plumbline
12:01 api | redis://:{SECRETS["password of the broker"]}@broker:6379/0
12:02 worker | key is {SECRETS["text key"]} and {SECRETS["raw key"].encode("latin-1").hex()}
12:03 api | oidc answered with client {SECRETS["client secret"]}
12:04 api | GET /api/v1/hosts with {SECRETS["token"]}
12:05 api | password={SECRETS["password in a log"]} login=ana
12:06 api | "password": "{SECRETS["password in a log"]}"
12:07 api | Authorization: Bearer {SECRETS["bearer"]}
12:08 api | -----BEGIN PRIVATE KEY-----
{SECRETS["pem"]}
-----END PRIVATE KEY-----
12:09 api | posting to {SECRETS["webhook"]}
12:10 api | login of ana {SECRETS["login"]}
12:11 api | Cookie: __Host-plumbline={SECRETS["cookie"]}
12:12 api | secret of host {SECRETS["hex key"]}
12:13 api | host sql-01 has a new check-in
"""
    )
    monkeypatch.setenv("PLUMBLINE_REDIS_URL", f"redis://:{SECRETS['password of the broker']}@127.0.0.1:1/0")
    monkeypatch.setenv("PLUMBLINE_OIDC_CLIENT_SECRET_FILE", str(oidc))
    separator = "&" if "?" in url else "?"
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", f"{url}{separator}application_name=test")
    get_settings.cache_clear()
    yield home
    monkeypatch.undo()
    get_settings.cache_clear()


def test_no_planted_secret_is_in_the_support_file(ask: Ask, world: World, planted: Path) -> None:
    answer = ask("admin", "GET", "/system-health/support-file")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert {"health.txt", "checks.txt", "settings.json", "versions.txt", "tables.txt", "jobs.json", "log/plumbline.log"} <= set(members)
    everything = b"\n".join(members.values())
    for where, secret in SECRETS.items():
        value = secret.encode("latin-1")
        if where == "password of the database":
            # It is not this database's, so only its form gives it away.
            assert value not in members["log/plumbline.log"]
        assert value not in everything, where
        assert value.hex().encode() not in everything, where
    assert get_settings().database_url.get_secret_value().split(":")[2].split("@")[0].encode() not in everything
    log = members["log/plumbline.log"].decode()
    assert "host sql-01 has a new check-in" in log
    assert log.count(REMOVED) >= 12
    assert "BROKE " not in members["checks.txt"].decode()
    assert b"broker" in members["health.txt"].lower()


def test_the_download_is_audited(ask: Ask, world: World) -> None:
    ask("admin", "GET", "/system-health/support-file")
    with session_scope() as session:
        acts = session.execute(text("SELECT actor FROM audit_entry WHERE action = 'installation.support_file_made'")).scalars().all()
    assert acts
    assert acts[-1].endswith(" admin")


def test_settings_are_shown_without_values_that_are_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", "postgresql+psycopg://someone:hunter2hunter2@db.example.com/plumbline")
    monkeypatch.setenv("PLUMBLINE_REDIS_URL", "redis://:hunter3hunter3@broker.example.com:6379/0")
    shown = shown_settings(Settings())
    assert shown["database_url"] == "postgresql+psycopg://…@db.example.com/plumbline"
    assert shown["redis_url"] == "redis://broker.example.com/0"
    assert "hunter" not in json.dumps(shown)


@pytest.mark.parametrize(
    "line",
    [
        "no secrets here",
        "12:00 job 7 is RUNNING: step 2 of 3",
        "host sql-01: adapter 000af7101002, MTU 9000",
        "see https://docs.example.com/page",
        "  File /opt/plumbline/lib/site-packages/plumbline/checkin/receipts.py, line 20",
    ],
)
def test_ordinary_lines_stay_as_they_are(line: str) -> None:
    assert redacted(line, own_secrets()) == line


def test_reading_takes_a_fixed_number_of_queries(world: World) -> None:
    from tests.api.test_counts import counted

    with session_scope() as session, counted() as queries:
        read_system_health(session)
    assert len(queries) < 60


def test_a_log_that_is_not_there_is_said(tmp_path: Path) -> None:
    found = dict(support_file._logs(tmp_path))
    assert found["plumbline.log"].startswith("not readable: ")
