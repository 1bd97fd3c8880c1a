"""Baselines over the API: proposing, deciding, a host's comparison with its own, the drift page, and that the marks agree everywhere."""

from collections.abc import Iterator
from typing import Any

import pytest
import zstandard
from sqlmodel import Session, select, text

from plumbline.checkin.retention import purge
from plumbline.core.facts.configuration import Configuration, Source, Subject, Unknown, Value
from plumbline.core.facts.document import Document, decode, encode
from plumbline.drift.baseline_compare import compare_lagging
from plumbline.infra.database import session_scope
from plumbline.models.baselines import Baseline, BaselineHost, HostBaseline
from plumbline.models.configurations import HostConfiguration
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.world import World, add_change

SOURCE = Source("properties", "Get-NetAdapterAdvancedProperty", "*FlowControl", "0")


@pytest.fixture(autouse=True)
def clean(world: World) -> Iterator[None]:
    """No baseline is left by another test."""
    yield
    with session_scope() as session:
        for table in ("host_baseline", "baseline_host", "baseline"):
            session.execute(text(f"DELETE FROM {table}"))


def reconfigure(session: Session, host_id: str, key: str = "flow_control", value: str | None = "off") -> Subject:
    """A newer configuration with one setting of the first adapter otherwise, or unknown."""
    host = session.get_one(Host, host_id)
    row = session.exec(select(HostConfiguration).where(HostConfiguration.id == host.configuration_id)).one()
    document = decode(zstandard.ZstdDecompressor().decompress(row.document, max_output_size=1 << 24))
    readings = {subject: dict(document.configuration.keys(subject)) for subject in document.configuration.all_subjects()}
    subject = next(each for each in document.configuration.subjects("adapter") if document.configuration.value(each, key))
    readings[subject][key] = Unknown("section properties failed") if value is None else Value(value, SOURCE)
    changed = Document(Configuration(document.configuration.platform, readings), document.path_map, document.problems)
    newer = HostConfiguration(
        host_id=host_id, epoch=1, seq=row.seq + 1, received_at=row.received_at, document=zstandard.compress(encode(changed))
    )
    session.add(newer)
    session.flush()
    host.configuration_id = newer.id
    session.add(host)
    return subject


def changed(host_id: str, **how: Any) -> Subject:
    with session_scope() as session:
        return reconfigure(session, host_id, **how)


def compared() -> int:
    with session_scope() as session:
        return compare_lagging(session)


def proposed(ask: Ask, login: str = "operator", status: int = 201, **scope: Any) -> dict[str, Any]:
    answer = ask(login, "POST", "/baselines", json={"reason": "as built in week 47", **scope})
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def decided(ask: Ask, baseline: int, what: str = "accept", login: str = "approver", status: int = 200) -> dict[str, Any]:
    answer = ask(login, "POST", f"/baselines/{baseline}/{what}", json={"reason": "checked against the build sheet"})
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def mark(ask: Ask, host_id: str) -> tuple[str, str, str]:
    """The state on the host's own page, in its row of the list, and in its comparison."""
    rows = {row["id"]: row for row in ask("viewer", "GET", "/hosts").json()["items"]}
    return (
        ask("viewer", "GET", f"/hosts/{host_id}").json()["drift"]["baseline"],
        rows[host_id]["drift"]["baseline"],
        ask("viewer", "GET", f"/hosts/{host_id}/baseline").json()["state"],
    )


def clock(ask: Ask) -> dict[str, int]:
    return next(each for each in ask("viewer", "GET", "/drift").json()["clocks"] if each["clock"] == "baseline")


def test_a_baseline_is_proposed_accepted_and_compared(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    assert mark(ask, host) == ("unknown",) * 3
    made = proposed(ask, host_id=host)
    assert (made["state"], made["hosts"], made["changes"][0]["has_baseline"]) == ("proposed", 1, False)
    assert (made["may_decide"], made["why_not_decide"], made["may_withdraw"]) == (False, "you proposed it", True)
    for login, why_not in (("approver", ""), ("prod-approver", ""), ("viewer", "only approvers of the group can")):
        seen = ask(login, "GET", f"/baselines/{made['id']}").json()
        assert (seen["may_decide"], seen["why_not_decide"]) == (not why_not, why_not)
    assert [each["id"] for each in ask("viewer", "GET", f"/hosts/{host}/baseline").json()["waiting"]] == [made["id"]]
    assert mark(ask, host) == ("unknown",) * 3
    assert decided(ask, made["id"])["state"] == "accepted"
    assert mark(ask, host) == ("none",) * 3

    subject = changed(host)
    # Until the comparison is done, lists show unknown; the host's page compares at once.
    assert mark(ask, host) == ("unknown", "unknown", "drift")
    assert (compared(), compared()) == (1, 0)
    assert mark(ask, host) == ("drift",) * 3
    found = ask("viewer", "GET", f"/hosts/{host}/baseline").json()
    assert [(each["subject"]["id"], each["key"], each["now"]) for each in found["differences"]] == [
        (subject.id, "adapter.flow_control", "off")
    ]
    assert (found["accepted_by"], found["proposed_by"]) == ("Approver", "Operator")
    assert found["differs_since"]
    assert [row["name"] for row in ask("viewer", "GET", "/hosts?drift=baseline").json()["items"]] == ["sql-01"]
    facets = {each["name"]: each["values"] for each in ask("viewer", "GET", "/hosts/facets").json()["facets"]}
    assert {"value": "baseline", "label": "Baseline", "count": 1} in facets["drift"]
    assert clock(ask) == {"clock": "baseline", "drift": 1, "unknown": 3}

    # A setting that cannot be read any more might differ: unknown, not none.
    again = proposed(ask, host_id=host)
    assert [each["key"] for each in again["changes"][0]["differences"]] == ["adapter.flow_control"]
    decided(ask, again["id"])
    changed(host, value=None)
    compared()
    assert mark(ask, host) == ("unknown",) * 3
    assert [each["key"] for each in ask("viewer", "GET", f"/hosts/{host}/baseline").json()["unread"]] == ["adapter.flow_control"]


def test_exactly_what_was_proposed_is_accepted(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    made = proposed(ask, host_id=host)
    changed(host, value="tx")
    assert ask("approver", "GET", f"/baselines/{made['id']}").json()["changes"][0]["has_changed_since"]
    decided(ask, made["id"])
    assert mark(ask, host) == ("drift",) * 3


def test_no_one_decides_on_their_own_and_nothing_is_decided_twice(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    made = proposed(ask, host_id=host)
    assert ask("operator", "POST", f"/baselines/{made['id']}/accept", json={}).status_code == 403
    assert ask("admin", "POST", f"/baselines/{made['id']}/accept", json={}).status_code == 403
    with session_scope() as session:
        own = session.get_one(Baseline, made["id"])
        own.proposed_by = world.people["approver"]
        session.add(own)
    assert "You proposed this" in decided(ask, made["id"], status=403)["detail"]
    decided(ask, made["id"], "refuse", login="prod-approver")
    assert "refused already" in decided(ask, made["id"], status=409)["detail"]
    assert mark(ask, host) == ("unknown",) * 3


def test_one_proposal_waits_at_a_time_and_an_unchanged_host_has_nothing_to_accept(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    made = proposed(ask, host_id=host)
    assert "already pending" in proposed(ask, host_id=host, status=409)["detail"]
    assert ask("viewer", "GET", "/baselines?state=proposed").json()["waiting"] == 1
    # On the overview it waits for others, not for the person who proposed it.
    assert [ask(login, "GET", "/overview").json()["open"]["baselines"] for login in ("approver", "operator")] == [1, 0]
    decided(ask, made["id"], "withdraw", login="operator")
    assert ask("approver", "GET", "/overview").json()["open"]["baselines"] == 0
    decided(ask, proposed(ask, host_id=host)["id"])
    assert "nothing has changed since" in proposed(ask, host_id=host, status=409)["detail"]


def test_a_group_is_accepted_host_by_host(ask: Ask, world: World) -> None:
    made = proposed(ask, login="prod-operator", group_id=world.groups["prod"])
    assert (made["hosts"], len(made["changes"])) == (3, 3)
    decided(ask, made["id"], login="prod-approver")
    for name in ("sql-01", "sql-02", "esx-01"):
        assert mark(ask, world.hosts[name])[2] == "none"
    assert mark(ask, world.hosts["lab-01"])[2] == "unknown"
    with session_scope() as session:
        entries = session.execute(
            text("SELECT action, reason FROM audit_entry WHERE object_kind = 'baseline' ORDER BY id DESC LIMIT 2")
        ).all()
    assert [tuple(each) for each in entries] == [
        ("baseline.accepted", "checked against the build sheet"),
        ("baseline.proposed", "as built in week 47"),
    ]


def test_baselines_outside_the_scope_are_not_found(ask: Ask, world: World) -> None:
    lab = proposed(ask, host_id=world.hosts["lab-01"])
    assert proposed(ask, login="prod-operator", status=404, host_id=world.hosts["lab-01"])
    assert proposed(ask, login="prod-operator", status=404, group_id=world.groups["lab"])
    assert decided(ask, lab["id"], login="prod-approver", status=404)
    assert ask("prod-viewer", "GET", f"/baselines/{lab['id']}").status_code == 404
    assert ask("prod-viewer", "GET", "/baselines").json()["items"] == []
    assert ask("prod-viewer", "GET", f"/hosts/{world.hosts['lab-01']}/baseline").status_code == 404
    assert ask("prod-viewer", "GET", f"/drift?group={world.groups['lab']}").status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({}, 422, "one of host_id, group_id and change_ids"),
        ({"host_id": "0" * 32, "group_id": 1}, 422, "one of host_id, group_id and change_ids"),
        ({"host_id": "0" * 32}, 404, "Host not found."),
        ({"group_id": 999999}, 404, "Group not found."),
        ({"group_id": 1, "reason": ""}, 422, ""),
        ({"group_id": 1, "reason": "a\u0000b"}, 422, "Control characters"),
    ],
)
def test_what_cannot_be_proposed(ask: Ask, world: World, asked: dict[str, Any], status: int, words: str) -> None:
    answer = ask("operator", "POST", "/baselines", json={"reason": "as built", **asked})
    assert answer.status_code == status
    assert words in answer.text


def test_a_waiting_host_and_a_missing_ticket_are_refused(ask: Ask, world: World) -> None:
    assert "waiting" in proposed(ask, status=409, host_id=world.hosts["new-01"])["detail"]
    with session_scope() as session:
        session.execute(text("UPDATE host_group SET is_ticket_required = true WHERE id = 1"))
    try:
        assert "ticket" in proposed(ask, status=422, host_id=world.hosts["sql-01"])["detail"]
        assert proposed(ask, host_id=world.hosts["sql-01"], ticket="CHG-1")["ticket"] == "CHG-1"
    finally:
        with session_scope() as session:
            session.execute(text("UPDATE host_group SET is_ticket_required = false WHERE id = 1"))


def test_the_purge_keeps_what_is_accepted_or_proposed(ask: Ask, world: World) -> None:
    first, second = world.hosts["sql-01"], world.hosts["sql-02"]
    decided(ask, proposed(ask, host_id=first)["id"])
    waiting = proposed(ask, host_id=second)
    changed(first)
    changed(second)
    with session_scope() as session:
        kept = {row.configuration_id for row in session.exec(select(HostBaseline))}
        kept |= {row.configuration_id for row in session.exec(select(BaselineHost).where(BaselineHost.baseline_id == waiting["id"]))}
        session.execute(text("UPDATE host_configuration SET received_at = received_at - interval '10 years'"))
        purge(session)
        left = set(session.exec(select(HostConfiguration.id)))
        session.rollback()
    assert kept <= left


def test_a_stored_configuration_that_cannot_be_read_leaves_the_mark_unknown(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    decided(ask, proposed(ask, host_id=host)["id"])
    changed(host)
    with session_scope() as session:
        newest = session.get_one(Host, host).configuration_id
        session.execute(text("UPDATE host_configuration SET document = 'x' WHERE id = :id"), {"id": newest})
    assert (compared(), compared()) == (1, 0)
    assert ask("viewer", "GET", f"/hosts/{host}/baseline").json()["state"] == "unknown"
    with session_scope() as session:
        before = session.execute(text("SELECT max(id) FROM host_configuration WHERE host_id = :h AND id < :id"), {"h": host, "id": newest})
        session.execute(text("UPDATE host SET configuration_id = :id WHERE id = :h"), {"id": before.scalar_one(), "h": host})


def test_alike_changes_are_one_group_and_what_was_only_unread_is_left_out(ask: Ask, world: World) -> None:
    with session_scope() as session:
        for name in ("sql-01", "sql-02"):
            more = {"alike": "abc", "cause": "driver_update", "cause_detail": "driver version 7.4 to 7.8"}
            add_change(session, world.hosts[name], ("adapter", "0010187a2b3c"), "flow_control", "rx_tx", "off", **more)
        add_change(session, world.hosts["lab-01"], ("host", ""), "tcp.rss", "enabled", "disabled", cause="our_job")
        session.execute(
            text(
                "INSERT INTO setting_change"
                " (received_at, host_id, seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike)"
                " VALUES (now(), :host, 3, 'adapter', 'x', 'mtu', '{\"value\": 9000}', '{\"unknown\": \"failed\"}', 'unknown', '', '')"
            ),
            {"host": world.hosts["sql-01"]},
        )
        for key, old in (("name", '"vol-erp"'), ("policy", '"RR"'), ("size_bytes", "1024")):
            session.execute(
                text(
                    "INSERT INTO setting_change"
                    " (received_at, host_id, seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike)"
                    " VALUES (now(), :host, 3, 'volume', 'naa.6000', :key, CAST(:old AS jsonb), NULL, 'unknown', '', :key)"
                ),
                {"host": world.hosts["sql-02"], "key": key, "old": f'{{"value": {old}}}'},
            )
    page = ask("viewer", "GET", "/drift").json()
    lost = [each for each in page["groups"] if each["key"].startswith("volume.")]
    assert [(each["label"], each["old"], each["new"], each["host_count"]) for each in lost] == [("Entire volume", "vol-erp", "gone", 1)]
    page["groups"] = [each for each in page["groups"] if each not in lost]
    by_key = {each["key"]: each for each in page["groups"]}
    assert set(by_key) == {"adapter.flow_control", "host.tcp.rss"}
    assert (by_key["adapter.flow_control"]["host_count"], by_key["adapter.flow_control"]["old"]) == (2, "Rx & Tx")
    assert by_key["host.tcp.rss"]["is_expected"]
    assert {each["cause"] for each in page["causes"]} == {"driver_update", "our_job", "unknown"}
    assert [each["key"] for each in ask("viewer", "GET", "/drift?cause=our_job").json()["groups"]] == ["host.tcp.rss"]
    assert "adapter.mtu" in {each["key"] for each in ask("viewer", "GET", "/drift?unread=true").json()["groups"]}
    # On the host's own timeline as well.
    mine = f"/hosts/{world.hosts['sql-01']}/timeline?hours=1"
    read = {each["key"] for each in ask("viewer", "GET", mine).json()["changes"]}
    assert "adapter.flow_control" in read
    assert "adapter.mtu" not in read
    assert "adapter.mtu" in {each["key"] for each in ask("viewer", "GET", f"{mine}&unread=true").json()["changes"]}
    assert "host.tcp.rss" not in {each["key"] for each in ask("prod-viewer", "GET", "/drift").json()["groups"]}
    assert ask("viewer", "GET", "/drift?hours=0").status_code == 422


def test_the_counts_by_reference_equal_the_marks_of_the_rows(ask: Ask, world: World) -> None:
    changed(world.hosts["sql-01"], value="rx")
    decided(ask, proposed(ask, group_id=world.groups["prod"])["id"])
    changed(world.hosts["sql-01"], value="tx")
    compared()
    rows = ask("viewer", "GET", "/hosts").json()["items"]
    clocks = ask("viewer", "GET", "/drift").json()["clocks"]
    assert {each["clock"] for each in clocks if each["drift"]} >= {"standard", "baseline"}
    for each in clocks:
        marks = [row["drift"][each["clock"]] for row in rows]
        assert (marks.count("drift"), marks.count("unknown")) == (each["drift"], each["unknown"]), each["clock"]


def change_of(host_id: str, subject: Subject, old: str, new: str, key: str = "flow_control") -> int:
    """The log's line of a change, as its check-in would have written it."""
    with session_scope() as session:
        add_change(session, host_id, (subject.kind, subject.id), key, old, new)
        return int(session.execute(text("SELECT max(id) FROM setting_change WHERE host_id = :h"), {"h": host_id}).scalar_one())


def differences(ask: Ask, host: str) -> list[str]:
    return [each["key"] for each in ask("viewer", "GET", f"/hosts/{host}/baseline").json()["differences"]]


def test_one_change_is_accepted_beside_the_baseline_and_withdrawn_again(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    changed(host, value="rx_tx")
    decided(ask, proposed(ask, host_id=host)["id"])
    changed(host, key="receive_buffers", value="511")
    subject = changed(host, value="off")
    assert sorted(differences(ask, host)) == ["adapter.flow_control", "adapter.receive_buffers"]
    number = change_of(host, subject, "rx_tx", "off")
    made = ask("operator", "POST", "/baselines", json={"change_ids": [number], "reason": "the switch cannot pause"})
    assert made.status_code == 201, made.text
    detail = made.json()
    assert (detail["settings"], detail["hosts"], detail["state"]) == (1, 1, "proposed")
    assert [each["key"] for each in detail["changes"][0]["differences"]] == ["adapter.flow_control"], "only what is proposed"
    accept = f"/baselines/{detail['id']}/accept"
    assert ask("operator", "POST", accept, json={}).status_code == 403
    accepted = ask("approver", "POST", accept, json={"reason": "seen"})
    assert accepted.json()["state"] == "accepted"
    assert differences(ask, host) == ["adapter.receive_buffers"], "the rest of the baseline stands"
    with session_scope() as session:
        assert session.get_one(HostBaseline, host).differs == 1
    # The value that was accepted counts, not any value.
    changed(host, value="tx")
    assert sorted(differences(ask, host)) == ["adapter.flow_control", "adapter.receive_buffers"]
    changed(host, value="off")
    withdrawn = ask("operator", "POST", f"/baselines/{detail['id']}/withdraw", json={"reason": "not after all"})
    assert withdrawn.json()["state"] == "withdrawn"
    assert sorted(differences(ask, host)) == ["adapter.flow_control", "adapter.receive_buffers"]
    assert ask("operator", "POST", f"/baselines/{detail['id']}/withdraw", json={}).status_code == 409


def test_single_settings_need_a_baseline_and_a_host_in_scope(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    number = change_of(host, changed(host), "rx_tx", "off")
    refused = ask("operator", "POST", "/baselines", json={"change_ids": [number], "reason": "accept this change"})
    assert refused.status_code in (400, 422)
    assert "sql-01" in refused.json()["detail"]
    lab = change_of(world.hosts["lab-01"], Subject("host", ""), "enabled", "disabled", key="tcp.rss")
    assert ask("prod-operator", "POST", "/baselines", json={"change_ids": [lab], "reason": "not mine"}).status_code == 404
    both = {"change_ids": [number], "host_id": host, "reason": "two scopes"}
    assert ask("operator", "POST", "/baselines", json=both).status_code == 422


def test_a_whole_baseline_replaces_what_was_accepted_setting_by_setting(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    changed(host, value="rx_tx")
    decided(ask, proposed(ask, host_id=host)["id"])
    subject = changed(host, value="off")
    made = ask("operator", "POST", "/baselines", json={"change_ids": [change_of(host, subject, "rx_tx", "off")], "reason": "accept it"})
    ask("approver", "POST", f"/baselines/{made.json()['id']}/accept", json={})
    changed(host, value="tx")
    decided(ask, proposed(ask, host_id=host)["id"])
    with session_scope() as session:
        assert session.get_one(HostBaseline, host).settings == []
    assert differences(ask, host) == []
