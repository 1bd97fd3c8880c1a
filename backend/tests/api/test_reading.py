"""The reading routes over an evaluated fleet."""

import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError
from sqlmodel import text

from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.world import World


def test_every_page_of_the_interface_answers(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    rules = ask("viewer", "GET", "/rules").json()
    rule = rules["items"][0]
    for path in (
        "/session",
        "/groups",
        "/overview",
        "/hosts",
        "/hosts/facets",
        f"/hosts/{host}",
        f"/hosts/{host}/findings",
        f"/hosts/{host}/score",
        f"/hosts/{host}/settings",
        f"/hosts/{host}/changes",
        f"/hosts/{host}/paths",
        f"/hosts/{host}/counters",
        f"/rules/{rule['pack']}/{rule['rule']}",
        f"/rules/{rule['pack']}/{rule['rule']}/hosts",
        "/reports",
        "/report-schedules",
        "/enrolment/waiting",
        "/search?q=sql",
        "/views",
        "/audit",
    ):
        answer = ask("viewer", "GET", path)
        assert answer.status_code == 200, (path, answer.text[:500])


def test_a_conflict_with_another_writer_is_not_reported_as_a_lost_database(app: FastAPI, world: World) -> None:
    host = {"id": world.hosts["sql-01"]}
    with session_scope() as holder:
        holder.execute(text("SELECT FROM host WHERE id = :id FOR UPDATE"), host)
        with session_scope() as session:
            session.execute(text("SET LOCAL lock_timeout = '20ms'"))
            with pytest.raises(OperationalError) as met:
                session.execute(text("SELECT FROM host WHERE id = :id FOR UPDATE"), host)
    answer = app.exception_handlers[OperationalError](None, met.value)
    assert (answer.status_code, b"being changed by someone else" in answer.body) == (409, True)
    answer = app.exception_handlers[OperationalError](None, OperationalError("", {}, Exception("server closed the connection")))
    assert answer.status_code == 503


@pytest.mark.parametrize("cursor", ["²", "٣", "~", "²~²", "2026-11-22T00:00:00+00:00~²", "\0", "9" * 19, "-1", "x" * 20])
def test_a_page_address_that_is_none_of_ours_is_bad_input(ask: Ask, cursor: str) -> None:
    for path in ("/audit", "/hosts", "/plans", "/jobs", "/waivers", "/baselines"):
        assert ask("admin", "GET", path, params={"after": cursor}).status_code < 500, path
