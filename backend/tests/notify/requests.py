"""Requests of the notification tests, as people and as the background worker."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask
from tests.conftest import pointed_at


@contextmanager
def as_background_worker(cluster: embedded_servers.PostgresCluster, api_database: str) -> Iterator[None]:
    with pointed_at(cluster, api_database.split("@/")[1].split("?")[0], role="plumbline_background"):
        yield


@contextmanager
def as_owner(cluster: embedded_servers.PostgresCluster, api_database: str) -> Iterator[None]:
    """For what time does to a row, and no process of ours."""
    with pointed_at(cluster, api_database.split("@/")[1].split("?")[0], role=embedded_servers.OWNER):
        yield


def make(ask: Ask, login: str = "admin", **more: Any) -> httpx.Response:
    asked = {"group_id": 1, "way": "webhook", "name": "ops", "kinds": ["silent"], **more}
    return ask(login, "POST", "/notices/channels", json=asked)


def retire(ask: Ask, *ids: int) -> None:
    for each in ids:
        assert ask("admin", "DELETE", f"/notices/channels/{each}").status_code == 204


def run(statement: str, **bound: Any) -> Any:
    with session_scope() as session:
        return session.execute(text(statement), bound)


def due_now(cluster: embedded_servers.PostgresCluster, api_database: str) -> None:
    with as_background_worker(cluster, api_database):
        run("UPDATE notice_delivery SET due_at = clock_timestamp() WHERE state = 'waiting'")


def add_notice(channel_id: int) -> None:
    """A notice as a look writes it."""
    run(
        "WITH n AS (INSERT INTO notice (group_id, kind, title, lines, hosts, page, kept_back)"
        " VALUES (1, 'silent', 'sql-01: no check-in', '{}', '{}', '', '') RETURNING id)"
        " INSERT INTO notice_delivery (id, notice_id, channel_id, state, tries, words)"
        " SELECT 'dlv_' || lpad(n.id::text, 24, '0'), n.id, :channel, 'waiting', 0, '' FROM n",
        channel=channel_id,
    )


def last_delivery(ask: Ask) -> dict[str, Any]:
    [delivery] = ask("admin", "GET", "/notices").json()["items"][0]["deliveries"]
    return dict(delivery)


def only_channel(ask: Ask) -> dict[str, Any]:
    [channel] = ask("admin", "GET", "/notices/channels").json()["channels"]
    return dict(channel)
