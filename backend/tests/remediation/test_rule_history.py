"""What was done about a rule: which plans, how they stand, and what they came to."""

from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.test_counts import counted
from tests.api.world import World

__all__ = ["address", "api_database", "app", "ask", "world"]


def test_plans_of_a_rule_are_told_with_how_the_rule_stands_there_now(ask: Ask, world: World) -> None:
    lab = world.hosts["lab-01"]
    items = ask("viewer", "GET", f"/hosts/{lab}/findings").json()["items"]
    chosen = next(each for each in items if each["standing"] == "fail" and each["same_as"])
    path = f"/rules/{chosen['pack']}/{chosen['rule']}/remediations"
    assert ask("viewer", "GET", path).json() == {"items": [], "has_more": False}

    asked = {"rules": [{"pack": chosen["pack"], "rule": chosen["rule"], "host_ids": [lab]}], "title": "put it right"}
    made = ask("operator", "POST", "/plans", json=asked)
    assert made.status_code == 201, made.text
    [shown] = ask("viewer", "GET", path).json()["items"]
    assert (shown["plan_id"], shown["title"], shown["hosts"], shown["fail_now"], shown["pass_now"]) == (
        made.json()["id"],
        "put it right",
        1,
        1,
        0,
    )
    assert shown["state_label"]
    # The other edition asks the same: the plan stands under it too.
    other = chosen["same_as"][0]
    assert ask("viewer", "GET", f"/rules/{other}/remediations").json()["items"] == [shown]
    with counted() as seen:
        ask("viewer", "GET", path)
    assert len(seen) <= 10


def test_the_plans_of_a_rule_end_at_the_scope(ask: Ask, world: World) -> None:
    found = ask("viewer", "GET", "/plans").json()["items"]
    assert found
    lab = world.hosts["lab-01"]
    items = ask("viewer", "GET", f"/hosts/{lab}/findings").json()["items"]
    chosen = next(each for each in items if each["standing"] == "fail" and each["same_as"])
    assert ask("prod-viewer", "GET", f"/rules/{chosen['pack']}/{chosen['rule']}/remediations").json()["items"] == []
    assert ask("viewer", "GET", "/rules/no-such/rule/remediations").status_code == 404
    assert ask("viewer", "GET", "/rules/dell-esxi55/%00/remediations").status_code == 422
