"""An uplink that management came to share after the approval, and one that it shared before: neither is interrupted by a job."""

from collections.abc import Callable

from lab.esxi.ssh import EsxiSsh
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.remediation.plans import queries
from tests.remediation.conftest import Stage
from tests.remediation.test_gates import FLOW_CONTROL, shut

MANAGED = "vmk0 of port group Management Network (management)"


def share(server: EsxiSsh, uplink: str) -> None:
    """Management moves to the switch and an uplink of the SAN."""
    vmk0 = server.machine.host.state["vmks"]["vmk0"]
    vmk0["vswitch"], vmk0["uplink"] = "vSwitch1", uplink
    server.machine.refresh()


def test_a_shared_uplink_is_a_checklist_in_the_plan_and_keeps_an_approved_job_back(stage: Stage, esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi("esx-b10")
    server.machine.host.set("vmnic*.flow_control", "off", cause="test")
    host_id = stage.add_esxi(server)
    first, second = (name for name, _ in stage.lab_host(host_id).ports("san"))
    findings = stage.failing(host_id, rule=FLOW_CONTROL)
    assert len(findings) == 2
    (job_id,) = stage.approved(stage.planned(findings))

    share(server, first)
    words = shut(stage, job_id)
    assert f"{first} carries more than storage now: the step would interrupt {MANAGED} too" in words, words
    assert stage.writes(host_id) == []

    assert collect(host_id) is not None
    plan_id = stage.planned(findings)
    with session_scope() as session:
        page = queries.read_plan_page(session, actor=stage.operator, plan_id=plan_id).model_dump(mode="json")
    assert page["state"] == "PLANNED"
    (step,) = (step for host in page["document"]["hosts"] for step in host["steps"])
    assert f"pauseParams set -n {second}" in step["commands"][0]["text"]
    (listed,) = page["document"]["checklists"]
    assert listed["because"].startswith(f"changing {first} would interrupt {MANAGED} too")
    assert any(f"pauseParams set -n {first}" in line for line in listed["steps"])

    vmk0 = server.machine.host.state["vmks"]["vmk0"]
    vmk0["vswitch"], vmk0["uplink"] = "vSwitch0", "vmnic0"
    server.machine.refresh()
    stage.drive(job_id)
    job = stage.job(job_id)
    assert job.state == "SUCCEEDED", stage.events(job_id)
    # ESXi forgets pause frames when it restarts: the plan and the result say so.
    assert job.state_words.endswith("; Flow control lasts until the next restart of the host")
    assert "/etc/rc.local.d/local.sh" in step["elements"][0]["until_restart"]
