"""What hosts can't report: unknown until a person attests it, then confirmed or not met with their name, unknown again after its end."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.waivers.attestations import expire_attestations
from tests.api.conftest import Ask
from tests.api.world import World

SAID = "the network team read it off both switches"


def later(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def finding(ask: Ask, host_id: str) -> dict[str, Any]:
    items = ask("viewer", "GET", f"/hosts/{host_id}/findings").json()["items"]
    found = [each for each in items if each["kind"] == "attestation" and each["outcome"] != "not_applicable"]
    return dict(min(found, key=lambda each: (each["pack"], each["rule"])))


def of_rule(host_id: str, address: str) -> Any:
    """The stored finding: a page may show two linked rules as one, but each has its own finding."""
    with session_scope() as session:
        found = session.execute(
            text(
                "SELECT f.outcome, f.reason, f.source FROM finding f JOIN rule_number n ON n.no = f.rule_no"
                " WHERE f.host_id = :host AND n.pack || '/' || n.rule = :rule"
            ),
            {"host": host_id, "rule": address},
        )
        return found.one()


FIRST, SECOND = "dell-bp1057-2012/bp1057.fabric.redundant", "dell-bp1057-2012r2/bp1057r2.fabric.redundant"


def body(ask: Ask, world: World, **more: Any) -> dict[str, Any]:
    about = finding(ask, world.hosts["sql-01"])
    return {"pack": about["pack"], "rule": about["rule"], "is_so": True, "statement": SAID, "expires_at": later(90), **more}


def make(ask: Ask, said: dict[str, Any], login: str = "operator") -> dict[str, Any]:
    answer = ask(login, "POST", "/attestations", json=said)
    assert answer.status_code == 201, answer.text
    with session_scope() as session:
        assert compare_rollups(session) == {}
    return dict(answer.json())


def test_unknown_until_attested_then_pass_with_name_and_end(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    score = ask("viewer", "GET", f"/hosts/{host}").json()["score"]
    assert finding(ask, host)["outcome"] == "unknown"
    said = body(ask, world, host_id=host)
    made = make(ask, said)
    now = finding(ask, host)
    until = datetime.fromisoformat(made["expires_at"])
    assert (now["outcome"], now["observed"]) == ("pass", SAID)
    assert now["reason"] == f"attested by Operator, valid until {until.day} {until:%b %Y}"
    assert now["source"]["section"] == "attestation"
    # It weighs nothing.
    assert ask("viewer", "GET", f"/hosts/{host}").json()["score"] == score
    # It was attested for this host only.
    assert finding(ask, world.hosts["sql-02"])["outcome"] == "unknown"
    # A check-in that changes nothing about it leaves it active.
    with session_scope() as session:
        reevaluate_hosts(session, [host], in_full=True)
    assert finding(ask, host)["outcome"] == "pass"


def test_attested_as_not_so_is_advice_and_never_a_failure(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    make(ask, body(ask, world, host_id=host, is_so=False))
    now = finding(ask, host)
    assert (now["outcome"], now["standing"]) == ("fail", "advice")
    assert now["reason"].startswith("not met, attested by Operator, valid until ")


def test_the_nearest_scope_speaks_and_a_group_reaches_below(ask: Ask, world: World) -> None:
    make(ask, body(ask, world, host_id=world.hosts["sql-01"], is_so=False))
    group = make(ask, body(ask, world, group_id=world.groups["prod"]), "prod-operator")
    assert finding(ask, world.hosts["sql-02"])["outcome"] == "pass"
    assert finding(ask, world.hosts["sql-01"])["outcome"] == "fail"
    assert finding(ask, world.hosts["lab-01"])["outcome"] == "unknown"
    near = make(ask, body(ask, world, group_id=world.groups["prod_b"], is_so=False))
    assert finding(ask, world.hosts["sql-02"])["outcome"] == "fail"
    for each in (near, group):
        ask("operator", "POST", f"/attestations/{each['id']}/withdraw", json={"reason": "made by mistake"})
    assert finding(ask, world.hosts["sql-02"])["outcome"] == "unknown"


def test_its_end_makes_it_unknown_with_the_time(ask: Ask, world: World) -> None:
    host = world.hosts["lab-01"]
    made = make(ask, body(ask, world, host_id=host))
    assert finding(ask, host)["outcome"] == "pass"
    with session_scope() as session:
        session.execute(text("UPDATE attestation SET expires_at = now() - interval '1 day' WHERE id = :id"), {"id": made["id"]})
    # Evaluated before the schedule ended it: it counts as over already.
    with session_scope() as session:
        reevaluate_hosts(session, [host])
    assert finding(ask, host)["outcome"] == "unknown"
    with session_scope() as session:
        assert expire_attestations(session) == 1
        assert expire_attestations(session) == 0
    over = datetime.now(UTC) - timedelta(days=1)
    assert finding(ask, host)["reason"] == f"attestation expired on {over.day} {over:%b %Y}"
    row = next(each for each in ask("viewer", "GET", f"/attestations?host={host}").json()["items"] if each["id"] == made["id"])
    assert (row["state"], row["end_words"]) == ("expired", "expired")


def test_a_new_attestation_replaces_the_old_one(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    old, new = make(ask, body(ask, world, host_id=host)), make(ask, body(ask, world, host_id=host, is_so=False))
    states = {each["id"]: each["state"] for each in ask("viewer", "GET", "/attestations").json()["items"]}
    assert (states[old["id"]], states[new["id"]]) == ("replaced", "active")
    assert finding(ask, host)["outcome"] == "fail"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"expires_at": later(9999)}, 422),
        ({"statement": "x"}, 422),
        ({"host_id": None}, 422),
        ({"host_id": "0" * 32}, 404),
        ({"pack": "plumbline-core", "rule": "core.paths.two_healthy"}, 422),
        ({"rule": "no.such"}, 404),
    ],
)
def test_nonsense_is_refused(ask: Ask, world: World, change: dict[str, Any], status: int) -> None:
    answer = ask("operator", "POST", "/attestations", json={**body(ask, world, host_id=world.hosts["sql-01"]), **change})
    assert answer.status_code == status, answer.text


def test_rights_end_at_the_group(ask: Ask, world: World) -> None:
    lab = world.hosts["lab-01"]
    assert ask("prod-operator", "POST", "/attestations", json=body(ask, world, host_id=lab)).status_code == 404
    assert ask("prod-operator", "POST", "/attestations", json=body(ask, world, group_id=1)).status_code in (403, 404)
    made = make(ask, body(ask, world, host_id=lab))
    assert ask("prod-operator", "POST", f"/attestations/{made['id']}/withdraw", json={"reason": "not mine"}).status_code == 404
    assert made["id"] not in {each["id"] for each in ask("prod-viewer", "GET", "/attestations").json()["items"]}


def test_one_attestation_counts_for_both_editions_and_names_its_rule(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    pack, rule = SECOND.split("/")
    made = make(ask, body(ask, world, host_id=host) | {"pack": pack, "rule": rule})
    assert [f"{each['pack']}/{each['rule']}" for each in made["also"]] == [FIRST]
    first, second = of_rule(host, FIRST), of_rule(host, SECOND)
    assert (first.outcome, second.outcome) == ("pass", "pass")
    assert second.reason.startswith("attested by Operator, valid until ")
    assert first.reason == f"{second.reason}, given for equivalent rule {SECOND}"
    assert first.source["command"].endswith(f", given for equivalent rule {SECOND}")
    # Attested differently under the linked rule of the other edition, it replaces the first: one item, one attestation.
    pack, rule = FIRST.split("/")
    anew = make(ask, body(ask, world, host_id=host) | {"pack": pack, "rule": rule, "is_so": False})
    assert {of_rule(host, each).outcome for each in (FIRST, SECOND)} == {"fail"}
    states = {each["id"]: each["state"] for each in ask("viewer", "GET", f"/attestations?host={host}").json()["items"]}
    assert (states[made["id"]], states[anew["id"]]) == ("replaced", "active")
    ask("operator", "POST", f"/attestations/{anew['id']}/withdraw", json={"reason": "made by mistake"})
    assert {of_rule(host, each).outcome for each in (FIRST, SECOND)} == {"unknown"}


def test_linked_rules_of_two_editions_wait_once(ask: Ask, world: World) -> None:
    rules = ask("viewer", "GET", "/attestations").json()["rules"]
    [about] = [each for each in rules if f"{each['rule']['pack']}/{each['rule']['rule']}" == FIRST]
    assert [f"{each['pack']}/{each['rule']}" for each in about["also"]] == [SECOND]
    assert SECOND not in {f"{each['rule']['pack']}/{each['rule']['rule']}" for each in rules}
    before = about["attested"]
    make(ask, body(ask, world, host_id=world.hosts["sql-01"]) | {"pack": FIRST.split("/")[0], "rule": FIRST.split("/")[1]})
    rules = ask("viewer", "GET", "/attestations").json()["rules"]
    assert next(each for each in rules if each["rule"] == about["rule"])["attested"] == before + 1


def test_it_answers_an_edition_that_was_linked_later(ask: Ask, world: World) -> None:
    """As if the second edition had not been known when the first was attested."""
    host = world.hosts["sql-01"]
    pack, rule = FIRST.split("/")
    made = make(ask, body(ask, world, host_id=host) | {"pack": pack, "rule": rule})
    with session_scope() as session:
        session.execute(text("UPDATE attestation SET also_rule_nos = '{}' WHERE id = :id"), {"id": made["id"]})
        reevaluate_hosts(session, [host])
    assert of_rule(host, SECOND).outcome == "pass"
