"""Ended sessions are deleted by the background worker, a month after their end."""

import psycopg
import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import text

from plumbline.auth import sessions
from plumbline.auth.tasks import purge
from plumbline.infra.database import session_scope
from plumbline.models.auth import Person
from plumbline.ops import embedded_servers
from plumbline.ops.worker import SCHEDULE
from tests.conftest import pointed_at


def test_sessions_go_a_month_after_their_end(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> None:
    with session_scope() as session:
        person = Person(login="ana")
        session.add(person)
        session.flush()
        for _ in range(4):
            sessions.start(session, person=person, address="10.0.0.1", agent="test")
    name = fresh_database.split("@/")[1].split("?")[0]
    with psycopg.connect(cluster.url(embedded_servers.OWNER, name).replace("+psycopg", ""), autocommit=True) as owner:
        ids = [row[0] for row in owner.execute("SELECT id_hash FROM web_session ORDER BY id_hash").fetchall()]
        for id_hash, ended, expires in zip(ids, ("31 days", "29 days", None, None), ("1 day", "1 day", "31 days", "-1 day"), strict=True):
            owner.execute(
                "UPDATE web_session SET ended_at = now() - %s::interval, expires_at = now() - %s::interval WHERE id_hash = %s",
                (ended, expires, id_hash),
            )
    with pointed_at(cluster, name, role="plumbline_background"):
        purge()
        purge()
        with session_scope() as session:
            entries = session.execute(text("SELECT after FROM audit_entry WHERE action = 'retention.purged'")).scalars().all()
        assert entries == [{"sessions": 2}]
        with session_scope() as session, pytest.raises(ProgrammingError, match="permission denied"):
            session.execute(text("UPDATE web_session SET ended_at = NULL"))
        with session_scope() as session, pytest.raises(ProgrammingError, match="permission denied"):
            session.execute(text("SELECT id_hash FROM web_session"))
    with session_scope() as session:
        left = session.execute(text("SELECT id_hash FROM web_session ORDER BY id_hash")).scalars()
        assert [bytes(id_hash) for id_hash in left] == [ids[1], ids[3]]
    assert ("auth.purge", 86400.0) in SCHEDULE.values()
