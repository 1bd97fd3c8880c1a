"""A backup is restored completely, the previous database is kept, and no job continues until an admin allows it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, text

from plumbline.auth import api_tokens, sessions
from plumbline.auth.second_factor_check import hash_recovery_code
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.errors import BadInput, Conflict, NotSignedIn
from plumbline.models.auth import ApiToken, Person, RecoveryCode, RoleGrant
from plumbline.models.hosts import EnrolmentToken, Host
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan
from plumbline.ops import embedded_servers
from plumbline.ops.backup import CLAIM_NUMBERS_RAISED_BY, make_backup, pause, restore_backup
from plumbline.ops.doctor import CHECKS
from plumbline.remediation.jobs.claim import claim_job


@pytest.fixture
def owner(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> str:
    """The owner's URL of a database with a job that was in the middle when its worker died."""
    url = cluster.url(embedded_servers.OWNER, fresh_database.partition("@/")[2].partition("?")[0])
    now = datetime.now(UTC)
    with Session(create_engine(url, poolclass=NullPool)) as session:
        # Its approval is not what this is about: the guards would ask for one.
        session.execute(text("SET session_replication_role = replica"))
        session.add(Person(id=7, login="olga", display_name="Olga"))
        session.add(Host(id="aa", group_id=1, name="esx-1", platform="esxi", state="active"))
        session.add(Plan(id=5, group_id=1, title="open", author_id=7, state="RUNNING"))
        session.add(
            Job(id=9, plan_id=5, host_id="aa", group_id=1, state="RUNNING", not_after=now + timedelta(days=1), gen=77, lease_until=now)
        )
        session.commit()
    return url


def test_it_comes_back_beside_what_was_there_and_stands_still(
    owner: str, cluster: embedded_servers.PostgresCluster, tmp_path: Path
) -> None:
    file = tmp_path / "plumbline.backup"
    assert make_backup(owner, file) == file.stat().st_size > 10_000
    assert file.stat().st_mode & 0o777 == 0o600
    with session_scope() as session:
        session.execute(text("UPDATE host SET name = 'renamed since'"))
    with pytest.raises(Conflict, match="in use by plumbline_api"):
        restore_backup(owner, file)
    get_engine().dispose()

    done = restore_backup(owner, file)
    assert done.open_jobs == 1
    with session_scope() as session:
        assert session.execute(text("SELECT name FROM host")).scalar_one() == "esx-1"
        assert session.execute(text("SELECT is_stopped, cause FROM stop_switch")).one() == (True, "restore")
        assert session.execute(text("SELECT nextval('job_gen')")).scalar_one() > CLAIM_NUMBERS_RAISED_BY
        # It was in the middle and its worker is gone: without the stop it would be taken over now.
        assert claim_job(session, 9, worker="test", queue="remediation") is None
        assert session.execute(text("SELECT kind FROM job_event WHERE job_id = 9")).scalars().all() == ["restored"]
    with psycopg.connect(cluster.url(embedded_servers.OWNER, done.kept_as).replace("+psycopg", "")) as kept:
        assert kept.execute("SELECT name FROM host").fetchone() == ("renamed since",)
    with psycopg.connect(cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {done.kept_as}")  # type: ignore[arg-type]


def test_a_restore_revives_no_session_no_token_and_no_disabled_account(
    owner: str, cluster: embedded_servers.PostgresCluster, tmp_path: Path
) -> None:
    with session_scope() as session:
        olga, raj = session.get_one(Person, 7), Person(login="raj")
        session.add(raj)
        session.flush()
        raj_id = raj.id or 0
        cookie = sessions.start(session, person=olga, address="", agent="")
        token = f"plb_{'a' * 43}"
        session.add(RoleGrant(person_id=7, role="viewer", group_id=1))
        session.add(
            ApiToken(
                person_id=7, name="t", token_hash=api_tokens.hash_token(token), roles=["viewer"], group_id=1,
                expires_at=datetime.now(UTC) + timedelta(days=9),
            )
        )  # fmt: skip
        enrolment = make_token(session, TokenTerms(name="t", group_id=1)).row.id
        session.add(RecoveryCode(code_hash=hash_recovery_code(7, "abcd-efgh"), person_id=7))
    with session_scope() as session:
        assert sessions.actor_of(session, cookie).login == "olga"
        assert api_tokens.actor_of_token(session, token, address="").login == "olga"
    file = tmp_path / "plumbline.backup"
    make_backup(owner, file)
    with session_scope() as session:
        # What was ended after the backup, and what was not.
        session.execute(text("UPDATE person SET is_disabled = true WHERE login = 'raj'"))
    get_engine().dispose()

    done = restore_backup(owner, file)
    assert done.disabled == ("raj",)
    with session_scope() as session:
        with pytest.raises(NotSignedIn):
            sessions.actor_of(session, cookie)
        with pytest.raises(NotSignedIn):
            api_tokens.actor_of_token(session, token, address="")
        assert session.get_one(EnrolmentToken, enrolment).revoked_at is not None
        assert session.get_one(RecoveryCode, hash_recovery_code(7, "abcd-efgh")).used_at is not None
        assert session.get_one(Person, raj_id).is_disabled
        assert not session.get_one(Person, 7).is_disabled
        said = session.execute(text("SELECT after FROM audit_entry WHERE action = 'installation.access_ended'")).scalar_one()
    assert said == {
        "sessions": 1, "api_tokens": 1, "enrolment_tokens": 1, "recovery_codes": 1, "second_steps": 0, "sign_ins": 0, "responses": 0,
        "disabled": ["raj"],
    }  # fmt: skip
    with psycopg.connect(cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {done.kept_as}")  # type: ignore[arg-type]


def test_the_doctor_finds_what_went_on_before_the_stop_was_lifted(owner: str) -> None:
    pause(owner, words="restored from a file")
    with session_scope() as session:
        assert dict(_found(session))["restored"] == []
        session.execute(text("INSERT INTO job_event (job_id, number, kind, state, words, gen) VALUES (9, 2, 'step', 'DONE', '', 77)"))
        assert dict(_found(session))["restored"] == ["job 9, event 2 (step): it went on before an admin lifted the stop after a restore"]


def _found(session: Session) -> list[tuple[str, list[str]]]:
    return [(check.name, list(check.find(session))) for check in CHECKS if check.name == "restored"]


def test_a_file_that_is_no_backup_leaves_everything_as_it_is(owner: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("not a backup")
    with pytest.raises(BadInput, match="Not a valid backup"):
        restore_backup(owner, other)
    with pytest.raises(BadInput, match="File not found"):
        restore_backup(owner, tmp_path / "missing")
