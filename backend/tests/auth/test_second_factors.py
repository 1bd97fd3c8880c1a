"""Second factors of local accounts: authenticator apps, passkeys, recovery codes, and what requires them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest
from sqlmodel import select, text

from plumbline import auth
from plumbline.auth import attempts, passwords
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import Person
from tests.api.conftest import served, the_app
from tests.api.world import WRITE
from tests.auth.soft_passkey import SoftPasskey, encoded

PASSWORD, OTHER = "vine kettle orbit ten", "copper lantern seven hills"
COOKIE = "plumbline-development"


@pytest.fixture
def base(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The application, with passwords that cost nothing, and the people ana (admin) and raj (approver)."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: f"plain {password}")
    for module in ("sessions", "sign_in"):
        monkeypatch.setattr(f"plumbline.auth.{module}.verify_password", lambda given, stored: (stored == f"plain {given}", None))
    with session_scope() as session:
        auth.create_person(session, actor="system", login="ana", display_name="Ana", password=PASSWORD, roles=[("admin", 1)])
        auth.create_person(session, actor="system", login="raj", display_name="Raj", password=PASSWORD, roles=[("approver", 1)])
    with served(the_app()) as address:
        yield f"{address}/api/v1"


def browser(base: str) -> httpx.Client:
    return httpx.Client(base_url=base, headers=WRITE, timeout=30)


def password_step(client: httpx.Client, login: str, password: str = PASSWORD) -> httpx.Response:
    return client.post("/session", json={"login": login, "password": password})


@contextmanager
def signed_in(base: str, login: str) -> Iterator[httpx.Client]:
    with browser(base) as client:
        assert password_step(client, login).status_code == 200
        yield client


def code_of(secret: str) -> str:
    """The code that the app shows now. Codes that were used before are forgotten, as if half a minute had passed."""
    with session_scope() as session:
        session.execute(text("UPDATE second_factor SET last_step = 0"))
    return pyotp.TOTP(secret).now()


def add_app(client: httpx.Client, name: str = "Phone") -> tuple[str, list[str]]:
    """Adds an authenticator app; answers its secret and the recovery codes."""
    begun = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD})
    assert begun.status_code == 200, begun.text
    setup = begun.json()["authenticator"]
    body = {"step": begun.json()["step"], "name": name, "code": pyotp.TOTP(setup["secret"]).now()}
    added = client.post("/session/second-factors", json=body)
    assert added.status_code == 201, added.text
    return setup["secret"], added.json()["recovery_codes"]


def add_passkey(client: httpx.Client, passkey: SoftPasskey, name: str = "Key") -> httpx.Response:
    begun = client.post("/session/second-factors/begin", json={"kind": "passkey", "password": PASSWORD})
    assert begun.status_code == 200, begun.text
    body = {"step": begun.json()["step"], "name": name, "passkey": passkey.create(begun.json()["passkey"])}
    return client.post("/session/second-factors", json=body)


def second_step(client: httpx.Client, started: httpx.Response, **proof: Any) -> httpx.Response:
    return client.post("/session/second-step", json={"step": started.json()["step"], **proof})


def decide(client: httpx.Client, password: str = PASSWORD) -> tuple[int, str]:
    """The answer to a decision: past the rights and the confirmation, there is no such plan."""
    answer = client.post("/plans/999999/approve", json={"password": password})
    return answer.status_code, answer.json()["code"]


def sign(client: httpx.Client, password: str) -> tuple[int, str]:
    """The answer to an act that asks for a confirmation: past it, there is no such group."""
    items = [{"setting": "adapter.flow_control", "value": "rx_tx"}]
    body = {"name": "on call", "group_ids": [999999], "items": items, "largest_impact": "adapter_restart", "password": password}
    answer = client.post("/standing-approvals", json={**body, "expires_at": (datetime.now(UTC) + timedelta(days=9)).isoformat()})
    return answer.status_code, answer.json()["code"]


def acts() -> list[str]:
    with session_scope() as session:
        return list(session.exec(select(AuditEntry.action).order_by(AuditEntry.id)))  # type: ignore[arg-type]


# --- Authenticator app ---


def test_an_app_is_asked_for_after_the_password(base: str) -> None:
    with signed_in(base, "raj") as client:
        assert client.get("/session").json()["second_factors"] == []
        secret, codes = add_app(client)
        assert len(set(codes)) == 10
        listed = client.get("/session/second-factors").json()
        assert [(each["kind"], each["name"]) for each in listed["factors"]] == [("authenticator", "Phone")]
        assert listed["recovery_codes_left"] == 10
        assert client.get("/session").json()["second_factors"] == ["authenticator"]
    with browser(base) as client:
        started = password_step(client, "raj")
        assert started.status_code == 202
        assert started.json()["methods"] == ["authenticator", "recovery_code"]
        assert not client.cookies
        assert client.get("/session").status_code == 401
        done = second_step(client, started, code=code_of(secret))
        assert (done.status_code, done.json()["person"]["login"]) == (200, "raj")
        assert client.get("/session").status_code == 200
        # The step is over once it was completed.
        again = second_step(client, started, code=code_of(secret))
        assert (again.status_code, again.json()["code"]) == (401, "second_step_over")
    with session_scope() as session:
        everything = str(session.execute(text("SELECT second_factor::text FROM second_factor")).all())
        audited = str([entry.model_dump() for entry in session.exec(select(AuditEntry))])
    assert secret not in everything + audited
    assert not any(code in audited for code in codes)
    assert {"person.second_factor_added", "person.recovery_codes_made"} <= set(acts())


def test_a_second_step_ends_the_session_that_the_browser_had(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, _ = add_app(client)
    with browser(base) as client:
        assert second_step(client, password_step(client, "raj"), code=code_of(secret)).status_code == 200
        (first,) = client.cookies.jar
        with session_scope() as session:
            session.execute(text("UPDATE second_factor SET last_step = 0"))
        started = password_step(client, "raj")
        # Until the second step is done the session goes on: a password alone ends nobody's session.
        assert client.get("/session").status_code == 200
        assert second_step(client, started, code=code_of(secret)).status_code == 200
        assert client.get("/session").status_code == 200
    ended = httpx.get(f"{base}/session", headers={"cookie": f"{first.name}={first.value}"})
    assert ended.status_code == 401


def test_the_setup_is_what_apps_read(base: str) -> None:
    with signed_in(base, "raj") as client:
        begun = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD}).json()
    setup = begun["authenticator"]
    parsed = pyotp.parse_uri(setup["address"])
    assert isinstance(parsed, pyotp.TOTP)
    assert (parsed.secret, parsed.name, parsed.issuer, parsed.digits, parsed.interval) == (setup["secret"], "raj", "Plumbline", 6, 30)
    assert setup["qr_code"].startswith("data:image/svg+xml")
    assert len(setup["secret"]) == 32


def test_nothing_is_asked_for_before_the_first_code_was_right(base: str) -> None:
    with signed_in(base, "raj") as client:
        begun = client.post("/session/second-factors/begin", json={"kind": "authenticator", "password": PASSWORD}).json()
        wrong = client.post("/session/second-factors", json={"step": begun["step"], "name": "Phone", "code": "000000"})
        assert (wrong.status_code, wrong.json()["code"]) == (401, "second_step_refused")
        assert client.get("/session/second-factors").json()["factors"] == []
    with browser(base) as client:
        assert password_step(client, "raj").status_code == 200


def test_a_code_works_once_even_for_two_requests_at_once(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, _ = add_app(client)
    clients = [browser(base) for _ in range(4)]
    started = [password_step(client, "raj") for client in clients]
    code = code_of(secret)

    def answer(number: int) -> int:
        return second_step(clients[number], started[number], code=code).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(answer, range(4))) == [200, 401, 401, 401]
    # The code with which the app was added is used up as well.
    with session_scope() as session:
        session.execute(text("UPDATE second_factor SET last_step = 0"))
    with browser(base) as client:
        assert second_step(client, password_step(client, "raj"), code=code).status_code == 200
        assert second_step(client, password_step(client, "raj"), code=code).status_code == 401
    for client in clients:
        client.close()


@pytest.mark.parametrize(("steps", "is_right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_codes_of_the_step_before_and_after_are_right(steps: int, is_right: bool) -> None:
    from plumbline.auth import one_time_codes

    now = datetime(2026, 11, 25, 12, 0, 7, tzinfo=UTC)
    secret = one_time_codes.new_secret()
    code = pyotp.TOTP(secret).at(now, counter_offset=steps)
    present = int(now.timestamp()) // 30
    assert one_time_codes.step_of(secret, code, now=now, after=0) == (present + steps if is_right else None)
    assert one_time_codes.step_of(secret, code, now=now, after=present + steps) is None


def test_the_second_step_is_limited_and_leaves_a_trace(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, _ = add_app(client)
    with browser(base) as client:
        started = password_step(client, "raj")
        wrong = [second_step(client, started, code="000000").status_code for _ in range(attempts.TRIES_PER_ACCOUNT)]
        assert set(wrong) == {401}
        over = second_step(client, started, code=code_of(secret))
        assert over.status_code == 429
        assert int(over.headers["retry-after"]) <= 900
        # Neither another step nor another password resets it, and the password itself is not locked.
        assert second_step(client, password_step(client, "raj"), code=code_of(secret)).status_code == 429
    with session_scope() as session:
        noted = session.execute(text("SELECT action, reason FROM audit_entry WHERE action LIKE 'session.%' ORDER BY id DESC LIMIT 2")).all()
    assert [tuple(row) for row in noted] == [("session.locked_out", "wrong code"), ("session.refused", "wrong code")]


def test_guessing_from_many_networks_is_limited(base: str) -> None:
    with session_scope() as session:
        raj = session.exec(select(Person.id).where(Person.login == "raj")).one()
        for number in range(attempts.STEPS_PER_ACCOUNT_EVERYWHERE):
            statement = "INSERT INTO failed_sign_in (login, network) VALUES (:login, :network)"
            session.execute(text(statement), {"login": f"second:{raj}", "network": f"10.0.{number}.0/24"})
    from plumbline.infra.errors import TooManyRequests

    with pytest.raises(TooManyRequests):
        attempts.Attempt.of_second_step(raj or 0, "192.0.2.7").refuse()
    # A network from which the person signed in lately is not kept out by that.
    with session_scope() as session:
        from plumbline.auth import sessions

        sessions.start(session, person=session.get_one(Person, raj), address="192.0.2.9", agent="")
    attempts.Attempt.of_second_step(raj or 0, "192.0.2.7").refuse()


def test_a_step_ends_after_five_minutes_and_with_the_password(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, _ = add_app(client)
        with browser(base) as other:
            started = password_step(other, "raj")
            with session_scope() as session:
                session.execute(text("UPDATE second_step SET started_at = started_at - interval '5 minutes 1 second'"))
            assert second_step(other, started, code=code_of(secret)).json()["code"] == "second_step_over"
            started = password_step(other, "raj")
            assert client.post("/session/password", json={"password": PASSWORD, "new_password": OTHER}).status_code == 204
            assert second_step(other, started, code=code_of(secret)).json()["code"] == "second_step_over"
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM second_step")).scalar_one() == 0


def test_an_account_disabled_between_the_steps_is_refused(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, _ = add_app(client)
    with browser(base) as client:
        started = password_step(client, "raj")
        with session_scope() as session:
            session.execute(text("UPDATE person SET is_disabled = true WHERE login = 'raj'"))
        assert second_step(client, started, code=code_of(secret)).json()["code"] == "sign_in_refused"


def test_strangers_learn_nothing_of_second_factors(base: str) -> None:
    with signed_in(base, "raj") as client:
        add_app(client)
    with browser(base) as client:
        answers = [password_step(client, login, "wrong " + PASSWORD).json() for login in ("raj", "ana", "nobody")]
    shown = [{key: value for key, value in answer.items() if key != "request_id"} for answer in answers]
    assert shown[0] == shown[1] == shown[2]


def test_another_key_file_says_what_to_do_and_recovery_codes_still_work(base: str) -> None:
    with signed_in(base, "raj") as client:
        secret, codes = add_app(client)
    (get_settings().keys / "sign-in.key").write_text("ab" * 32)
    with browser(base) as client:
        closed = second_step(client, password_step(client, "raj"), code=code_of(secret))
        assert (closed.status_code, closed.json()["code"]) == (503, "secret_closed")
        assert "recovery code" in closed.json()["detail"]
        assert second_step(client, password_step(client, "raj"), code=codes[0]).status_code == 200


# --- Recovery codes ---


def test_a_recovery_code_works_once_and_is_seen(base: str) -> None:
    with signed_in(base, "raj") as client:
        _, codes = add_app(client)
    with browser(base) as client:
        shouted = codes[0].upper().replace("-", " ")
        assert second_step(client, password_step(client, "raj"), code=shouted).status_code == 200
        assert client.get("/session/second-factors").json()["recovery_codes_left"] == 9
        assert second_step(client, password_step(client, "raj"), code=codes[0]).status_code == 401
        made = client.post("/session/recovery-codes", json={"password": PASSWORD})
        assert (made.status_code, len(made.json()["codes"])) == (201, 10)
        assert second_step(client, password_step(client, "raj"), code=codes[1]).status_code == 401
        assert second_step(client, password_step(client, "raj"), code=made.json()["codes"][1]).status_code == 200
    assert "person.recovery_code_used" in acts()


def test_a_recovery_code_is_one_persons(base: str) -> None:
    with signed_in(base, "raj") as raj, signed_in(base, "ana") as ana:
        _, codes = add_app(raj)
        add_app(ana)
    with browser(base) as client:
        assert second_step(client, password_step(client, "ana"), code=codes[0]).status_code == 401
    with browser(base) as client:
        assert second_step(client, password_step(client, "raj"), code=codes[0]).status_code == 200


def test_recovery_codes_need_a_factor_and_the_password(base: str) -> None:
    with signed_in(base, "raj") as client:
        assert client.post("/session/recovery-codes", json={"password": PASSWORD}).status_code == 409
        add_app(client)
        assert client.post("/session/recovery-codes", json={"password": "wrong"}).status_code == 401


# --- Passkeys ---


def test_a_passkey_is_added_and_asked_for(base: str) -> None:
    passkey = SoftPasskey()
    with signed_in(base, "raj") as client:
        added = add_passkey(client, passkey)
        assert (added.status_code, added.json()["factor"]["kind"], len(added.json()["recovery_codes"])) == (201, "passkey", 10)
        assert add_passkey(client, passkey).status_code == 409
        assert len(add_passkey(client, SoftPasskey(), "Other").json()["recovery_codes"]) == 0
    with browser(base) as client:
        started = password_step(client, "raj")
        assert started.json()["methods"] == ["passkey", "recovery_code"]
        options = started.json()["passkey"]
        assert options["rpId"] == "localhost"
        assert encoded(passkey.id) in [each["id"] for each in options["allowCredentials"]]
        assert second_step(client, started, passkey=passkey.get(options)).status_code == 200
        assert client.get("/session/second-factors").json()["factors"][0]["last_used_at"] is not None


@pytest.mark.parametrize("wrong", ["challenge", "origin", "key", "copy", "foreign", "replayed"])
def test_a_passkeys_answer_has_to_be_its_own_fresh_and_of_this_site(base: str, wrong: str) -> None:
    passkey, foreign = SoftPasskey(), SoftPasskey()
    with signed_in(base, "raj") as client:
        assert add_passkey(client, passkey).status_code == 201
    with signed_in(base, "ana") as client:
        assert add_passkey(client, foreign).status_code == 201
    with browser(base) as client:
        started = password_step(client, "raj")
        options = started.json()["passkey"]
        if wrong == "challenge":
            options["challenge"] = encoded(b"another challenge of 32 bytes...")
        elif wrong == "origin":
            passkey.origin = "http://localhost.evil.example:8080"
        elif wrong == "key":
            passkey.key = SoftPasskey().key
        elif wrong == "copy":
            assert second_step(client, started, passkey=passkey.get(options)).status_code == 200
            started = password_step(client, "raj")
            options, passkey.count = started.json()["passkey"], 0
        answer = foreign.get(options) if wrong == "foreign" else passkey.get(options)
        if wrong == "replayed":
            assert second_step(client, started, passkey=answer).status_code == 200
            client.cookies.clear()
            started = password_step(client, "raj")
        refused = second_step(client, started, passkey=answer)
        assert (refused.status_code, refused.json()["code"]) == (401, "second_step_refused"), refused.text


def test_mutilated_answers_are_refused_and_never_an_error(base: str) -> None:
    passkey = SoftPasskey()
    with signed_in(base, "raj") as client:
        assert add_passkey(client, passkey).status_code == 201
        begun = client.post("/session/second-factors/begin", json={"kind": "passkey", "password": PASSWORD}).json()
        seen = set()
        for raw in (b"", b"\xff", b"\x9f" * 3000, b"\xbf\xff", b"\xa3cfmt", b"\x5b\xff\xff\xff\xff\xff\xff\xff\xff", bytes(400)):
            answer = SoftPasskey().create(begun["passkey"])
            answer["response"]["attestationObject"] = encoded(raw)
            seen.add(client.post("/session/second-factors", json={"step": begun["step"], "name": "x", "passkey": answer}).status_code)
        with session_scope() as session:
            session.execute(text("DELETE FROM failed_sign_in"))
        started = password_step(client, "raj")
        for field, raw in (("authenticatorData", b"\0" * 3), ("clientDataJSON", b"[]"), ("clientDataJSON", b"\xff{"), ("signature", b"")):
            answer = passkey.get(started.json()["passkey"])
            answer["response"][field] = encoded(raw)
            seen.add(second_step(client, started, passkey=answer).status_code)
        for body in ({"id": "A", "rawId": "A"}, {**passkey.get(started.json()["passkey"]), "id": "not base64!"}):
            seen.add(second_step(client, started, passkey=body).status_code)
    assert seen == {401, 422}


@pytest.mark.parametrize(
    ("url", "host", "origin"),
    [
        ("http://127.0.0.1:8080", "localhost", "http://localhost:8080"),
        ("http://[::1]:8080/", "localhost", "http://localhost:8080"),
        ("https://plumbline.example", "plumbline.example", "https://plumbline.example"),
        ("https://plumbline.example:443/", "plumbline.example", "https://plumbline.example"),
        ("https://plumbline.example:8443", "plumbline.example", "https://plumbline.example:8443"),
        ("https://10.0.0.5:8080", "", "passkeys need a host name"),
        ("http://plumbline.example", "", "over https only"),
    ],
)
def test_where_passkeys_work(monkeypatch: pytest.MonkeyPatch, url: str, host: str, origin: str) -> None:
    from plumbline.auth import passkeys

    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", url)
    get_settings.cache_clear()
    try:
        if host:
            assert passkeys.place() == passkeys.Place(host=host, origin=origin)
        else:
            with pytest.raises(passkeys.PasskeysNotPossible, match=origin):
                passkeys.place()
    finally:
        monkeypatch.delenv("PLUMBLINE_PUBLIC_URL")
        get_settings.cache_clear()


# --- What people and admins do ---


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
