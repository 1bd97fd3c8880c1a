"""Frames that grow: kept only after every ping of exactly these paths came back whole, taken back otherwise."""

from collections.abc import Callable

import pytest

from lab.esxi.ssh import EsxiSsh
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.remediation.access import probes
from plumbline.remediation.jobs import undo
from tests.remediation.conftest import Stage
from tests.remediation.test_windows import effects

WINDOWS_JUMBO = "dell-bp1057-2012/bp1057.x520.jumbo"
ESXI_JUMBO = "dell-esxi55/esxi55.jumbo.vmkernel"


def test_a_windows_adapter_whose_way_is_too_small_goes_back_by_itself(stage: Stage) -> None:
    host_id = stage.add_windows("ex-02")
    # The other adapter sends such frames to the same portals already: that proves array and switches.
    plan_id = stage.planned(stage.failing(host_id, rule=WINDOWS_JUMBO))
    assert stage.plan(plan_id).state == "PLANNED", stage.plan(plan_id).document
    (job_id,) = stage.approved(plan_id)
    # A hop that became small since then: found out by the pings alone, since sessions live on small frames.
    stage.lab_host(host_id).set("switch.mtu", 1514, cause="test")
    stage.drive(job_id)
    assert stage.job(job_id).state == "ROLLED_BACK", stage.events(job_id)
    assert "a ping of 9000 bytes from" in stage.job(job_id).state_words
    assert "is too large for the path" in stage.job(job_id).state_words
    assert [each[1:] for each in effects(stage, host_id) if each[0] == "mtu"] == [("1514", "9014"), ("9014", "1514")]

    stage.lab_host(host_id).set("switch.mtu", 12000, cause="test")
    stage.check_in(host_id)
    (second,) = stage.approved(stage.planned(stage.failing(host_id, rule=WINDOWS_JUMBO)))
    stage.drive(second)
    assert stage.job(second).state == "SUCCEEDED", stage.events(second)
    # Back to the small frames that worked before: there is nothing to prove.
    with session_scope() as session:
        undone = undo.undo_job(session, actor=stage.operator, job_id=second).id or 0
    stage.drive(undone)
    assert stage.job(undone).state == "SUCCEEDED", stage.events(undone)


def test_esxi_interfaces_grow_one_after_the_other_while_a_person_keeps_maintenance_mode(stage: Stage, esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi("esx-b10")
    lab = server.machine.host
    for name, value in {"vmk*.mtu": 1500, "host.maintenance_mode": True}.items():
        lab.set(name, value, cause="test")
    host_id = stage.add_esxi(server)
    stage.let_time_pass(host_id)
    assert collect(host_id) is not None
    findings = stage.failing(host_id, rule=ESXI_JUMBO)
    refused = stage.planned(findings)
    assert "9000-byte frames" in stage.plan(refused).document
    plan_id = stage.planned(findings, frame_attested_by="ana of networks")
    assert stage.plan(plan_id).state == "PLANNED", stage.plan(plan_id).document
    (job_id,) = stage.approved(plan_id)

    # What the approval relied on is read again before anything is written down as intended.
    lab.set("host.maintenance_mode", False, cause="test")
    server.machine.refresh()
    stage.drive_once(job_id)
    job = stage.job(job_id)
    assert (job.state, job.first_intent_at) == ("WAITING", None)
    assert "pre-check failed: host is in maintenance mode" in job.state_words
    assert "esxcli system maintenanceMode set --enable true" in job.state_words

    lab.set("host.maintenance_mode", True, cause="test")
    server.machine.refresh()
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED", stage.events(job_id)
    assert [(row["setting"], row["old"], row["new"]) for row in stage.writes(host_id)] == [
        ("vnic/vmk1/mtu", "1500", "9000"),
        ("vnic/vmk2/mtu", "1500", "9000"),
    ]


def test_an_operators_pings_prove_the_way_for_another_host_of_the_fabric(stage: Stage) -> None:
    small, large = stage.add_windows("sql-05"), stage.add_windows("ex-01")
    # Only what a person asked for counts here, not what the agent of the large host told by itself.
    findings = stage.failing(small, rule="dell-bp1057-2012r2/bp1057r2.x520.jumbo")
    assert "run the frame test on a host of this fabric" in stage.plan(stage.planned(findings)).document
    with session_scope() as session:
        asked = probes.request_pings(session, actor=stage.operator, host_id=large, size_bytes=9000)
    assert (asked.state, {ping.outcome for ping in asked.pings}) == ("waiting", {None})
    with session_scope() as session, pytest.raises(Conflict, match="already running"):
        probes.request_pings(session, actor=stage.operator, host_id=large, size_bytes=9000)
    probes.carry_out(asked.id)
    probes.carry_out(asked.id)
    with session_scope() as session:
        (run,) = probes.list_runs(session, actor=stage.operator, host_id=large)
    assert (run.state, {ping.outcome for ping in run.pings}) == ("done", {"ok"}), run.words
    assert len([row for row in stage.lab_host(large).read_journal() if row.get("probed")]) == 1
    document = stage.plan(stage.planned(findings)).document
    assert "ex-01 has verified 9000 bytes to" in document

    # A newer run of the same host that failed takes its proof back.
    stage.lab_host(large).set("switch.mtu", 1514, cause="test")
    with session_scope() as session:
        again = probes.request_pings(session, actor=stage.operator, host_id=large, size_bytes=9000)
    probes.carry_out(again.id)
    assert "9000-byte frames" in stage.plan(stage.planned(findings)).document
