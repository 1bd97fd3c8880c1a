"""Open problems over the API: what is found, in which order, who takes it on, what may be run at once."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, select, text

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval, Plan, StandingApproval
from plumbline.models.vault import VaultSecret
from plumbline.packs.library import read_library
from tests.api.conftest import Ask
from tests.api.test_counts import cost_of
from tests.api.world import World, add_change, add_host, first_samples


def later(**more: float) -> str:
    return (datetime.now(UTC) + timedelta(**more)).isoformat()


def problems(ask: Ask, who: str = "operator", part: str = "problems") -> dict[str, Any]:
    return {one["key"]: one for one in ask(who, "GET", "/on-call").json()[part]}


def make_job(session: Session, world: World, host: str, state: str, words: str = "", undoes: int | None = None) -> int:
    host_id = world.hosts[host]
    group_id = session.get_one(Host, host_id).group_id
    author = world.people["operator"]
    plan = Plan(group_id=group_id, title="t", author_id=author, author="person:1 operator", request={"findings": []}, state="RUNNING")
    session.add(plan)
    session.flush()
    session.add(Approval(plan_id=plan.id or 0, kind="person", payload="{}", signature=b"", key_id="k", author_id=author))
    session.flush()
    now = datetime.now(UTC)
    job = Job(plan_id=plan.id or 0, host_id=host_id, group_id=group_id, state=state, state_words=words, not_after=now + timedelta(hours=1))
    job.finished_at = now if state == "ROLLED_BACK" else None
    job.kind, job.undoes_id = "change" if undoes is None else "undo", undoes
    session.add(job)
    session.flush()
    return job.id or 0


def turn(session: Session, host_id: str, address: str) -> None:
    """A finding that fails on the host held until now."""
    pack, _, rule = address.partition("/")
    session.execute(
        text(
            "INSERT INTO finding_log (at, host_id, rule_no, subject_kind, subject_id, old, new, reason)"
            " SELECT now(), f.host_id, f.rule_no, f.subject_kind, f.subject_id, 'pass', 'fail', ''"
            " FROM finding f JOIN rule_number r ON r.no = f.rule_no"
            " WHERE f.host_id = :host AND r.pack = :pack AND r.rule = :rule AND f.outcome = 'fail'"
        ),
        {"host": host_id, "pack": pack, "rule": rule},
    )


@pytest.fixture(scope="module")
def failing(world: World) -> tuple[str, str]:
    """A failing finding of sql-01 that turned tonight and that a plan can put right: its rule's address, and the setting it sets."""
    with session_scope() as session:
        library = read_library(session)
        rows = session.execute(
            text(
                "SELECT DISTINCT r.pack || '/' || r.rule FROM finding f"
                " JOIN rule_number r ON r.no = f.rule_no JOIN host h ON h.id = f.host_id"
                " WHERE f.host_id = :host AND f.outcome = 'fail' AND f.kind <> 'guard_rail' AND f.rule_no = ANY(h.failing) ORDER BY 1"
            ),
            {"host": world.hosts["sql-01"]},
        ).scalars()
        address = next(each for each in rows if not library.by_address[each].rule.fix.is_manual)
        rule = library.by_address[address].rule
        turn(session, world.hosts["sql-01"], address)
        kind, _, key = sorted(rule.reads)[0].partition(".")
        add_change(session, world.hosts["sql-01"], (kind, "" if kind == "host" else "x"), key, "on", "off")
        return address, rule.fix.set[0].key


def test_what_turned_to_fail_tonight_is_a_problem_and_a_first_sighting_is_none(ask: Ask, world: World, failing: tuple[str, str]) -> None:
    found = problems(ask)
    worse = [one for one in found.values() if one["kind"] == "worse"]
    assert [one["host"]["name"] for one in worse] == ["sql-01"]
    assert worse[0]["takes_away"]
    assert worse[0]["fixes"][0]["standing"] is None
    assert worse[0]["no_fix_because"].startswith("this host is observe only")
    assert "fix" not in worse[0]["may"]
    # What changed before it leads to its event, where it can be restored, accepted, marked as expected and sent to a ticket system.
    (change,) = worse[0]["changes"]
    event = ask("operator", "GET", f"/drift/events/{change['id']}").json()
    assert [each["change_id"] for each in event["changes"]] == [change["id"]]


def test_silent_hosts_are_told_and_hosts_that_wait_for_approval_are_not(ask: Ask, world: World) -> None:
    silent = [one for one in problems(ask).values() if one["kind"] == "silent"]
    assert [one["host"]["name"] for one in silent] == ["esx-01"]
    assert silent[0]["since"] is not None


def test_a_job_that_needs_a_person_stands_above_all_of_them(ask: Ask, world: World, failing: tuple[str, str]) -> None:
    with session_scope() as session:
        job = make_job(session, world, "sql-02", "NEEDS_HUMAN", "another value stands there")
    listed = ask("operator", "GET", "/on-call").json()["problems"]
    assert listed[0]["kind"] == "needs_human"
    assert (listed[0]["job_id"], listed[0]["words"]) == (job, f"job {job} needs attention: another value stands there")


def test_a_job_that_was_tried_for_half_an_hour_is_a_problem_and_one_that_waits_for_a_known_time_is_none(ask: Ask, world: World) -> None:
    key = f"waiting_job-{world.hosts['lab-01']}"
    with session_scope() as session:
        job = make_job(session, world, "lab-01", "WAITING", "host unreachable: no route to host")

    def tried(minutes: int, next_in: int) -> None:
        with session_scope() as session:
            session.execute(
                text(
                    "UPDATE job SET queued_at = now() - make_interval(mins => :tried), next_try_at = now() + make_interval(mins => :next)"
                    " WHERE id = :id"
                ),
                {"tried": minutes, "next": next_in, "id": job},
            )

    assert key not in problems(ask)  # never queued: its wave or its window has not begun
    tried(29, 5)
    assert key not in problems(ask)
    tried(31, 60)  # a freeze ends in an hour
    assert key not in problems(ask)
    tried(31, 5)
    found = problems(ask)[key]
    assert (found["kind_label"], found["job_id"]) == ("Job can't start", job)
    assert found["words"] == f"job {job} can't start: host unreachable: no route to host"
    assert "until" in found["takes_away"]
    with session_scope() as session:
        row = session.get_one(Job, job)
        row.state, row.state_words = "CANCELLED", "over"
    assert key not in problems(ask)


def test_a_job_that_failed_is_told_until_a_later_one_ran_on_its_host(ask: Ask, world: World) -> None:
    key = f"failed_job-{world.hosts['lab-01']}"
    with session_scope() as session:
        make_job(session, world, "lab-01", "ROLLED_BACK")
    assert key in problems(ask)
    assert "Nothing was changed" in problems(ask)[key]["takes_away"]
    with session_scope() as session:
        job = make_job(session, world, "lab-01", "NEEDS_HUMAN")
    assert key not in problems(ask)
    with session_scope() as session:
        session.execute(text("UPDATE job SET state = 'RESOLVED', finished_at = now() WHERE id = :id"), {"id": job})


def test_only_problems_of_ones_own_scope_are_there(ask: Ask, world: World) -> None:
    names = {one["host"]["name"] for one in problems(ask, "prod-viewer").values()}
    assert "lab-01" not in names
    assert "sql-02" in names
    assert ask("prod-viewer", "GET", f"/on-call?group={world.groups['lab']}").status_code == 404
    assert ask("nobody", "GET", "/on-call").status_code == 403
    assert all(one["may"] == [] for one in problems(ask, "viewer").values())


def test_somebody_takes_it_on_and_everybody_sees_who_and_until_when(ask: Ask, world: World) -> None:
    key = f"silent-{world.hosts['esx-01']}"
    assert ask("viewer", "PUT", f"/on-call/{key}/acknowledgement", json={}).status_code == 403
    assert ask("operator", "PUT", f"/on-call/{key}/acknowledgement", json={"until": later(days=2)}).status_code == 422
    said = ask("operator", "PUT", f"/on-call/{key}/acknowledgement", json={})
    assert said.status_code == 200, said.text
    seen = problems(ask, "prod-operator")[key]["note"]
    assert (seen["kind"], seen["by"], seen["is_mine"]) == ("acknowledged", "operator", False)
    assert "release" in problems(ask, "prod-operator")[key]["may"]
    assert ask("prod-operator", "DELETE", f"/on-call/{key}/note").status_code == 200
    assert problems(ask)[key]["note"] is None
    assert ask("operator", "DELETE", f"/on-call/{key}/note").status_code == 409
    with session_scope() as session:
        entries = session.exec(select(AuditEntry).where(AuditEntry.object_kind == "problem").order_by(AuditEntry.id))  # type: ignore[arg-type]
        assert [entry.action for entry in entries] == ["problem.acknowledged", "problem.released"]


def test_what_is_put_off_stands_apart_with_its_reason_and_comes_back_when_it_gets_worse(
    ask: Ask, world: World, failing: tuple[str, str]
) -> None:
    key = f"worse-{world.hosts['sql-01']}"
    path = f"/on-call/{key}/snooze"
    assert ask("operator", "PUT", path, json={"until": later(hours=1)}).status_code == 422
    assert ask("operator", "PUT", path, json={"until": later(hours=-1), "reason": "cable ordered"}).status_code == 422
    assert ask("operator", "PUT", path, json={"until": later(hours=1), "reason": "cable ordered"}).status_code == 200
    assert key not in problems(ask)
    assert problems(ask, part="snoozed")[key]["note"]["reason"] == "cable ordered"
    with session_scope() as session:
        session.execute(text("UPDATE problem_note SET parts = parts[2:] WHERE problem = :key AND ended_at IS NULL"), {"key": key})
    assert problems(ask)[key]["note"] is None


def test_a_problem_that_is_over_is_not_taken_on(ask: Ask, world: World) -> None:
    answer = ask("operator", "PUT", f"/on-call/paths-{world.hosts['sql-02']}/acknowledgement", json={})
    assert answer.status_code == 409
    assert "already resolved" in answer.json()["detail"]
    assert ask("operator", "PUT", "/on-call/nonsense/acknowledgement", json={}).status_code == 422
    assert ask("prod-operator", "PUT", f"/on-call/silent-{world.hosts['lab-01']}/acknowledgement", json={}).status_code == 404


@pytest.fixture
def changeable(world: World) -> Iterator[None]:
    """sql-01 can be changed for the time of a test."""
    with session_scope() as session:
        credential = VaultSecret(name="x", purpose="remediation", key_id="k", sealed=b"")
        session.add(credential)
        session.flush()
        session.add(
            RemediationEndpoint(host_id=world.hosts["sql-01"], channel="winrm", address="h", port=1, credential_id=credential.id or 0)
        )
        session.get_one(HostGroup, world.groups["prod_b"]).mode = "remediate"
    yield
    with session_scope() as session:
        session.execute(text("DELETE FROM remediation_endpoint"))
        session.get_one(HostGroup, world.groups["prod_b"]).mode = None


def sign(session: Session, world: World, item: dict[str, str], **more: Any) -> int:
    group = session.get_one(HostGroup, more.pop("group_id", world.groups["prod"]))
    signer = more.pop("signer", "approver")
    row = StandingApproval(
        name="tonight",
        group_ids=[group.id or 0],
        payload=json.dumps(
            {"group_ids": [group.id], "group_paths": [group.path], "items": [item], "largest_impact": more.pop("largest", "path_loss")}
        ),
        signature=b"",
        key_id="k",
        signer_id=world.people[signer],
        signer=f"person:{world.people[signer]} {signer}",
        expires_at=datetime.now(UTC) + timedelta(days=1),
    )
    session.add(row)
    session.flush()
    return row.id or 0


def test_a_fix_may_run_at_once_only_under_an_approval_that_lists_it_for_this_group_and_is_not_ones_own(
    ask: Ask, world: World, failing: tuple[str, str], changeable: None
) -> None:
    address, setting = failing
    key = f"worse-{world.hosts['sql-01']}"

    def standing(who: str = "operator") -> Any:
        return problems(ask, who)[key]["fixes"][0]["standing"]

    assert "fix" in problems(ask)[key]["may"]
    assert standing() is None
    with session_scope() as session:
        sign(session, world, {"rule": address}, group_id=world.groups["lab"])
        sign(session, world, {"rule": address}, signer="operator")
        sign(session, world, {"setting": "host.no_such", "value": "on"})
        sign(session, world, {"rule": address}, largest="none")
    assert standing() is None
    with session_scope() as session:
        one = sign(session, world, {"rule": address})
    assert (standing()["id"], standing()["name"], standing()["signer"]) == (one, "tonight", "approver")
    with session_scope() as session:
        session.execute(text("UPDATE standing_approval SET withdrawn_at = now() WHERE id = :id"), {"id": one})
        other = sign(session, world, {"setting": setting, "value": "whatever the plan says"})
    assert standing()["id"] == other


def test_the_page_costs_the_same_however_many_hosts_are_in_trouble(ask: Ask, world: World) -> None:
    cost_of(ask, "/on-call")
    before = cost_of(ask, "/on-call")
    windows, _ = first_samples()
    with session_scope() as session:
        for at in range(6):
            add_host(session, f"gone-{at}", group_id=world.groups["prod"], sample=windows if at == 0 else None, seen_ago=timedelta(days=3))
    assert cost_of(ask, "/on-call") == before
    assert before <= 25


def test_the_latest_changes_are_listed_while_they_can_be_undone(ask: Ask, world: World) -> None:
    with session_scope() as session:
        job = make_job(session, world, "sql-01", "SUCCEEDED")
        over = make_job(session, world, "sql-01", "SUCCEEDED")
        undone = make_job(session, world, "sql-01", "SUCCEEDED")
        now = datetime.now(UTC)
        for each, hours in ((job, 5), (over, -1), (undone, 5)):
            row = session.get_one(Job, each)
            row.finished_at, row.undo_until = now - timedelta(hours=1), now + timedelta(hours=hours)
        make_job(session, world, "sql-01", "FAILED", undoes=undone)

    def listed(who: str = "operator") -> set[int]:
        return {each["id"] for each in ask(who, "GET", "/on-call").json()["undoable"]} & {job, over, undone}

    # An undo that failed can be tried again; the one whose time is over cannot.
    assert listed() == {job, undone}
    with session_scope() as session:
        undo = make_job(session, world, "sql-01", "RUNNING", undoes=undone)
    assert listed() == {job}
    with session_scope() as session:
        session.execute(text("UPDATE job SET state = 'SUCCEEDED' WHERE id = :id"), {"id": undo})
    assert listed() == {job}
    for each in (job, over, undone):
        may = "undo" in ask("operator", "GET", f"/jobs/{each}").json()["may"]
        assert may == (each in listed()), each
    # Nothing of a host that has moved since to where the person has no rights.
    move = text("UPDATE host SET group_id = :group WHERE id = :host")
    with session_scope() as session:
        group = session.get_one(Host, world.hosts["sql-01"]).group_id
        session.execute(move, {"group": world.groups["lab"], "host": world.hosts["sql-01"]})
    try:
        assert listed("prod-operator") == set()
        assert listed() == {job}
    finally:
        with session_scope() as session:
            session.execute(move, {"group": group, "host": world.hosts["sql-01"]})
