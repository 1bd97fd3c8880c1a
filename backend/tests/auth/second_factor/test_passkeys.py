"""Passkeys: what they sign, and where they work."""

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from tests.auth.second_factor.people import PASSWORD, add_passkey, browser, password_step, second_step, signed_in
from tests.auth.soft_passkey import SoftPasskey, encoded


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
