"""Actions of people: groups, hosts, tokens, views; each with its effect, its refusals and its entry in the audit log."""

from typing import Any

from sqlmodel import select

from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from tests.api.conftest import Ask
from tests.api.world import World, add_host, first_samples


def acts(object_kind: str, object_id: Any) -> list[str]:
    with session_scope() as session:
        found = session.exec(
            select(AuditEntry).where(AuditEntry.object_kind == object_kind, AuditEntry.object_id == str(object_id)).order_by(AuditEntry.id)  # type: ignore[arg-type]
        )
        return [entry.action for entry in found]


def new_host(world: World, name: str, **more: Any) -> str:
    with session_scope() as session:
        return add_host(session, name, group_id=world.groups["prod_b"], sample=first_samples()[0], **more)


def rollups_are_exact() -> None:
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_groups_are_made_moved_and_given_a_mode(ask: Ask, world: World) -> None:
    made = ask("prod-admin", "POST", "/groups", json={"parent_id": world.groups["prod"], "name": "PROD-C"})
    assert made.status_code == 201
    group = made.json()
    assert (group["mode"], group["mode_effective"], group["hosts"]) == (None, "observe", 0)
    assert ask("prod-admin", "POST", "/groups", json={"parent_id": world.groups["prod"], "name": "prod-c"}).status_code == 409
    assert ask("prod-admin", "POST", "/groups", json={"parent_id": 1, "name": "X"}).status_code == 404
    assert ask("prod-admin", "POST", "/groups", json={"parent_id": world.groups["lab"], "name": "X"}).status_code == 404
    changed = ask("admin", "PATCH", f"/groups/{world.groups['prod']}", json={"mode": "remediate"})
    assert changed.json()["mode_effective"] == "remediate"
    assert ask("admin", "GET", f"/hosts/{world.hosts['sql-01']}").json()["mode_effective"] == "remediate"
    assert {row["name"] for row in ask("admin", "GET", "/hosts?managed=remediate").json()["items"]} >= {"sql-01", "esx-01"}
    assert ask("admin", "PATCH", f"/groups/{world.groups['prod']}", json={"mode": None}).json()["mode_effective"] == "observe"
    assert ask("admin", "PATCH", f"/groups/{world.groups['prod']}", json={"parent_id": group["id"]}).status_code == 409
    assert ask("admin", "PATCH", "/groups/1", json={"parent_id": group["id"]}).status_code == 409
    moved = ask("admin", "PATCH", f"/groups/{group['id']}", json={"parent_id": world.groups["lab"], "name": "LAB-C"}).json()
    assert moved["path"] == f"1/{world.groups['lab']}/{group['id']}/"
    assert group["id"] not in [each["id"] for each in ask("prod-admin", "GET", "/groups").json()]
    assert acts("group", group["id"]) == ["group.created", "group.changed"]


def test_a_waiting_host_is_approved_into_a_group_and_evaluated(ask: Ask, world: World) -> None:
    host = new_host(world, "wait-01", state="waiting")
    before = ask("viewer", "GET", "/overview").json()["headline"]["hosts"]
    assert host in [row["id"] for row in ask("admin", "GET", "/enrolment/waiting").json()]
    assert ask("prod-admin", "POST", f"/hosts/{host}/approve", json={"group_id": world.groups["lab"]}).status_code == 404
    answer = ask("admin", "POST", f"/hosts/{host}/approve", json={"group_id": world.groups["lab"]})
    assert answer.status_code == 200
    assert answer.json()["state"] == "active"
    assert answer.json()["group_id"] == world.groups["lab"]
    assert answer.json()["score"] is not None
    assert ask("admin", "POST", f"/hosts/{host}/approve", json={}).status_code == 409
    assert ask("viewer", "GET", "/overview").json()["headline"]["hosts"] == before + 1
    assert "host.approved" in acts("host", host)
    rollups_are_exact()


def test_a_retired_host_counts_nowhere(ask: Ask, world: World) -> None:
    host = new_host(world, "old-01")
    before = ask("viewer", "GET", "/overview").json()
    assert ask("admin", "POST", f"/hosts/{host}/retire", json={"reason": ""}).status_code == 422
    assert ask("admin", "POST", f"/hosts/{host}/retire", json={"reason": "out of service"}).json()["state"] == "retired"
    after = ask("viewer", "GET", "/overview").json()
    assert after["headline"]["hosts"] == before["headline"]["hosts"] - 1
    assert after["outcomes"]["fail"] < before["outcomes"]["fail"]
    assert ask("viewer", "GET", "/hosts?q=old-01").json()["total"] == 0
    assert ask("viewer", "GET", "/hosts?q=old-01&state=retired").json()["total"] == 1
    assert ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"] == []
    rollups_are_exact()


def test_moving_a_host_needs_both_groups_and_moves_its_counts(ask: Ask, world: World) -> None:
    host = new_host(world, "move-01")
    lab = f"/overview?group={world.groups['lab']}"
    before = ask("viewer", "GET", lab).json()["outcomes"]["fail"]
    assert ask("prod-admin", "PATCH", f"/hosts/{host}", json={"group_id": world.groups["lab"]}).status_code == 404
    moved = ask("admin", "PATCH", f"/hosts/{host}", json={"group_id": world.groups["lab"]})
    assert moved.json()["group_name"] == "LAB"
    assert ask("viewer", "GET", lab).json()["outcomes"]["fail"] == before + moved.json()["n_fail"]
    assert ask("prod-admin", "GET", f"/hosts/{host}").status_code == 404
    rollups_are_exact()


def test_tags_are_open_to_operators_and_the_rest_to_admins(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    assert ask("operator", "PATCH", f"/hosts/{host}", json={"tags": ["sql", "sql", "tier:1"]}).status_code == 200
    assert ask("operator", "GET", f"/hosts/{host}").json()["tags"] == ["sql", "tier:1"]
    assert [row["id"] for row in ask("viewer", "GET", "/hosts?tag=tier:1").json()["items"]] == [host]
    assert ask("operator", "PATCH", f"/hosts/{host}", json={"mode": "observe"}).status_code == 403
    assert ask("operator", "PATCH", f"/hosts/{host}", json={"tags": ["a b"]}).status_code == 422
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"mode": "remediate"}).status_code == 422
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"mode": "observe"}).json()["mode_effective"] == "observe"
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"unknown": 1}).status_code == 422
    assert acts("host", host).count("host.changed") == 2


def test_roles_of_adapters_are_set_and_given_back(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    adapter = ask("viewer", "GET", f"/hosts/{host}/paths").json()["adapters"][0]["id"]
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"roles": {"no-such": "other"}}).status_code == 422
    ask("admin", "PATCH", f"/hosts/{host}", json={"roles": {adapter: "management"}})
    assert ask("viewer", "GET", f"/hosts/{host}").json()["overrides"] == {f"adapter/{adapter}/role": "management"}
    ask("admin", "PATCH", f"/hosts/{host}", json={"roles": {adapter: None}})
    assert ask("viewer", "GET", f"/hosts/{host}").json()["overrides"] == {}


def test_a_group_and_its_subgroups_require_tickets(ask: Ask, world: World) -> None:
    def asked() -> dict[str, tuple[bool, bool]]:
        return {
            each["name"]: (each["is_ticket_required"], each["is_ticket_required_effective"])
            for each in ask("admin", "GET", "/groups").json()
        }

    prod, below = world.groups["prod"], world.groups["prod_b"]
    names = {each["id"]: each["name"] for each in ask("admin", "GET", "/groups").json()}
    assert asked()[names[below]] == (False, False)
    assert ask("operator", "PATCH", f"/groups/{prod}", json={"is_ticket_required": True}).status_code == 403
    answer = ask("prod-admin", "PATCH", f"/groups/{prod}", json={"is_ticket_required": True})
    assert (answer.json()["is_ticket_required"], answer.json()["mode"]) == (True, None)
    assert asked()[names[below]] == (False, True)
    assert asked()[names[world.groups["lab"]]] == (False, False)
    assert ask("prod-admin", "PATCH", f"/groups/{prod}", json={"is_ticket_required": False}).status_code == 200
    assert asked()[names[below]] == (False, False)
    assert acts("group", prod)[-2:] == ["group.changed", "group.changed"]


def test_adapters_are_labelled_with_their_fabrics_and_re_evaluated(ask: Ask, world: World) -> None:
    host, other = new_host(world, "fab-01"), new_host(world, "fab-02")

    def fabrics(of: str) -> dict[str, str]:
        return {each["id"]: each["fabric"] for each in ask("viewer", "GET", f"/hosts/{of}/paths").json()["adapters"]}

    def compared() -> set[str]:
        found = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
        return {each["standing"] for each in found if each["rule"] == "core.mtu.fabric_agrees"}

    before = fabrics(host)
    assert set(before.values()) == {""}
    assert "not_applicable" not in compared()
    alone = ask("admin", "PATCH", f"/hosts/{host}", json={"fabrics": dict.fromkeys(before, "Fabric A")})
    assert alone.status_code == 200
    assert set(fabrics(host).values()) == {"Fabric A"}
    assert compared() == {"not_applicable"}  # nobody else is on that fabric
    assert ask("admin", "PATCH", f"/hosts/{other}", json={"fabrics": dict.fromkeys(before, "Fabric A")}).status_code == 200
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"fabrics": dict.fromkeys(before, "Fabric A")}).status_code == 200
    assert "not_applicable" not in compared()
    assert ask("admin", "PATCH", f"/hosts/{host}", json={"fabrics": dict.fromkeys(before)}).status_code == 200
    assert fabrics(host) == before
    assert acts("host", host).count("host.changed") == 3
    rollups_are_exact()


def test_who_may_not_label_a_fabric_and_what_is_no_label(ask: Ask, world: World) -> None:
    host = world.hosts["sql-02"]
    adapter = ask("viewer", "GET", f"/hosts/{host}/paths").json()["adapters"][0]["id"]
    assert ask("operator", "PATCH", f"/hosts/{host}", json={"fabrics": {adapter: "A"}}).status_code == 403
    for wrong in (
        {"no-such": "A"},
        {"no-such": None},
        {adapter: ""},
        {adapter: "A "},
        {adapter: "A\u0000"},
        {adapter: "x" * 61},
        {adapter: 7},
    ):
        assert ask("admin", "PATCH", f"/hosts/{host}", json={"fabrics": wrong}).status_code == 422, wrong
    assert "A" not in [each["fabric"] for each in ask("viewer", "GET", f"/hosts/{host}/paths").json()["adapters"]]


def test_check_now_answers_in_words_and_is_an_act(ask: Ask, world: World) -> None:
    answer = ask("operator", "POST", f"/hosts/{world.hosts['sql-01']}/check-now")
    assert answer.status_code == 202
    assert "15 min" in answer.json()["words"]
    assert acts("host", world.hosts["sql-01"])[-1] == "host.check_asked"


def test_a_token_is_shown_once_and_its_commands_fetch_files_that_are_there(ask: Ask, world: World) -> None:
    for platform in ("windows", "esxi"):
        body = {"name": "new racks", "group_id": world.groups["prod"], "platform": platform, "uses": 3}
        made = ask("prod-admin", "POST", "/enrolment/tokens", json=body)
        assert made.status_code == 201
        token = made.json()["token"]
        commands = " ".join(each["command"] for each in made.json()["commands"])
        assert token in commands
        listed = ask("prod-admin", "GET", "/enrolment/tokens").json()
        assert token not in str(listed)
        assert listed[0]["uses_left"] == 3
        assert ask("prod-admin", "DELETE", f"/enrolment/tokens/{made.json()['id']}").status_code == 204
        assert ask("prod-admin", "GET", "/enrolment/tokens").json()[0]["revoked_at"] is not None
        assert acts("token", made.json()["id"]) == ["token.made", "token.revoked"]
    assert ask("prod-admin", "POST", "/enrolment/tokens", json={"name": "x", "group_id": 1, "platform": "esxi"}).status_code == 404
    body = {"name": "again", "group_id": world.groups["prod"], "platform": "esxi", "host_id": world.hosts["lab-01"]}
    assert ask("prod-admin", "POST", "/enrolment/tokens", json=body).status_code == 404
    fetched = ask("", "GET", "/agent/v1/files/host_agent.py")
    assert fetched.status_code == 200
    assert b"Plumbline" in fetched.content
    assert ask("", "GET", "/agent/v1/files/passwd").status_code == 422


def test_an_enrolled_host_appears_among_the_waiting(ask: Ask, world: World) -> None:
    token = ask("admin", "POST", "/enrolment/tokens", json={"name": "racks", "group_id": 1, "platform": "esxi"}).json()["token"]
    body = {"token": token, "nonce": "n" * 32, "name": "esx-new", "platform": "esxi", "agent_version": "1.0.0"}
    enrolled = ask("", "POST", "/agent/v1/enrol", json=body)
    assert enrolled.status_code == 200, enrolled.text
    row = next(row for row in ask("admin", "GET", "/enrolment/waiting").json() if row["name"] == "esx-new")
    assert row["id"] == enrolled.json()["host_id"]
    assert row["token_name"] == "racks"
    assert row["last_seen_at"] is None


def test_views_are_ones_own_or_shared(ask: Ask, world: World) -> None:
    mine = ask("viewer", "POST", "/views", json={"name": "My ESXi hosts", "url": "/hosts?platform=esxi"}).json()
    shared = ask("viewer", "POST", "/views", json={"name": "S2D", "url": "/hosts?family=t520", "is_shared": True}).json()
    seen = {view["id"]: view["is_mine"] for view in ask("operator", "GET", "/views").json()}
    assert mine["id"] not in seen
    assert seen[shared["id"]] is False
    assert ask("operator", "DELETE", f"/views/{shared['id']}").status_code == 404
    assert [hit["label"] for hit in ask("operator", "GET", "/search?q=s2d").json() if hit["kind"] == "view"] == ["S2D"]
    assert ask("viewer", "DELETE", f"/views/{mine['id']}").status_code == 204
