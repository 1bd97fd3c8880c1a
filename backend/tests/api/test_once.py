"""An act that is asked for twice with one key is done once, whoever loses which answer."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import APIRouter, FastAPI
from sqlalchemy.exc import ProgrammingError
from sqlmodel import text

from plumbline.auth import idempotency
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.web import app as api
from plumbline.web.app import create_app, routes_of
from tests.api.conftest import Ask
from tests.api.world import World, add_person
from tests.conftest import pointed_at

VIEW = {"name": "silent hosts", "url": "/hosts?freshness=silent"}


def key() -> dict[str, str]:
    return {"idempotency-key": str(uuid.uuid4())}


def count(statement: str, **bound: Any) -> int:
    with session_scope() as session:
        return int(session.execute(text(statement), bound).scalar_one())


def views(name: str) -> int:
    return count("SELECT count(*) FROM saved_view WHERE name = :name", name=name)


def save(ask: Ask, login: str, headers: dict[str, str], name: str, **more: Any) -> httpx.Response:
    return ask(login, "POST", "/views", json={**VIEW, "name": name, **more}, headers=headers)


def test_a_lost_answer_is_given_again_and_nothing_is_done_again(ask: Ask) -> None:
    headers = key()
    first = save(ask, "operator", headers, "again")
    entries = count("SELECT count(*) FROM audit_entry")
    second = save(ask, "operator", headers, "again")
    quoted = save(ask, "operator", {"idempotency-key": f'"{headers["idempotency-key"]}"'}, "again")
    assert first.status_code == second.status_code == quoted.status_code == 201
    assert first.content == second.content == quoted.content
    assert first.headers["content-type"] == second.headers["content-type"]
    assert views("again") == 1
    assert count("SELECT count(*) FROM audit_entry") == entries
    # Without a key, and with a new one, it is another act.
    save(ask, "operator", {}, "again")
    save(ask, "operator", key(), "again")
    assert views("again") == 3


def test_an_answer_without_a_body_is_given_again(ask: Ask, world: World) -> None:
    headers = key()
    answers = [ask("operator", "POST", f"/hosts/{world.hosts['sql-01']}/check-now", headers=headers) for _ in range(2)]
    assert answers[0].status_code == answers[1].status_code < 300
    assert answers[0].content == answers[1].content


def test_a_plan_asked_for_twice_is_one_plan(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    failing = [each for each in ask("operator", "GET", f"/hosts/{host}/findings").json()["items"] if each["standing"] == "fail"]
    asked = {"rules": [{"pack": failing[0]["pack"], "rule": failing[0]["rule"], "host_ids": [host]}]}
    headers = key()
    answers = [ask("operator", "POST", "/plans", json=asked, headers=headers) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 201], answers[0].text
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert count("SELECT count(*) FROM plan") == 1


@pytest.mark.parametrize("other", [{"name": "other"}, {"is_shared": True}])
def test_another_body_under_the_same_key_is_refused(ask: Ask, other: dict[str, Any]) -> None:
    headers = key()
    name = f"body-{sorted(other)[0]}"
    assert save(ask, "operator", headers, name).status_code == 201
    refused = ask("operator", "POST", "/views", json={**VIEW, "name": name, **other}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert "send a new key with every act" in refused.json()["detail"]
    assert views(name) == 1
    assert views("other") == 0


def test_another_address_under_the_same_key_is_refused(ask: Ask, world: World) -> None:
    headers = key()
    assert ask("operator", "POST", f"/hosts/{world.hosts['sql-01']}/check-now", headers=headers).status_code < 300
    refused = ask("operator", "POST", f"/hosts/{world.hosts['sql-02']}/check-now", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")


def test_a_key_is_its_holders_own(ask: Ask) -> None:
    headers = key()
    mine, yours = save(ask, "operator", headers, "own"), save(ask, "approver", headers, "own")
    assert mine.status_code == yours.status_code == 201
    assert mine.json()["id"] != yours.json()["id"]
    made = ask("operator", "POST", "/tokens", json={"name": "x", "roles": ["operator"], "group_id": 1, "expires_days": 2}).json()
    by_token = {**headers, "authorization": f"Bearer {made['token']}"}
    assert ask("", "POST", "/views", json={**VIEW, "name": "own"}, headers=by_token).status_code == 403
    assert views("own") == 2


def test_a_refused_request_leaves_its_key_free(ask: Ask) -> None:
    headers = key()
    assert ask("operator", "POST", "/views", json={"name": "free"}, headers=headers).status_code == 422
    assert ask("operator", "POST", "/plans", json={"findings": []}, headers=headers).status_code == 422
    assert save(ask, "operator", headers, "free").status_code == 201


def test_somebody_whose_rights_changed_is_not_shown_what_they_did(ask: Ask, world: World) -> None:
    with session_scope() as session:
        add_person(session, "mover", [("operator", 1)], world)
    headers = key()
    assert save(ask, "mover", headers, "moved").status_code == 201
    with session_scope() as session:
        session.execute(
            text("UPDATE role_grant SET group_id = :group WHERE person_id = :person"),
            {"group": world.groups["lab"], "person": world.people["mover"]},
        )
    refused = save(ask, "mover", headers, "moved")
    assert (refused.status_code, refused.json()["code"]) == (409, "answered_before")
    assert views("moved") == 1


@pytest.mark.parametrize("sent", ["", "short", "x" * 129, "with spaces in it, sixteen", '"', "ключ-ключ-ключ-ключ".encode()])
def test_an_unusable_key_is_refused_in_words(ask: Ask, sent: str | bytes) -> None:
    refused = ask("operator", "POST", "/views", json=VIEW, headers={"idempotency-key": sent})
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_unusable")
    assert "random UUID" in refused.json()["detail"]


def test_a_secret_is_shown_once_and_never_kept(ask: Ask) -> None:
    headers = key()
    asked = {"name": "once", "roles": ["operator"], "group_id": 1, "expires_days": 2}
    made = ask("operator", "POST", "/tokens", json=asked, headers=headers)
    again = ask("operator", "POST", "/tokens", json=asked, headers=headers)
    assert made.status_code == 201
    assert (again.status_code, again.json()["code"]) == (409, "answered_before")
    assert "revoke that token and create another" in again.json()["detail"]
    assert count("SELECT count(*) FROM api_token WHERE name = 'once'") == 1
    assert (
        count("SELECT count(*) FROM idempotent_response WHERE position(:t in coalesce(body, '')) > 0", t=made.json()["token"].encode()) == 0
    )


def test_two_at_once_are_one_act_and_the_second_is_told_to_wait(ask: Ask, address: str, world: World, api_database: str) -> None:
    headers = key()
    with (
        psycopg.connect(api_database.replace("+psycopg", "")) as blocker,
        psycopg.connect(api_database.replace("+psycopg", ""), autocommit=True) as looker,
        httpx.Client(base_url=address, timeout=30) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        # The first request waits here, with its key taken.
        blocker.execute("LOCK TABLE saved_view IN SHARE ROW EXCLUSIVE MODE")
        first = pool.submit(_separately, client, world, headers, "at once")
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'saved_view'::regclass"
        while looker.execute(waiting).fetchone() != (1,):
            assert not first.done()
        second = save(ask, "operator", headers, "at once")
        assert (second.status_code, second.json()["code"], second.headers["retry-after"]) == (409, "still_in_hand", "1")
        blocker.rollback()
        assert first.result(20).status_code == 201
    assert save(ask, "operator", headers, "at once").content == first.result().content
    assert views("at once") == 1


def _separately(client: httpx.Client, world: World, headers: dict[str, str], name: str) -> httpx.Response:
    cookie = "; ".join(f"{name}={value}" for name, value in world.cookies["operator"].items())
    more = {"x-plumbline": "1", "sec-fetch-site": "same-origin", "cookie": cookie, **headers}
    return client.post("/api/v1/views", json={**VIEW, "name": name}, headers=more)


def test_many_races_never_do_an_act_twice(ask: Ask, address: str, world: World) -> None:
    with ThreadPoolExecutor(6) as pool, httpx.Client(base_url=address, timeout=30) as client:
        for race in range(6):
            headers, name = key(), f"race {race}"
            answers = list(pool.map(lambda _, h=headers, n=name: _separately(client, world, h, n), range(6)))
            assert {each.status_code for each in answers} <= {201, 409}
            assert len({each.content for each in answers if each.status_code == 201}) == 1
            assert {each.json()["code"] for each in answers if each.status_code == 409} <= {"still_in_hand"}
            assert views(name) == 1


def test_an_uploaded_file_is_the_same_request_whatever_its_boundary() -> None:
    one, other, another = (
        idempotency._fingerprint("k", _Form(boundary), f"--{boundary}\r\n{body}\r\n--{boundary}--".encode())  # type: ignore[arg-type]
        for boundary, body in (("aaaa", "x"), ("bbbb", "x"), ("aaaa", "y"))
    )
    assert one == other != another


class _Form:
    """As much of a request as a fingerprint is over."""

    method = "POST"

    def __init__(self, boundary: str) -> None:
        self.headers = {"content-type": f'multipart/form-data; boundary="{boundary}"'}
        self.url = httpx.URL("http://x/api/v1/waivers/1/files?q=1")


def test_a_key_ends_after_a_day_and_is_purged(ask: Ask, cluster: embedded_servers.PostgresCluster, api_database: str) -> None:
    headers, kept = key(), key()
    assert save(ask, "operator", headers, "old").status_code == 201
    owner = cluster.url(embedded_servers.OWNER, api_database.split("@/")[1].split("?")[0]).replace("+psycopg", "")
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("UPDATE idempotent_response SET made_at = made_at - interval '24 hours 1 second'")
    assert save(ask, "operator", headers, "old").status_code == 201
    assert views("old") == 2
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("UPDATE idempotent_response SET made_at = made_at - interval '24 hours 1 second'")
    assert save(ask, "operator", kept, "young").status_code == 201
    with pointed_at(cluster, api_database.split("@/")[1].split("?")[0], role="plumbline_background"):
        with session_scope() as session:
            assert idempotency.purge(session) > 0
        with session_scope() as session:
            assert idempotency.purge(session) == 0
        with session_scope() as session, pytest.raises(ProgrammingError, match="permission denied"):
            session.execute(text("SELECT body FROM idempotent_response"))
    assert save(ask, "operator", kept, "young").status_code == 201
    assert views("young") == 1


# --- Every POST takes part, or says why not ---

WHY_NOT = {
    "finish_setup", "start_session", "complete_sign_in", "reauthenticate", "begin_confirmation", "set_own_password", "try_provider",
    "begin_second_factor", "remove_second_factor", "make_recovery_codes", "preview_waiver", "remove_lab",
}  # fmt: skip
SHOWN_ONCE = {"add_second_factor", "make_api_token", "make_enrolment_token", "make_notice_channel", "rotate_notice_channel_secret"}


def test_every_post_takes_part_or_says_why_not(app: FastAPI) -> None:
    posts = {route.name: route for route, _ in routes_of(app) if "POST" in (route.methods or ())}
    assert len(posts) > 60
    assert {name for name, route in posts.items() if not idempotency.is_idempotent(route)} == WHY_NOT
    assert all(idempotency.why_not_idempotent(posts[name]) for name in WHY_NOT)
    assert {name for name, route in posts.items() if idempotency.advice_of(route)} == SHOWN_ONCE
    for item in app.openapi()["paths"].values():
        for method, operation in item.items():
            headers = {each["name"] for each in operation.get("parameters", []) if each["in"] == "header"}
            assert (idempotency.HEADER in headers) == (method == "post" and operation["operationId"] not in WHY_NOT)


def test_a_post_that_knows_no_key_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten = APIRouter()

    @forgotten.post("/forgotten", dependencies=[api.auth.May("view.own")])
    def make_forgotten() -> str:
        return ""

    monkeypatch.setattr(api.reports, "router", forgotten)
    with pytest.raises(RuntimeError, match="knows no Idempotency-Key"):
        create_app()


@pytest.mark.parametrize("claimed", ["undefined''x", "idna''x", "utf-7''+2AA-", "a%00b''x"])
def test_a_boundary_in_a_character_set_that_is_none_is_bad_input(ask: Ask, claimed: str) -> None:
    headers = {**key(), "content-type": f"multipart/form-data; boundary*={claimed}"}
    assert ask("operator", "POST", "/views", content=b"--x--", headers=headers).status_code == 422
