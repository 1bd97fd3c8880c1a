"""Signing in and out over a real socket: limits, sessions, the set-up code, people and their grants."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlmodel import select, text

from plumbline import auth
from plumbline.auth import people, sessions
from plumbline.auth.sessions import hash_id
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import Person, WebSession
from tests.api.conftest import served, the_app
from tests.api.test_counts import counted
from tests.api.world import WRITE

PASSWORD = "vine kettle orbit ten"
COOKIE = "plumbline-development"


@pytest.fixture
def client(fresh_database: str, keys_folder: Path) -> Iterator[httpx.Client]:
    with served(the_app()) as base, httpx.Client(base_url=f"{base}/api/v1", headers=WRITE, timeout=30) as client:
        yield client


@pytest.fixture
def ana(fresh_database: str) -> int:
    with session_scope() as session:
        person = auth.create_person(session, actor="system", login="ana", display_name="Ana", password=PASSWORD, roles=[("admin", 1)])
        assert person.id is not None
        return person.id


def sign_in(client: httpx.Client, login: str = "ana", password: str = PASSWORD) -> httpx.Response:
    return client.post("/session", json={"login": login, "password": password})


def test_sign_in_gives_a_new_opaque_id_each_time_and_keeps_its_hash_only(client: httpx.Client, ana: int) -> None:
    first = sign_in(client)
    assert first.status_code == 200
    assert first.json()["person"]["login"] == "ana"
    assert first.json()["can"]["enrol"] is True
    assert first.json()["can"]["export"] is False
    one = client.cookies[COOKIE]
    header = first.headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=lax" in header
    assert "path=/" in header
    client.cookies.clear()
    assert sign_in(client, "ANA").status_code == 200
    assert client.cookies[COOKIE] != one
    with session_scope() as session:
        kept = {row.id_hash for row in session.exec(select(WebSession))}
    assert kept == {hash_id(one), hash_id(client.cookies[COOKIE])}
    assert one.encode() not in b"".join(kept)


def test_with_tls_the_cookie_is_bound_to_the_host(client: httpx.Client, ana: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_IS_TLS", "true")
    get_settings.cache_clear()
    try:
        header = sign_in(client).headers["set-cookie"]
    finally:
        monkeypatch.delenv("PLUMBLINE_IS_TLS")
        get_settings.cache_clear()
    assert header.startswith("__Host-plumbline=")
    assert "Secure" in header
    assert "Domain" not in header


def test_wrong_password_unknown_login_and_disabled_account_read_the_same(client: httpx.Client, ana: int) -> None:
    with session_scope() as session:
        other = auth.create_person(session, actor="system", login="raj", display_name="Raj", password=PASSWORD)
        other.is_disabled = True
        session.add(other)
    answers = [sign_in(client, password="wrong " + PASSWORD), sign_in(client, "nobody"), sign_in(client, "raj")]
    shown = [{key: value for key, value in answer.json().items() if key != "request_id"} for answer in answers]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert shown[0] == shown[1] == shown[2]
    assert not client.cookies


def test_an_account_that_exists_costs_no_more_work_than_one_that_does_not(client: httpx.Client, ana: int) -> None:
    """Else the time of an answer says which accounts exist: a write more is some milliseconds (fault run S6)."""

    def work(login: str) -> list[str]:
        with counted() as seen:
            assert sign_in(client, login, "wrong " + PASSWORD).status_code == 401
        return ["read" if statement.lstrip().upper().startswith(("SELECT", "WITH")) else "write" for statement in seen]

    work("somebody")
    known, unknown = work("ana"), work("nobody")
    assert known == unknown
    assert "write" in known
    assert work("ana") == work("nobody"), "the second try of a row, of which the audit log has no entry"


@pytest.mark.parametrize(
    ("column", "back", "status"),
    [("last_used_at", timedelta(minutes=29), 200), ("last_used_at", timedelta(minutes=31), 401), ("expires_at", timedelta(hours=13), 401)],
)
def test_sessions_end_by_idleness_and_by_age(client: httpx.Client, ana: int, column: str, back: timedelta, status: int) -> None:
    sign_in(client)
    with session_scope() as session:
        session.execute(text(f"UPDATE web_session SET {column} = {column} - CAST(:back AS interval)"), {"back": back})
    assert client.get("/session").status_code == status


def test_a_new_sign_in_ends_the_session_that_the_browser_had(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    first = client.cookies[COOKIE]
    assert sign_in(client, password="wrong " + PASSWORD).status_code == 401
    assert client.get("/session").status_code == 200
    assert sign_in(client).status_code == 200
    assert client.cookies[COOKIE] != first
    assert client.get("/session").status_code == 200
    assert httpx.get(f"{client.base_url}session", headers={"cookie": f"{COOKIE}={first}"}).status_code == 401


def test_signing_out_ends_the_session_on_the_server(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    kept = client.cookies[COOKIE]
    assert client.delete("/session").status_code == 204
    assert client.get("/session", headers={"cookie": f"{COOKIE}={kept}"}).status_code == 401


def test_a_disabled_account_is_out_at_once(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    with session_scope() as session:
        person = session.get_one(Person, ana)
        person.is_disabled = True
        session.add(person)
    assert client.get("/session").status_code == 401


def test_reauthentication_needs_the_password(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    assert client.post("/session/reauthenticate", json={"password": "wrong"}).status_code == 401
    assert client.post("/session/reauthenticate", json={"password": PASSWORD}).status_code == 204
    assert client.get("/session").status_code == 200


def test_time_zone_is_a_real_one(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    assert client.patch("/session", json={"time_zone": "Mars/Olympus"}).status_code == 422
    assert client.patch("/session", json={"time_zone": "Europe/Berlin"}).json()["person"]["time_zone"] == "Europe/Berlin"
    assert client.get("/session").json()["person"]["time_zone"] == "Europe/Berlin"


def test_the_first_admin_by_a_code_that_works_once(client: httpx.Client) -> None:
    assert client.get("/setup").json()["needs_setup"] is True
    # A browser without a cookie need not ask who is signed in, and be refused.
    assert client.get("/setup").json()["has_cookie"] is False
    with session_scope() as session:
        old = auth.make_setup_code(session)
    with session_scope() as session:
        code = auth.make_setup_code(session)
    body = {"login": "ana", "display_name": "Ana", "password": PASSWORD}
    assert client.post("/setup", json={"code": "wrong", **body}).status_code == 403
    assert client.post("/setup", json={"code": old, **body}).status_code == 403
    assert client.post("/setup", json={"code": code, **body, "password": "password1234"}).status_code == 422
    made = client.post("/setup", json={"code": f" {code.upper()} ", **body})
    assert made.status_code == 201
    assert {role["role"] for role in made.json()["roles"]} == {"admin", "viewer"}
    assert client.get("/session").status_code == 200
    assert client.post("/setup", json={"code": code, **body, "login": "eve"}).status_code == 409
    assert client.get("/setup").json()["needs_setup"] is False
    assert client.get("/setup").json()["has_cookie"] is True
    with session_scope() as session:
        assert auth.make_setup_code(session) == ""


def test_demo_people_are_one_for_each_role_with_passwords_of_their_own(client: httpx.Client) -> None:
    with session_scope() as session:
        made = auth.create_demo_people(session)
    assert [role for _, role, _ in made] == ["viewer", "operator", "approver", "admin"]
    assert len({password for _, _, password in made}) == 4
    login, role, password = made[1]
    signed_in = sign_in(client, login, password).json()
    assert [each["role"] for each in signed_in["roles"]] == [role]
    assert signed_in["is_demo"] is True


def test_people_and_grants(client: httpx.Client, ana: int) -> None:
    sign_in(client)
    made = client.post(
        "/people", json={"login": "raj", "display_name": "Raj", "password": PASSWORD, "roles": [{"role": "viewer", "group_id": 1}]}
    )
    assert made.status_code == 201
    raj = made.json()["id"]
    assert client.post("/people", json={"login": "RAJ", "display_name": "x", "password": PASSWORD}).status_code == 409
    granted = client.post("/grants", json={"person_id": raj, "role": "approver", "group_id": 1}).json()
    assert {grant["role"] for grant in granted["grants"]} == {"viewer", "approver"}
    taken = next(grant["id"] for grant in granted["grants"] if grant["role"] == "viewer")
    assert client.delete(f"/grants/{taken}").status_code == 204
    mine = next(person for person in client.get("/people").json() if person["login"] == "ana")["grants"][0]["id"]
    assert client.delete(f"/grants/{mine}").status_code == 409
    assert client.patch(f"/people/{ana}", json={"is_disabled": True}).status_code == 409
    with session_scope() as session:
        theirs = sessions.start(session, person=session.get_one(Person, raj), address="", agent="")
    assert client.patch(f"/people/{raj}", json={"password": "other kettle orbit ten"}).status_code == 200
    with session_scope() as session, pytest.raises(sessions.NotSignedIn):
        sessions.actor_of(session, theirs)
    with session_scope() as session:
        acts = [entry.action for entry in session.exec(select(AuditEntry).order_by(AuditEntry.id))]  # type: ignore[arg-type]
        everything = str([entry.model_dump() for entry in session.exec(select(AuditEntry))])
    assert {"person.created", "grant.given", "grant.taken", "person.changed", "session.started"} <= set(acts)
    assert PASSWORD not in everything
    assert "argon2" not in everything


def test_two_answers_to_one_code_make_one_admin(client: httpx.Client) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with session_scope() as session:
        code = auth.make_setup_code(session)

    def finish(number: int) -> int:
        body = {"code": code, "login": f"ana{number}", "display_name": "Ana", "password": PASSWORD}
        return client.post("/setup", json=body).status_code

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(finish, range(4)))
    assert answers == [201, 409, 409, 409]
    with session_scope() as session:
        assert len(people.list_people(session)) == 1
