"""What Plumbline cannot carry out is refused when it is planned, with the way to mend it, and its commands can still be copied."""

import json

import pytest
from sqlmodel import text

from plumbline.core.planning.plan import Plan, read_plan
from plumbline.infra.database import session_scope
from plumbline.remediation.plans import plan_text
from tests.remediation.conftest import Stage

LOGIN_TIMEOUT = "dell-esxi55/esxi55.login_timeout"

OBSERVED = ("UPDATE host SET mode = 'observe'", "remediation_on", "the host is observe only; an admin can turn remediation on")
NO_CREDENTIAL = (
    "DELETE FROM remediation_endpoint",
    "reachable",
    "not ready for remediation: remediation is not set up (no address and credential); an admin adds them",
)
NO_IDENTITY = (
    "UPDATE remediation_endpoint SET pins = '{}', port = port + 1",
    "reachable",
    "not ready for remediation: host key not verified; nothing is sent",
)
STOPPED = (
    "UPDATE vault_secret SET stopped_at = clock_timestamp(), stopped_reason = 'refused twice' WHERE purpose = 'remediation'",
    "reachable",
    "not ready for remediation: remediation credential is disabled: refused twice",
)
NO_RUNNER = (
    "UPDATE remediation_endpoint SET runner_sha256 = ''",
    "reachable",
    "not ready for remediation: no runner installed: an admin puts it there",
)


def document(stage: Stage, plan_id: int) -> Plan:
    return read_plan(json.loads(stage.plan(plan_id).document))


@pytest.mark.parametrize(("cause", "gate", "words"), [OBSERVED, NO_CREDENTIAL, NO_IDENTITY, STOPPED, NO_RUNNER])
def test_a_host_that_no_job_can_change_is_refused_at_planning(stage: Stage, esxi_host: str, cause: str, gate: str, words: str) -> None:
    before = document(stage, stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    assert [part.host for part in before.hosts] == [esxi_host]
    assert (before.refusals, before.without_job) == ((), ())
    with session_scope() as session:
        session.execute(text(cause))
    plan_id = stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT))
    planned = document(stage, plan_id)
    assert (stage.plan(plan_id).state, planned.hosts, planned.waves) == ("NO_CHANGE", (), ())
    (refused,) = planned.refusals
    assert (refused.gate, refused.words) == (gate, words)
    assert [ref.rule for ref in refused.findings] == ["esxi55.login_timeout"]
    # The steps are those that a job would have carried out, for a person to read and copy.
    (part,) = planned.without_job
    assert part.steps == before.hosts[0].steps
    with session_scope() as session:
        script = plan_text.read_text(session, actor=stage.operator, plan_id=plan_id, form="script", undo=False)
        play = plan_text.read_text(session, actor=stage.operator, plan_id=plan_id, form="ansible", undo=False)
    for command in part.steps[0].commands:
        assert command.text in script
        assert command.text in play
    assert "no job: Plumbline does not change this host" in script
