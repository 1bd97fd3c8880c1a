"""What the pages of a plan and a job say beside their rows: freezes that hold them back, the floor, the check-in that settled a job."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import Session, text

from plumbline.infra.database import session_scope
from plumbline.models.check_ins import CheckIn
from plumbline.models.configurations import SwitchPort
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval, Plan
from tests.api.conftest import Ask
from tests.api.world import World

OP = "ab" * 16


def make_plan(session: Session, world: World, host: str, state: str) -> Plan:
    host_id = world.hosts[host]
    asked = {"findings": [{"host_id": host_id, "pack": "p", "rule": "r", "subject_kind": "host", "subject_id": ""}], "options": {}}
    plan = Plan(
        group_id=session.get_one(Host, host_id).group_id,
        title="t",
        author_id=world.people["operator"],
        author="person:1 operator",
        state=state,
        request=asked,
        not_after=datetime.now(UTC) + timedelta(hours=24),
    )
    session.add(plan)
    session.flush()
    return plan


def test_a_plan_says_which_freezes_hold_its_hosts_back(ask: Ask, world: World) -> None:
    with session_scope() as session:
        waiting, other, over = (
            make_plan(session, world, host, state).id
            for host, state in (("sql-01", "AWAITING_APPROVAL"), ("lab-01", "PLANNED"), ("sql-01", "FINISHED"))
        )

    def freeze(hours: float, until: float) -> dict[str, Any]:
        now = datetime.now(UTC)
        body = {
            "group_id": world.groups["prod"],
            "reason": f"in {hours} h",
            "starts_at": (now + timedelta(hours=hours)).isoformat(),
            "ends_at": (now + timedelta(hours=until)).isoformat(),
        }
        made = ask("admin", "POST", "/freezes", json=body)
        assert made.status_code == 201, made.text
        return made.json()  # type: ignore[no-any-return]

    now, soon, late = freeze(0, 2), freeze(3, 4), freeze(40, 50)
    shown = ask("operator", "GET", f"/plans/{waiting}").json()["freezes"]
    assert [one["id"] for one in shown] == [now["id"], soon["id"]]
    assert (shown[0]["is_on"], shown[0]["group_name"], shown[1]["is_on"]) == (True, "PROD", False)
    assert ask("operator", "GET", f"/plans/{other}").json()["freezes"] == []
    assert ask("operator", "GET", f"/plans/{over}").json()["freezes"] == []
    for one in (now, soon, late):
        ask("admin", "POST", f"/freezes/{one['id']}/end")
    assert ask("operator", "GET", f"/plans/{waiting}").json()["freezes"] == []


def test_a_plan_names_the_switch_ports_of_its_hosts(ask: Ask, world: World) -> None:
    host = world.hosts["esx-01"]
    with session_scope() as session:
        plan = make_plan(session, world, "esx-01", "PLANNED").id
        for name, port, mtu, lost_at, role in (
            ("vmnic10", "Eth1/2", None, datetime.now(UTC), "san_iscsi"),
            ("vmnic4", "Eth1/17", 9216, None, "san_iscsi"),
            ("vmnic0", "Gi1/0/1", 1500, None, "management"),
        ):
            about = {"host_id": host, "adapter": name, "name": name, "role": role, "lost_at": lost_at}
            session.add(SwitchPort(**about, switch_id="san-2", switch="san-2", port=port, switch_mtu=mtu))
    assert ask("operator", "GET", f"/plans/{plan}").json()["switch_ports"] == {
        host: ["vmnic4 on san-2, Eth1/17, MTU 9216", "vmnic10 on san-2, Eth1/2, not heard any more"]
    }
    # Nothing of a host that has moved since to where the person has no rights.
    move = text("UPDATE host SET group_id = :group WHERE id = :host")
    with session_scope() as session:
        group = session.execute(text("SELECT group_id FROM host WHERE id = :host"), {"host": host}).scalar_one()
        session.execute(move, {"group": world.groups["lab"], "host": host})
    try:
        assert ask("prod-viewer", "GET", f"/plans/{plan}").json()["switch_ports"] == {}
        assert set(ask("admin", "GET", f"/plans/{plan}").json()["switch_ports"]) == {host}
    finally:
        with session_scope() as session:
            session.execute(move, {"group": group, "host": host})


def add_check_in(session: Session, host_id: str, seq: int, before: str, after: str, at: datetime) -> None:
    session.add(
        CheckIn(
            host_id=host_id,
            epoch=1,
            seq=seq,
            received_at=at,
            digest=bytes([seq]) * 32,
            is_changed=False,
            size_bytes=1,
            runner_before=before,
            runner_after=after,
        )
    )


def test_a_job_names_the_first_check_in_collected_wholly_after_its_last_operation(ask: Ask, world: World) -> None:
    now = datetime.now(UTC)
    host_id = world.hosts["sql-01"]
    with session_scope() as session:
        jobs = []
        for state, op in (("SUCCEEDED", OP), ("UNVERIFIED", OP), ("SUCCEEDED", "")):
            plan = make_plan(session, world, "sql-01", "RUNNING")
            author = world.people["operator"]
            session.add(Approval(plan_id=plan.id or 0, kind="person", payload="{}", signature=b"", key_id="k", author_id=author))
            session.flush()
            job = Job(plan_id=plan.id or 0, host_id=host_id, group_id=plan.group_id, state=state, not_after=now, last_op_id=op)
            job.verify_from = now - timedelta(minutes=5)
            session.add(job)
            session.flush()
            jobs.append(job.id)
        add_check_in(session, host_id, 6, f"{OP}/7", f"{OP}/7", now - timedelta(minutes=9))
        add_check_in(session, host_id, 7, f"{'cd' * 16}/6", f"{OP}/7", now - timedelta(minutes=4))
        add_check_in(session, host_id, 8, f"{OP}/7", f"{OP}/7", now - timedelta(minutes=3))
        add_check_in(session, host_id, 9, f"{OP}/7", f"{OP}/7", now - timedelta(minutes=2))
    shown = [ask("viewer", "GET", f"/jobs/{job}").json() for job in jobs]
    assert shown[0]["verified_by"]["seq"] == 8
    assert shown[0]["verified_by"]["digest"] == "08" * 32
    assert [shown[1]["verified_by"], shown[2]["verified_by"]] == [None, None]
    assert shown[0]["floor"] == 1


def test_pings_are_asked_of_hosts_in_scope_that_can_be_reached(ask: Ask, world: World) -> None:
    here, there = (f"/hosts/{world.hosts[name]}/probes" for name in ("sql-01", "lab-01"))
    assert ask("viewer", "GET", here).json() == []
    assert ask("prod-operator", "GET", there).status_code == 404
    assert ask("prod-operator", "POST", there, json={"size_bytes": 9000}).status_code == 404
    refused = ask("prod-operator", "POST", here, json={"size_bytes": 9000})
    assert refused.status_code == 409
    assert "Remediation is not set up for this host" in refused.json()["detail"]
    for wrong in ({"size_bytes": 100}, {"size_bytes": 70_000}, {"size_bytes": "large"}, {}):
        assert ask("operator", "POST", here, json=wrong).status_code == 422
    assert ask("prod-viewer", "GET", "/pending-effects").json() == []
    assert ask("viewer", "GET", "/pending-effects", params={"host_id": "nonsense"}).status_code == 422
