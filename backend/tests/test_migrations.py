"""Migrations go up, down and up again, and the models agree with what they make."""

import psycopg
import pytest
from alembic import command
from sqlmodel import Session, text

from plumbline.ops import embedded_servers
from plumbline.ops.migrate import alembic_config, upgrade


@pytest.fixture
def empty_database(cluster: embedded_servers.PostgresCluster) -> str:
    with psycopg.connect(cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS migrations WITH (FORCE)")
        connection.execute("CREATE DATABASE migrations")
    return cluster.url(embedded_servers.OWNER, "migrations")


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


def test_rollups_are_counted_below_groups(empty_database: str) -> None:
    """What was folded before there were counts of a group with all below it: from the rows of the groups, along their paths."""
    command.upgrade(alembic_config(empty_database), "0023")
    with psycopg.connect(empty_database.replace("+psycopg", "")) as connection:
        connection.execute(
            "INSERT INTO host_group (id, parent_id, name, path, is_ticket_required) OVERRIDING SYSTEM VALUE"
            " VALUES (2, 1, 'A', '1/2/', false), (3, 2, 'A1', '1/2/3/', false), (14, 1, 'B', '1/14/', false)"
        )
        connection.execute(
            "INSERT INTO rollup (group_id, rule_no, bucket, hosts, subjects, amount)"
            " VALUES (2, 7, 'fail', 1, 2, 0), (3, 7, 'fail', 10, 20, 0), (14, 0, 'scored', 3, 0, 250)"
        )
    upgrade(empty_database)
    with psycopg.connect(empty_database.replace("+psycopg", "")) as connection:
        rows = connection.execute(
            "SELECT group_id, bucket, hosts, subtree_hosts, subtree_subjects, subtree_amount FROM rollup ORDER BY 1, 2"
        ).fetchall()
        with pytest.raises(psycopg.errors.NotNullViolation):
            connection.execute("INSERT INTO rollup (group_id, rule_no, bucket, hosts, subjects, amount) VALUES (1, 7, 'pass', 1, 1, 0)")
    assert rows == [
        (1, "fail", 0, 11, 22, 0.0), (1, "scored", 0, 3, 0, 250.0), (2, "fail", 1, 11, 22, 0.0), (3, "fail", 10, 10, 20, 0.0),
        (14, "scored", 3, 3, 0, 250.0),
    ]  # fmt: skip


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
