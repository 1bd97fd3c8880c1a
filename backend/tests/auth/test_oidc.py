"""What a provider may not get away with, and where Plumbline does not call: no database, a lying provider over HTTP."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from plumbline.auth import oidc_client
from plumbline.infra import http_client
from plumbline.infra.settings import get_settings
from tests.auth.crooked_provider import CLIENT_SECRET, STRANGER, Crooked, crooked_provider, shared_key
from tests.dripping import dripping

ASKED = oidc_client.SignInState(state="the-state", nonce="the-nonce", code_verifier="v" * 43)
NOW = int(time.time())
_MOVED = (NOW - 3600, NOW + 3600)


pytestmark = pytest.mark.usefixtures("loopback")


@pytest.fixture
def liar() -> Iterator[Crooked]:
    with crooked_provider() as said:
        said.nonce = ASKED.nonce
        yield said


def client(liar: Crooked) -> oidc_client.Client:
    return oidc_client.Client(
        issuer=liar.issuer, client_id="plumbline", client_secret=CLIENT_SECRET, redirect_uri="https://plumbline.example/back",
        scopes="openid profile", groups_claim="groups", login_claim="preferred_username",
    )  # fmt: skip


def identify(liar: Crooked, **answer: str) -> oidc_client.Identity:
    mine = client(liar)
    brought = {"state": ASKED.state, "code": "c0de", **answer}
    return oidc_client.identify(mine, oidc_client.discover(mine), ASKED, answer=brought, now=datetime.now(UTC))


def test_an_honest_answer_names_somebody(liar: Crooked) -> None:
    identity = identify(liar)
    assert (identity.issuer, identity.subject, identity.login, identity.display_name) == (liar.issuer, "u1", "uone", "U One")
    assert identity.groups == ("team",)
    assert identity.proven_at is not None
    (asked,) = liar.asked
    assert asked["code_verifier"] == ASKED.code_verifier
    assert asked["redirect_uri"] == "https://plumbline.example/back"
    assert asked["grant_type"] == "authorization_code"


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"aud": "another"},
        {"aud": ["plumbline", "another"]},
        {"aud": ["plumbline", "another"], "azp": "plumbline"},
        {"aud": None},
        {"azp": "another"},
        {"exp": NOW - 3600},
        {"exp": None},
        {"iat": NOW + 3600},
        {"iat": None},
        {"nbf": NOW + 3600},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 256},
        {"sub": "u\u202e1"},
        {"sub": 7},
        {"exp": "soon"},
        {"at_hash": "bm90LXRoZS1oYXNo"},
        {"auth_time": "yesterday"},
    ],
    # Every worker of the tests collects this file in its own second: a time must not stand in a name.
    ids=lambda claims: "-".join(f"{name}={'moved' if value in _MOVED else str(value)[:12]}" for name, value in claims.items()),
)
def test_a_token_that_does_not_hold_is_refused(liar: Crooked, claims: dict[str, Any]) -> None:
    liar.claims = claims
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)


def test_clocks_may_differ_by_a_minute(liar: Crooked) -> None:
    liar.claims = {"exp": int(time.time()) - 30, "iat": int(time.time()) + 30}
    assert identify(liar).subject == "u1"


@pytest.mark.parametrize("header", [{"alg": "none"}, {"alg": "HS256", "kid": "its-own"}, {"alg": "RS256", "kid": "unheard-of"}])
def test_only_the_providers_own_key_signs(liar: Crooked, header: dict[str, str]) -> None:
    liar.header = header
    if header["alg"] == "HS256":
        liar.key = shared_key()
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)


def test_a_strangers_key_under_the_same_name_signs_nothing(liar: Crooked) -> None:
    liar.key = STRANGER
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"state": "another"}, oidc_client.IdentityUnproven),
        ({"state": ""}, oidc_client.IdentityUnproven),
        ({"iss": "https://elsewhere.example"}, oidc_client.IdentityUnproven),
        ({"code": ""}, oidc_client.IdentityUnproven),
        ({"error": "access_denied"}, oidc_client.ProviderRefused),
    ],
)
def test_an_answer_that_is_not_ours_is_refused(liar: Crooked, answer: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        identify(liar, **answer)
    assert liar.asked == [], "no code was shown to anybody"


def test_a_provider_that_announces_its_name_has_to_say_it(liar: Crooked) -> None:
    liar.document = {"authorization_response_iss_parameter_supported": True}
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)
    assert identify(liar, iss=liar.issuer).subject == "u1"


@pytest.mark.parametrize(
    "document",
    [{"issuer": "https://elsewhere.example"}, {"issuer": None}, {"token_endpoint": None}, {"jwks_uri": 7},
     {"authorization_endpoint": "javascript:alert(1)"}, {"end_session_endpoint": "http://elsewhere.example/out"}],
)  # fmt: skip
def test_documents_that_cannot_be_used_are_told(liar: Crooked, document: dict[str, Any]) -> None:
    liar.document = document
    with pytest.raises(oidc_client.ProviderUnreachable):
        oidc_client.discover(client(liar))


def test_no_id_token_names_nobody(liar: Crooked) -> None:
    liar.token = {"id_token": None}
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)


def test_groups_may_stand_in_the_user_info_of_the_same_person(liar: Crooked) -> None:
    liar.claims = {"groups": None}
    liar.userinfo = {"sub": "u1", "groups": ["b", "a", "a"], "name": "Not this one"}
    assert identify(liar).groups == ("a", "b")
    assert identify(liar).display_name == "U One"
    liar.userinfo = {"sub": "u2", "groups": ["admins"]}
    with pytest.raises(oidc_client.IdentityUnproven):
        identify(liar)


@pytest.mark.parametrize(
    ("claims", "groups"),
    [({"groups": "one"}, ("one",)), ({"groups": []}, ()), ({"groups": ["b", "a", "", "x" * 300, "c\n"]}, ("a", "b"))],
)
def test_groups_are_read_as_they_come(claims: dict[str, Any], groups: tuple[str, ...]) -> None:
    assert oidc_client.groups_of(claims, "groups") == groups


@pytest.mark.parametrize(
    "claims", [{}, {"groups": {"a": 1}}, {"groups": [1, 2]}, {"groups": None}, {"groups": [f"g{number}" for number in range(501)]},
               {"_claim_names": {"groups": "src1"}}],
)  # fmt: skip
def test_groups_that_are_not_known_are_not_taken_for_none(claims: dict[str, Any]) -> None:
    with pytest.raises(oidc_client.GroupsUnknown):
        oidc_client.groups_of(claims, "groups")


def test_a_redirect_is_not_followed_and_a_flood_is_cut(liar: Crooked) -> None:
    liar.answer = lambda path: (302, {"location": "http://169.254.169.254/latest"}, b"")  # type: ignore[method-assign]
    with pytest.raises(oidc_client.ProviderUnreachable, match="302"):
        oidc_client.discover(client(liar))
    liar.answer = lambda path: (200, {"content-type": "application/json"}, b" " * (http_client.LARGEST_ANSWER + 1))  # type: ignore[method-assign]
    with pytest.raises(oidc_client.ProviderUnreachable, match="longer"):
        oidc_client.discover(client(liar))
    liar.answer = lambda path: (200, {}, b"<html>")  # type: ignore[method-assign]
    with pytest.raises(oidc_client.ProviderUnreachable, match="JSON"):
        oidc_client.discover(client(liar))


def test_the_secret_goes_the_way_that_the_provider_takes(liar: Crooked) -> None:
    identify(liar)
    assert "client_secret" not in liar.asked[-1], "by default in the header"
    liar.document = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    identify(liar)
    assert liar.asked[-1]["client_secret"] == CLIENT_SECRET
    mine = replace(client(liar), client_secret="")
    oidc_client.identify(mine, oidc_client.discover(mine), ASKED, answer={"state": ASKED.state, "code": "c"}, now=datetime.now(UTC))
    assert "client_secret" not in liar.asked[-1]
    assert liar.asked[-1]["client_id"] == "plumbline"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.9.9.9", "::1", "169.254.169.254", "fe80::1%eth0", "0.0.0.0", "::", "::ffff:127.0.0.1", "::ffff:169.254.169.254",
     "224.0.0.1", "ff02::1", "2002:7f00:1::", "100.100.100.200", "fd00:ec2::254"],
)  # fmt: skip
def test_addresses_of_this_machine_and_its_neighbourhood_are_not_called(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "false")
    get_settings.cache_clear()
    assert http_client.is_refused(address)


@pytest.mark.parametrize("address", ["10.1.2.3", "192.168.1.1", "172.16.9.9", "fd00::1", "198.41.0.4", "2001:503:ba3e::2:30"])
def test_the_sites_own_and_the_worlds_are(address: str) -> None:
    assert not http_client.is_refused(address)


@pytest.mark.parametrize(
    "url", ["http://idp.example", "ftp://idp.example", "https://", "https://a:b@idp.example", "https://idp.example/#x", "javascript:1",
            "//x", "https://[::1", "https://xn--", "https://xn--a/", "https://a:99999/", "https://a:-1/", "https://a:0/"],
)  # fmt: skip
def test_addresses_that_are_none_of_ours_to_call(url: str) -> None:
    with pytest.raises(http_client.AddressRefused):
        http_client.check_url(url)


def test_without_leave_loopback_is_refused_before_anything_is_sent(liar: Crooked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "false")
    get_settings.cache_clear()
    with pytest.raises(oidc_client.ProviderUnreachable, match="https"):
        oidc_client.discover(client(liar))
    with httpx.Client(**http_client.client_options()) as mine, pytest.raises(http_client.AddressRefused, match="is not allowed"):
        mine.get(liar.issuer.replace("http://127.0.0.1", "https://localhost"))


@pytest.mark.parametrize("is_header", [True, False])
def test_an_answer_without_end_is_cut(is_header: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then: no single wait is long, and the whole would never end."""
    monkeypatch.setattr(http_client, "WHOLE_SECONDS", 0.3)
    with dripping(b"HTTP/1.1 200 OK\r\nx: " if is_header else b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n") as address:
        began = time.monotonic()
        with httpx.Client(**http_client.client_options()) as mine, pytest.raises(httpx.TimeoutException):
            mine.get(address)
        assert time.monotonic() - began < 5


def test_what_connects_without_our_client_is_looked_at_as_it_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the name was looked up before: it is the address of the very connection that counts. Other threads are left alone."""
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "false")
    get_settings.cache_clear()
    with dripping(b"") as place:
        port = int(place.rpartition(":")[2])
        with http_client.guarded_connections(5) as watch:
            with pytest.raises(OSError, match="is not allowed"):
                socket.create_connection(("localhost", port), timeout=2)
            assert "127.0.0.1" in watch.refused or "::1" in watch.refused
            with ThreadPoolExecutor(1) as others:
                others.submit(lambda: socket.create_connection(("127.0.0.1", port), timeout=2).close()).result(5)
        socket.create_connection(("127.0.0.1", port), timeout=2).close()


def test_a_connection_that_is_cut_ends_under_tls_too() -> None:
    """TLS takes the socket over that was looked at; what is cut is the connection."""
    with dripping(b"") as place, http_client.guarded_connections(0.2) as watch:
        plain = socket.create_connection(("127.0.0.1", int(place.rpartition(":")[2])), timeout=5)
        moved = socket.socket(fileno=plain.detach())
        moved.settimeout(5)
        began = time.monotonic()
        with moved:
            while moved.recv(10):
                assert time.monotonic() - began < 4
        assert watch.is_timed_out
