"""One event with everything that may be done about it: its detail, marking it as expected, a plan for its former values."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from plumbline.infra.database import session_scope
from plumbline.models.configurations import SettingChange
from tests.api.conftest import Ask
from tests.api.world import World, add_change


def san_adapter(host_id: str) -> str:
    """An adapter of the host whose flow control is known."""
    with session_scope() as session:
        return str(
            session.execute(
                text("SELECT subject_id FROM finding WHERE host_id = :h AND subject_kind = 'adapter' ORDER BY 1 LIMIT 1"), {"h": host_id}
            ).scalar_one()
        )


@pytest.fixture(scope="module")
def event(ask: Ask, world: World) -> dict[str, Any]:
    """Receive buffers and MTU changed on two hosts by a driver update."""
    with session_scope() as session:
        session.execute(text("DELETE FROM setting_change"))
        for name in ("sql-01", "sql-02"):
            adapter = san_adapter(world.hosts[name])
            more = {"cause": "driver_update", "cause_detail": "driver version 7.4 to 7.8"}
            add_change(session, world.hosts[name], ("adapter", adapter), "mtu", 4321, 1500, **more)
            add_change(session, world.hosts[name], ("adapter", adapter), "driver_version", "7.4", "7.8", **more)
    page = ask("viewer", "GET", "/drift").json()
    [group] = [each for each in page["groups"] if each["cause"] == "driver_update"]
    return dict(group)


def test_a_driver_update_on_two_hosts_is_one_row_with_its_effects(event: dict[str, Any]) -> None:
    assert (event["key"], event["host_count"], event["change_count"]) == ("adapter.mtu", 2, 4)
    assert [(each["key"], each["host_count"]) for each in event["effects"]] == [("adapter.driver_version", 2)]
    assert not event["is_expected"]


def test_the_detail_says_what_each_host_has_now_and_what_can_be_restored(ask: Ask, event: dict[str, Any]) -> None:
    detail = ask("operator", "GET", f"/drift/events/{event['id']}").json()
    assert (detail["may_plan"], detail["may_mark"], detail["may_waive"], detail["may_propose"]) == (True,) * 4
    by_key = {each["key"]: each for each in detail["changes"]}
    assert by_key["adapter.mtu"]["restore_to"] == 4321
    assert by_key["adapter.mtu"]["now"].endswith("bytes")
    assert by_key["adapter.driver_version"]["restore_to"] is None
    assert by_key["adapter.driver_version"]["why_not_restore"] == "Plumbline does not set this"
    assert len(detail["changes"]) == 4
    assert detail["changes_not_shown"] == 0
    assert all(rule["host_ids"] for rule in detail["rules"])
    viewer = ask("viewer", "GET", f"/drift/events/{event['id']}").json()
    assert [viewer[f"may_{act}"] for act in ("plan", "mark", "waive", "propose")] == [False] * 4


def test_the_events_of_some_hosts_are_listed_whole_and_others_are_left_out(ask: Ask, world: World, event: dict[str, Any]) -> None:
    page = ask("viewer", "GET", f"/drift?host={world.hosts['sql-02']}").json()
    assert [each["name"] for each in page["only_hosts"]] == ["sql-02"]
    assert [(each["id"], each["host_count"]) for each in page["groups"]] == [(event["id"], 2)]
    assert page["causes"] == [{"cause": "driver_update", "count": 1}]
    other = ask("viewer", "GET", f"/drift?host={world.hosts['lab-01']}&host={world.hosts['sql-02']}").json()
    assert [each["name"] for each in other["only_hosts"]] == ["lab-01", "sql-02"]
    none = ask("viewer", "GET", f"/drift?host={world.hosts['lab-01']}").json()
    assert (none["groups"], none["causes"]) == ([], [])
    # The name of a host in another group is not told.
    assert ask("prod-viewer", "GET", f"/drift?host={world.hosts['lab-01']}").json()["only_hosts"] == []
    assert ask("viewer", "GET", "/drift?host=sql-02").status_code == 422
    exported = ask("viewer", "GET", f"/exports/drift.csv?host={world.hosts['lab-01']}")
    assert (exported.status_code, len(exported.text.strip().splitlines())) == (200, 1)


def test_an_event_that_is_not_there_or_out_of_scope_does_not_exist(ask: Ask, world: World, event: dict[str, Any]) -> None:
    assert ask("viewer", "GET", "/drift/events/999999999").json()["code"] == "event_not_found"
    elsewhere = ask("viewer", "GET", f"/drift/events/{event['id']}?group={world.groups['lab']}")
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (404, "event_not_found")


def test_several_events_are_read_at_once_each_as_by_itself(ask: Ask, world: World, event: dict[str, Any]) -> None:
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT now()")).scalar_one()
        add_change(session, world.hosts["sql-01"], ("host", ""), "tcp.rss", "on", "off", received_at=now - timedelta(days=3))
    others = [each["id"] for each in ask("operator", "GET", "/drift").json()["groups"] if each["id"] != event["id"]]
    asked = [others[0], event["id"], "999999999"]
    found = ask("operator", "GET", "/drift/events?" + "&".join(f"event={each}" for each in asked)).json()
    assert {each["event"]["id"] for each in found} == {event["id"], others[0]}
    for one in found:
        assert one == ask("operator", "GET", f"/drift/events/{one['event']['id']}").json()
    # Of another group's hosts, nothing is told, and nothing of more than may be named.
    assert ask("prod-viewer", "GET", f"/drift/events?event={event['id']}&group={world.groups['prod']}").json() != []
    assert ask("viewer", "GET", f"/drift/events?event={event['id']}&group={world.groups['lab']}").json() == []
    assert ask("viewer", "GET", "/drift/events").status_code == 422
    assert ask("viewer", "GET", "/drift/events?" + "&".join(f"event={each}" for each in range(1, 102))).status_code == 422


def test_the_former_values_are_planned_by_the_same_route_as_a_fix(ask: Ask, event: dict[str, Any]) -> None:
    detail = ask("operator", "GET", f"/drift/events/{event['id']}").json()
    wanted = [
        {
            "host_id": each["host"]["id"],
            "key": each["key"],
            "subject_id": each["subject"]["id"],
            "to": each["restore_to"],
            "reference": "the value before the driver update",
        }
        for each in detail["changes"]
        if each["restore_to"] is not None
    ]
    made = ask("operator", "POST", "/plans", json={"settings": wanted, "reason": "restore what the driver changed"})
    assert made.status_code in (200, 201, 202), made.text
    plan = made.json()
    assert (plan["hosts"], len(plan["request"]["settings"])) == (2, 2)
    # Whoever may not read the hosts does not see the plan, though it names no finding.
    assert ask("nobody", "GET", f"/plans/{plan['id']}").status_code in (403, 404)
    refused = ask("operator", "POST", "/plans", json={"settings": [{**wanted[0], "to": "big"}], "reason": "restore"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_input") or refused.status_code == 400
    assert ask("viewer", "POST", "/plans", json={"settings": wanted, "reason": "restore"}).status_code == 403


def test_a_plan_of_settings_alone_keeps_to_the_scope_of_its_hosts(ask: Ask, world: World) -> None:
    lab = [{"host_id": world.hosts["lab-01"], "key": "host.tcp.rss", "to": "enabled"}]
    outside = ask("prod-operator", "POST", "/plans", json={"settings": lab, "reason": "not mine to plan"})
    assert outside.status_code == 404


def test_changes_are_marked_as_expected_and_the_mark_is_undone(ask: Ask, event: dict[str, Any]) -> None:
    detail = ask("operator", "GET", f"/drift/events/{event['id']}").json()
    numbers = [each["change_id"] for each in detail["changes"]]
    part = ask("operator", "POST", "/drift/marks", json={"change_ids": numbers[:1], "reason": "announced to us"})
    assert part.status_code == 201
    # Only a part of it was expected: the event as a whole is not.
    assert not _group(ask, event)["is_expected"]
    made = ask("operator", "POST", "/drift/marks", json={"change_ids": numbers, "reason": "planned driver update", "ticket": "CHG-9"})
    assert made.json()["changes"] == 4
    marked = _group(ask, event)
    assert marked["is_expected"]
    assert (marked["mark"]["reason"], marked["mark"]["ticket"], marked["mark"]["by"]) == ("planned driver update", "CHG-9", "Operator")
    assert ask("prod-operator", "POST", f"/drift/marks/{made.json()['id']}/end").status_code in (204, 404)
    again = ask("operator", "POST", f"/drift/marks/{made.json()['id']}/end")
    assert again.status_code in (204, 409)
    assert ask("operator", "POST", f"/drift/marks/{made.json()['id']}/end").status_code == 409
    assert not _group(ask, event)["is_expected"]
    with session_scope() as session:
        acts = session.execute(text("SELECT action FROM audit_entry WHERE object_kind = 'change_mark' ORDER BY id")).scalars().all()
    assert acts[-2:] == ["changes.marked", "changes.unmarked"]


def test_what_is_not_there_or_not_in_scope_is_not_marked(ask: Ask, world: World, event: dict[str, Any]) -> None:
    missing = ask("operator", "POST", "/drift/marks", json={"change_ids": [987654321], "reason": "whatever"})
    assert missing.status_code == 404
    with session_scope() as session:
        change = SettingChange(
            received_at=session.execute(text("SELECT now()")).scalar_one(), host_id=world.hosts["lab-01"], seq=1, subject_kind="host",
            subject_id="", key="tcp.rss", old={"value": "enabled"}, new={"value": "disabled"},
        )  # fmt: skip
        session.add(change)
        session.flush()
        number = change.id
    assert ask("prod-operator", "POST", "/drift/marks", json={"change_ids": [number], "reason": "not mine"}).status_code == 404
    assert ask("operator", "POST", "/drift/marks", json={"change_ids": [], "reason": "nothing"}).status_code == 422
    assert ask("operator", "POST", "/drift/marks/999999/end").status_code == 404


def _group(ask: Ask, event: dict[str, Any]) -> dict[str, Any]:
    page = ask("viewer", "GET", "/drift").json()
    return next(dict(each) for each in page["groups"] if each["id"] == event["id"])
