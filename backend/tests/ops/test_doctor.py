"""Each check of the doctor is silent on a healthy installation, and finds what it is there to find."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
import time_machine
from sqlalchemy.exc import InternalError
from sqlmodel import text

from faults.invariants import broken_promises
from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline.audit.chain import has_signing_key
from plumbline.infra.clock import iso, utc_now
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.doctor import CHECKS, PROMISES, examine
from plumbline.ops.supervisor import RESTART_LOG, Restart
from plumbline.packs.publish import install_builtin
from tests.checkin.conftest import Served, serve, served, token  # noqa: F401 (fixtures)

Tamper = Callable[..., None]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Exported heads go to the home folder."""
    monkeypatch.setenv("PLUMBLINE_HOME", str(tmp_path))
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()


@pytest.fixture
def tamper(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> Tamper:
    """One statement as the owner, past triggers and foreign keys: what a fault of ours or a person with the disk could do."""
    address = cluster.url(embedded_servers.OWNER, fresh_database.split("@/")[1].split("?")[0]).replace("+psycopg", "")

    def run(statement: str, *values: object) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            assert connection.execute(statement, values).rowcount != 0, "the statement met no row"

    return run


@pytest.fixture
def desk_url(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> str:
    return cluster.url("plumbline_background", fresh_database.split("@/")[1].split("?")[0])


@pytest.fixture
def packs(fresh_database: str) -> None:
    """The built-in packs, for tests that need findings; installing takes a second."""
    with session_scope() as session:
        install_builtin(session)


@pytest.fixture
def host(served: Served, token: str, desk_url: str) -> Sender:  # noqa: F811
    """A host on an installation in good health: chained, signed, exported."""
    sender = sender_of(enrol(served.client, token, "win-01"), sections=sections_of(samples("windows")[0]))
    assert sender.send(served.client).status_code == 200
    assert sender.send(served.client).status_code == 200
    assert broken_promises(desk_url) == []
    get_engine(desk_url).dispose()
    return sender


def found() -> dict[str, list[str]]:
    """Sentences by check, those that found nothing left out."""
    with session_scope() as session:
        return {check.name: sentences for check, sentences in examine(session) if sentences}


def test_silent_on_a_healthy_installation(packs: None, host: Sender, own_home: Path) -> None:
    assert found() == {}
    assert (own_home / "audit-heads.jsonl").is_file()
    assert {check.name for check in CHECKS} > PROMISES


@pytest.mark.parametrize(("minutes", "words"), [(10, "600 s ahead of"), (-10, "600 s behind")])
def test_a_clock_that_is_not_the_databases(fresh_database: str, minutes: int, words: str) -> None:
    with time_machine.travel(utc_now() + timedelta(minutes=minutes)):
        assert [f"the clock of this server is {words} the database's" in sentence for sentence in found()["clock"]] == [True]
    assert "clock" not in found()


def test_a_body_that_is_gone(host: Sender, tamper: Tamper) -> None:
    tamper("DELETE FROM section_body WHERE section = 'tcp'")
    assert found() == {"receipts": [f"host {host.host_id}: section tcp was receipted but its body is not stored"]}


def test_a_body_under_another_digest(host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE section_body SET sha256 = %s WHERE section = 'tcp'", hashlib.sha256(b"other").digest())
    assert found()["receipts"][0] == f"host {host.host_id}: section tcp was receipted but its body is not stored"


def test_a_body_that_was_altered(host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE section_body b SET content = (SELECT content FROM section_body WHERE section = 'mpio') WHERE section = 'tcp'")
    assert found() == {"receipts": [f"host {host.host_id}: the stored body of section tcp does not match its digest"]}


def test_a_body_that_cannot_be_unpacked(host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE section_body SET content = '\\x00'::bytea WHERE section = 'tcp'")
    assert found() == {"receipts": [f"host {host.host_id}: the stored body of section tcp does not match its digest"]}


def test_a_row_behind_the_log(host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE host SET last_seq = 0")
    assert found() == {"order": [f"host {host.host_id}: its row has check-in 0 last, the log has 1"]}


def test_a_rollup_that_is_off_by_one(packs: None, host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE rollup_delta SET subjects = subjects + 1 WHERE id = (SELECT id FROM rollup_delta WHERE rule_no > 0 ORDER BY id LIMIT 1)")
    sentences = found()
    assert list(sentences) == ["rollups"]
    assert len(sentences["rollups"]) == 1


def test_a_finding_changed_behind_the_rollups(packs: None, host: Sender, tamper: Tamper) -> None:
    tamper(
        "UPDATE finding SET outcome = 'pass' WHERE ctid = (SELECT ctid FROM finding WHERE outcome = 'fail' AND waiver_id IS NULL LIMIT 1)"
    )
    assert list(found()) == ["rollups"]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE audit_entry SET reason = 'another' WHERE number = 1", "does not match its hash"),
        ("DELETE FROM audit_entry WHERE number = 1", "is missing"),
        ("DELETE FROM audit_entry WHERE number = (SELECT max(number) FROM audit_entry)", "was rewritten or cut"),
        ("UPDATE audit_head SET signature = set_byte(signature, 0, get_byte(signature, 0) # 1)", "signature that is not ours"),
        (
            "UPDATE audit_entry SET number = NULL, hash = NULL, at = now() - interval '2 minutes' WHERE number = 1",
            "waiting for the chainer",
        ),
    ],
)
def test_an_audit_trail_that_was_touched(host: Sender, tamper: Tamper, statement: str, words: str) -> None:
    tamper(statement)
    sentences = found()
    assert list(sentences) == ["audit"]
    assert any(words in sentence for sentence in sentences["audit"])


def test_a_chain_rewritten_whole_is_betrayed_by_the_exported_heads(host: Sender, tamper: Tamper, desk_url: str) -> None:
    tamper("UPDATE audit_entry SET reason = 'another', number = NULL, hash = NULL")
    tamper("DELETE FROM audit_head")
    problems = broken_promises(desk_url)
    get_engine(desk_url).dispose()
    assert [problem.split(" ")[:3] for problem in problems] == [["audit:", "exported", "head"]]


def test_asking_makes_no_key(host: Sender, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API's folder of keys holds no signing key: the doctor there checks the chain and leaves the folder as it was."""
    empty = own_home / "other-keys"
    empty.mkdir()
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(empty))
    get_settings.cache_clear()
    assert not has_signing_key()
    assert found() == {}
    assert list(empty.iterdir()) == []


def test_rows_in_a_default_partition(host: Sender, tamper: Tamper) -> None:
    tamper("UPDATE check_in SET received_at = received_at + interval '3 years' WHERE seq = 1")
    assert list(found()) == ["partitions"]


def test_a_broker_that_is_away(host: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_REDIS_URL", "redis://127.0.0.1:1/0")
    get_settings.cache_clear()
    assert list(found()) == ["broker"]


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("UPDATE installation SET rules_epoch = rules_epoch + 1", "judged"),
        ("UPDATE host SET alarm = 'a copy of this host may be running'", "alarms"),
        ("UPDATE host SET last_seen_at = now() - interval '1 day'", "silent"),
    ],
)
def test_states_that_a_person_should_know(host: Sender, tamper: Tamper, statement: str, check: str) -> None:
    tamper(statement)
    sentences = found()
    assert list(sentences) == [check]
    assert check not in PROMISES


def test_a_part_that_was_started_again(host: Sender, own_home: Path) -> None:
    ended = [
        Restart("executor", iso(utc_now() - timedelta(hours=hours)), how, 300)
        for hours, how in ((30, "ended with code 1"), (3, "ended with code 1"), (1, "was ended by SIGKILL"))
    ]
    (own_home / "run").mkdir()
    (own_home / "run" / RESTART_LOG).write_text("".join(json.dumps(asdict(one)) + "\n" for one in ended))
    sentences = found()
    assert list(sentences) == ["parts"]
    assert "parts" not in PROMISES
    words = f"executor restarted 2 times, last at {ended[-1].at} (was ended by SIGKILL after 300 s)"
    assert sentences["parts"] == [words]


def test_the_command_exits_with_1_only_for_a_broken_promise(host: Sender, tamper: Tamper) -> None:
    def doctor() -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", "plumbline.cli", "doctor"], capture_output=True, text=True, timeout=60, check=False)

    tamper("UPDATE host SET alarm = 'look here'")
    healthy = doctor()
    assert (healthy.returncode, healthy.stderr) == (0, "")
    assert "note  no host alarms\n      win-01: look here\n" in healthy.stdout
    tamper("DELETE FROM section_body WHERE section = 'tcp'")
    broken = doctor()
    assert broken.returncode == 1
    assert "FAIL  every acknowledged section is stored" in broken.stdout


def test_it_only_reads(host: Sender) -> None:
    with session_scope() as session:
        examine(session)
        with pytest.raises(InternalError, match="read-only transaction"):
            session.execute(text("UPDATE host SET alarm = 'written'"))
        session.rollback()
    assert found() == {}
