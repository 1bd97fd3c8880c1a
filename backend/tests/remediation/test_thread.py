"""The whole way: failing findings on a lab ESXi host, a plan, an approval, a job over real SSH by the real runner, a verifying check-in."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from plumbline.auth.actor import Actor
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.remediation.controls import actions
from plumbline.remediation.controls.schemas import HoldCreate, SwitchSet
from plumbline.remediation.jobs import cancel, reconcile, undo
from plumbline.remediation.jobs.run import run
from plumbline.remediation.plans import approve, break_glass, draft
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.states import JOB_WORDS
from tests.remediation.conftest import Stage, make_person

LOGIN_TIMEOUT = "dell-esxi55/esxi55.login_timeout"
FLOW_CONTROL = "dell-esxi55/esxi55.flow_control"


def _values(stage: Stage, host_id: str) -> list[tuple[str, str, str]]:
    return [(row["setting"], row["old"], row["new"]) for row in stage.writes(host_id)]


def test_from_findings_to_verified_and_back_in_one_tap(stage: Stage, esxi_host: str) -> None:
    plan_id = stage.planned(stage.failing(esxi_host))
    assert stage.plan(plan_id).state == "PLANNED"
    (job_id,) = stage.approved(plan_id)
    stage.drive(job_id)

    job = stage.job(job_id)
    assert (job.state, job.effect) == ("SUCCEEDED", "pending: new session")
    assert stage.plan(plan_id).state == "FINISHED"
    written = _values(stage, esxi_host)
    # Both initiator settings, then one adapter after the other; nothing twice.
    assert [(old, new) for _, old, new in written] == [
        ("true", "false"),
        ("5", "60"),
        ("true,false,false", "false,true,true"),
        ("true,false,false", "false,true,true"),
    ]
    assert len({setting for setting, _, _ in written}) == 4
    assert [step.state for step in stage.steps(job_id)] == ["DONE"] * 3
    assert {step.applied_by for step in stage.steps(job_id)} == {"us"}
    # The check-in that verified it was judged as well.
    assert [each.rule for each in stage.failing(esxi_host)] == ["esxi55.mem"]

    with session_scope() as session:
        undone = undo.undo_job(session, actor=stage.operator, job_id=job_id).id or 0
    stage.drive(undone)
    assert stage.job(undone).state == "SUCCEEDED"
    assert [(setting, old, new) for setting, new, old in reversed(written)] == _values(stage, esxi_host)[4:]
    with session_scope() as session, pytest.raises(Conflict, match="has undone it"):
        undo.undo_job(session, actor=stage.operator, job_id=job_id)


def test_a_host_with_an_agent_of_its_own_verifies_by_that_agent(stage: Stage, esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi("esx-a03")
    server.machine.host.set("initiator.login_timeout_seconds", 5, cause="test")
    host_id = stage.add_esxi_with_agent(server)
    (job_id,) = stage.approved(stage.planned(stage.failing(host_id, rule=LOGIN_TIMEOUT)))
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED", stage.events(job_id)
    assert "starting the host's agent" in [words for _, _, words in stage.events(job_id)]
    # One counter: the check-in is the agent's own, the second it made.
    with session_scope() as session:
        assert session.execute(text("SELECT source, last_seq FROM host WHERE id = :id"), {"id": host_id}).one() == ("agent", 2)


def test_what_a_person_changed_meanwhile_is_skipped_before_and_kept_after(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    stage.servers[esxi_host].machine.host.set("initiator.login_timeout_seconds", 30, cause="person")
    stage.drive(job_id)
    assert stage.job(job_id).state == "SKIPPED_STALE"
    # The state says that facts changed since approval; the words beside it say which, and do not say it again.
    assert "host changed since approval" in JOB_WORDS["SKIPPED_STALE"]
    words = stage.job(job_id).state_words
    assert "is 30: expected 5 (planned from) or 60 (target)" in words
    assert "facts changed" not in words
    assert stage.writes(esxi_host) == []

    # The same after the job: an undo names the value that is no longer what the plan set.
    assert collect(esxi_host) is not None
    (second,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    stage.drive(second)
    assert stage.job(second).state == "SUCCEEDED"
    stage.servers[esxi_host].machine.host.set("initiator.login_timeout_seconds", 45, cause="person")
    with session_scope() as session:
        undone = undo.undo_job(session, actor=stage.operator, job_id=second).id or 0
    stage.drive(undone)
    assert stage.job(undone).state == "SKIPPED_STALE"
    assert "is 45: expected 60 (planned from) or 30 (target)" in stage.job(undone).state_words
    assert len(stage.writes(esxi_host)) == 1


def test_blocks_hold_a_job_back_and_let_it_go(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    with session_scope() as session:
        actions.hold_host(session, actor=stage.operator, host_id=esxi_host, request=HoldCreate(reason="new cables"))
    reconcile.reconcile_once()
    assert (stage.job(job_id).state, stage.job(job_id).state_words) == ("WAITING", "host on hold: new cables")
    with session_scope() as session:
        actions.release_host(session, actor=stage.operator, host_id=esxi_host)
        session.execute(text("UPDATE job SET next_try_at = NULL"))
    reconcile.reconcile_once()
    assert stage.job(job_id).state == "QUEUED"
    with session_scope() as session:
        actions.set_switch(session, actor=stage.operator, request=SwitchSet(is_stopped=True, reason="array update"))
    run(job_id, worker="test", queue="remediation")
    assert stage.job(job_id).state == "QUEUED"
    with session_scope() as session:
        actions.set_switch(session, actor=stage.operator, request=SwitchSet(is_stopped=False, reason="done"))
        session.execute(text("UPDATE host_group SET mode = 'observe' WHERE id = 1"))
    run(job_id, worker="test", queue="remediation")
    assert stage.job(job_id).state == "WAITING"
    assert "observe only" in stage.job(job_id).state_words
    assert stage.writes(esxi_host) == []
    with session_scope() as session:
        cancel.cancel_job(session, actor="person:1 olga", job_id=job_id, reason="not today")
    reconcile.reconcile_once()
    assert stage.job(job_id).state == "CANCELLED"
    assert stage.plan(stage.job(job_id).plan_id).state == "WITHDRAWN"


def test_an_owner_who_refuses_on_the_host_is_obeyed(stage: Stage, esxi_host: str) -> None:
    (stage.servers[esxi_host].machine.program / "observe-only").write_text("")
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    stage.drive(job_id)
    assert stage.job(job_id).state == "FAILED"
    assert "refused by the host's owner" in stage.job(job_id).state_words
    assert stage.writes(esxi_host) == []


def test_a_host_that_cannot_be_reached_makes_its_job_wait(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    with session_scope() as session:
        session.execute(text("UPDATE remediation_endpoint SET port = 1"))
    reconcile.reconcile_once()
    run(job_id, worker="test", queue="remediation")
    job = stage.job(job_id)
    assert job.state == "WAITING"
    assert job.state_words.startswith("host unreachable")
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM domain_slot WHERE job_id IS NOT NULL")).scalar_one() == 0
        session.execute(text("UPDATE remediation_endpoint SET port = :port"), {"port": stage.servers[esxi_host].port})
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED"


def test_an_answer_lost_after_the_act_is_read_back_not_sent_again(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    stage.servers[esxi_host].machine.host.set("fault.lose_answer", 1, cause="test")
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED"
    assert _values(stage, esxi_host) == [("initiator/vmhba64/login_timeout_seconds", "5", "60")]


def test_nobody_approves_what_he_asked_for_and_nothing_altered_runs(stage: Stage, esxi_host: str) -> None:
    plan_id = stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT))
    with session_scope() as session:
        draft.submit_plan(session, actor=stage.operator, plan_id=plan_id, reason=None)
    with session_scope() as session, pytest.raises(approve.OwnPlan):
        approve.approve_plan(session, actor=stage.operator, plan_id=plan_id)
    with session_scope() as session:
        approve.approve_plan(session, actor=stage.approver, plan_id=plan_id)
    with session_scope() as session:
        signed = read_signed(session, plan_id)
        assert json.loads(signed.approval.payload)["author"]["id"] == stage.operator.person_id
        # The database refuses to alter what was signed; with its guards away, the signature does.
        with pytest.raises(Exception, match="signed"), session.begin_nested():
            session.execute(text("UPDATE approval SET payload = replace(payload, '60', '61')"))
        with pytest.raises(Exception, match="signed"), session.begin_nested():
            session.execute(text("UPDATE plan SET not_after = not_after + interval '1 day'"))


def test_a_plan_past_its_time_never_runs(stage: Stage, esxi_host: str) -> None:
    plan_id = stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT))
    with session_scope() as session:
        session.execute(text("UPDATE plan SET not_after = clock_timestamp() + interval '1.5 seconds'"))
    (job_id,) = stage.approved(plan_id)
    with session_scope() as session:
        session.execute(text("SELECT pg_sleep(1.6)"))
    reconcile.reconcile_once()
    run(job_id, worker="test", queue="remediation")
    assert stage.job(job_id).state == "EXPIRED"
    reconcile.reconcile_once()
    assert stage.plan(plan_id).state == "EXPIRED"
    assert stage.writes(esxi_host) == []


def test_two_admins_break_the_glass_and_a_third_reviews(stage: Stage, esxi_host: str) -> None:
    plan_id = stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT))
    one, two, three = (make_person(name, "admin") for name in ("ada", "bea", "cleo"))
    with session_scope() as session:
        approve.break_glass(session, actor=one, plan_id=plan_id, reason="array is failing")
    with session_scope() as session:
        (asked,) = break_glass.list_open(session, actor=two)
        assert (asked.state, asked.first, asked.reason, asked.may) == ("asked", "ada", "array is failing", "join")
        assert [open_.may for open_ in break_glass.list_open(session, actor=one)] == [""]
        assert break_glass.list_open(session, actor=Actor(0, "nobody")) == []
    with session_scope() as session, pytest.raises(Conflict, match="second admin"):
        approve.break_glass(session, actor=one, plan_id=plan_id, reason="array is failing")
    with session_scope() as session:
        assert approve.break_glass(session, actor=two, plan_id=plan_id, reason="yes").state == "APPROVED"
    with session_scope() as session:
        assert read_signed(session, plan_id).payload["kind"] == "break_glass"
    with session_scope() as session:
        (broken,) = break_glass.list_open(session, actor=three)
        assert (broken.state, broken.first, broken.second, broken.may, broken.is_overdue) == ("broken", "ada", "bea", "review", False)
        # Who broke it sees it too, and cannot make it go away.
        assert [open_.may for open_ in break_glass.list_open(session, actor=two)] == [""]
        assert [open_.may for open_ in break_glass.list_open(session, actor=stage.operator)] == [""]
    with session_scope() as session, pytest.raises(approve.OwnPlan):
        approve.review_break_glass(session, actor=two, plan_id=plan_id, words="it was right to do so")
    with session_scope() as session:
        approve.review_break_glass(session, actor=three, plan_id=plan_id, words="it was right to do so")
        assert break_glass.list_open(session, actor=two) == []


def test_without_its_public_key_nothing_runs(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    reconcile.reconcile_once()
    for file in stage.folder.glob("keys/approval-*.pub"):
        file.unlink()
    run(job_id, worker="test", queue="remediation")
    assert stage.job(job_id).state == "CANCELLED"
    assert "public key" in stage.job(job_id).state_words
    with session_scope() as session, pytest.raises(SignatureInvalid):
        read_signed(session, stage.job(job_id).plan_id)
    assert stage.writes(esxi_host) == []


def test_the_verification_deadline_ends_in_amber(stage: Stage, esxi_host: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule=LOGIN_TIMEOUT)))
    stage.collecting.served.client.close()
    with session_scope() as session:
        # Somebody else reads the host for ever, so that no check-in comes.
        session.execute(text("UPDATE collection_endpoint SET claimed_until = clock_timestamp() + interval '9 minutes'"))
    reconcile.reconcile_once()
    run(job_id, worker="test", queue="remediation")
    assert stage.job(job_id).state == "VERIFYING"
    with session_scope() as session:
        session.execute(text("UPDATE job SET verify_until = clock_timestamp() - :some"), {"some": timedelta(seconds=1)})
    reconcile.reconcile_once()
    assert stage.job(job_id).state == "UNVERIFIED"
