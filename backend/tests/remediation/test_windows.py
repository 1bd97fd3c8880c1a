"""The whole way on lab Windows hosts: real WS-Management, the lab's runner, and the check-in of the host's own agent as the proof."""

from lab.windows.scripts import runner_of
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import pending_effects, undo
from plumbline.remediation.plans.schemas import FindingChoice
from tests.remediation.conftest import Stage

LSO = "dell-bp1057-2012/bp1057.guard.lso"
TRANSMIT = "dell-bp1057-2012/bp1057.x520.transmit_buffers"
DELAYED_ACK = "site-storage/site.delayed_ack"


def effects(stage: Stage, host_id: str) -> list[tuple[str, str | None, str | None]]:
    """What the runner did: (setting's last part, old, new), a restart without values."""
    return [
        (row["setting"].rpartition("/")[2] if not row["restart"] else "restart", row["old"], row["new"]) for row in stage.writes(host_id)
    ]


def test_adapters_restart_one_after_the_other_and_go_back_in_one_tap(stage: Stage) -> None:
    host_id = stage.add_windows("ex-02")
    plan_id = stage.planned([*stage.failing(host_id, rule=TRANSMIT), *stage.failing(host_id, rule=LSO)])
    assert stage.plan(plan_id).state == "PLANNED", stage.plan(plan_id).state_words
    (job_id,) = stage.approved(plan_id)
    stage.drive(job_id)

    job = stage.job(job_id)
    assert (job.state, job.effect) == ("SUCCEEDED", ""), (job.state_words, stage.events(job_id))
    assert "a check-in after the last step shows the result" in job.state_words
    assert effects(stage, host_id) == [
        ("transmit_buffers", "2048", "16384"),
        ("restart", None, None),
        ("lso_ipv4", "0", "1"),
        ("transmit_buffers", "2048", "16384"),
        ("restart", None, None),
    ]
    # Never below one path: one adapter was back with its sessions before the other went.
    assert all(step.health_after["least_paths"] == 2 for step in stage.steps(job_id))
    assert not stage.failing(host_id, rule=TRANSMIT)
    assert not stage.failing(host_id, rule=LSO)


def test_delayed_ack_and_quality_of_service_by_each_releases_own_way(stage: Stage) -> None:
    stage.publish_site()
    old, new, node = (stage.add_windows(name) for name in ("ex-02", "app-jp-01", "hv-14"))
    jobs = {host: stage.approved(stage.planned(_site_findings(stage, host)))[0] for host in (old, new, node)}
    stage.drive(*jobs.values())
    assert {host: (stage.job(job).state, stage.job(job).effect) for host, job in jobs.items()} == {
        # 2012: the registry of each SAN interface, read by the system when it starts.
        old: ("SUCCEEDED", "pending: reboot"),
        # Later: a template and a filter, for connections made from now on.
        new: ("SUCCEEDED", "pending: new session"),
        node: ("SUCCEEDED", ""),
    }, {host: (stage.job(job).state_words, stage.events(job)[-4:]) for host, job in jobs.items()}
    assert effects(stage, old) == [("delayed_ack_registry", "absent", "1")] * 2
    assert effects(stage, new) == [("delayed_ack_frequency", "2", "1"), ("template", "absent", "DatacenterCustom")]
    # A policy and a class are written whole; the parts that nobody asked for stay as they were.
    assert sorted(effects(stage, node)) == [("rule", "445:5", "445:3"), ("share", "ets:80:5", "ets:50:5")]

    assert waiting(stage) == {old: "reboot", new: "new_session"}
    # Connections that live keep their template; a start of the host makes new ones, and reads the registry.
    for host in (old, new):
        runner_of(stage.lab_host(host)).restart_host()
        stage.check_in(host)
    assert waiting(stage) == {}

    with session_scope() as session:
        undone = {host: undo.undo_job(session, actor=stage.operator, job_id=job).id or 0 for host, job in jobs.items()}
    stage.drive(*undone.values())
    assert {stage.job(job).state for job in undone.values()} == {"SUCCEEDED"}, [stage.events(job)[-4:] for job in undone.values()]
    # What did not exist before is deleted again, not written back as a default.
    assert effects(stage, old)[2:] == [("delayed_ack_registry", "1", "absent")] * 2
    assert waiting(stage) == {old: "reboot", new: "new_session"}
    assert effects(stage, new)[2:] == [("template", "DatacenterCustom", "absent"), ("delayed_ack_frequency", "1", "2")]


def waiting(stage: Stage) -> dict[str, str]:
    """Hosts with a change that does not work yet, and what it waits for."""
    with session_scope() as session:
        return {each.host.id: each.waits_for for each in pending_effects.list_pending(session, actor=stage.operator)}


def _site_findings(stage: Stage, host_id: str) -> list[FindingChoice]:
    return [each for each in stage.failing(host_id) if each.pack == "site-storage"]
