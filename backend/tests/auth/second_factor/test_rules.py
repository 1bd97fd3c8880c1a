"""Who adds, removes and needs second factors, and a confirmation by one."""

from typing import Any

import pyotp
import pytest
from sqlmodel import select, text

from plumbline import auth
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from tests.auth.second_factor.people import (
    OTHER,
    PASSWORD,
    acts,
    add_app,
    add_passkey,
    browser,
    code_of,
    decide,
    password_step,
    second_step,
    sign,
    signed_in,
)
from tests.auth.soft_passkey import SoftPasskey


def test_adding_and_removing_ask_for_the_password(base: str) -> None:
    with signed_in(base, "raj") as client, signed_in(base, "raj") as elsewhere:
        refused = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": "wrong"})
        assert refused.status_code == 401
        _, codes = add_app(client)
        # With the first factor, sessions that began without it are over.
        assert elsewhere.get("/session").status_code == 401
        factor = client.get("/session/second-factors").json()["factors"][0]["id"]
        assert client.post(f"/session/second-factors/{factor}/remove", json={"password": "wrong"}).status_code == 401
        with signed_in(base, "ana") as ana:
            assert ana.post(f"/session/second-factors/{factor}/remove", json={"password": PASSWORD}).status_code == 404
        assert client.post(f"/session/second-factors/{factor}/remove", json={"password": PASSWORD}).status_code == 204
        assert client.get("/session/second-factors").json()["recovery_codes_left"] == 0
    with browser(base) as client:
        assert password_step(client, "raj").status_code == 200
    assert codes
    assert "person.second_factor_removed" in acts()


def test_a_step_of_one_session_does_not_work_in_another(base: str) -> None:
    with signed_in(base, "raj") as client, signed_in(base, "ana") as ana:
        begun = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD}).json()
        body = {"step": begun["step"], "name": "x", "code": pyotp.TOTP(begun["authenticator"]["secret"]).now()}
        assert ana.post("/session/second-factors", json=body).json()["code"] == "second_step_over"
        # Nor is it a sign-in.
        assert ana.post("/session/second-step", json={"step": begun["step"], "code": body["code"]}).status_code == 401


def test_people_of_the_provider_have_theirs_there(base: str) -> None:
    with signed_in(base, "raj") as client:
        with session_scope() as session:
            session.execute(
                text("UPDATE person SET password_hash = NULL, oidc_issuer = 'https://p', oidc_subject = 's' WHERE login = 'raj'")
            )
        refused = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD})
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")


def test_ten_factors_are_the_most(base: str) -> None:
    with signed_in(base, "raj") as client:
        for _ in range(10):
            assert add_passkey(client, SoftPasskey()).status_code == 201
        refused = client.post("/session/second-factors/begin", json={"kind": "passkey", "password": PASSWORD})
        assert (refused.status_code, refused.json()["code"]) == (409, "too_many_factors")


def test_an_admin_removes_a_lost_factor_and_the_person_decides_after_a_new_password(base: str) -> None:
    with signed_in(base, "raj") as client, signed_in(base, "ana") as admin:
        add_app(client)
        rows = {row["login"]: row for row in admin.get("/people").json()}
        assert (rows["raj"]["has_second_factor"], rows["ana"]["has_second_factor"]) == (True, False)
        raj, ana = rows["raj"]["id"], rows["ana"]["id"]
        assert admin.delete(f"/people/{ana}/second-factors").status_code == 409
        assert admin.delete(f"/people/{raj}/second-factors").status_code == 204
        assert admin.delete(f"/people/{raj}/second-factors").status_code == 409
        assert admin.delete("/people/999999/second-factors").status_code == 404
        assert client.get("/session").status_code == 401
    with signed_in(base, "raj") as client:
        assert decide(client) == (403, "own_password_first")
        assert client.post("/session/password", json={"password": PASSWORD, "new_password": OTHER}).status_code == 204
        assert decide(client, OTHER) == (404, "plan_not_found")
    with session_scope() as session:
        entry = session.exec(select(AuditEntry).where(AuditEntry.action == "person.second_factor_reset")).one()
    assert entry.before == {"factors": [{"kind": "authenticator", "name": "Phone"}]}
    assert entry.actor.endswith(" ana")


def test_a_new_password_by_an_admin_leaves_the_second_factor(base: str) -> None:
    with signed_in(base, "raj") as client:
        add_app(client)
    with signed_in(base, "ana") as admin:
        raj = next(row["id"] for row in admin.get("/people").json() if row["login"] == "raj")
        assert admin.patch(f"/people/{raj}", json={"password": OTHER}).status_code == 200
    with browser(base) as client:
        assert password_step(client, "raj", OTHER).status_code == 202


# --- Required, and in place of the password ---


def test_people_who_approve_need_one_where_it_is_required(base: str) -> None:
    with signed_in(base, "ana") as admin, signed_in(base, "raj") as client:
        assert client.put("/sign-in/policy", json={"is_second_factor_required": False}).status_code == 403
        assert admin.get("/sign-in/policy").json() == {"is_second_factor_required": False}
        assert decide(client) == (404, "plan_not_found")
        assert admin.put("/sign-in/policy", json={"is_second_factor_required": True}).json() == {"is_second_factor_required": True}
        assert decide(client) == (403, "second_factor_first")
        assert client.get("/session").json()["must_add_second_factor"] is True
        assert admin.get("/session").json()["must_add_second_factor"] is True
        with session_scope() as session:
            auth.create_person(session, actor="system", login="vic", display_name="Vic", password=PASSWORD, roles=[("viewer", 1)])
        with signed_in(base, "vic") as viewer:
            assert viewer.get("/session").json()["must_add_second_factor"] is False
        # Everything else goes on.
        assert client.get("/plans").status_code == 200
        secret, _ = add_app(client)
        assert decide(client) == (404, "plan_not_found")
        with browser(base) as again:
            second_step(again, password_step(again, "raj"), code=code_of(secret))
            assert again.get("/session").json()["must_add_second_factor"] is False
            assert decide(again) == (404, "plan_not_found")
        factor = client.get("/session/second-factors").json()["factors"][0]["id"]
        assert client.post(f"/session/second-factors/{factor}/remove", json={"password": PASSWORD}).status_code == 204
        assert decide(client) == (403, "second_factor_first")
        assert admin.put("/sign-in/policy", json={"is_second_factor_required": False}).status_code == 200
        assert decide(client) == (404, "plan_not_found")
    assert acts().count("sign_in_policy.changed") == 2


def test_people_of_the_provider_are_not_asked_for_one_of_ours(base: str) -> None:
    with signed_in(base, "ana") as admin, signed_in(base, "raj") as client:
        assert admin.put("/sign-in/policy", json={"is_second_factor_required": True}).status_code == 200
        with session_scope() as session:
            session.execute(text("UPDATE web_session SET is_by_provider = true"))
        assert decide(client) == (404, "plan_not_found")


def test_a_code_or_a_passkey_confirms_in_place_of_the_password(base: str) -> None:
    passkey, weak = SoftPasskey(), SoftPasskey(is_verified=False)
    with signed_in(base, "raj") as client:
        assert client.post("/session/confirm").json()["code"] == "no_passkey"
        secret, codes = add_app(client)
        assert add_passkey(client, passkey).status_code == 201
        assert add_passkey(client, weak).status_code == 201
        assert sign(client, "") == (403, "wrong_password")
        # A sign-in just now is no confirmation, and a recovery code is for signing in only.
        assert client.post("/session/reauthenticate", json={"code": codes[0]}).json()["code"] == "second_step_refused"
        assert client.post("/session/reauthenticate", json={"code": "000000"}).status_code == 401
        assert sign(client, "") == (403, "wrong_password")
        assert client.post("/session/reauthenticate", json={"code": code_of(secret)}).status_code == 204
        assert sign(client, "") == (404, "not_found")
        assert sign(client, "wrong") == (403, "wrong_password")
        with session_scope() as session:
            session.execute(text("UPDATE web_session SET confirmed_at = confirmed_at - interval '5 minutes 1 second'"))
        assert sign(client, "") == (403, "wrong_password")
        begun = client.post("/session/confirm").json()
        assert begun["passkey"]["userVerification"] == "required"
        # A passkey that asked for neither PIN nor finger takes the place of no password.
        body = {"step": begun["step"], "passkey": weak.get(begun["passkey"])}
        assert client.post("/session/reauthenticate", json=body).json()["code"] == "second_step_refused"
        body = {"step": begun["step"], "passkey": passkey.get(begun["passkey"])}
        assert client.post("/session/reauthenticate", json=body).status_code == 204
        assert sign(client, "") == (404, "not_found")
        assert client.get("/session").json()["confirmed_at"] is not None


@pytest.mark.parametrize("body", [{}, {"password": PASSWORD, "code": "123456"}, {"step": "A" * 43}, {"passkey": {}}, {"code": ""}])
def test_a_confirmation_is_one_thing(base: str, body: dict[str, Any]) -> None:
    with signed_in(base, "raj") as client:
        assert client.post("/session/reauthenticate", json=body).status_code == 422


def test_a_confirmation_is_counted_by_session(base: str) -> None:
    with signed_in(base, "raj") as client:
        add_app(client)
        codes = [client.post("/session/reauthenticate", json={"code": "000000"}).status_code for _ in range(11)]
        assert codes == [401] * 10 + [429]
        assert client.post("/session/reauthenticate", json={"password": PASSWORD}).status_code == 429
        # Another session is not kept out, and neither is a sign-in.
    with browser(base) as other:
        assert password_step(other, "raj").status_code == 202
