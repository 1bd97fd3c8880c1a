"""Notices about the fleet and about people's acts: to which channels they go, and which are kept back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline import audit
from plumbline.audit.chain import chain_pending
from plumbline.infra.database import session_scope
from plumbline.models.plans import Plan
from plumbline.notify import audit_events
from plumbline.notify.problems import SCAN_LOCK, faults, scan
from plumbline.ops import embedded_servers
from plumbline.remediation.transitions import set_plan_state
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.test_on_call import make_job
from tests.api.world import World
from tests.conftest import pointed_at

__all__ = ["address", "api_database", "app", "ask", "world"]

Told = list[dict[str, Any]]


@pytest.fixture
def background(cluster: embedded_servers.PostgresCluster, api_database: str) -> Iterator[Any]:
    """Runs a function in a transaction of the background worker's role."""

    def run(step: Any) -> Any:
        with pointed_at(cluster, api_database.split("@/")[1].split("?")[0], role="plumbline_background"), session_scope() as session:
            return step(session)

    return run


@pytest.fixture(autouse=True)
def clean(world: World, background: Any) -> None:
    """Every test begins with nothing told, no channel, and hosts that are neither silent nor held."""
    with session_scope() as session:
        session.execute(text("UPDATE host SET last_seen_at = clock_timestamp(), hold_until = NULL, alarm = ''"))
        session.execute(text("UPDATE notice_channel SET is_enabled = false, removed_at = clock_timestamp()"))
        session.execute(text("UPDATE problem_note SET ended_at = clock_timestamp()"))
    background(lambda session: session.execute(text("DELETE FROM notice_state")))
    background(lambda session: session.execute(text("DELETE FROM notice")))
    background(chain_all)
    background(audit_events.take_acts)


def chain_all(session: Session) -> None:
    while chain_pending(session):
        pass


def channel(ask: Ask, kinds: list[str], group_id: int = 1, name: str = "ops") -> int:
    asked = {"group_id": group_id, "way": "webhook", "name": name, "kinds": kinds, "address": "https://hooks.example.com/x"}
    return int(ask("admin", "POST", "/notices/channels", json=asked).json()["id"])


def shown(ask: Ask) -> Told:
    """What was written, oldest first."""
    return [*reversed(ask("admin", "GET", "/notices?limit=100").json()["items"])]


def set_host(world: World, name: str, **values: Any) -> None:
    with session_scope() as session:
        for column, value in values.items():
            session.execute(text(f"UPDATE host SET {column} = :value WHERE id = :id"), {"value": value, "id": world.hosts[name]})


def silence(world: World, *names: str) -> None:
    for name in names:
        set_host(world, name, last_seen_at=datetime.now(UTC) - timedelta(days=2))


def passed(background: Any, **time: float) -> None:
    """So much time goes by, as far as what was told is concerned."""
    background(
        lambda session: session.execute(
            text("UPDATE notice_state SET told_at = told_at - CAST(:gone AS interval), seen_at = seen_at - CAST(:gone AS interval)"),
            {"gone": timedelta(**time)},
        )
    )


def test_a_silent_host_is_told_once_and_several_at_once_are_one_notice(ask: Ask, world: World, background: Any) -> None:
    used = channel(ask, ["silent"])
    silence(world, "sql-01")
    assert background(scan) == 1
    assert background(scan) == 0
    [first] = shown(ask)
    assert first["title"] == "sql-01: No check-in: agent stopped or can't reach the server"
    assert first["page"] == f"/on-call?problem=silent-{world.hosts['sql-01']}"
    assert [(each["channel_id"], each["state"]) for each in first["deliveries"]] == [(used, "waiting")]
    silence(world, "sql-02", "lab-01")
    assert background(scan) == 1
    several = shown(ask)[1]
    assert several["title"] == "Host not reporting: 2 hosts"
    assert {each["name"] for each in several["hosts"]} == {"sql-02", "lab-01"}
    assert several["page"] == "/on-call"
    passed(background, hours=24)
    assert background(scan) == 1
    assert shown(ask)[2]["title"] == "Host not reporting: 3 hosts"


def test_one_that_comes_and_goes_is_not_told_each_time(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["silent"])
    for _ in range(4):
        silence(world, "sql-01")
        background(scan)
        set_host(world, "sql-01", last_seen_at=datetime.now(UTC))
        background(scan)
        passed(background, minutes=5)
    assert len(shown(ask)) == 1
    passed(background, hours=1)
    background(scan)
    silence(world, "sql-01")
    background(scan)
    assert len(shown(ask)) == 2


def test_a_channel_hears_of_its_group_and_of_its_kinds_alone(ask: Ask, world: World, background: Any) -> None:
    prod, lab = channel(ask, ["silent"], world.groups["prod"], "prod"), channel(ask, ["silent"], world.groups["lab"], "lab")
    deaf = channel(ask, ["ending"], world.groups["prod"], "deaf")
    silence(world, "sql-01", "lab-01")
    assert background(scan) == 2
    went = {each["deliveries"][0]["channel_id"]: [host["name"] for host in each["hosts"]] for each in shown(ask)}
    assert went == {prod: ["sql-01"], lab: ["lab-01"]}
    assert deaf not in went
    # A channel of a wider group that comes later hears of what is open then.
    channel(ask, ["silent"], 1, "all")
    assert background(scan) == 1
    assert shown(ask)[2]["title"] == "Host not reporting: 2 hosts"


def test_a_hold_keeps_notices_back_and_they_are_told_when_it_ends(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["silent"])
    held = ask(
        "operator", "PUT", f"/hosts/{world.hosts['sql-01']}/hold",
        json={"reason": "new cards", "until": (datetime.now(UTC) + timedelta(hours=2)).isoformat()},
    )  # fmt: skip
    assert held.status_code == 200, held.text
    silence(world, "sql-01", "sql-02")
    assert background(scan) == 2
    assert background(scan) == 0
    spoken, kept = shown(ask)
    assert [host["name"] for host in spoken["hosts"]] == ["sql-02"]
    assert kept["deliveries"] == []
    assert kept["kept_back"].startswith("host on hold until ")
    assert kept["kept_back"].endswith(": new cards")
    set_host(world, "sql-01", hold_until=datetime.now(UTC) - timedelta(seconds=1))
    assert background(scan) == 1
    assert shown(ask)[2]["title"].startswith("sql-01: No check-in")


@pytest.mark.parametrize(("act", "words"), [("snooze", "snoozed it"), ("acknowledgement", "acknowledged it")])
def test_somebody_who_put_it_off_or_is_at_it_keeps_it_back(ask: Ask, world: World, background: Any, act: str, words: str) -> None:
    channel(ask, ["silent"])
    silence(world, "sql-01")
    body = {"until": (datetime.now(UTC) + timedelta(hours=1)).isoformat()}
    if act == "snooze":
        body["reason"] = "cable ordered"
    path = f"/on-call/silent-{world.hosts['sql-01']}"
    done = ask("operator", "PUT", f"{path}/{act}", json=body)
    assert done.status_code == 200, done.text
    background(scan)
    [kept] = shown(ask)
    assert kept["kept_back"].startswith(f"operator {words} until ")
    assert ask("operator", "DELETE", f"{path}/note").status_code < 300
    background(scan)
    assert shown(ask)[1]["kept_back"] == ""


def test_a_job_that_needs_a_person_a_clone_and_a_deaf_worker_are_told(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["needs_human", "alarm", "plumbline"])
    with session_scope() as session:
        job = make_job(session, world, "sql-02", "NEEDS_HUMAN", "step 2: the value is neither old nor new")
    set_host(world, "sql-01", alarm="two machines check in as this host")
    with session_scope() as session:
        queued = make_job(session, world, "lab-01", "QUEUED")
        session.execute(text("UPDATE job SET queued_at = clock_timestamp() - interval '10 minutes' WHERE id = :id"), {"id": queued})
    assert background(scan) == 3
    by_kind = {each["kind"]: each for each in shown(ask)}
    assert f"job {job} needs attention: step 2" in by_kind["needs_human"]["title"]
    assert by_kind["alarm"]["title"] == "sql-01: two machines check in as this host"
    assert by_kind["plumbline"]["title"] == "1 job queued on remediation, no worker active for 60 s"
    assert by_kind["plumbline"]["page"] == "/safety"
    assert [each["kind"] for each in shown(ask)] == ["needs_human", "plumbline", "alarm"]
    with session_scope() as session:
        session.execute(
            text("UPDATE job SET state = 'CANCELLED', finished_at = clock_timestamp() WHERE id = ANY(:ids)"), {"ids": [job, queued]}
        )


def test_a_fleet_that_is_silent_as_a_whole_is_plumblines_own_fault(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["plumbline"])
    silence(world, "sql-01", "sql-02", "esx-01")
    assert background(scan) == 0
    silence(world, "lab-01")
    assert background(faults)[0][0] == "door"
    assert background(scan) == 1
    assert shown(ask)[0]["title"].startswith("No host has checked in since ")


def test_two_that_look_at_once_and_one_that_ends_before_it_is_done_tell_once(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["silent"])
    silence(world, "sql-01")
    with session_scope() as other:
        other.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SCAN_LOCK})
        assert background(scan) == 0

    def ends(session: Session) -> None:
        assert scan(session) == 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        background(ends)
    assert shown(ask) == []
    assert background(scan) == 1
    assert len(shown(ask)) == 1


def make_plan(world: World, title: str = "pause on") -> int:
    with session_scope() as session:
        plan = Plan(
            group_id=world.groups["prod"], title=title, reason="table 6", author_id=world.people["operator"], author="person:1 operator",
            request={"findings": []}, state="PLANNED",
        )  # fmt: skip
        session.add(plan)
        session.flush()
        return plan.id or 0


def test_acts_are_told_from_the_audit_trail_once_and_to_their_groups_channels(ask: Ask, world: World, background: Any) -> None:
    prod = channel(ask, ["approval", "break_glass", "ending"], world.groups["prod"], "prod")
    channel(ask, ["approval", "break_glass", "ending"], world.groups["lab"], "lab")
    plan_id, settled = make_plan(world), make_plan(world, "settled before anybody was told")
    with session_scope() as session:
        for each in (plan_id, settled):
            set_plan_state(session, session.get_one(Plan, each), "AWAITING_APPROVAL", "asked", actor="person:1 operator")
        set_plan_state(session, session.get_one(Plan, settled), "WITHDRAWN", "not needed", actor="person:1 operator")
        for action, reason in (("plan.break_glass_asked", "array is down"), ("plan.glass_broken", "array is down")):
            audit.record(
                session,
                actor="person:4 admin",
                action=action,
                about=audit.Object("plan", str(plan_id), world.groups["prod"]),
                reason=reason,
            )
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="waiver.reminded",
            about=audit.Object("waiver", "7", world.groups["prod_b"]),
            reason="ends on 01 Dec 2026",
        )
    # An entry that is not chained yet has no place in the order, so it waits.
    assert background(audit_events.take_acts) == 0
    background(chain_all)
    assert background(audit_events.take_acts) == 4
    assert background(audit_events.take_acts) == 0
    assert [(each["kind"], each["title"], each["page"]) for each in shown(ask)] == [
        ("approval", f"Plan {plan_id} needs approval: pause on", f"/remediate/{plan_id}"),
        (
            "break_glass",
            f"Break-glass on plan {plan_id}: admin requested break-glass and needs a second admin",
            f"/remediate/{plan_id}",
        ),
        (
            "break_glass",
            f"Break-glass on plan {plan_id}: admin confirmed break-glass; it runs without an approver and needs a review",
            f"/remediate/{plan_id}",
        ),
        ("ending", "Waiver 7 ends on 01 Dec 2026", "/waivers/7"),
    ]
    assert shown(ask)[0]["lines"] == ["Requested by operator", "table 6"]
    assert all([each["channel_id"] for each in one["deliveries"]] == [prod] for one in shown(ask))


def test_whatever_waits_for_an_approver_is_told_with_who_asked(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["approval"])
    host = world.hosts["sql-01"]
    proposed = ask("operator", "POST", "/baselines", json={"host_id": host, "reason": "as delivered"})
    assert proposed.status_code == 201, proposed.text
    failing = next(
        each for each in ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
        if each["standing"] == "fail" and each["kind"] == "recommended"
    )  # fmt: skip
    asked = {
        "pack": failing["pack"], "rule": failing["rule"], "host_ids": [host], "reason": "the array asks for it",
        "expires_at": (datetime.now(UTC) + timedelta(days=30)).isoformat(),
    }  # fmt: skip
    waiver = ask("operator", "POST", "/waivers", json=asked)
    assert waiver.status_code == 201, waiver.text
    background(chain_all)
    assert background(audit_events.take_acts) == 2
    assert [(each["title"], each["lines"], each["page"]) for each in shown(ask)] == [
        (
            "Baseline proposal needs approval",
            ["Requested by operator", "as delivered"],
            f"/drift?tab=baselines&baseline={proposed.json()['id']}",
        ),
        (
            f"Waiver {waiver.json()['id']} needs approval",
            ["Requested by operator", "the array asks for it"],
            f"/waivers/{waiver.json()['id']}",
        ),
    ]


def test_every_table_that_is_asked_for_what_waits_is_there(api_database: str) -> None:
    with session_scope() as session:
        for content_of in audit_events._CONTENT_OF.values():
            if isinstance(content_of, audit_events._Waiting):
                assert session.execute(text(content_of.statement), {"id": 0}).all() == []


def test_what_was_done_while_nobody_wanted_to_hear_is_told_to_nobody_later(ask: Ask, world: World, background: Any) -> None:
    plan_id = make_plan(world)
    with session_scope() as session:
        set_plan_state(session, session.get_one(Plan, plan_id), "AWAITING_APPROVAL", "asked", actor="person:1 operator")
    background(chain_all)
    assert background(audit_events.take_acts) == 0
    channel(ask, ["approval"])
    assert background(audit_events.take_acts) == 0
    assert shown(ask) == []


def titles(background: Any, kind: str) -> list[str]:
    background(chain_all)
    background(audit_events.take_acts)
    with session_scope() as session:
        return list(session.execute(text("SELECT title FROM notice WHERE kind = :kind ORDER BY id"), {"kind": kind}).scalars())


def test_rights_passwords_and_the_provider_are_kinds_of_their_own(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["grant", "password", "provider"])
    body = {"login": "new-one", "display_name": "New", "password": "vine kettle orbit ten", "roles": [{"role": "viewer", "group_id": 1}]}
    person = ask("admin", "POST", "/people", json=body).json()
    assert ask("admin", "DELETE", f"/grants/{person['grants'][0]['id']}").status_code == 204
    assert ask("admin", "PATCH", f"/people/{person['id']}", json={"password": "copper lantern seven hills"}).status_code == 200
    assert ask("admin", "PATCH", f"/people/{person['id']}", json={"display_name": "Newer"}).status_code == 200
    assert ask("admin", "PATCH", f"/people/{person['id']}", json={"is_disabled": True}).status_code == 200
    given = {"oidc_group": "san-ops", "role": "operator", "group_id": world.groups["prod"]}
    assert ask("admin", "POST", "/sign-in/groups", json=given).status_code == 201
    provider = {"name": "P", "issuer": "https://sign-in.example", "client_id": "c", "scopes": "openid", "is_enabled": False}
    assert ask("admin", "PUT", "/sign-in/provider", json=provider).status_code == 200, provider
    with session_scope() as session:
        statement = (
            "INSERT INTO second_factor (person_id, kind, name, sealed, sealed_key_id) VALUES (:id, 'authenticator', 'Phone', 'x', '')"
        )
        session.execute(text(statement), {"id": person["id"]})
    assert ask("admin", "DELETE", f"/people/{person['id']}/second-factors").status_code == 204
    for is_required in (True, True, False):
        assert ask("admin", "PUT", "/sign-in/policy", json={"is_second_factor_required": is_required}).status_code == 200
    assert titles(background, "grant") == [
        "admin gives new-one the role viewer on All hosts",
        "admin takes from new-one the role viewer on All hosts",
        "admin disables the account new-one",
        "admin gives the provider's group san-ops the role operator on PROD",
    ]
    assert titles(background, "password") == [
        "admin creates the account new-one",
        "admin sets another password for new-one",
        "admin removed the second factor of new-one",
    ]
    assert titles(background, "provider") == [
        "admin changes the identity provider",
        "admin requires a second factor of approvers",
        "admin no longer requires a second factor of approvers",
    ]


def test_for_a_day_a_decision_by_somebody_whose_rights_were_changed_is_notified(ask: Ask, world: World, background: Any) -> None:
    channel(ask, ["grant"])
    approver = world.people["approver"]

    def approve() -> int:
        with session_scope() as session:
            plan = Plan(group_id=1, title="t", author_id=world.people["operator"], author="person:1 operator", state="AWAITING_APPROVAL")
            session.add(plan)
            session.flush()
            set_plan_state(session, plan, "APPROVED", "approved", actor=f"person:{approver} approver")  # type: ignore[arg-type]
            return plan.id or 0

    def changed(ago: timedelta | None) -> None:
        with session_scope() as session:
            at = datetime.now(UTC) - ago if ago is not None else None
            session.execute(text("UPDATE person SET rights_changed_at = :at WHERE id = :id"), {"at": at, "id": approver})

    changed(None)
    approve()
    changed(timedelta(hours=25))
    approve()
    assert titles(background, "grant") == []
    changed(timedelta(hours=23))
    plan_id = approve()
    assert titles(background, "grant") == [f"approver, whose rights or password were just changed, approves plan {plan_id}"]
    changed(None)
