"""The timeline of a host: its changes and the rules that began or ceased to fail, within the time asked for."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlmodel import Session, col, select, text

from plumbline.infra.database import session_scope
from plumbline.models.check_ins import CheckInGap
from plumbline.models.findings import FINDING, CurrentFinding
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.world import World, add_change


@pytest.fixture(scope="module")
def host(world: World) -> str:
    """A host with a change and a finding that turned, an hour and two days ago, and what must not be shown."""
    host_id = world.hosts["sql-01"]
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT now()")).scalar_one()
        one = session.get_one(Host, host_id)
        one.enrolled_at = now - timedelta(days=10)
        session.add(one)
        for ago, value in ((timedelta(hours=1), 1500), (timedelta(days=2), 4000), (timedelta(days=20), 4088)):
            add_change(session, host_id, ("adapter", "0010187a2b3c"), "mtu", 9000, value, received_at=now - ago)
        add_change(session, host_id, ("host", ""), "tcp.rss", "off", "on", received_at=now, cause="first_seen")
        failing = session.scalars(select(CurrentFinding).where(FINDING.host_id == host_id, FINDING.outcome == "fail")).first()
        assert failing is not None
        for ago, old, new in (
            (timedelta(days=3), "pass", "fail"),
            (timedelta(days=2), "fail", "pass"),
            (timedelta(days=1), "fail", "subject_gone"),
            (timedelta(hours=2), "", "fail"),
            (timedelta(days=20), "pass", "fail"),
        ):
            _log(session, failing, now - ago, old, new)
    return host_id


def _log(session: Session, finding: CurrentFinding, at: datetime, old: str, new: str) -> None:
    session.execute(
        text(
            "INSERT INTO finding_log (at, host_id, rule_no, subject_kind, subject_id, old, new, reason)"
            " VALUES (:at, :host, :no, :kind, :subject, :old, :new, :reason)"
        ),
        {
            "at": at, "host": finding.host_id, "no": finding.rule_no, "kind": finding.subject_kind, "subject": finding.subject_id,
            "old": old, "new": new, "reason": finding.reason,
        },
    )  # fmt: skip


def read(ask: Ask, host: str, **span: Any) -> dict[str, Any]:
    answer = ask("viewer", "GET", f"/hosts/{host}/timeline?{urlencode(span)}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_it_begins_at_the_enrolment_and_holds_what_changed_since(ask: Ask, host: str) -> None:
    page = read(ask, host)
    span = datetime.fromisoformat(page["to"]) - datetime.fromisoformat(page["from"])
    assert timedelta(days=10) <= span < timedelta(days=10, minutes=5)
    mine = [each["new"] for each in page["changes"] if each["key"] == "adapter.mtu"]
    assert mine == ["1500 bytes", "4000 bytes"]
    assert not [each for each in page["changes"] if each["key"] == "host.tcp.rss"]
    # Put right is one thing, an item that went away another; first sightings are not news.
    turned = [each["begins"] for each in page["findings"]]
    assert turned == [False, True]
    ended, began = page["findings"]
    assert (ended["pack"], ended["rule"]) == (began["pack"], began["rule"])
    assert "" != ended["words"] != began["words"] != ""
    assert page["is_cut"] is False


def test_a_span_holds_what_lies_in_it(ask: Ask, host: str) -> None:
    assert [each["new"] for each in read(ask, host, hours=24)["changes"] if each["key"] == "adapter.mtu"] == ["1500 bytes"]
    page = read(ask, host)
    start, end = datetime.fromisoformat(page["from"]) - timedelta(days=15), datetime.fromisoformat(page["from"])
    before = read(ask, host, **{"from": start.isoformat(), "to": end.isoformat()})
    assert [each["new"] for each in before["changes"]] == ["4088 bytes"]
    assert [each["begins"] for each in before["findings"]] == [True]


def test_a_span_that_ends_before_it_begins_is_said(ask: Ask, host: str) -> None:
    query = urlencode({"from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z"})
    answer = ask("viewer", "GET", f"/hosts/{host}/timeline?{query}")
    assert (answer.status_code, "ends before it begins" in answer.text) == (422, True)
    assert ask("viewer", "GET", f"/hosts/{host}/timeline?from=yesterday").status_code == 422


def test_more_than_it_lists_is_said(ask: Ask, world: World) -> None:
    host_id = world.hosts["sql-02"]
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT now()")).scalar_one()
        enrolled = session.exec(select(Host.enrolled_at).where(col(Host.id) == host_id)).one()
        step = (now - enrolled) / 600
        for number in range(500):
            add_change(session, host_id, ("host", ""), "tcp.rss", number, number + 1, received_at=now - number * step)
    page = read(ask, host_id)
    assert (len(page["changes"]), page["is_cut"]) == (500, False)
    with session_scope() as session:
        add_change(session, host_id, ("host", ""), "tcp.rss", "off", "on", received_at=now)
    page = read(ask, host_id)
    assert (len(page["changes"]), page["is_cut"]) == (500, True)


def test_guardrails_and_fewer_than_two_paths_are_alarms_from_when_to_when(ask: Ask, world: World) -> None:
    host_id = world.hosts["esx-01"]
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT now()")).scalar_one()
        one = session.get_one(Host, host_id)
        one.enrolled_at = now - timedelta(days=9)
        session.add(one)
        no = session.execute(text("SELECT no FROM rule_number WHERE rule = 'core.paths.two_healthy'")).scalar_one()
        session.execute(text("DELETE FROM finding WHERE host_id = :host AND rule_no = :no"), {"host": host_id, "no": no})
        session.execute(text("DELETE FROM finding_log WHERE host_id = :host"), {"host": host_id})
        state = {"host_id": host_id, "rule_no": no, "subject_kind": "volume", "kind": "guard_rail", "since": now - timedelta(days=1)}
        log = CurrentFinding(**state, subject_id="ds-01", outcome="fail", failing_since=now - timedelta(days=1))
        other = CurrentFinding(**state, subject_id="ds-02", outcome="pass")
        session.add_all([log, other])
        session.flush()
        for finding, days, old, new in (
            (log, 5, "pass", "fail"),
            (other, 4.5, "pass", "fail"),
            (log, 4, "fail", "pass"),
            (other, 3.5, "fail", "pass"),
            (log, 1, "pass", "fail"),
        ):
            _log(session, finding, now - timedelta(days=days), old, new)

    def spans(**span: Any) -> list[tuple[float | None, float | None]]:
        alarms = [each for each in read(ask, host_id, **span)["alarms"] if each["rule"] == "core.paths.two_healthy"]
        assert all(each["title"] and each["pack"] == "plumbline-core" for each in alarms)
        return [(_days_ago(now, each["began"]), _days_ago(now, each["ended"])) for each in alarms]

    # Two items that overlap are one alarm.
    assert spans() == [(5, 3.5), (1, None)]
    assert spans(hours=24 * 4) == [(None, 3.5), (1, None)]
    assert spans(hours=12) == [(1, None)]
    before = {"from": (now - timedelta(days=3)).isoformat(), "to": (now - timedelta(days=2)).isoformat()}
    assert spans(**before) == []


def test_paths_down_and_times_without_check_ins_are_alarms_too(ask: Ask, world: World) -> None:
    host_id = world.hosts["sql-02"]
    with session_scope() as session:
        now: datetime = session.execute(text("SELECT now()")).scalar_one()
        ago = {days: now - timedelta(days=days) for days in (8, 7, 6, 5, 4, 3, 2, 1)}
        one = session.get_one(Host, host_id)
        one.enrolled_at = now - timedelta(days=9)
        session.add(one)
        session.execute(text("DELETE FROM setting_change WHERE host_id = :host"), {"host": host_id})
        for days, volume, old, new in (
            (7, "ds-01", 4, 3),
            (6.5, "ds-02", 4, 2),
            (6, "ds-01", 3, 4),
            (5, "ds-02", 2, 4),
            (1, "ds-02", 4, 3),
        ):
            add_change(session, host_id, ("volume", volume), "paths_healthy", old, new, received_at=now - timedelta(days=days))
        for began, noticed, ended in (
            (ago[4], ago[4] + timedelta(minutes=31), ago[3]),
            (ago[2], ago[2] + timedelta(minutes=40), ago[1]),
            # Late, not silent.
            (ago[8], ago[8] + timedelta(minutes=31), ago[8] + timedelta(minutes=40)),
        ):
            session.add(CheckInGap(host_id=host_id, began_at=began, interval_seconds=900, noticed_at=noticed, ended_at=ended))
        # A restart of Plumbline, in the eyes of a host that checks in every twenty seconds.
        short = timedelta(seconds=90)
        session.add(CheckInGap(host_id=host_id, began_at=ago[6], interval_seconds=20, noticed_at=ago[6] + short, ended_at=ago[6] + short))

    def alarms(kind: str, **span: Any) -> list[tuple[str, float | None, float | None]]:
        found = [each for each in read(ask, host_id, **span)["alarms"] if each["kind"] == kind]
        assert {(each["pack"], each["rule"]) for each in found} <= {("", "")}
        return [(each["words"], _days_ago(now, each["began"]), _days_ago(now, each["ended"])) for each in found]

    down = alarms("paths")
    assert down == [
        ("ds-02: 2 of 4 paths up, and 1 more", 7, 5),
        ("ds-02: 3 of 4 paths up", 1, None),
    ]
    assert alarms("check_ins") == [
        ("No check-ins", 4, 3),
        ("No check-ins; Plumbline itself was not running for a part of it", 2, 1),
    ]
    assert alarms("check_ins", hours=60) == alarms("check_ins")[1:]
    assert alarms("paths", hours=60) == down[1:]
    # Paths that went down before the range and still are belong to it.
    assert alarms("paths", hours=12) == down[1:]


def _days_ago(now: datetime, at: str | None) -> float | None:
    return None if at is None else round((now - datetime.fromisoformat(at)) / timedelta(days=1), 2)
