"""An authenticator app as the second step, its limits, and recovery codes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pyotp
import pytest
from sqlmodel import select, text

from plumbline.auth import attempts
from plumbline.auth.second_factor_check import hash_recovery_code
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import Person, RecoveryCode
from tests.auth.second_factor.people import OTHER, PASSWORD, acts, add_app, browser, code_of, password_step, second_step, signed_in


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


@pytest.mark.parametrize(("steps", "is_right"), [(-2, False), (-1, True), (0, True), (1, False), (2, False)])
def test_a_code_is_right_in_its_half_minute_and_the_next(steps: int, is_right: bool) -> None:
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


def test_codes_of_the_shorter_kind_work_and_are_named_until_there_are_new_ones(base: str) -> None:
    short = ["abcd-efgh-jkmn-pqrs", "bcde-fghj-kmnp-qrst"]
    with signed_in(base, "raj") as client:
        add_app(client)
        assert client.get("/session/second-factors").json()["are_recovery_codes_short"] is False
    with session_scope() as session:
        raj = session.execute(text("SELECT id FROM person WHERE login = 'raj'")).scalar_one()
        session.execute(text("DELETE FROM recovery_code"))
        session.add_all(RecoveryCode(code_hash=hash_recovery_code(raj, code), person_id=raj, is_short=True) for code in short)
    with browser(base) as client:
        assert second_step(client, password_step(client, "raj"), code=short[0]).status_code == 200
        assert client.get("/session/second-factors").json()["are_recovery_codes_short"] is True
        assert client.post("/session/recovery-codes", json={"password": PASSWORD}).status_code == 201
        assert client.get("/session/second-factors").json()["are_recovery_codes_short"] is False
        assert second_step(client, password_step(client, "raj"), code=short[1]).status_code == 401


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
