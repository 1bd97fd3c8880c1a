"""Restoring is a fix: a value that no rule asks for goes back by a plan, an approval and a job, and the log of changes names the job."""

import pytest
from sqlmodel import Session, text

from plumbline.collection.collect import collect
from plumbline.drift.event_detail import read_event
from plumbline.drift.queries import read_drift
from plumbline.drift.schemas import ChangeGroup
from plumbline.infra.database import session_scope
from plumbline.infra.errors import BadInput
from plumbline.remediation.jobs import undo
from plumbline.remediation.plans import build, draft
from plumbline.remediation.plans.schemas import PlanCreate, SettingChoice
from tests.remediation.conftest import Stage

KEY = "host.net.hw_tso"


def _changed(stage: Stage, host_id: str) -> ChangeGroup:
    """The newest event of the host on the drift page."""
    with session_scope() as session:
        return read_drift(session, actor=stage.operator, group_id=None, hours=1).groups[0]


def _planned(stage: Stage, settings: list[SettingChoice]) -> int:
    with session_scope() as session:
        request = PlanCreate(findings=[], settings=settings, reason="restore what was there before")
        plan_id = draft.draft_plan(session, actor=stage.operator, request=request).id or 0
    with stage.acting_as("plumbline_background"):
        build.build(plan_id)
    return plan_id


def _failing(session: Session, host_id: str) -> int:
    return int(session.execute(text("SELECT count(*) FROM finding WHERE host_id = :h AND outcome = 'fail'"), {"h": host_id}).scalar_one())


def test_a_value_that_no_rule_asks_for_is_restored_with_a_receipt_and_the_job_is_the_cause(stage: Stage, esxi_host: str) -> None:
    host = stage.lab_host(esxi_host)
    with session_scope() as session:
        failing = _failing(session, esxi_host)
    host.set("host.net.hw_tso", "disabled", cause="somebody")
    assert collect(esxi_host) is not None
    event = _changed(stage, esxi_host)
    assert (event.key, event.cause, event.is_expected) == (KEY, "unknown", False)
    with session_scope() as session:
        assert _failing(session, esxi_host) == failing, "no rule asks for it"
        detail = read_event(session, actor=stage.operator, event_id=int(event.id), group_id=None)
    assert detail.rules == []
    wanted = [
        SettingChoice(host_id=each.host.id, key=each.key, subject_id=each.subject.id, to=each.restore_to, reference="the former value")
        for each in detail.changes
        if each.restore_to is not None
    ]
    assert len(wanted) == len(detail.changes) > 0

    plan_id = _planned(stage, wanted)
    assert stage.plan(plan_id).state == "PLANNED", stage.plan(plan_id).state_words
    (job_id,) = stage.approved(plan_id)
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED"
    assert {(row["old"], row["new"]) for row in stage.writes(esxi_host)} == {("0", "1")}
    assert {step.state for step in stage.steps(job_id)} == {"DONE"}
    assert all(step.after["wrote"] for step in stage.steps(job_id)), "the runner's receipt says what it wrote"

    # The check-in that verified it names the job, and the page shows it apart with its undo.
    restored = _changed(stage, esxi_host)
    assert (restored.cause, restored.is_expected, restored.key) == ("our_job", True, KEY)
    assert restored.cause_detail == f"plan {plan_id}, requested by olga"
    assert [(job.job_id, job.plan_id, job.requested_by) for job in restored.jobs] == [(job_id, plan_id, "olga")]
    assert restored.jobs[0].undo_until is not None

    with session_scope() as session:
        undone = undo.undo_job(session, actor=stage.operator, job_id=job_id).id or 0
    stage.drive(undone)
    assert stage.job(undone).state == "SUCCEEDED"
    again = _changed(stage, esxi_host)
    assert (again.cause, [job.job_id for job in again.jobs]) == ("our_job", [undone])
    assert again.cause_detail == f"undo of plan {plan_id}, requested by olga"


def test_what_another_hand_sets_after_a_job_is_not_the_jobs_work(stage: Stage, esxi_host: str) -> None:
    host = stage.lab_host(esxi_host)
    plan_id = _planned(stage, [SettingChoice(host_id=esxi_host, key=KEY, to="disabled")])
    (job_id,) = stage.approved(plan_id)
    stage.drive(job_id)
    assert _changed(stage, esxi_host).cause == "our_job"
    host.set("host.net.hw_tso", "enabled", cause="somebody")
    assert collect(esxi_host) is not None
    event = _changed(stage, esxi_host)
    assert (event.key, event.cause, event.is_expected) == (KEY, "unknown", False)


@pytest.mark.parametrize(
    ("name", "to", "words"),
    [
        ("host.no_such_setting", "x", "there is no setting"),
        ("initiator.noop_out_interval_seconds", "ten", "takes a whole number"),
        ("initiator.noop_out_interval_seconds", True, "takes a whole number"),
        ("initiator.delayed_ack", "perhaps", "takes one of its words"),
    ],
)
def test_a_setting_or_value_that_does_not_exist_is_refused_in_words(
    stage: Stage, esxi_host: str, name: str, to: str | bool, words: str
) -> None:
    request = PlanCreate(findings=[], settings=[SettingChoice(host_id=esxi_host, key=name, subject_id="x", to=to)])
    with session_scope() as session, pytest.raises(BadInput, match=words):
        draft.draft_plan(session, actor=stage.operator, request=request)


def test_two_values_of_one_setting_are_refused(stage: Stage, esxi_host: str) -> None:
    chosen = [SettingChoice(host_id=esxi_host, key=KEY, subject_id="x", to=to) for to in ("enabled", "disabled")]
    with session_scope() as session, pytest.raises(BadInput, match="two values"):
        draft.draft_plan(session, actor=stage.operator, request=PlanCreate(findings=[], settings=chosen))
