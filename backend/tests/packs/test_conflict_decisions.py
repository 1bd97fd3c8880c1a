"""Two packs that require opposite values: the card, who may propose and decide, what a decision does to findings, how it is withdrawn."""

from typing import Any

import pytest
from sqlmodel import text

from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.world import World
from tests.packs.conftest import Publish, judge_all

OURS = "site-array/site.flow_control.off"
THEIRS = "dell-bp1057-2012/bp1057.flow_control"
CONFLICT = f"{THEIRS}|{OURS}|adapter.flow_control"


def excluded(host_id: str, rule: str) -> set[str]:
    """Why the findings of a rule on a host are left out; `""` where one counts."""
    with session_scope() as session:
        assert compare_rollups(session) == {}
        rows = session.execute(
            text(
                "SELECT DISTINCT f.excluded_by FROM finding f JOIN rule_number n ON n.no = f.rule_no"
                " WHERE f.host_id = :host AND n.pack || '/' || n.rule = :rule AND f.outcome IN ('pass', 'fail')"
            ),
            {"host": host_id, "rule": rule},
        )
        return {row[0] for row in rows}


def card(ask: Ask, login: str = "viewer") -> dict[str, Any]:
    found = [each for each in ask(login, "GET", "/conflicts").json()["items"] if each["id"] == CONFLICT]
    assert len(found) == 1
    only: dict[str, Any] = found[0]
    return only


def propose(ask: Ask, login: str, group: int, holds: str, status: int = 201) -> int:
    asked = {"conflict": CONFLICT, "group_id": group, "holds": holds, "reason": "the array's vendor says so"}
    answer = ask(login, "POST", "/conflict-decisions", json=asked)
    assert answer.status_code == status, answer.text
    return int(answer.json().get("id", 0))


def act(ask: Ask, login: str, decision: int, what: str, status: int = 200) -> dict[str, Any]:
    answer = ask(login, "POST", f"/conflict-decisions/{decision}/{what}", json={"reason": "because we tried it"})
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def in_conflict() -> list[int]:
    return []


@pytest.fixture
def conflict(ask: Ask, world: World, publish: Publish, in_conflict: list[int]) -> None:
    """The site's pack is active everywhere, and its rule and the papers' rule cannot both be met."""
    if not in_conflict:
        in_conflict.append(publish(version="1.0.0"))
        asked = {"group_id": 1, "what": "version", "version_id": in_conflict[0], "reason": "for a test"}
        assert ask("admin", "POST", "/packs/site-array/activations", json=asked).status_code == 201
        judge_all()


@pytest.mark.usefixtures("conflict")
def test_undecided_sides_stay_out_of_the_score_and_are_one_card(ask: Ask, world: World) -> None:
    for rule in (OURS, THEIRS, "dell-bp1057-2012r2/bp1057r2.flow_control"):
        assert excluded(world.hosts["sql-01"], rule) == {"conflict"}
    found = card(ask)
    assert (found["hosts"], found["hosts_undecided"]) == (3, 3)
    assert {side["demand"] for side in (found["first"], found["second"])} == {OURS, THEIRS}
    assert found["first"]["also"] == ["dell-bp1057-2012r2/bp1057r2.flow_control"]
    assert found["first"]["evidence"]
    assert found["first"]["asks"] != found["second"]["asks"]
    assert ask("viewer", "GET", "/overview").json()["headline"]["conflicts"] == 1
    branch = card(ask, "prod-viewer")
    assert (branch["hosts"], {each["host"]["name"] for each in branch["some_hosts"]}) == (2, {"sql-01", "sql-02"})


@pytest.mark.usefixtures("conflict")
def test_a_decision_is_proposed_by_one_and_made_by_another_and_inherited(ask: Ask, world: World) -> None:
    prod, lab = world.groups["prod"], world.groups["lab"]
    propose(ask, "viewer", prod, OURS, 403)
    propose(ask, "approver", prod, OURS, 403)
    propose(ask, "prod-operator", lab, OURS, 404)
    propose(ask, "operator", prod, "plumbline-core/no.such", 422)
    proposed = propose(ask, "prod-operator", prod, OURS)
    propose(ask, "admin", prod, THEIRS, 409)
    judge_all()
    assert excluded(world.hosts["sql-01"], OURS) == {"conflict"}
    act(ask, "prod-operator", proposed, "approve", 403)
    act(ask, "prod-admin", proposed, "approve", 403)
    made = act(ask, "prod-approver", proposed, "approve")
    assert (made["state"], made["decided_by"], made["proposed_by"]) == ("active", "Prod-Approver", "Prod-Operator")
    act(ask, "approver", proposed, "approve", 409)
    judge_all()
    # PROD-B is below PROD; LAB is not.
    assert excluded(world.hosts["sql-01"], OURS) == {""}
    assert excluded(world.hosts["sql-01"], THEIRS) == {"decision"}
    assert excluded(world.hosts["lab-01"], OURS) == {"conflict"}
    found = card(ask)
    assert (found["hosts"], found["hosts_undecided"]) == (3, 1)
    assert {each["host"]["name"]: each["decided"] for each in found["some_hosts"]} == {
        "lab-01": None,
        "sql-01": made["id"],
        "sql-02": made["id"],
    }

    # A nearer group decides otherwise; taken back, the one above holds again.
    nearer = propose(ask, "operator", world.groups["prod_b"], "")
    act(ask, "approver", nearer, "approve")
    judge_all()
    assert excluded(world.hosts["sql-01"], OURS) == excluded(world.hosts["sql-01"], THEIRS) == {"decision"}
    act(ask, "viewer", nearer, "withdraw", 403)
    act(ask, "approver", nearer, "withdraw")
    judge_all()
    assert excluded(world.hosts["sql-01"], OURS) == {""}

    # Another decision on the same group takes the place of the first.
    propose(ask, "operator", prod, OURS, 409)
    other = propose(ask, "operator", prod, THEIRS)
    act(ask, "approver", other, "approve")
    judge_all()
    assert (excluded(world.hosts["sql-01"], OURS), excluded(world.hosts["sql-01"], THEIRS)) == ({"decision"}, {""})
    assert {each["id"]: each["state"] for each in card(ask)["decisions"]} == {made["id"]: "replaced", nearer: "withdrawn", other: "active"}
    act(ask, "approver", other, "withdraw")
    judge_all()
    assert excluded(world.hosts["sql-01"], OURS) == {"conflict"}


@pytest.mark.usefixtures("conflict")
def test_a_proposal_is_refused_by_another_and_taken_back_by_its_author(ask: Ask, world: World) -> None:
    proposed = propose(ask, "operator", world.groups["lab"], "")
    assert ask("approver", "POST", f"/conflict-decisions/{proposed}/refuse", json={"reason": ""}).status_code == 422
    assert act(ask, "approver", proposed, "refuse")["state"] == "refused"
    again = propose(ask, "operator", world.groups["lab"], "")
    act(ask, "admin", again, "withdraw", 403)
    assert act(ask, "operator", again, "withdraw")["state"] == "withdrawn"
    act(ask, "operator", 999_999, "withdraw", 404)
    trail = ask("admin", "GET", "/audit", params={"limit": 20}).json()["items"]
    assert [each["action"] for each in trail if each["object_kind"] == "conflict"][:2] == ["conflict.withdrawn", "conflict.proposed"]


@pytest.mark.usefixtures("conflict")
def test_one_person_with_both_roles_cannot_approve_a_proposal_of_his_own(ask: Ask, world: World) -> None:
    with session_scope() as session:
        from tests.api.world import add_person

        add_person(session, "both", [("operator", 1), ("approver", 1)], world)
    proposed = propose(ask, "both", world.groups["lab"], OURS)
    act(ask, "both", proposed, "approve", 403)
    act(ask, "both", proposed, "refuse", 403)
    act(ask, "both", proposed, "withdraw")
