"""Signing in at a real identity provider over HTTP: groups and roles, keys that change, confirming again, and what goes wrong."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlmodel import select, text

from plumbline import auth
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import Person, WebSession
from plumbline.remediation.plans.approve import ConfirmAtProvider, confirm_person
from tests.api.conftest import served, the_app
from tests.api.world import WRITE, add_group
from tests.auth.provider_process import SECRET, RealProvider, free_port, go_through, is_installed, running_provider

pytestmark = pytest.mark.skipif(not is_installed(), reason="the identity provider of the tests is not installed (make e2e installs it)")

PEOPLE = {
    "mia": {"name": "Mia Storage", "groups": ["storage-team", "everybody"]},
    "raj": {"name": "Raj Approver", "groups": ["storage-approvers"], "email": "ana@example.com"},
    "tom": {"name": "Tom Elsewhere", "groups": ["cooks"]},
    "ana": {"name": "Another Ana", "groups": ["storage-team"]},
}
COOKIE = "plumbline-development"
# What a browser sends with a click on a page of ours.
FROM_OUR_PAGE = {"sec-fetch-site": "same-origin"}
Setup = Callable[..., httpx.Response]


@pytest.fixture
def base(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
    get_settings.cache_clear()
    with served(the_app()) as address:
        monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", address)
        get_settings.cache_clear()
        yield address
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.fixture
def real(base: str) -> Iterator[RealProvider]:
    with running_provider(port=free_port(), callback=f"{base}/api/v1/sign-in/callback", people=PEOPLE) as provider:
        yield provider


@pytest.fixture
def admin(base: str) -> Iterator[httpx.Client]:
    """A local admin, signed in by a session that no password was hashed for."""
    from plumbline.auth import sessions

    with session_scope() as session:
        person = Person(login="ana", display_name="Ana")
        session.add(person)
        session.flush()
        auth.people.add_grant(session, actor="system", person_id=person.id or 0, role="admin", group_id=1)
        cookie = sessions.start(session, person=person, address="", agent="")
    with httpx.Client(base_url=f"{base}/api/v1", headers=WRITE, cookies={COOKIE: cookie}, timeout=30) as client:
        yield client


@pytest.fixture
def set_up(admin: httpx.Client, real: RealProvider) -> Setup:
    def put(**changes: Any) -> httpx.Response:
        body = {"name": "Corp ID", "issuer": real.issuer, "client_id": "plumbline", "client_secret": SECRET, "is_enabled": True, **changes}
        return admin.put("/sign-in/provider", json={name: value for name, value in body.items() if value is not ...})

    assert put().status_code == 200
    for group, role in (("storage-team", "operator"), ("storage-approvers", "approver")):
        assert admin.post("/sign-in/groups", json={"oidc_group": group, "role": role, "group_id": 1}).status_code == 201
    return put


@pytest.fixture
def browser(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, headers={"x-plumbline": "1"} | FROM_OUR_PAGE, timeout=30) as client:
        yield client


def sign_in(browser: httpx.Client, login: str, next_path: str = "/hosts?q=esx") -> httpx.Response:
    return go_through(browser, str(browser.base_url.copy_with(path="/api/v1/sign-in/start", params={"next": next_path})), login)


def who(browser: httpx.Client) -> httpx.Response:
    return browser.get("/api/v1/session")


def acts(*names: str) -> list[AuditEntry]:
    with session_scope() as session:
        return [entry for entry in session.exec(select(AuditEntry).order_by(AuditEntry.id)) if entry.action in names]  # type: ignore[arg-type]


def test_a_person_comes_in_by_groups_and_lands_where_they_wanted(set_up: Setup, browser: httpx.Client, admin: httpx.Client) -> None:
    assert browser.get("/api/v1/setup").json()["provider"] == "Corp ID"
    landed = sign_in(browser, "mia")
    assert f"{landed.url.path}?{landed.url.query.decode()}" == "/hosts?q=esx"
    session = who(browser).json()
    assert session["person"]["login"] == "mia"
    assert session["person"]["display_name"] == "Mia Storage"
    assert [(role["role"], role["group_name"]) for role in session["roles"]] == [("operator", "All hosts")]
    assert session["provider"] == "Corp ID"
    mia = next(person for person in admin.get("/people").json() if person["login"] == "mia")
    assert mia["is_of_provider"] is True
    assert mia["oidc_groups"] == ["everybody", "storage-team"]
    assert [grant["people"] for grant in admin.get("/sign-in/groups").json() if grant["oidc_group"] == "storage-team"] == [1]
    assert admin.patch(f"/people/{mia['id']}", json={"password": "vine kettle orbit ten"}).status_code == 409
    assert {entry.action for entry in acts("person.created", "person.groups_changed", "grant.given", "sign_in_provider.changed")} == {
        "person.created", "person.groups_changed", "grant.given", "sign_in_provider.changed",
    }  # fmt: skip
    assert browser.cookies.get(f"{COOKIE}-sign-in") is None


def test_a_new_sign_in_ends_the_session_that_the_browser_had(set_up: Setup, browser: httpx.Client) -> None:
    sign_in(browser, "mia")
    first = browser.cookies[COOKIE]
    sign_in(browser, "mia")
    assert browser.cookies[COOKIE] != first
    assert who(browser).status_code == 200
    assert httpx.get(f"{str(browser.base_url).rstrip('/')}/api/v1/session", headers={"cookie": f"{COOKIE}={first}"}).status_code == 401


def test_somebody_whose_groups_have_no_role_stays_outside_and_leaves_no_account(set_up: Setup, browser: httpx.Client) -> None:
    landed = sign_in(browser, "tom", "/drift")
    assert (landed.url.path, landed.url.params["sign_in_problem"]) == ("/drift", "no_role_here")
    assert who(browser).status_code == 401
    with session_scope() as session:
        assert session.exec(select(Person).where(Person.oidc_subject == "id-of-tom")).first() is None
    (refused,) = acts("session.refused")
    assert refused.after is not None
    assert refused.after["code"] == "no_role_here"
    assert "cooks" in refused.reason


def test_an_account_is_never_joined_with_another_by_name_or_address(set_up: Setup, browser: httpx.Client, admin: httpx.Client) -> None:
    sign_in(browser, "ana")
    session = who(browser).json()
    assert session["person"]["login"] == "ana.2"
    assert {role["role"] for role in session["roles"]} == {"operator"}
    assert next(person for person in admin.get("/people").json() if person["login"] == "ana")["is_of_provider"] is False


def test_who_lost_a_group_loses_the_right_in_every_session_and_token(
    set_up: Setup, real: RealProvider, browser: httpx.Client, base: str
) -> None:
    sign_in(browser, "mia")
    token = browser.post("/api/v1/tokens", json={"name": "ci", "roles": ["operator"], "group_id": 1, "expires_days": 30}).json()["token"]
    bearer = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"{base}/api/v1/hosts", headers=bearer).status_code == 200
    real.note({"mia": {"name": "Mia Storage", "groups": ["storage-approvers"]}})
    with httpx.Client(base_url=base, headers={"x-plumbline": "1"} | FROM_OUR_PAGE, timeout=30) as phone:
        sign_in(phone, "mia")
        assert [role["role"] for role in who(phone).json()["roles"]] == ["approver"]
        assert [role["role"] for role in who(browser).json()["roles"]] == ["approver"]
        assert httpx.get(f"{base}/api/v1/hosts", headers=bearer).status_code == 403
        real.note({"mia": {"name": "Mia Storage", "groups": []}})
        landed = sign_in(phone, "mia")
        assert landed.url.params["sign_in_problem"] == "no_role_here"
    assert who(browser).status_code == 401


def test_groups_of_long_ago_no_longer_count_for_tokens(set_up: Setup, browser: httpx.Client, base: str) -> None:
    sign_in(browser, "mia")
    token = browser.post("/api/v1/tokens", json={"name": "ci", "roles": ["operator"], "group_id": 1, "expires_days": 90}).json()["token"]
    with session_scope() as session:
        session.execute(text("UPDATE person SET oidc_groups_at = oidc_groups_at - interval '31 days' WHERE oidc_issuer IS NOT NULL"))
    assert httpx.get(f"{base}/api/v1/hosts", headers={"authorization": f"Bearer {token}"}).status_code == 403


def test_a_role_on_a_branch_stays_on_the_branch(set_up: Setup, browser: httpx.Client, admin: httpx.Client) -> None:
    with session_scope() as session:
        branch = add_group(session, "PROD")
    given = admin.post("/sign-in/groups", json={"oidc_group": "cooks", "role": "viewer", "group_id": branch}).json()
    sign_in(browser, "tom")
    assert [(role["role"], role["group_name"]) for role in who(browser).json()["roles"]] == [("viewer", "PROD")]
    taken = next(grant["id"] for grant in given if grant["oidc_group"] == "cooks")
    assert admin.delete(f"/grants/{taken}").status_code == 204
    assert who(browser).json()["roles"] == []
    assert [entry.object_id for entry in acts("grant.taken")] == ["cooks"]


def test_keys_may_change_between_two_sign_ins(base: str, admin: httpx.Client, browser: httpx.Client) -> None:
    port, callback = free_port(), f"{base}/api/v1/sign-in/callback"
    body = {"name": "Corp ID", "issuer": f"http://127.0.0.1:{port}", "client_id": "plumbline", "client_secret": SECRET, "is_enabled": True}
    assert admin.put("/sign-in/provider", json=body).status_code == 200
    admin.post("/sign-in/groups", json={"oidc_group": "storage-team", "role": "operator", "group_id": 1})
    for key in ("first", "second"):
        browser.cookies.clear()
        with running_provider(port=port, callback=callback, people=PEOPLE, key=key):
            sign_in(browser, "mia")
            assert who(browser).status_code == 200
            assert admin.post("/sign-in/provider/try").json()["is_usable"] is True
    browser.cookies.clear()
    landed = sign_in(browser, "mia", "/drift")
    assert (landed.url.path, landed.url.params["sign_in_problem"]) == ("/drift", "provider_unreachable")
    tried = admin.post("/sign-in/provider/try").json()
    assert tried["is_usable"] is False
    assert "is unreachable" in tried["found"][0]["words"]


def test_an_approval_asks_for_a_confirmation_there_of_the_last_minutes(set_up: Setup, browser: httpx.Client, base: str) -> None:
    from plumbline.auth import sessions

    sign_in(browser, "raj")
    cookie = browser.cookies[COOKIE]

    def confirmed() -> bool:
        with session_scope() as session:
            try:
                confirm_person(session, actor=sessions.actor_of(session, cookie), password="")
            except ConfirmAtProvider:
                return False
        return True

    assert confirmed(), "the sign-in itself was a proof of this minute"
    with session_scope() as session:
        session.execute(text("UPDATE web_session SET authenticated_at = authenticated_at - interval '6 minutes'"))
    assert not confirmed()
    # Signed in there already: without asking anew the provider would let him through in silence.
    landed = go_through(browser, f"{base}/api/v1/sign-in/confirm", "raj")
    assert (landed.url.path, landed.url.query) == ("/confirmed", b"")
    assert confirmed()
    assert browser.cookies[COOKIE] == cookie, "the session goes on"
    assert len(acts("session.confirmed")) == 1


def test_a_confirmation_of_somebody_else_is_none(set_up: Setup, browser: httpx.Client, base: str) -> None:
    sign_in(browser, "raj")
    with session_scope() as session:
        session.execute(text("UPDATE web_session SET authenticated_at = authenticated_at - interval '6 minutes'"))
        before = session.exec(select(WebSession.authenticated_at).where(WebSession.is_by_provider)).one()
    landed = go_through(browser, f"{base}/api/v1/sign-in/confirm", "mia")
    assert (landed.url.path, landed.url.params["problem"]) == ("/confirmed", "somebody_else")
    with session_scope() as session:
        assert session.exec(select(WebSession.authenticated_at).where(WebSession.is_by_provider)).one() == before


def test_the_way_there_is_good_once_and_in_one_browser(set_up: Setup, browser: httpx.Client, base: str) -> None:
    seen: list[str] = []
    browser.event_hooks["request"] = [lambda request: seen.append(str(request.url))]
    sign_in(browser, "mia")
    callback = next(url for url in seen if "/sign-in/callback" in url)
    again = browser.get(callback)
    assert "sign_in_problem=attempt_over" in again.headers["location"]
    sent = next(url for url in seen if "/auth?" in url)
    query = httpx.URL(sent).params
    assert query["code_challenge_method"] == "S256"
    assert len(query["code_challenge"]) == 43
    assert query["response_type"] == "code"
    assert len({query["state"], query["nonce"], query["code_challenge"]}) == 3
    with httpx.Client(base_url=base, headers=FROM_OUR_PAGE, timeout=30) as other:
        begun = other.get("/api/v1/sign-in/start")
        stolen = callback.replace(httpx.URL(callback).params["state"], httpx.URL(begun.headers["location"]).params["state"])
        assert "sign_in_problem=provider_refused" in other.get(stolen).headers["location"]
        assert "sign_in_problem=attempt_over" in other.get(callback).headers["location"]
    with httpx.Client(base_url=base, headers=FROM_OUR_PAGE, timeout=30) as third:
        third.get("/api/v1/sign-in/start")
        assert "sign_in_problem=identity_unproven" in third.get(callback).headers["location"]


def test_an_attempt_ends_after_ten_minutes(set_up: Setup, browser: httpx.Client, base: str) -> None:
    begun = browser.get("/api/v1/sign-in/start")
    with session_scope() as session:
        session.execute(text("UPDATE oidc_flow SET started_at = started_at - interval '11 minutes'"))
    landed = go_through(browser, begun.headers["location"], "mia")
    assert landed.url.params["sign_in_problem"] == "attempt_over"


def test_switching_it_off_ends_what_was_begun_there_and_nothing_else(set_up: Setup, browser: httpx.Client, admin: httpx.Client) -> None:
    sign_in(browser, "mia")
    kept = set_up(is_enabled=False, client_secret=...)
    assert kept.status_code == 200
    assert kept.json()["secret"] == "kept"
    assert who(browser).status_code == 401
    assert browser.get("/api/v1/setup").json()["provider"] is None
    assert sign_in(browser, "mia", "/").url.params["sign_in_problem"] == "provider_off"
    assert admin.get("/people").status_code == 200
    assert set_up(client_secret=...).status_code == 200
    sign_in(browser, "mia")
    assert who(browser).status_code == 200


def test_an_admin_of_the_provider_does_not_shut_the_door_behind_everybody(
    set_up: Setup, browser: httpx.Client, admin: httpx.Client
) -> None:
    admin.post("/sign-in/groups", json={"oidc_group": "storage-team", "role": "admin", "group_id": 1})
    sign_in(browser, "mia")
    body = {**admin.get("/sign-in/provider").json(), "is_enabled": False}
    asked = {name: body[name] for name in ("name", "issuer", "client_id", "is_enabled")}
    answer = browser.put("/api/v1/sign-in/provider", json=asked)
    assert answer.status_code == 409
    assert "local admin" in answer.json()["detail"]
    own = next(grant["id"] for grant in admin.get("/sign-in/groups").json() if grant["role"] == "admin")
    assert browser.delete(f"/api/v1/grants/{own}").status_code == 409


def test_a_closed_account_stays_closed(set_up: Setup, browser: httpx.Client, admin: httpx.Client) -> None:
    sign_in(browser, "mia")
    mia = next(person["id"] for person in admin.get("/people").json() if person["login"] == "mia")
    assert admin.patch(f"/people/{mia}", json={"is_disabled": True}).status_code == 200
    assert who(browser).status_code == 401
    assert sign_in(browser, "mia").url.params["sign_in_problem"] == "account_closed"


def test_the_secret_is_written_and_never_read(set_up: Setup, admin: httpx.Client, keys_folder: Path, browser: httpx.Client, tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    shown = admin.get("/sign-in/provider")
    assert shown.json()["secret"] == "kept"
    with session_scope() as session:
        row = session.execute(text("SELECT * FROM oidc_provider")).one()
        entries = str([entry.model_dump() for entry in session.exec(select(AuditEntry))])
    assert SECRET not in shown.text
    assert SECRET not in entries
    assert SECRET.encode() not in bytes(row.client_secret)
    assert (keys_folder / "sign-in.key").stat().st_mode & 0o077 == 0
    # The kept secret belongs to its issuer: pointing elsewhere does not carry it along.
    assert set_up(issuer="https://elsewhere.example", client_secret=...).json()["secret"] == "none"
    set_up()
    # Another key opens nothing, and says so.
    (keys_folder / "sign-in.key").write_text("00" * 32)
    assert sign_in(browser, "mia").url.params["sign_in_problem"] == "secret_closed"
    file = tmp_path / "secret"
    file.write_text(SECRET + "\n")
    monkeypatch.setenv("PLUMBLINE_OIDC_CLIENT_SECRET_FILE", str(file))
    get_settings.cache_clear()
    assert admin.get("/sign-in/provider").json()["secret"] == "file"
    sign_in(browser, "mia")
    assert who(browser).status_code == 200


def test_a_wrong_secret_is_the_providers_refusal(set_up: Setup, browser: httpx.Client) -> None:
    assert set_up(client_secret="not the secret of this client").status_code == 200
    assert sign_in(browser, "mia").url.params["sign_in_problem"] == "provider_refused"


def test_signing_out_can_go_on_to_the_provider(set_up: Setup, browser: httpx.Client, real: RealProvider, base: str) -> None:
    sign_in(browser, "mia")
    assert browser.delete("/api/v1/session").status_code == 204
    out = httpx.URL(browser.get("/api/v1/sign-in/out").headers["location"])
    assert str(out).startswith(real.issuer)
    assert (out.params["client_id"], out.params["post_logout_redirect_uri"]) == ("plumbline", f"{base}/")
    assert browser.get(str(out)).status_code == 200
    set_up(is_enabled=False, client_secret=...)
    assert browser.get("/api/v1/sign-in/out").headers["location"] == f"{base}/"


@pytest.mark.parametrize(
    ("asked", "lands"), [("/hosts?q=a", "/hosts?q=a"), ("//evil.example", "/"), ("/\\evil.example", "/"), ("https://evil.example", "/"),
                         ("/api/v1/audit", "/"), ("/a\tb", "/"), ("", "/")],
)  # fmt: skip
def test_nobody_is_sent_to_another_site_afterwards(base: str, browser: httpx.Client, asked: str, lands: str) -> None:
    """Nothing is set up: the answer leads back at once, to a page of ours."""
    answer = browser.get("/api/v1/sign-in/start", params={"next": asked})
    assert answer.headers["location"] == f"{lands}{'&' if '?' in lands else '?'}sign_in_problem=provider_off"
    assert "attempt_over" in browser.get("/api/v1/sign-in/callback?code=x&state=y").headers["location"]
    assert acts("session.refused") == [], "a stranger fills no audit trail"


def test_begun_at_another_name_it_moves_to_the_public_one_first(base: str) -> None:
    """To the page there, whose button sets the cookie where the provider sends people back to."""
    port = urlsplit(base).port
    answer = httpx.get(f"http://localhost:{port}/api/v1/sign-in/start?next=/drift", headers=FROM_OUR_PAGE)
    assert answer.headers["location"] == f"{base}/drift"
    # A proxy that sends a name of its own does not make the two addresses send the browser to and fro.
    there = httpx.get(f"http://localhost:{port}/api/v1/sign-in/start?next=/drift", headers=FROM_OUR_PAGE | {"referer": f"{base}/drift"})
    assert there.headers["location"] == "/drift?sign_in_problem=provider_off"


ELSEWHERE = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "cross-site", "referer": "{base}/"},
    {"referer": "https://evil.example/"},
    {"referer": "{base}.evil.example/"},
    {},
]


@pytest.mark.parametrize("sent", ELSEWHERE)
def test_no_other_site_begins_a_sign_in_or_a_confirmation(set_up: Setup, browser: httpx.Client, base: str, sent: dict[str, str]) -> None:
    """Whoever is signed in at the provider would else be signed in here, by a link that they did not click on a page of ours."""
    sign_in(browser, "raj")
    with session_scope() as session:
        session.execute(text("DELETE FROM oidc_flow"))
    headers = {name: value.format(base=base) for name, value in sent.items()}
    with httpx.Client(base_url=base, headers=headers, cookies={COOKIE: browser.cookies[COOKIE]}, timeout=30) as elsewhere:
        begun = elsewhere.get("/api/v1/sign-in/start", params={"next": "/drift"})
        assert (begun.status_code, begun.headers["location"]) == (303, "/drift"), "the page, where the person may click the button"
        confirming = elsewhere.get("/api/v1/sign-in/confirm")
        assert (confirming.status_code, confirming.headers["location"]) == (303, "/")
        assert "set-cookie" not in begun.headers
        assert "set-cookie" not in confirming.headers
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM oidc_flow")).scalar_one() == 0


def test_a_browser_that_names_the_page_only_signs_in(set_up: Setup, base: str, real: RealProvider) -> None:
    with httpx.Client(base_url=base, headers={"referer": f"{base}/hosts"}, timeout=30) as old:
        assert old.get("/api/v1/sign-in/start").headers["location"].startswith(real.issuer)


def test_attempts_of_one_network_have_a_limit(set_up: Setup, browser: httpx.Client) -> None:
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO oidc_flow (id_hash, kind, next, network) "
                "SELECT sha256(n::text::bytea), 'sign_in', '/', '127.0.0.0/24' FROM generate_series(1, 100) n"
            )
        )
    assert "too_many_requests" in browser.get("/api/v1/sign-in/start").headers["location"]


def test_proof_of_the_sign_in_lasts_no_longer_than_the_rule_says() -> None:
    from plumbline.auth.oidc_sign_in import CONFIRMED_WITHIN
    from plumbline.remediation.plans.approve import REAUTHENTICATED_WITHIN

    assert CONFIRMED_WITHIN == REAUTHENTICATED_WITHIN == timedelta(minutes=5)
