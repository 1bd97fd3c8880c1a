"""API tokens: what they may, what they never may, and when they end."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlmodel import Session, text

from plumbline.auth.actor import ROLES
from plumbline.auth.api_tokens import TOKEN_ROLES
from plumbline.auth.rights import ACTIONS, PERSONS_ONLY
from plumbline.infra.database import session_scope
from plumbline.web.app import routes_of
from tests.api.conftest import Ask
from tests.api.test_rights import _SKIPPED, MAY, PUBLIC, ROOT_ONLY, _address, _right, operations
from tests.api.world import World, add_person


def make(ask: Ask, login: str, roles: list[str], group_id: int = 1, **more: Any) -> httpx.Response:
    return ask(login, "POST", "/tokens", json={"name": "script", "roles": roles, "group_id": group_id, "expires_days": 30, **more})


def with_token(ask: Ask, token: str, method: str, path: str, **more: Any) -> httpx.Response:
    """A request of a program: a bearer token, no cookie, none of the headers that browsers need."""
    return ask("", method, path, headers={"authorization": f"Bearer {token}", "x-plumbline": "", "sec-fetch-site": "cross-site"}, **more)


def execute(statement: str, **bound: Any) -> Any:
    with session_scope() as session:
        return session.execute(text(statement), bound)


@pytest.fixture
def everybody(world: World) -> str:
    """Somebody who holds every role on the root; a login of this test alone."""
    login = f"all-{datetime.now(UTC).timestamp()}"
    with session_scope() as session:
        _add(session, login, world)
    return login


def _add(session: Session, login: str, world: World) -> None:
    add_person(session, login, [(role, 1) for role in ROLES], world)


def test_a_token_reads_and_acts_as_its_roles_say(ask: Ask, everybody: str, world: World) -> None:
    made = make(ask, everybody, ["viewer"])
    assert made.status_code == 201, made.text
    token = made.json()["token"]
    assert with_token(ask, token, "GET", "/hosts").json()["total"] == ask(everybody, "GET", "/hosts").json()["total"]
    assert with_token(ask, token, "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"tags": ["x"]}).status_code == 403
    acting = make(ask, everybody, ["operator"]).json()
    answer = with_token(ask, acting["token"], "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"tags": ["by-token"]})
    assert answer.status_code < 300, answer.text
    said = execute("SELECT actor FROM audit_entry WHERE action = 'host.changed' ORDER BY id DESC LIMIT 1").scalar_one()
    assert said == f"person:{world.people[everybody]} {everybody} by token:{acting['id']} script"


def test_a_token_reaches_no_further_than_its_group(ask: Ask, everybody: str, world: World) -> None:
    token = make(ask, everybody, ["viewer"], world.groups["prod"]).json()["token"]
    assert {row["name"] for row in with_token(ask, token, "GET", "/hosts").json()["items"]} == {"sql-01", "sql-02", "esx-01"}
    assert with_token(ask, token, "GET", f"/hosts/{world.hosts['lab-01']}").status_code == 404
    assert with_token(ask, token, "GET", "/metrics").status_code == 403
    assert with_token(ask, make(ask, everybody, ["viewer"]).json()["token"], "GET", "/metrics").text.startswith("# HELP plumbline_hosts")


def test_a_token_never_outlives_the_grants_of_its_person(ask: Ask, everybody: str, world: World) -> None:
    token = make(ask, everybody, ["viewer", "operator"]).json()["token"]
    person = world.people[everybody]
    execute("DELETE FROM role_grant WHERE person_id = :person AND role = 'operator'", person=person)
    assert with_token(ask, token, "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"tags": []}).status_code == 403
    execute("UPDATE role_grant SET group_id = :group WHERE person_id = :person", group=world.groups["prod"], person=person)
    assert with_token(ask, token, "GET", "/hosts").json()["total"] == 3
    execute("DELETE FROM role_grant WHERE person_id = :person", person=person)
    assert with_token(ask, token, "GET", "/hosts").status_code == 403
    execute("UPDATE person SET is_disabled = true WHERE id = :person", person=person)
    assert with_token(ask, token, "GET", "/hosts").status_code == 401


def test_a_token_ends(ask: Ask, everybody: str) -> None:
    made = make(ask, everybody, ["viewer"]).json()
    days = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=29) < days <= timedelta(days=30)
    assert with_token(ask, made["token"], "GET", "/hosts").status_code == 200
    execute("UPDATE api_token SET expires_at = now() WHERE id = :id", id=made["id"])
    assert with_token(ask, made["token"], "GET", "/hosts").status_code == 401
    revoked = make(ask, everybody, ["viewer"]).json()
    assert ask(everybody, "DELETE", f"/tokens/{revoked['id']}").status_code == 204
    assert with_token(ask, revoked["token"], "GET", "/hosts").status_code == 401
    states = {row["id"]: row["state"] for row in ask(everybody, "GET", "/tokens").json()}
    assert states[made["id"]] == "expired"
    assert states[revoked["id"]] == "revoked"


@pytest.mark.parametrize("token", ["-", "plb_", "plb_" + "x" * 43, "nonsense", "plb_" + "x" * 5000, "\u00fc" * 47])
def test_a_token_that_is_none_is_refused(ask: Ask, token: str) -> None:
    headers = {"authorization": f"Bearer {token}".encode("latin-1")}
    assert ask("", "GET", "/hosts", headers=headers).status_code == 401  # type: ignore[dict-item]


def test_beside_a_token_no_cookie_counts(ask: Ask, world: World) -> None:
    """Otherwise a page of somebody else's could write with the cookie, by sending a token of its own making."""
    headers = {"authorization": "Bearer plb_" + "x" * 43, "sec-fetch-site": "cross-site", "x-plumbline": ""}
    assert ask("admin", "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"tags": ["forged"]}, headers=headers).status_code == 401
    without = {"sec-fetch-site": "cross-site"}
    assert ask("admin", "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"tags": ["forged"]}, headers=without).status_code == 403


def test_a_token_is_stored_as_a_hash_and_shown_once(ask: Ask, everybody: str) -> None:
    token = make(ask, everybody, ["viewer"]).json()["token"]
    listed = ask(everybody, "GET", "/tokens").text
    assert token not in listed
    assert token[4:] not in str(execute("SELECT * FROM api_token").all())
    assert token not in str(execute("SELECT before, after, reason FROM audit_entry").all())


def test_last_use_is_noted(ask: Ask, everybody: str) -> None:
    made = make(ask, everybody, ["viewer"]).json()
    assert _row(ask, everybody, made["id"])["last_used_at"] is None
    with_token(ask, made["token"], "GET", "/hosts")
    first = _row(ask, everybody, made["id"])
    assert first["last_used_at"]
    assert first["last_used_from"] == "127.0.0.1"
    with_token(ask, made["token"], "GET", "/hosts")
    assert _row(ask, everybody, made["id"])["last_used_at"] == first["last_used_at"]


def _row(ask: Ask, login: str, token_id: int) -> dict[str, Any]:
    return next(row for row in ask(login, "GET", "/tokens").json() if row["id"] == token_id)


def test_nobody_makes_more_than_they_hold(ask: Ask, world: World) -> None:
    assert make(ask, "prod-viewer", ["viewer"], world.groups["prod"]).status_code == 201
    assert make(ask, "prod-viewer", ["viewer"], world.groups["prod_b"]).status_code == 201
    assert make(ask, "prod-viewer", ["viewer"]).status_code == 404
    assert make(ask, "prod-viewer", ["viewer"], world.groups["lab"]).status_code == 404
    assert make(ask, "prod-viewer", ["operator"], world.groups["prod"]).status_code == 403
    assert make(ask, "approver", ["approver"]).status_code == 422
    assert ask("viewer", "POST", "/tokens", json={"name": "x", "roles": ["viewer"], "group_id": 1}).status_code == 422
    assert make(ask, "viewer", ["viewer"], expires_days=400).status_code == 422
    assert make(ask, "viewer", []).status_code == 422


def test_a_service_is_named_by_an_admin_of_the_group(ask: Ask, everybody: str, world: World) -> None:
    assert make(ask, "viewer", ["viewer"], service="prometheus").status_code == 403
    made = make(ask, everybody, ["viewer"], service="prometheus").json()
    row = _row(ask, everybody, made["id"])
    assert (row["service"], row["is_own"]) == ("prometheus", False)
    # Another admin of the group sees it and may end it; an admin of a branch does not see one on the root.
    assert made["id"] in {each["id"] for each in ask("admin", "GET", "/tokens").json()}
    assert made["id"] not in {each["id"] for each in ask("prod-admin", "GET", "/tokens").json()}
    assert ask("prod-admin", "DELETE", f"/tokens/{made['id']}").status_code == 404
    assert ask("viewer", "DELETE", f"/tokens/{made['id']}").status_code == 404
    assert ask("admin", "DELETE", f"/tokens/{made['id']}").status_code == 204
    assert with_token(ask, made["token"], "GET", "/hosts").status_code == 401


def test_living_tokens_are_bounded(ask: Ask, everybody: str, world: World) -> None:
    execute(
        "INSERT INTO api_token (person_id, service, name, token_hash, roles, group_id, expires_at, last_used_from)"
        " SELECT :person, '', 'many', decode(md5(i::text || :person), 'hex'), '{viewer}', 1, now() + interval '1 day', ''"
        " FROM generate_series(1, 50) AS i",
        person=world.people[everybody],
    )
    assert make(ask, everybody, ["viewer"]).status_code == 409


def test_every_route_for_a_token_of_every_role(ask: Ask, app: FastAPI, everybody: str, world: World) -> None:
    """A token does what its role may, except what only people do, which it may never."""
    wrong = []
    tokens = {role: make(ask, everybody, [role]).json()["token"] for role in TOKEN_ROLES}
    for name, method, path in operations(app):
        if name in (*_SKIPPED, *PUBLIC):
            continue
        action = _right(app, name)
        for role, token in tokens.items():
            body = {} if method in ("POST", "PATCH", "PUT") else None
            answer = with_token(ask, token, method, _address(path, world), json=body)
            may = action not in PERSONS_ONLY and (role in MAY.get(name, set(ROLES)) or ACTIONS[action].reach == "own")
            if (answer.status_code not in (401, 403)) != may or answer.status_code >= 500:
                wrong.append((name, role, answer.status_code, answer.text[:120]))
    assert not wrong


def test_what_gives_rights_or_asks_for_the_password_is_for_people(app: FastAPI) -> None:
    for route, action in routes_of(app):
        if route.name in {
            "create_person",
            "give_grant",
            "make_api_token",
            "reauthenticate",
            "add_second_factor",
            "reset_second_factors",
            "approve_plan",
            "break_glass",
            "add_credential",
        }:
            assert action in PERSONS_ONLY, route.name
    assert ROOT_ONLY
