"""Migrations go up, down and up again, and the models agree with what they make."""

import psycopg
import pytest
from alembic import command
from sqlmodel import Session, text

from plumbline import servers
from plumbline.migrate import alembic_config, upgrade


@pytest.fixture
def empty_database(cluster: servers.PostgresPlace) -> str:
    with psycopg.connect(cluster.url(servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS migrations WITH (FORCE)")
        connection.execute("CREATE DATABASE migrations")
    return cluster.url(servers.OWNER, "migrations")


def test_up_down_up(empty_database: str) -> None:
    upgrade(empty_database)
    command.downgrade(alembic_config(empty_database), "base")
    with psycopg.connect(empty_database.replace("+psycopg", "")) as connection:
        left = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert left == [("alembic_version",)]
    upgrade(empty_database)


def test_models_and_migrations_agree(empty_database: str) -> None:
    upgrade(empty_database)
    command.check(alembic_config(empty_database))


def test_audit_entries_cannot_be_changed(session: Session) -> None:
    session.execute(
        text(
            "INSERT INTO audit_entry (actor, action, object_kind, object_id, reason, request_id) VALUES ('system', 'test', '', '', '', '')"
        )
    )
    session.flush()
    for statement in (
        "UPDATE audit_entry SET actor = 'someone'",
        "DELETE FROM audit_entry",
        "UPDATE audit_entry SET number = 1, hash = 'x'",
    ):
        with pytest.raises(Exception, match=r"permission denied|append-only|never changed"), session.begin_nested():
            session.execute(text(statement))
