"""The chain: gapless, in the act's transaction, and every way of tampering with it is found."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.pool import NullPool
from sqlmodel import Session, select, text

from plumbline import audit
from plumbline.audit.chain import chain_pending, sign_head, signing_key, verify_chain
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.ops import embedded_servers

Scope = Callable[[str], "contextmanager[Session]"]


@pytest.fixture
def as_role(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> Iterator[Callable[[str], Session]]:
    """Sessions of another database role, committed by the test."""
    opened: list[Session] = []
    name = fresh_database.split("@/")[1].split("?")[0]

    def session_as(role: str) -> Session:
        session = Session(create_engine(cluster.url(role, name), poolclass=NullPool))
        opened.append(session)
        return session

    yield session_as
    for session in opened:
        session.close()


def act(count: int) -> None:
    for number in range(count):
        with session_scope() as session:
            audit.record(
                session,
                actor="person:1 ana",
                action="test.done",
                about=audit.Object("thing", str(number)),
                after={"n": number, "ü": [1.5, None]},
            )


def test_entry_and_act_are_one_transaction(fresh_database: str) -> None:
    def fail() -> None:
        with session_scope() as session:
            audit.record(session, actor="system", action="test.failed")
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with session_scope() as session:
        assert session.exec(select(AuditEntry)).all() == []


def test_numbers_are_gapless_and_the_whole_chain_verifies(as_role: Callable[[str], Session], tmp_path: Path) -> None:
    act(7)
    background = as_role("plumbline_background")
    assert chain_pending(background) == 7
    background.commit()
    act(2)
    assert chain_pending(background) == 2
    assert chain_pending(background) == 0
    key = signing_key(tmp_path)
    assert sign_head(background, key, export=tmp_path / "heads.jsonl") is not None
    assert sign_head(background, key, export=tmp_path / "heads.jsonl") is None
    background.commit()
    numbers = [entry.number for entry in background.exec(select(AuditEntry).order_by(AuditEntry.number))]  # type: ignore[arg-type]
    assert numbers == list(range(1, 10))
    report = verify_chain(background, key.public_key(), exported=tmp_path / "heads.jsonl")
    assert (report.chained, report.unchained, report.problems) == (9, 0, [])
    assert (tmp_path / "audit-signing.key").stat().st_mode & 0o777 == 0o600


def test_only_desk_may_number_and_nobody_may_change(as_role: Callable[[str], Session]) -> None:
    act(1)
    for role, statement in (
        ("plumbline_api", "UPDATE audit_entry SET number = 1, hash = 'x'"),
        ("plumbline_executor", "UPDATE audit_entry SET number = 1, hash = 'x'"),
        ("plumbline_background", "UPDATE audit_entry SET actor = 'eve'"),
        ("plumbline_background", "DELETE FROM audit_entry"),
    ):
        session = as_role(role)
        with pytest.raises(ProgrammingError, match="permission denied"):
            session.execute(text(statement))
        session.rollback()


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        ("UPDATE audit_entry SET actor = 'eve' WHERE number = 3", "entry 3"),
        ("UPDATE audit_entry SET at = at + interval '1 second' WHERE number = 2", "entry 2"),
        ("UPDATE audit_entry SET after = '{\"n\": 9}' WHERE number = 4", "entry 4"),
        ("DELETE FROM audit_entry WHERE number = 3", "number 3 is missing"),
        ("DELETE FROM audit_entry WHERE number >= 4", "head 5 does not match"),
    ],
)
def test_tampering_by_the_owner_is_found(as_role: Callable[[str], Session], tmp_path: Path, tampering: str, found: str) -> None:
    act(5)
    background = as_role("plumbline_background")
    chain_pending(background)
    key = signing_key(tmp_path)
    sign_head(background, key, export=tmp_path / "heads.jsonl")
    background.commit()
    owner = as_role(embedded_servers.OWNER)
    owner.execute(text("ALTER TABLE audit_entry DISABLE TRIGGER ALL"))
    owner.execute(text(tampering))
    owner.commit()
    report = verify_chain(background, key.public_key(), exported=tmp_path / "heads.jsonl")
    assert any(found in problem for problem in report.problems), report.problems


def test_a_chain_rewritten_whole_is_found_by_the_exported_head(as_role: Callable[[str], Session], tmp_path: Path) -> None:
    act(4)
    background = as_role("plumbline_background")
    chain_pending(background)
    key = signing_key(tmp_path)
    sign_head(background, key, export=tmp_path / "heads.jsonl")
    background.commit()
    owner = as_role(embedded_servers.OWNER)
    owner.execute(text("ALTER TABLE audit_entry DISABLE TRIGGER ALL"))
    owner.execute(text("UPDATE audit_entry SET actor = 'eve', number = NULL, hash = NULL"))
    owner.execute(text("DELETE FROM audit_head"))
    owner.execute(text("ALTER TABLE audit_entry ENABLE TRIGGER ALL"))
    owner.commit()
    chain_pending(background)
    background.commit()
    assert verify_chain(background, key.public_key()).problems == []
    report = verify_chain(background, key.public_key(), exported=tmp_path / "heads.jsonl")
    assert any("rewritten" in problem for problem in report.problems)


def test_a_head_signed_by_somebody_else_is_found(as_role: Callable[[str], Session], tmp_path: Path) -> None:
    act(1)
    background = as_role("plumbline_background")
    chain_pending(background)
    (tmp_path / "other").mkdir()
    sign_head(background, signing_key(tmp_path / "other"), export=tmp_path / "heads.jsonl")
    report = verify_chain(background, signing_key(tmp_path).public_key())
    assert any("not ours" in problem for problem in report.problems)
    assert json.loads((tmp_path / "heads.jsonl").read_text())["number"] == 1


def test_entries_that_wait_too_long_are_alarmed(as_role: Callable[[str], Session]) -> None:
    act(1)
    background = as_role("plumbline_background")
    assert verify_chain(background).problems == []
    owner = as_role(embedded_servers.OWNER)
    owner.execute(text("ALTER TABLE audit_entry DISABLE TRIGGER ALL"))
    owner.execute(text("UPDATE audit_entry SET at = now() - interval '2 minutes'"))
    owner.commit()
    background.rollback()
    report = verify_chain(background)
    assert report.unchained == 1
    assert "60 s" in report.problems[0]


def test_two_chainers_give_each_number_once(as_role: Callable[[str], Session]) -> None:
    act(3)
    first, second = as_role("plumbline_background"), as_role("plumbline_background")
    assert chain_pending(first) == 3
    assert chain_pending(second) == 0
    first.commit()
    second.rollback()
    assert chain_pending(second) == 0
    assert verify_chain(second).problems == []
