"""Waivers from the request to their end: who may, what a preview shows and what happens, how they end, that they never count as passed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import zstandard
from sqlmodel import Session, select, text

from plumbline.core.facts.configuration import Configuration, Subject, Value
from plumbline.core.facts.document import Document, decode, encode
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.models.configurations import HostConfiguration
from plumbline.models.hosts import Host, HostGroup
from plumbline.waivers.lifecycle import expire_waivers, extend_waivers
from plumbline.waivers.reminders import remind
from tests.api.conftest import Ask
from tests.api.world import World, add_host, first_samples

REASON = "accepted until the switches are replaced in spring"


def later(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def failing(ask: Ask, host_id: str, *, kind: str = "") -> dict[str, Any]:
    items = ask("viewer", "GET", f"/hosts/{host_id}/findings").json()["items"]
    return next(each for each in items if each["standing"] == "fail" and (not kind or each["kind"] == kind))


def asked(finding: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"pack": finding["pack"], "rule": finding["rule"], "reason": REASON, "expires_at": later(30), **more}


def of(body: dict[str, Any]) -> dict[str, Any]:
    """The part of a request that a preview takes."""
    return {key: body[key] for key in ("pack", "rule", "host_ids", "group_id", "subject_kind", "subject_id", "replaces_id") if key in body}


def score_of(ask: Ask, host_id: str) -> int:
    return int(ask("viewer", "GET", f"/hosts/{host_id}").json()["score"])


@pytest.fixture(autouse=True)
def _rollups_stay_exact(world: World) -> Iterator[None]:
    yield
    with session_scope() as session:
        assert compare_rollups(session) == {}
        # Every other test starts without waivers.
        for waiver_id in session.execute(text("SELECT id FROM waiver WHERE state IN ('requested', 'active')")).scalars().all():
            session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 minute' WHERE id = :id"), {"id": waiver_id})
        while expire_waivers(session):
            pass
        assert session.execute(text("SELECT count(*) FROM finding WHERE waiver_id IS NOT NULL")).scalar_one() == 0


def request(ask: Ask, body: dict[str, Any], login: str = "operator") -> dict[str, Any]:
    answer = ask(login, "POST", "/waivers", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def in_force(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    made = request(ask, body)
    answer = ask("approver", "POST", f"/waivers/{made['id']}/approve")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_what_the_preview_promises_is_what_comes(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    body = asked(failing(ask, host), host_ids=[host])
    before = score_of(ask, host)
    reported = ask("operator", "POST", "/waivers/preview", json=of(body)).json()
    assert reported["problem"] == ""
    assert reported["hosts"] == 1
    [promised] = reported["items"]
    assert promised["score"] == before
    waiting = request(ask, body)
    # The approver sees the same preview; the waiver itself is no reason against it.
    assert ask("approver", "GET", f"/waivers/{waiting['id']}/preview").json()["items"] == reported["items"]
    assert ask("approver", "GET", f"/waivers/{waiting['id']}/preview").json()["problem"] == ""
    waiver = ask("approver", "POST", f"/waivers/{waiting['id']}/approve").json()
    assert (waiver["state"], waiver["findings"], waiver["may_decide"]) == ("active", reported["findings"], False)
    assert score_of(ask, host) == promised["score_after"] != before
    score = ask("viewer", "GET", f"/hosts/{host}/score").json()
    assert score["without_waivers"] == before
    with session_scope() as session:
        assert session.get_one(Host, host).score_without_waivers == before
    shown = [each for each in ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"] if each["standing"] == "waived"]
    assert shown
    # The finding itself stays what it is.
    assert {each["outcome"] for each in shown} == {"fail"}
    assert {each["waiver"]["id"] for each in shown} == {waiver["id"]}
    found = ask("viewer", "GET", f"/waivers/{waiver['id']}/findings").json()
    assert found["total"] == waiver["findings"]
    assert {each["standing"] for each in found["items"]} == {"waived"}


def test_no_one_approves_their_own(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    finding = failing(ask, host)
    waiver = request(ask, asked(finding, host_ids=[host], owner_id=world.people["approver"]))
    answer = ask("approver", "POST", f"/waivers/{waiver['id']}/approve")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert "you requested" in ask("approver", "GET", f"/waivers/{waiver['id']}").json()["why_not_decide"]
    assert ask("prod-approver", "POST", f"/waivers/{waiver['id']}/approve").status_code == 200


def test_rights_end_at_the_group(ask: Ask, world: World) -> None:
    """An approver of one branch decides nothing that reaches another, and reads nothing of it."""
    lab = request(ask, asked(failing(ask, world.hosts["lab-01"]), host_ids=[world.hosts["lab-01"]]))
    for path in ("", "/findings"):
        assert ask("prod-viewer", "GET", f"/waivers/{lab['id']}{path}").status_code == 404
    assert ask("prod-approver", "POST", f"/waivers/{lab['id']}/approve").status_code == 404
    assert (
        ask(
            "prod-operator", "POST", "/waivers", json=asked(failing(ask, world.hosts["lab-01"]), host_ids=[world.hosts["lab-01"]])
        ).status_code
        == 404
    )
    both = request(ask, asked(failing(ask, world.hosts["sql-01"]), host_ids=[world.hosts["sql-01"], world.hosts["lab-01"]]))
    assert both["scope"]["kind"] == "hosts"
    # It covers one of their hosts, so they may read it; it also covers another host, so they may not decide.
    seen = ask("prod-approver", "GET", f"/waivers/{both['id']}").json()
    assert [each["host"]["name"] for each in seen["hosts"]] == ["sql-01"]
    assert ask("prod-approver", "POST", f"/waivers/{both['id']}/approve").status_code == 403
    assert ask("prod-approver", "GET", f"/waivers/{both['id']}/preview").status_code == 403
    assert ask("viewer", "POST", "/waivers", json={}).status_code == 403
    assert ask("approver", "POST", f"/waivers/{both['id']}/approve").status_code == 200
    assert {row["id"] for row in ask("prod-viewer", "GET", "/waivers?state=active").json()["items"]} == {both["id"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expires_at": later(-1)}, "at least one hour from now"),
        ({"expires_at": later(9999)}, "within 365 days"),
        ({"expires_at": "2027-01-01T00:00:00"}, "time zone"),
        ({"reason": "short"}, "at least 10"),
        ({"host_ids": [], "group_id": None}, "hosts or one group"),
        ({"group_id": 1}, "hosts or one group"),
        ({"owner_id": 99999}, "owner"),
        ({"evidence_link": "javascript:alert(1)"}, "pattern"),
        ({"subject_id": "x"}, "subject_kind"),
        ({"rule": "no.such.rule"}, "no active pack"),
        ({"replaces_id": 99999}, "Waiver not found."),
        ({"host_ids": ["0" * 32]}, "is missing"),
        ({"reason": "nul \0 in the words of it"}, "Control characters"),
    ],
)
def test_nonsense_is_refused_in_words(ask: Ask, world: World, change: dict[str, Any], words: str) -> None:
    host = world.hosts["sql-01"]
    answer = ask("operator", "POST", "/waivers", json=asked(failing(ask, host), **{"host_ids": [host], **change}))
    assert answer.status_code in (404, 409, 422)
    assert words in answer.json()["detail"]


def test_what_weighs_nothing_or_does_not_fail_is_not_waived(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    items = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
    passing = next(each for each in items if each["standing"] == "pass" and each["kind"] == "recommended")
    answer = ask("operator", "POST", "/waivers", json=asked(passing, host_ids=[host]))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    light = next(each for each in items if each["kind"] in ("informational", "advisory", "capability"))
    assert "not scored" in ask("operator", "POST", "/waivers", json=asked(light, host_ids=[host])).json()["detail"]


def test_a_group_waiver_meets_hosts_that_come_later(ask: Ask, world: World) -> None:
    first = world.hosts["sql-01"]
    waiver = in_force(ask, asked(failing(ask, first), group_id=world.groups["prod_b"]))
    with session_scope() as session:
        late = add_host(session, "late-01", group_id=world.groups["prod_b"], sample=first_samples()[0])
        assert (
            session.execute(
                text("SELECT count(*) FROM finding WHERE host_id = :h AND waiver_id = :w"), {"h": late, "w": waiver["id"]}
            ).scalar_one()
            > 0
        )
        # Its trip-wires are noted from what it was when it came.
        assert extend_waivers(session) == 1
        assert extend_waivers(session) == 0
    assert "late-01" in {each["host"]["name"] for each in ask("viewer", "GET", f"/waivers/{waiver['id']}").json()["hosts"]}


def test_a_ticket_is_required_if_the_group_requires_one(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    with session_scope() as session:
        group = session.get_one(HostGroup, world.groups["prod"])
        group.is_ticket_required = True
        session.add(group)
    body = asked(failing(ask, host), host_ids=[host])
    assert ask("operator", "POST", "/waivers/preview", json=of(body)).json()["is_ticket_required"]
    assert "ticket" in ask("operator", "POST", "/waivers", json=body).json()["detail"]
    assert request(ask, {**body, "ticket": "CHG-4711"})["ticket"] == "CHG-4711"
    with session_scope() as session:
        group = session.get_one(HostGroup, world.groups["prod"])
        group.is_ticket_required = False
        session.add(group)


def rewrite(session: Session, host_id: str, subject: Subject, key: str, value: Any) -> None:
    """The host's stored configuration with another value, re-evaluated: as a check-in would do."""
    host = session.get_one(Host, host_id)
    row = session.exec(select(HostConfiguration).where(HostConfiguration.id == host.configuration_id)).one()
    document = decode(zstandard.decompress(row.document))
    readings = {each: dict(document.configuration.keys(each)) for each in document.configuration.all_subjects()}
    held = readings[subject][key]
    readings[subject][key] = Value(value, getattr(held, "source", None))
    changed = Configuration(document.configuration.platform, readings)
    row.document = zstandard.compress(encode(Document(changed, document.path_map, document.problems)))
    session.add(row)
    session.flush()
    reevaluate_hosts(session, [host_id])


def san_adapter(session: Session, host_id: str) -> Subject:
    host = session.get_one(Host, host_id)
    row = session.exec(select(HostConfiguration).where(HostConfiguration.id == host.configuration_id)).one()
    configuration = decode(zstandard.decompress(row.document)).configuration
    return next(each for each in configuration.subjects("adapter") if configuration.value(each, "role") == "san_iscsi")


def test_another_driver_ends_a_waiver_early_and_is_named(ask: Ask, world: World) -> None:
    with session_scope() as session:
        host = add_host(session, "wire-01", group_id=world.groups["lab"], sample=first_samples()[0])
        other = add_host(session, "wire-02", group_id=world.groups["lab"], sample=first_samples()[0])
    finding = failing(ask, host)
    before = score_of(ask, host)
    both = in_force(ask, asked(finding, host_ids=[host, other]))
    assert score_of(ask, host) != before
    with session_scope() as session:
        rewrite(session, host, san_adapter(session, host), "driver_version", "99.1")
    # It ended for the host whose driver changed, and continues for the other.
    assert score_of(ask, host) == before
    reported = ask("viewer", "GET", f"/waivers/{both['id']}").json()
    assert reported["state"] == "active"
    tripped = {each["host"]["name"]: each["words"] for each in reported["hosts"]}
    assert "Driver version of SAN1 changed from" in tripped["wire-01"]
    assert tripped["wire-01"].endswith("to 99.1")
    assert tripped["wire-02"] == ""
    with session_scope() as session:
        rewrite(session, other, san_adapter(session, other), "role", "management")
    reported = ask("viewer", "GET", f"/waivers/{both['id']}").json()
    assert reported["state"] == "tripped"
    assert reported["end_words"]
    assert [event["action"] for event in reported["history"]].count("tripped") == 2


def test_over_is_over_even_before_the_schedule_comes(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    before = score_of(ask, host)
    waiver = in_force(ask, asked(failing(ask, host), host_ids=[host]))
    with session_scope() as session:
        session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 second' WHERE id = :id"), {"id": waiver["id"]})
    # No schedule has run: it is shown as over at once, and counts as none.
    assert ask("viewer", "GET", f"/waivers/{waiver['id']}").json()["state"] == "expired"
    assert ask("viewer", "GET", "/waivers?state=active").json()["total"] == 0
    item = next(each for each in ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"] if each["waiver"])
    assert item["waiver"]["is_over"]
    assert item["standing"] != "pass"
    with session_scope() as session:
        reevaluate_hosts(session, [host])
    assert score_of(ask, host) == before
    with session_scope() as session:
        assert expire_waivers(session) == 1
        assert expire_waivers(session) == 0
    reported = ask("viewer", "GET", f"/waivers/{waiver['id']}").json()
    assert (reported["state"], reported["history"][0]["action"]) == ("expired", "expired")


def test_a_renewal_takes_the_place_of_the_old_one(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    body = asked(failing(ask, host), host_ids=[host])
    old = in_force(ask, body)
    assert "Renew" in ask("operator", "POST", "/waivers", json=body).json()["detail"]
    new = request(ask, {**body, "replaces_id": old["id"], "expires_at": later(60)})
    assert ask("viewer", "GET", f"/waivers/{old['id']}").json()["state"] == "active"
    assert ask("approver", "POST", f"/waivers/{new['id']}/approve").status_code == 200
    reported = ask("viewer", "GET", f"/waivers/{old['id']}").json()
    assert (reported["state"], reported["replaced_by"], reported["findings"]) == ("replaced", new["id"], 0)
    assert ask("viewer", "GET", f"/waivers/{new['id']}").json()["findings"] == old["findings"]


def test_refused_and_withdrawn_have_their_reasons(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    before = score_of(ask, host)
    refused = request(ask, asked(failing(ask, host), host_ids=[host]))
    assert ask("approver", "POST", f"/waivers/{refused['id']}/refuse", json={"reason": "no"}).status_code == 422
    reported = ask("approver", "POST", f"/waivers/{refused['id']}/refuse", json={"reason": "fix it, it takes a minute"}).json()
    assert (reported["state"], reported["end_words"]) == ("refused", "fix it, it takes a minute")
    assert ask("approver", "POST", f"/waivers/{refused['id']}/approve").status_code == 409
    active = in_force(ask, asked(failing(ask, host), host_ids=[host]))
    reported = ask("operator", "POST", f"/waivers/{active['id']}/withdraw", json={"reason": "it was put right"}).json()
    assert reported["state"] == "withdrawn"
    assert score_of(ask, host) == before
    assert ask("operator", "POST", f"/waivers/{active['id']}/withdraw", json={"reason": "once more"}).status_code == 409


def test_the_waivers_of_a_rule_are_found_by_its_address(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    finding = failing(ask, host)
    made = request(ask, asked(finding, host_ids=[host]))
    found = ask("operator", "GET", "/waivers", params={"rule": f"{finding['pack']}/{finding['rule']}"})
    assert found.status_code == 200, found.text
    assert made["id"] in {each["id"] for each in found.json()["items"]}
    assert ask("operator", "GET", "/waivers", params={"rule": "plumbline-core/no.such.rule"}).json()["items"] == []


def test_evidence_is_sniffed_and_only_given_back_as_attachment(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    waiver = request(ask, asked(failing(ask, host), host_ids=[host]))
    png = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
    where = f"/waivers/{waiver['id']}/files"
    octets = {"content-type": "application/octet-stream"}
    made = ask("operator", "POST", f"{where}?name=..%2F..%2Fa%22%0db.html", content=png, headers=octets)
    assert made.status_code == 201, made.text
    assert (made.json()["name"], made.json()["media_type"]) == ("a_b.html", "image/png")
    got = ask("viewer", "GET", f"{where}/{made.json()['id']}")
    assert got.content == png
    assert got.headers["content-disposition"].startswith("attachment;")
    assert got.headers["x-content-type-options"] == "nosniff"
    for content, words in ((b"MZ\x90\0", "Unsupported file type"), (b"", "body"), (b"x" * 1_000_001, "larger")):
        refused = ask("operator", "POST", f"{where}?name=a", content=content, headers=octets)
        assert refused.status_code == 422
        assert words in refused.json()["detail"]
    assert ask("operator", "POST", f"{where}?name=a.txt", content="Grüße".encode(), headers=octets).json()["media_type"] == "text/plain"
    assert ask("prod-operator", "POST", f"{where}?name=a.txt", content=b"a", headers=octets).status_code == 409
    assert ask("viewer", "GET", f"/waivers/{waiver['id'] - 1}/files/{made.json()['id']}").status_code == 404
    ask("approver", "POST", f"/waivers/{waiver['id']}/approve")
    # What the approver saw does not change any more.
    assert ask("operator", "POST", f"{where}?name=a.txt", content=b"a", headers=octets).status_code == 409


def test_facets_pages_and_notices(ask: Ask, world: World) -> None:
    made = []
    for name in ("sql-01", "sql-02", "lab-01"):
        host = world.hosts[name]
        made.append(request(ask, asked(failing(ask, host), host_ids=[host], expires_at=later(5))))
    before = ask("approver", "GET", "/waivers/notices").json()
    assert before["to_decide"] == 3
    assert ask("operator", "GET", "/waivers/notices").json()["to_decide"] == 0
    ask("approver", "POST", f"/waivers/{made[0]['id']}/approve")
    page = ask("viewer", "GET", "/waivers?state=requested&state=active").json()
    assert page["total"] == 3
    assert [row["state"] for row in page["items"]] == ["requested", "requested", "active"]
    states = {each["value"]: each["count"] for each in page["facets"]["state"]}
    assert (states["requested"], states["active"]) == (2, 1)
    assert {each["value"]: each["count"] for each in page["facets"]["ends_within"]} == {"7": 1, "30": 1, "90": 1}
    assert ask("viewer", "GET", "/waivers?ends_within=7").json()["total"] == 1
    assert ask("viewer", "GET", f"/waivers?state=active&state=requested&host={world.hosts['sql-02']}").json()["total"] == 1
    seen: list[int] = []
    ended: list[str] = []
    after = ""
    while True:
        page = ask("viewer", "GET", f"/waivers?limit=2{after}").json()
        seen += [row["id"] for row in page["items"]]
        ended += [row["ended_at"] or row["expires_at"] for row in page["items"] if row["state"] not in ("requested", "active")]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(seen) == len(set(seen)) == page["total"]
    # Of what ended, the last to end comes first: on the same day that it happened, and not by the date it was meant to have.
    assert len(ended) > 3
    assert ended == sorted(ended, key=datetime.fromisoformat, reverse=True)
    assert ask("viewer", "GET", "/waivers?after=nonsense").status_code == 422
    with session_scope() as session:
        assert remind(session) == 1
        assert remind(session) == 0
    assert [row["id"] for row in ask("operator", "GET", "/waivers/notices").json()["ending"]] == [made[0]["id"]]
    overview = ask("viewer", "GET", "/overview").json()["headline"]
    assert overview["waivers_ending"] == 1
