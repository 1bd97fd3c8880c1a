"""Two people means two people: no one approves with a role they gave themselves, or while an admin's password or grant is all they have.

And what people do with their own passwords and sessions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlmodel import Session, select, text

from plumbline import auth
from plumbline.auth import passwords
from plumbline.auth.actor import Role
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import ApiToken, Person
from tests.api.conftest import served, the_app
from tests.api.world import WRITE, add_group

PASSWORD, OTHER = "vine kettle orbit ten", "copper lantern seven hills"


@pytest.fixture
def base(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The application, with passwords that cost nothing."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: f"plain {password}")
    for module in ("sessions", "sign_in"):
        monkeypatch.setattr(f"plumbline.auth.{module}.verify_password", lambda given, stored: (stored == f"plain {given}", None))
    with session_scope() as session:
        auth.create_person(session, actor="system", login="ana", display_name="Ana", password=PASSWORD, roles=[("admin", 1)])
    with served(the_app()) as address:
        yield f"{address}/api/v1"


@contextmanager
def signed_in(base: str, login: str, password: str = PASSWORD) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, headers=WRITE, timeout=30) as client:
        answer = client.post("/session", json={"login": login, "password": password})
        assert answer.status_code == 200, answer.text
        yield client


def add(login: str, *roles: tuple[Role, int]) -> int:
    """A person who set their own password."""
    with session_scope() as session:
        made = auth.create_person(session, actor="system", login=login, display_name=login, password=PASSWORD, roles=list(roles))
        return made.id or 0


def decide(client: httpx.Client) -> tuple[int, str]:
    """The answer to a decision: past the rights, there is no such plan."""
    answer = client.post("/plans/999999/approve", json={"password": PASSWORD})
    return answer.status_code, answer.json()["code"]


def test_nobody_grants_themselves_a_role_that_approves(base: str) -> None:
    with session_scope() as session:
        ana = session.exec(select(Person.id).where(Person.login == "ana")).one()
        session.execute(text("UPDATE person SET oidc_groups = '{san-ops}' WHERE login = 'ana'"))
    with signed_in(base, "ana") as client:
        refused = client.post("/grants", json={"person_id": ana, "role": "approver", "group_id": 1})
        assert (refused.status_code, refused.json()["code"]) == (403, "own_grant")
        by_group = client.post("/sign-in/groups", json={"oidc_group": "san-ops", "role": "approver", "group_id": 1})
        assert (by_group.status_code, by_group.json()["code"]) == (403, "own_grant")
        assert client.post("/sign-in/groups", json={"oidc_group": "others", "role": "approver", "group_id": 1}).status_code == 201
        assert client.post("/grants", json={"person_id": ana, "role": "viewer", "group_id": 1}).status_code == 201
        # It changed nothing about what they may decide: the roles were theirs before.
        assert client.get("/session").json()["must_set_password"] is False


def test_an_account_that_an_admin_made_decides_after_it_has_a_password_of_its_own(base: str) -> None:
    body = {"login": "raj", "display_name": "Raj", "password": PASSWORD, "roles": [{"role": "approver", "group_id": 1}]}
    with signed_in(base, "ana") as client:
        assert client.post("/people", json=body).status_code == 201
    with signed_in(base, "raj") as client:
        assert client.get("/session").json()["must_set_password"] is True
        assert decide(client) == (403, "own_password_first")
        assert client.post("/standing-approvals", json={}).json()["code"] == "own_password_first"
        wrong = client.post("/session/password", json={"password": "wrong", "new_password": OTHER})
        assert (wrong.status_code, wrong.json()["code"]) == (401, "sign_in_refused")
        for weak in (PASSWORD, "short", "password1234"):
            answer = client.post("/session/password", json={"password": PASSWORD, "new_password": weak})
            assert (answer.status_code, answer.json()["code"]) == (422, "password_too_weak")
        assert decide(client) == (403, "own_password_first")
        assert client.post("/session/password", json={"password": PASSWORD, "new_password": OTHER}).status_code == 204
        assert decide(client) == (404, "plan_not_found")
        assert client.get("/session").json()["must_set_password"] is False
    assert httpx.post(f"{base}/session", json={"login": "raj", "password": PASSWORD}, headers=WRITE).status_code == 401
    with session_scope() as session:
        raj = session.exec(select(Person).where(Person.login == "raj")).one()
        assert raj.rights_changed_at is not None
        everything = str([entry.model_dump() for entry in session.exec(select(AuditEntry))])
    assert OTHER not in everything
    assert "person.password_set" in everything


@pytest.mark.parametrize("change", ["grant", "take", "password", "enable"])
def test_whatever_an_admin_changes_about_a_persons_rights_asks_for_a_password_of_their_own(base: str, change: str) -> None:
    raj = add("raj", ("approver", 1), ("viewer", 1))
    with signed_in(base, "raj") as client:
        assert decide(client) == (404, "plan_not_found")
    with signed_in(base, "ana") as admin:
        if change == "grant":
            assert admin.post("/grants", json={"person_id": raj, "role": "operator", "group_id": 1}).status_code == 201
        elif change == "take":
            grants = next(row for row in admin.get("/people").json() if row["login"] == "raj")["grants"]
            assert admin.delete(f"/grants/{next(each['id'] for each in grants if each['role'] == 'viewer')}").status_code == 204
        elif change == "password":
            assert admin.patch(f"/people/{raj}", json={"password": OTHER}).status_code == 200
        else:
            for is_disabled in (True, False):
                assert admin.patch(f"/people/{raj}", json={"is_disabled": is_disabled}).status_code == 200
    with signed_in(base, "raj", OTHER if change == "password" else PASSWORD) as client:
        assert decide(client) == (403, "own_password_first")


def test_the_same_grant_given_again_and_another_name_change_nothing(base: str) -> None:
    raj = add("raj", ("approver", 1))
    with signed_in(base, "ana") as admin:
        assert admin.post("/grants", json={"person_id": raj, "role": "approver", "group_id": 1}).status_code == 201
        assert admin.patch(f"/people/{raj}", json={"display_name": "Raj K."}).status_code == 200
    with signed_in(base, "raj") as client:
        assert decide(client) == (404, "plan_not_found")


def test_a_password_that_an_admin_sets_ends_sessions_and_tokens(base: str) -> None:
    raj = add("raj", ("viewer", 1))
    with signed_in(base, "raj") as client, signed_in(base, "ana") as admin:
        body = {"name": "t", "roles": ["viewer"], "group_id": 1, "expires_days": 9}
        token = client.post("/tokens", json=body).json()["token"]
        by_token = {"authorization": f"Bearer {token}"}
        assert httpx.get(f"{base}/hosts", headers=by_token).status_code == 200
        assert admin.patch(f"/people/{raj}", json={"password": OTHER}).status_code == 200
        assert client.get("/session").status_code == 401
        assert httpx.get(f"{base}/hosts", headers=by_token).status_code == 401
        # An admin changes their own password where the present one is asked for.
        ana = next(row["id"] for row in admin.get("/people").json() if row["login"] == "ana")
        assert admin.patch(f"/people/{ana}", json={"password": OTHER}).status_code == 409
    with session_scope() as session:
        assert session.exec(select(ApiToken.revoked_at)).one() is not None


def test_people_see_and_end_their_own_sessions_and_no_others(base: str) -> None:
    with signed_in(base, "ana") as one, signed_in(base, "ana") as two, signed_in(base, "ana") as three:
        add("raj", ("viewer", 1))
        with signed_in(base, "raj") as other:
            listed = one.get("/session/all").json()
            assert [row["is_this"] for row in listed] == [True, False, False]
            assert one.cookies["plumbline-development"] not in str(listed)
            mine = next(row["key"] for row in two.get("/session/all").json() if row["is_this"])
            assert other.delete(f"/session/all/{mine}").status_code == 404
            assert one.delete(f"/session/all/{listed[0]['key']}").status_code == 409
            assert one.delete(f"/session/all/{mine}").status_code == 204
            assert one.delete(f"/session/all/{mine}").status_code == 404
            assert [client.get("/session").status_code for client in (one, two, three, other)] == [200, 401, 200, 200]
            assert one.post("/session/end-others").status_code == 204
            assert [client.get("/session").status_code for client in (one, three, other)] == [200, 401, 200]
            assert len(one.get("/session/all").json()) == 1


def test_setting_ones_own_password_ends_the_other_sessions(base: str) -> None:
    with signed_in(base, "ana") as one, signed_in(base, "ana") as two:
        assert one.post("/session/password", json={"password": PASSWORD, "new_password": OTHER}).status_code == 204
        assert [client.get("/session").status_code for client in (one, two)] == [200, 401]


def test_an_admin_of_a_group_sees_only_the_grants_of_that_group(base: str) -> None:
    with session_scope() as session:
        here, there = add_group(session, "HERE"), add_group(session, "THERE")
    add("bea", ("admin", here))
    raj = add("raj", ("viewer", there), ("operator", 1))
    with signed_in(base, "bea") as admin:
        row = admin.post("/grants", json={"person_id": raj, "role": "viewer", "group_id": here}).json()
        assert [(each["role"], each["group_name"]) for each in row["grants"]] == [("viewer", "HERE")]
        assert (row["last_signed_in_at"], row["oidc_groups"]) == (None, [])
    with signed_in(base, "ana") as admin:
        assert len(admin.post("/grants", json={"person_id": raj, "role": "viewer", "group_id": here}).json()["grants"]) == 3


def test_only_the_background_worker_numbers_entries_and_signs_heads(session: Session) -> None:
    """Of the API's role; what an executor may do is asked in the same way by the tests of its tables."""
    for statement in (
        "INSERT INTO audit_entry (actor, action, object_kind, object_id, reason, request_id, number, hash)"
        " VALUES ('system', 'test', '', '', '', '', 1, 'x')",
        "INSERT INTO audit_head (number, hash, signature) VALUES (1, 'x', 'x')",
        "UPDATE audit_head SET hash = 'x'",
        "DELETE FROM audit_head",
    ):
        with pytest.raises(Exception, match=r"permission denied|never when it is written"), session.begin_nested():
            session.execute(text(statement))
    for role, may in (("plumbline_executor", "SELECT"), ("plumbline_api", "SELECT"), ("plumbline_background", "INSERT,SELECT")):
        held = session.execute(
            text(
                "SELECT string_agg(p, ',' ORDER BY p) FROM unnest(ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE']) AS p"
                " WHERE has_table_privilege(:role, 'audit_head', p)"
            ),
            {"role": role},
        ).scalar_one()
        assert (role, held) == (role, may)
