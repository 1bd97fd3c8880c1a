"""Tickets over real wires: what the ticket system gets, what stands on the change or problem afterwards, what is never sent twice."""

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlmodel import text

from plumbline.auth.actor import ROOT_PATH, Actor, Grant
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.notify import send, tickets
from plumbline.notify.schemas import TicketCreate
from plumbline.ops import embedded_servers
from plumbline.packs.library import read_library
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.test_counts import cost_of
from tests.api.test_on_call import make_job
from tests.api.world import World, add_change
from tests.notify.receivers import Receiver, web_receiver
from tests.notify.requests import as_background_worker, as_owner, due_now, make, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]

pytestmark = pytest.mark.usefixtures("loopback")

FORM = {
    "body": '{"short_description": "{{title}}", "description": "{{description}}", "cmdb_ci": "{{hosts}}", "opened_by": "{{requested_by}}",'
    ' "correlation_id": "{{id}}", "assignment_group": "{{group}}"}',
    "number": "result.number",
    "link": "https://desk.example.com/incident/{{number}}",
}
CREATED = (201, {"content-type": "application/json"}, b'{"result": {"number": "INC0010002"}}')


@pytest.fixture
def deliver(cluster: embedded_servers.PostgresCluster, api_database: str) -> Any:
    def step() -> int:
        due_now(cluster, api_database)
        with as_background_worker(cluster, api_database):
            return send.deliver()

    return step


@pytest.fixture
def system(ask: Ask, web: Receiver) -> Iterator[int]:
    """A ticket system of all hosts."""
    made = make(
        ask, way="ticket", name="Service desk", kinds=[], address=f"{web.address}/api/now/table/incident", ticket_form=FORM,
        ticket_login={"account": "plumbline", "password": "s3cret-w0rd"},
    )  # fmt: skip
    assert made.status_code == 201, made.text
    yield made.json()["id"]
    retire(ask, made.json()["id"])


@pytest.fixture
def changes(world: World) -> list[int]:
    """Two changes of sql-01."""
    with session_scope() as session:
        for key in ("rss", "receive_window"):
            add_change(session, world.hosts["sql-01"], ("host", ""), key, "on", "off")
        found = session.execute(
            text("SELECT id FROM setting_change WHERE host_id = :host ORDER BY id DESC LIMIT 2"), {"host": world.hosts["sql-01"]}
        )
        return sorted(found.scalars())


def sent(ask: Ask, system: int, changes: list[int], who: str = "operator", **more: Any) -> Any:
    return ask(
        who, "POST", "/tickets", json={"system_id": system, "change_ids": changes, "title": "RSS is off", "description": "a\n\nb", **more}
    )


def newest(ask: Ask, change: int) -> dict[str, Any]:
    """The newest ticket on the event of a change; older tests left theirs there."""
    found: dict[str, Any] = ask("viewer", "GET", f"/drift/events/{change}").json()["event"]["tickets"][0]
    return found


def test_a_ticket_about_changes_gets_a_number_that_stands_on_their_event(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any, world: World
) -> None:
    drafted = ask("operator", "POST", "/tickets/preview", json={"change_ids": changes}).json()
    assert drafted["title"] == "2 settings changed on 1 host"
    assert len(drafted["description"].splitlines()) == 2
    assert [each["name"] for each in drafted["systems"]] == ["Service desk"]
    assert web.got == [], "a preview sends nothing"

    web.answers = [CREATED]
    made = sent(ask, system, changes)
    assert made.status_code == 202, made.text
    assert (made.json()["state"], made.json()["number"], made.json()["by"]) == ("waiting", "", "operator")
    assert deliver() == 1
    [got] = web.got
    assert got.path == "/api/now/table/incident"
    assert got.headers["authorization"] == "Basic " + base64.b64encode(b"plumbline:s3cret-w0rd").decode()
    body = json.loads(got.body)
    assert body["short_description"] == "RSS is off"
    assert body["description"].startswith("a\n\nb\n")
    assert body["description"].endswith(f"/drift?event={changes[0]}")
    assert (body["cmdb_ci"], body["opened_by"]) == ("sql-01", "operator")
    assert body["correlation_id"].startswith("dlv_")

    ticket = newest(ask, changes[1])
    assert (ticket["number"], ticket["url"]) == ("INC0010002", "https://desk.example.com/incident/INC0010002")
    assert (ticket["system"], ticket["state"], ticket["by"]) == ("Service desk", "sent", "operator")
    # In the list as well, in the row of its event and no other.
    with session_scope() as session:
        add_change(session, world.hosts["sql-02"], ("adapter", "aa"), "mtu", 9000, 1500)
    rows = ask("viewer", "GET", "/drift?hours=24").json()["groups"]
    assert {row["id"]: [each["number"] for each in row["tickets"]] for row in rows if row["tickets"]} == {str(changes[0]): ["INC0010002"]}
    assert len(rows) == 2
    # The act is in the audit log, and neither it nor the list of notices holds the password.
    log = ask("admin", "GET", "/audit?action=ticket.created").text
    assert "RSS is off" in log
    for path in ("/audit", "/notices", "/notices/channels"):
        assert "s3cret" not in ask("admin", "GET", path).text
    assert ask("admin", "GET", "/notices").json()["items"][0]["kind_words"] == "a ticket"


def test_a_ticket_about_a_problem_stands_on_its_card(ask: Ask, web: Receiver, system: int, deliver: Any, world: World) -> None:
    with session_scope() as session:
        make_job(session, world, "sql-02", "NEEDS_HUMAN", "another value stands there")
    key = f"needs_human-{world.hosts['sql-02']}"
    drafted = ask("operator", "POST", "/tickets/preview", json={"problem": key}).json()
    assert drafted["title"].startswith("sql-02: Job needs attention: ")
    assert drafted["description"].startswith("Impact: ")
    web.answers = [(200, {}, b"{}")]
    made = ask("operator", "POST", "/tickets", json={"system_id": system, "problem": key, "title": "Look at sql-02", "description": ""})
    assert made.status_code == 202, made.text
    again = ask("operator", "POST", "/tickets", json={"system_id": system, "problem": key, "title": "Look at sql-02", "description": ""})
    assert (again.status_code, "on its way" in again.json()["detail"]) == (409, True)
    deliver()
    before = cost_of(ask, "/on-call")
    [card] = [each for each in ask("operator", "GET", "/on-call").json()["problems"] if each["key"] == key]
    assert "ticket" in card["may"]
    # An answer without a number is no failure: the ticket is there, and the words say what is missing.
    assert [(each["state"], each["number"], each["words"]) for each in card["tickets"]] == [
        ("sent", "", "Responded with 200 OK; no ticket number at result.number")
    ]
    assert cost_of(ask, "/on-call") == before
    [seen] = [each for each in ask("viewer", "GET", "/on-call").json()["problems"] if each["key"] == key]
    assert "ticket" not in seen["may"]
    missing = ask("operator", "POST", "/tickets/preview", json={"problem": f"paths-{world.hosts['sql-02']}"})
    assert (missing.status_code, missing.json()["detail"]) == (404, "This problem is resolved.")


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        ((401, {}), "given_up", "Responded with 401 Unauthorized"),
        ((302, {"location": "https://login.example.com/"}), "given_up", "Redirect (302) not followed. Enter the final URL."),
        ((502, {}), "given_up", "Responded with 502 Bad Gateway. The ticket may exist: look there before you send it again."),
        ((429, {}), "waiting", "Responded with 429 Too Many Requests"),
        ((503, {}), "waiting", "Responded with 503 Service Unavailable"),
    ],
)
def test_only_what_surely_created_no_ticket_is_tried_again(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any, answer: Any, state: str, words: str
) -> None:
    web.answers = [answer, CREATED]
    sent(ask, system, changes)
    assert deliver() == 1
    ticket = newest(ask, changes[0])
    assert (ticket["state"], ticket["words"]) == (state, words)
    assert deliver() == (1 if state == "waiting" else 0)
    assert newest(ask, changes[0])["number"] == ("INC0010002" if state == "waiting" else "")


def test_a_worker_that_ends_while_it_sends_leaves_a_question_and_no_second_ticket(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException): ...

    def end(*_: Any, **__: Any) -> None:
        raise Killed

    web.answers = [(503, {}), CREATED, CREATED]
    sent(ask, system, changes)
    assert deliver() == 1
    monkeypatch.setattr(send, "_note", end)
    with pytest.raises(Killed):
        deliver()
    monkeypatch.undo()
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
    get_settings.cache_clear()
    assert deliver() == 0
    assert len(web.got) == 2, "the first try, and the one in which the worker ended"
    ticket = newest(ask, changes[0])
    assert (ticket["state"], "the ticket may exist" in ticket["words"]) == ("given_up", True)


def test_a_server_that_is_not_there_is_tried_again_and_one_that_hangs_up_is_not(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any
) -> None:
    with web_receiver() as closed:
        gone = make(ask, way="ticket", name="Gone", kinds=[], address=f"{closed.address}/", ticket_form=FORM).json()["id"]
    sent(ask, gone, changes)
    deliver()
    ticket = newest(ask, changes[0])
    assert (ticket["state"], ticket["words"]) == ("waiting", "Connection refused")
    retire(ask, gone)

    def hang_up() -> None:
        raise ConnectionResetError("the server ends in the middle")

    web.meanwhile = [hang_up]
    sent(ask, system, changes)
    deliver()
    ticket = newest(ask, changes[0])
    assert ticket["state"] == "given_up"
    assert ticket["words"].endswith("The ticket may exist: look there before you send it again.")


def test_only_operators_of_every_host_send_tickets_and_only_to_systems_above_all_of_them(
    ask: Ask, web: Receiver, system: int, changes: list[int], world: World
) -> None:
    for who in ("viewer", "approver", "admin"):
        assert sent(ask, system, changes, who).status_code == 403, who
    with session_scope() as session:
        add_change(session, world.hosts["lab-01"], ("host", ""), "rss", "on", "off")
        other = session.execute(text("SELECT max(id) FROM setting_change")).scalar_one()
    assert sent(ask, system, [*changes, other], "prod-operator").status_code == 404
    assert sent(ask, system, [*changes, 2**40]).status_code == 404
    local = make(
        ask, group_id=world.groups["prod"], way="ticket", name="Local", kinds=[], address=f"{web.address}/x", ticket_form=FORM
    ).json()
    names = lambda ids: [each["name"] for each in ask("operator", "POST", "/tickets/preview", json={"change_ids": ids}).json()["systems"]]  # noqa: E731
    assert names(changes) == ["Local", "Service desk"]
    assert names([*changes, other]) == ["Service desk"]
    assert sent(ask, local["id"], [*changes, other]).status_code == 404
    hook = make(ask, address=f"{web.address}/hook").json()["id"]
    assert sent(ask, hook, changes).status_code == 404, "a webhook is no ticket system"
    retire(ask, local["id"], hook)
    assert web.got == []


def test_a_ticket_system_hears_no_notices_and_its_form_can_be_changed_without_the_password(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any
) -> None:
    assert make(ask, way="ticket", kinds=["silent"], address=web.address, ticket_form=FORM).status_code == 422
    assert make(ask, way="ticket", kinds=[], address=web.address).status_code == 422
    bad = make(ask, way="ticket", kinds=[], address=web.address, ticket_form={**FORM, "body": '{"a": "{{nobody}}"}'})
    assert (bad.status_code, "{{nobody}} is no placeholder" in bad.json()["detail"]) == (422, True)
    path = f"/notices/channels/{system}"
    changed = ask("admin", "PATCH", path, json={"ticket_form": {**FORM, "number": "key"}})
    assert changed.json()["ticket_form"]["number"] == "key"
    for body in ({"address": f"{web.address}/elsewhere"}, {"ticket_login": {"password": "x"}}):
        assert ask("admin", "PATCH", path, json=body).status_code == 422, body
    moved = ask("admin", "PATCH", path, json={"address": f"{web.address}/elsewhere", "ticket_login": {"password": "token-of-ours"}})
    assert moved.status_code == 200, moved.text
    web.answers = [(201, {}, b'{"key": "OPS-24"}')]
    sent(ask, system, changes)
    deliver()
    assert (web.got[0].path, web.got[0].headers["authorization"]) == ("/elsewhere", "Bearer token-of-ours")
    assert newest(ask, changes[0])["number"] == "OPS-24"
    # A test creates a ticket of its own, marked as one.
    assert ask("admin", "POST", f"{path}/test").status_code == 202
    deliver()
    assert json.loads(web.got[1].body)["short_description"] == "Test notification from channel Service desk"


@pytest.mark.parametrize("field", ["title", "description"])
@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800"])
def test_what_no_database_takes_is_refused_in_words(ask: Ask, system: int, changes: list[int], field: str, sign: str) -> None:
    content = json.dumps({"system_id": system, "change_ids": changes, "title": "RSS", "description": "a", field: f"RSS {sign} off"})
    refused = ask("operator", "POST", "/tickets", content=content, headers={"content-type": "application/json"})
    assert (refused.status_code, field in refused.text) == (422, True), refused.text
    for part in ("body", "number", "link"):
        form = {"ticket_form": {**FORM, part: f"{FORM[part]}{sign}"}}
        patched = ask(
            "admin", "PATCH", f"/notices/channels/{system}", content=json.dumps(form), headers={"content-type": "application/json"}
        )
        assert patched.status_code == 422, patched.text


def test_a_token_that_no_header_takes_is_refused_and_a_password_that_it_takes_is_not(ask: Ask, web: Receiver, system: int) -> None:
    path, address = f"/notices/channels/{system}", f"{web.address}/x"
    for token in ("pässword", "two words"):
        assert ask("admin", "PATCH", path, json={"address": address, "ticket_login": {"password": token}}).status_code == 422, token
        login = {"account": "ana", "password": token}
        assert ask("admin", "PATCH", path, json={"address": address, "ticket_login": login}).status_code == 200, token


def test_two_people_who_send_at_once_send_one_ticket(ask: Ask, system: int, changes: list[int], world: World) -> None:
    actor = Actor(world.people["operator"], "operator", grants=(Grant("operator", 1, ROOT_PATH),))
    request = TicketCreate(system_id=system, change_ids=changes, title="RSS is off", description="")
    with ThreadPoolExecutor(1) as other, session_scope() as session:
        tickets.create_ticket(session, actor=actor, request=request)
        second = other.submit(sent, ask, system, changes)
        with pytest.raises(TimeoutError):
            second.result(1.0)
        session.commit()
        assert second.result(30).status_code == 409


def test_an_interrupted_ticket_is_not_called_unsent_a_day_later(
    ask: Ask, system: int, changes: list[int], deliver: Any, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    sent(ask, system, changes)
    with as_owner(cluster, api_database):
        run("UPDATE notice_delivery SET tries = 1 WHERE state = 'waiting'")
        run("UPDATE notice SET at = at - interval '25 hours' WHERE id = (SELECT max(id) FROM notice)")
    assert deliver() == 0
    assert "the ticket may exist" in newest(ask, changes[0])["words"]


def test_old_notices_are_purged_and_tickets_stay_on_their_changes(
    ask: Ask, web: Receiver, system: int, changes: list[int], deliver: Any, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    web.answers = [CREATED]
    sent(ask, system, changes)
    deliver()
    with as_owner(cluster, api_database):
        run("UPDATE notice SET at = at - interval '100 days'")
    with as_background_worker(cluster, api_database), session_scope() as session:
        send.purge(session)
    assert newest(ask, changes[0])["number"] == "INC0010002"
    assert {kind for (kind,) in run("SELECT DISTINCT kind FROM notice")} == {"ticket"}


def test_a_ticket_about_hosts_names_what_fails_and_stands_on_their_pages(
    ask: Ask, web: Receiver, system: int, deliver: Any, world: World
) -> None:
    one, other = world.hosts["sql-01"], world.hosts["sql-02"]
    drafted = ask("operator", "POST", "/tickets/preview", json={"host_ids": [one, other]}).json()
    assert drafted["title"].endswith(" failing on 2 hosts")
    lines = drafted["description"].splitlines()
    assert [line.partition(":")[0] for line in lines] == ["sql-01", "sql-02"]
    with session_scope() as session:
        library = read_library(session)
        failing = session.execute(text("SELECT failing FROM host WHERE id = :id"), {"id": one}).scalar_one()
    assert library.by_no[failing[0]].rule.title in lines[0]
    for about in ({}, {"host_ids": [one], "problem": f"paths-{one}"}):
        assert ask("operator", "POST", "/tickets/preview", json=about).status_code == 422, about
    assert ask("operator", "POST", "/tickets/preview", json={"host_ids": ["0" * 32, one]}).status_code == 404
    assert ask("prod-operator", "POST", "/tickets/preview", json={"host_ids": [world.hosts["lab-01"], one]}).status_code == 404

    web.answers = [CREATED]
    body = {"system_id": system, "title": "Two hosts", "description": drafted["description"]}
    assert ask("operator", "POST", "/tickets", json={**body, "host_ids": [one, other]}).status_code == 202
    assert ask("operator", "POST", "/tickets", json={**body, "host_ids": [other]}).status_code == 202, "about other hosts"
    assert ask("operator", "POST", "/tickets", json={**body, "host_ids": [other, one]}).status_code == 409, "the same, on its way"
    deliver()
    assert "INC0010002" in [each["number"] for each in ask("viewer", "GET", f"/hosts/{one}").json()["tickets"]]
    assert len(ask("viewer", "GET", f"/hosts/{other}").json()["tickets"]) >= 2
    assert ask("viewer", "GET", f"/hosts/{world.hosts['esx-01']}").json()["tickets"] == []
