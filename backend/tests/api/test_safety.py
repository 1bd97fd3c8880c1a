"""The brakes over the API: the stop switch, standing approvals, windows, freezes, holds and a host's own mode, by role and scope."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import select, text

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.models.plans import Approval, Plan
from tests.api.conftest import Ask
from tests.api.world import World


def later(**more: float) -> str:
    return (datetime.now(UTC) + timedelta(**more)).isoformat()


def acts(object_kind: str, object_id: Any) -> list[str]:
    with session_scope() as session:
        found = session.exec(
            select(AuditEntry).where(AuditEntry.object_kind == object_kind, AuditEntry.object_id == str(object_id)).order_by(AuditEntry.id)  # type: ignore[arg-type]
        )
        return [entry.action for entry in found]


def test_the_session_says_which_brakes_a_person_may_touch(ask: Ask, world: World) -> None:
    names = ("stop_everything", "release_restore", "sign_standing", "manage_windows", "manage_budgets", "hold_hosts", "manage_hosts")
    can = {who: ask(who, "GET", "/session").json()["can"] for who in ("viewer", "operator", "approver", "admin", "prod-admin")}
    assert not any(can["viewer"][name] for name in names)
    assert [name for name in names if can["operator"][name]] == ["stop_everything", "hold_hosts"]
    assert [name for name in names if can["approver"][name]] == ["sign_standing"]
    assert [name for name in names if can["admin"][name]] == ["release_restore", "manage_windows", "manage_budgets", "manage_hosts"]
    assert not can["prod-admin"]["release_restore"]


def test_everything_is_stopped_and_released_with_reasons(ask: Ask, world: World) -> None:
    assert ask("approver", "PUT", "/stop-switch", json={"is_stopped": True, "reason": "alarm"}).status_code == 403
    assert ask("operator", "PUT", "/stop-switch", json={"is_stopped": True, "reason": ""}).status_code == 422
    stopped = ask("operator", "PUT", "/stop-switch", json={"is_stopped": True, "reason": "array alarm"}).json()
    assert (stopped["is_stopped"], stopped["reason"], stopped["changed_by"]) == (True, "array alarm", "operator")
    assert ask("viewer", "GET", "/stop-switch").json() == stopped
    assert ask("operator", "PUT", "/stop-switch", json={"is_stopped": True, "reason": "again"}).status_code == 409
    assert not ask("operator", "PUT", "/stop-switch", json={"is_stopped": False, "reason": "cable put back"}).json()["is_stopped"]
    assert acts("stop_switch", 1) == ["everything.stopped", "everything.released"]


def test_only_operators_of_the_root_group_let_jobs_begin_again(ask: Ask, world: World) -> None:
    assert ask("prod-operator", "PUT", "/stop-switch", json={"is_stopped": True, "reason": "array alarm"}).status_code == 200
    refused = ask("prod-operator", "PUT", "/stop-switch", json={"is_stopped": False, "reason": "cable put back"})
    assert refused.status_code == 403
    assert "an operator of the root group" in refused.json()["detail"]
    assert ask("viewer", "GET", "/stop-switch").json()["is_stopped"]
    assert ask("operator", "PUT", "/stop-switch", json={"is_stopped": False, "reason": "cable put back"}).status_code == 200
    can = {who: ask(who, "GET", "/session").json()["can"] for who in ("operator", "prod-operator")}
    assert [can[who]["stop_everything"] for who in can] == [True, True]
    assert [can[who]["release_stop"] for who in can] == [True, False]


def test_after_a_restore_only_an_admin_of_the_whole_tree_starts_again(ask: Ask, world: World) -> None:
    with session_scope() as session:
        session.execute(text("UPDATE stop_switch SET is_stopped = true, cause = 'restore', reason = 'restored'"))
    refused = ask("operator", "PUT", "/stop-switch", json={"is_stopped": False, "reason": "looks well"})
    assert refused.status_code == 403
    assert "restore" in refused.json()["detail"]
    lift, why = "/stop-switch/lift-restore", {"reason": "looked at the open jobs"}
    for who in ("viewer", "operator", "approver", "prod-admin"):
        assert ask(who, "POST", lift, json=why).status_code in (403, 404), who
    assert ask("viewer", "GET", "/stop-switch").json()["is_stopped"]
    assert ask("admin", "POST", lift, json={"reason": ""}).status_code == 422
    lifted = ask("admin", "POST", lift, json=why).json()
    assert (lifted["is_stopped"], lifted["changed_by"], lifted["reason"]) == (False, "admin", why["reason"])
    assert ask("admin", "POST", lift, json=why).status_code == 409
    # What a person stopped is the operators' own.
    assert ask("operator", "PUT", "/stop-switch", json={"is_stopped": True, "reason": "array alarm"}).status_code == 200
    assert "operators" in ask("admin", "POST", lift, json=why).json()["detail"]
    assert ask("operator", "PUT", "/stop-switch", json={"is_stopped": False, "reason": "cable put back"}).status_code == 200
    assert acts("stop_switch", 1)[-3:] == ["everything.released", "everything.stopped", "everything.released"]


def standing(world: World, **more: Any) -> dict[str, Any]:
    items = [{"setting": "adapter.flow_control", "value": "rx_tx"}]
    given = {"name": "on call", "group_ids": [world.groups["prod"]], "items": items, "largest_impact": "adapter_restart", "password": ""}
    return {**given, "expires_at": later(days=30), **more}


def test_a_standing_approval_is_signed_read_and_withdrawn(ask: Ask, world: World) -> None:
    assert ask("operator", "POST", "/standing-approvals", json=standing(world)).status_code == 403
    assert ask("prod-approver", "POST", "/standing-approvals", json=standing(world, group_ids=[world.groups["lab"]])).status_code == 404
    assert ask("approver", "POST", "/standing-approvals", json=standing(world, expires_at=later(days=-1))).status_code == 422
    assert ask("approver", "POST", "/standing-approvals", json=standing(world, items=[{"setting": "adapter.mtu"}])).status_code == 422
    made = ask("approver", "POST", "/standing-approvals", json=standing(world))
    assert made.status_code == 201
    one = made.json()
    assert (one["signer"], one["is_in_force"], one["times_used"]) == ("approver", True, 0)
    assert one in ask("prod-operator", "GET", "/standing-approvals").json()
    withdrawn = ask("approver", "POST", f"/standing-approvals/{one['id']}/withdraw", json={"reason": "the switch was replaced"}).json()
    assert (withdrawn["is_in_force"], withdrawn["withdrawn_by"], withdrawn["withdrawn_reason"]) == (
        False,
        "approver",
        "the switch was replaced",
    )
    assert ask("approver", "POST", f"/standing-approvals/{one['id']}/withdraw", json={"reason": "once more"}).status_code == 409
    assert acts("standing_approval", one["id"]) == ["standing_approval.signed", "standing_approval.withdrawn"]


def test_a_standing_approval_names_no_group_outside_the_scope(ask: Ask, world: World) -> None:
    both = [world.groups["prod"], world.groups["lab"]]
    one = ask("approver", "POST", "/standing-approvals", json=standing(world, group_ids=both, name="both")).json()
    assert sorted(one["group_names"]) == ["LAB", "PROD"]
    seen = next(each for each in ask("prod-operator", "GET", "/standing-approvals").json() if each["id"] == one["id"])
    assert (seen["group_ids"], seen["group_names"]) == ([world.groups["prod"]], ["PROD"])


def test_the_plans_signed_under_a_standing_approval_are_counted(ask: Ask, world: World) -> None:
    one, other = (ask("approver", "POST", "/standing-approvals", json=standing(world, name=name)).json()["id"] for name in ("a", "b"))
    with session_scope() as session:
        for _ in range(2):
            plan = Plan(group_id=1, title="t", author_id=world.people["operator"], author="operator", request={"findings": []})
            session.add(plan)
            session.flush()
            assert plan.id is not None
            session.add(
                Approval(
                    plan_id=plan.id, kind="standing", payload="{}", signature=b"", key_id="k", author_id=plan.author_id, standing_id=one
                )
            )
    used = {row["id"]: row["times_used"] for row in ask("viewer", "GET", "/standing-approvals").json()}
    assert (used[one], used[other]) == (2, 0)


def test_windows_and_freezes_are_made_by_admins_of_the_group_and_ended(ask: Ask, world: World) -> None:
    window = {
        "group_id": world.groups["prod"],
        "name": "Saturday",
        "time_zone": "Europe/Berlin",
        "starts_at_time": "22:00",
        "lasts_minutes": 240,
    }
    assert ask("operator", "POST", "/windows", json={**window, "weekdays": [6]}).status_code == 403
    assert ask("admin", "POST", "/windows", json={**window, "weekdays": [6], "on_date": "2026-12-05"}).status_code == 422
    assert ask("admin", "POST", "/windows", json={**window, "weekdays": [6], "time_zone": "Mars/Base"}).status_code == 422
    made = ask("prod-admin", "POST", "/windows", json={**window, "weekdays": [6]}).json()
    assert made["next_open"] is not None
    assert made["id"] in [row["id"] for row in ask("viewer", "GET", f"/windows?group={world.groups['prod_b']}").json()]
    assert made["id"] not in [row["id"] for row in ask("viewer", "GET", f"/windows?group={world.groups['lab']}").json()]
    assert ask("prod-admin", "POST", f"/windows/{made['id']}/end").json()["ended_at"] is not None
    freeze = {"group_id": world.groups["lab"], "reason": "audit", "ends_at": later(days=1)}
    assert ask("prod-admin", "POST", "/freezes", json=freeze).status_code == 404
    frozen = ask("admin", "POST", "/freezes", json=freeze).json()
    assert frozen["is_on"]
    assert frozen["id"] not in [row["id"] for row in ask("prod-viewer", "GET", "/freezes").json()]
    assert not ask("admin", "POST", f"/freezes/{frozen['id']}/end").json()["is_on"]
    assert acts("freeze", frozen["id"]) == ["freeze.made", "freeze.ended"]


def test_a_hold_is_shown_until_its_time_and_no_longer(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    assert ask("admin", "PUT", f"/hosts/{host}/hold", json={"reason": "memory"}).status_code == 403
    assert ask("operator", "PUT", f"/hosts/{host}/hold", json={"reason": "memory", "until": later(hours=-1)}).status_code == 422
    assert ask("operator", "PUT", f"/hosts/{host}/hold", json={"reason": "memory", "until": later(hours=1)}).status_code == 200
    hold = ask("viewer", "GET", f"/hosts/{host}").json()["hold"]
    assert (hold["by"], hold["reason"]) == ("Operator", "memory")
    with session_scope() as session:
        session.execute(text("UPDATE host SET hold_until = clock_timestamp() - interval '1 second' WHERE id = :id"), {"id": host})
    assert ask("viewer", "GET", f"/hosts/{host}").json()["hold"] is None


def test_a_host_says_whether_the_mode_is_its_own(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    ask("admin", "PATCH", f"/groups/{world.groups['prod']}", json={"mode": "remediate"})

    def modes() -> tuple[str | None, str]:
        row = ask("viewer", "GET", f"/hosts/{host}").json()
        return row["mode"], row["mode_effective"]

    assert modes() == (None, "remediate")
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"mode": "observe"}).status_code == 200
    assert modes() == ("observe", "observe")
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"mode": None}).status_code == 200
    assert modes() == (None, "remediate")
    # Laxer than its group is no mode of its own.
    ask("admin", "PATCH", f"/groups/{world.groups['prod']}", json={"mode": "observe"})
    ask("admin", "PATCH", f"/hosts/{host}", json={"mode": "remediate"})
    assert modes() == (None, "observe")
