"""Gates when a job runs: what the approval relied on is read again over the channel, and keeps the job back with words."""

import threading
import time
from collections.abc import Callable

import pytest
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from plumbline.infra.database import session_scope
from plumbline.remediation.transitions import step_rows
from tests.remediation.conftest import Stage
from tests.remediation.test_windows import TRANSMIT, effects

QOS = "chelsio-s2d-qos/chelsio.qos_enabled"
FLOW_CONTROL = "dell-esxi55/esxi55.flow_control"


def shut(stage: Stage, job_id: int) -> str:
    """Why the job waits after one more try; nothing was intended."""
    stage.drive_once(job_id)
    job = stage.job(job_id)
    assert (job.state, job.first_intent_at) == ("WAITING", None), (job.state, job.state_words)
    return job.state_words


def test_a_storage_node_is_changed_only_while_paused_and_without_storage_jobs(stage: Stage) -> None:
    host_id = stage.add_windows("hv-14")
    lab = stage.lab_host(host_id)
    stage.let_time_pass(host_id)
    stage.check_in(host_id)
    assert "node is not paused" in stage.plan(stage.planned(stage.failing(host_id, rule=QOS))).document
    lab.set("host.cluster_node", "Paused", cause="a person")
    stage.check_in(host_id)
    plan_id = stage.planned(stage.failing(host_id, rule=QOS))
    assert stage.plan(plan_id).state == "PLANNED", stage.plan(plan_id).document
    (job_id,) = stage.approved(plan_id)

    lab.set("host.storage_jobs", 2, cause="test")
    assert "no storage jobs running: host//storage_jobs was 0, now 2. Get-StorageJob" in shut(stage, job_id)
    lab.set("host.storage_jobs", 0, cause="test")
    lab.set("host.cluster_others", "Down", cause="test")
    assert "all other nodes are up" in shut(stage, job_id)
    lab.set("host.cluster_others", "Up", cause="test")
    lab.set("host.cluster_node", "Up", cause="a person")
    assert "Suspend-ClusterNode" in shut(stage, job_id)
    lab.set("host.cluster_node", "Paused", cause="a person")
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED", stage.events(job_id)
    assert effects(stage, host_id) == [("qos", "0", "1"), ("restart", None, None)]


def test_heavy_load_and_a_failed_path_keep_an_approved_job_back(stage: Stage) -> None:
    host_id = stage.add_windows("ex-02")
    lab = stage.lab_host(host_id)
    stage.let_time_pass(host_id)
    stage.check_in(host_id)
    stage.let_time_pass(host_id)
    findings = stage.failing(host_id, rule=TRANSMIT)
    (job_id,) = stage.approved(stage.planned(findings))
    sent = lab.state["counters"]["ports"]["SAN1"]["bytes_sent"]
    # Ten minutes at nearly the whole of 10 Gbit/s.
    lab.state["counters"]["ports"]["SAN1"]["bytes_sent"] = sent + 700 * 10**9
    words = shut(stage, job_id)
    assert "% load; the limit is 60%. Get-NetAdapterStatistics" in words
    lab.state["counters"]["ports"]["SAN1"]["bytes_sent"] = sent
    lab.set("path.SAN1/vol-mail-1", "dead", cause="test")
    assert "a volume has 1 healthy paths; 2 are required" in shut(stage, job_id)
    stage.check_in(host_id)
    refused = stage.plan(stage.planned(findings))
    assert refused.state == "NO_CHANGE"
    assert "vol-mail-1" in refused.document
    lab.set("path.SAN1/vol-mail-1", "healthy", cause="test")
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED", stage.events(job_id)


@pytest.mark.parametrize("platform", ["windows", "esxi"])
def test_a_third_value_after_the_first_step_needs_a_person(stage: Stage, esxi: Callable[..., EsxiSsh], platform: str) -> None:
    if platform == "windows":
        host_id = stage.add_windows("ex-02")
        findings, setting, value = stage.failing(host_id, rule=TRANSMIT), "SAN2.transmit_buffers", 777
    else:
        server = esxi("esx-b10")
        server.machine.host.set("vmnic*.flow_control", "off", cause="test")
        host_id = stage.add_esxi(server)
        findings, setting, value = stage.failing(host_id, rule=FLOW_CONTROL), "vmnic3.flow_control", "rx"
    lab = stage.lab_host(host_id)
    (job_id,) = stage.approved(stage.planned(findings))

    def meddle() -> None:
        while not any(row["cause"] == "runner" for row in lab.read_journal()):
            time.sleep(0.01)
        lab.set(setting, value, cause="a person")
        if platform == "esxi":
            stage.servers[host_id].machine.refresh()

    person = threading.Thread(target=meddle, daemon=True)
    person.start()
    stage.drive(job_id)
    person.join(10)
    job = stage.job(job_id)
    assert job.state == "NEEDS_HUMAN", (job.state_words, stage.events(job_id))
    assert "(planned from) or" in job.state_words
    with session_scope() as session:
        states = {number: row.state for number, row in step_rows(session, job_id).items()}
        held = session.execute(text("SELECT count(*) FROM domain_slot WHERE job_id = :job"), {"job": job_id}).scalar_one()
    assert states == {1: "DONE", 2: "CONFLICT"}
    # It keeps its host and its slots until a person settled it; what the person set is left alone.
    assert held > 0
    assert not [row for row in stage.writes(host_id) if row["old"] in ("777", "false,true,false")]
