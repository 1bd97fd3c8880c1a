"""A host is moved to another group: from then on the people of that group decide, and those of the old one no longer do."""

from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, NotAllowed
from plumbline.models.auth import Person
from plumbline.models.jobs import JobStep
from plumbline.remediation.jobs import queries as job_queries
from plumbline.remediation.jobs import reconcile, steps, undo
from plumbline.remediation.jobs.run import run
from plumbline.remediation.plans import approve, draft
from plumbline.remediation.plans import queries as plan_queries
from plumbline.remediation.transitions import JobNotFound, PlanNotFound
from tests.api.world import add_group
from tests.remediation.conftest import Stage, make_person

LOGIN_TIMEOUT = "dell-esxi55/esxi55.login_timeout"


class Branches:
    """Two groups with an operator, an approver and an admin each; the host is in the first."""

    def __init__(self, stage: Stage, host_id: str) -> None:
        self.host_id = host_id
        with session_scope() as session:
            self.a, self.b = add_group(session, "A"), add_group(session, "B")
        self.move(self.a)
        self.people = {
            name: make_person(f"{role}-{name}", role, group)  # type: ignore[arg-type]
            for name, role, group in (
                ("oa", "operator", self.a), ("ob", "operator", self.b), ("pa", "approver", self.a), ("pb", "approver", self.b),
                ("ma", "admin", self.a), ("na", "admin", self.a),
            )
        }  # fmt: skip
        stage.operator, stage.approver = self.people["oa"], self.people["pa"]

    def __getitem__(self, name: str) -> Actor:
        return self.people[name]

    def move(self, group_id: int) -> None:
        with session_scope() as session:
            session.execute(text("UPDATE host SET group_id = :group WHERE id = :id"), {"group": group_id, "id": self.host_id})


@pytest.fixture
def branches(stage: Stage, esxi_host: str) -> Branches:
    return Branches(stage, esxi_host)


def waiting(stage: Stage, branches: Branches) -> int:
    """A plan of A that waits for an approver."""
    plan_id = stage.planned(stage.failing(branches.host_id, rule=LOGIN_TIMEOUT))
    with session_scope() as session:
        draft.submit_plan(session, actor=branches["oa"], plan_id=plan_id, reason=None)
    return plan_id


def test_a_plan_that_was_drafted_before_the_move_is_not_approved_in_the_old_group(stage: Stage, branches: Branches) -> None:
    plan_id = waiting(stage, branches)
    branches.move(branches.b)
    with session_scope() as session, pytest.raises(NotAllowed, match="where each host of this plan is now"):
        approve.approve_plan(session, actor=branches["pa"], plan_id=plan_id)
    with session_scope() as session:
        assert "approve" not in plan_queries.read_plan_page(session, actor=branches["pa"], plan_id=plan_id).may
        # The people of the new group see it; but who asked for it may no longer plan anything there.
        assert "approve" in plan_queries.read_plan_page(session, actor=branches["pb"], plan_id=plan_id).may
    with session_scope() as session, pytest.raises(Conflict, match="operator-oa may no longer plan fixes"):
        approve.approve_plan(session, actor=branches["pb"], plan_id=plan_id)
    branches.move(branches.a)
    with session_scope() as session:
        assert approve.approve_plan(session, actor=branches["pa"], plan_id=plan_id).state == "APPROVED"


def test_a_job_that_was_approved_before_the_move_does_not_begin(stage: Stage, branches: Branches) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(branches.host_id, rule=LOGIN_TIMEOUT)))
    branches.move(branches.b)
    reconcile.reconcile_once()
    run(job_id, worker="test", queue="remediation")
    job = stage.job(job_id)
    assert (job.state, job.state_words) == ("CANCELLED", "operator-oa may no longer plan fixes where this host is now")
    assert stage.writes(branches.host_id) == []


def test_a_running_job_ends_at_its_next_step_boundary(stage: Stage, branches: Branches, monkeypatch: pytest.MonkeyPatch) -> None:
    intend = steps._intend

    def move_then_intend(*given: Any) -> JobStep:
        row = intend(*given)
        branches.move(branches.b)
        return row

    monkeypatch.setattr(steps, "_intend", move_then_intend)
    (job_id,) = stage.approved(stage.planned(stage.failing(branches.host_id)))
    stage.drive(job_id)
    job = stage.job(job_id)
    assert (job.state, job.state_words) == (
        "PARTIAL",
        "operator-oa may no longer plan fixes where this host is now; step 1 remains in effect",
    )
    assert [step.state for step in stage.steps(job_id)] == ["DONE"]


@pytest.mark.parametrize("lost", ["grant", "account"])
def test_a_job_does_not_begin_after_its_approver_lost_the_right(stage: Stage, branches: Branches, lost: str) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(branches.host_id, rule=LOGIN_TIMEOUT)))
    statement = "DELETE FROM role_grant WHERE person_id = :id" if lost == "grant" else "UPDATE person SET is_disabled = true WHERE id = :id"
    with session_scope() as session:
        session.execute(text(statement), {"id": branches["pa"].person_id})
    reconcile.reconcile_once()
    assert stage.job(job_id).state_words == "approver-pa may no longer approve plans where this host is now"
    assert stage.job(job_id).state == "CANCELLED"


def test_the_job_of_a_moved_host_is_undone_where_it_is_now(stage: Stage, branches: Branches) -> None:
    (job_id,) = stage.approved(stage.planned(stage.failing(branches.host_id, rule=LOGIN_TIMEOUT)))
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED"
    branches.move(branches.b)
    with session_scope() as session, pytest.raises(JobNotFound):
        job_queries.job_in_scope(session, actor=branches["oa"], job_id=job_id)
    with session_scope() as session, pytest.raises(NotAllowed):
        undo.undo_job(session, actor=branches["oa"], job_id=job_id)
    with session_scope() as session:
        assert job_queries.read_job(session, actor=branches["ob"], job_id=job_id).may == ["undo"]
        # The plan of A stays a plan of A, without the job of the host that left.
        assert plan_queries.read_plan_page(session, actor=branches["oa"], plan_id=stage.job(job_id).plan_id).job_rows == []
        made = undo.undo_job(session, actor=branches["ob"], job_id=job_id)
        assert made.group_id == branches.b
        undone = made.id or 0
    stage.drive(undone)
    assert stage.job(undone).state == "SUCCEEDED"


def test_the_first_of_two_admins_is_asked_again_when_the_second_signs(stage: Stage, branches: Branches) -> None:
    plan_id = waiting(stage, branches)
    with session_scope() as session:
        approve.break_glass(session, actor=branches["ma"], plan_id=plan_id, reason="array is failing")

    def second() -> str:
        with session_scope() as session:
            return approve.break_glass(session, actor=branches["na"], plan_id=plan_id, reason="yes").state

    for change, back in (
        ("is_disabled = true", "is_disabled = false"),
        # An admin set this admin's password: one person could be both.
        ("must_set_password = true", "must_set_password = false"),
    ):
        _change(branches["ma"], change)
        with pytest.raises(Conflict, match="admin-ma may no longer use break-glass"):
            second()
        _change(branches["ma"], back)
    assert second() == "APPROVED"


def _change(person: Actor, change: str) -> None:
    with session_scope() as session:
        session.execute(text(f"UPDATE person SET {change} WHERE id = :id"), {"id": person.person_id})


def test_a_plan_over_two_groups_is_for_those_who_hold_both(stage: Stage, branches: Branches) -> None:
    """The group above both is the plan's: a person who holds the two, and not that one, drafts, reads and submits it all the same."""
    with session_scope() as session:
        session.execute(
            text("INSERT INTO role_grant (person_id, role, group_id) SELECT :person, 'operator', unnest(CAST(:groups AS int[]))"),
            {"person": branches["pb"].person_id, "groups": [branches.a, branches.b]},
        )
        both = _with_grants(session, branches["pb"].person_id, ("operator", branches.a), ("operator", branches.b))
        second = _copy_of(session, branches.host_id, branches.b)
        chosen = [each.model_copy(update={"host_id": host}) for host in (branches.host_id, second) for each in _login(stage, branches)]
        plan = draft.draft_plan(session, actor=both, request=draft.PlanCreate(findings=chosen, reason="both", options={}))  # type: ignore[arg-type]
        assert plan.group_id == 1
        assert plan_queries.read_plan_page(session, actor=both, plan_id=plan.id or 0).may == ["withdraw"]
        page = plan_queries.list_plans(session, actor=both, states=[], mine=False, after=None, limit=10)
        assert [row.id for row in page.items] == [plan.id]
        for only in ("oa", "ob", "pa"):
            assert not plan_queries.list_plans(session, actor=branches[only], states=[], mine=False, after=None, limit=10).items
            with pytest.raises(PlanNotFound):
                plan_queries.plan_in_scope(session, actor=branches[only], plan_id=plan.id or 0)


def _login(stage: Stage, branches: Branches) -> list[Any]:
    return stage.failing(branches.host_id, rule=LOGIN_TIMEOUT)


def _with_grants(session: Session, person_id: int, *grants: tuple[Any, int]) -> Actor:
    person = session.get_one(Person, person_id)
    paths = dict(session.execute(text("SELECT id, path FROM host_group")).all())  # type: ignore[arg-type]
    return Actor(person_id, person.login, grants=tuple(Grant(role, group, paths[group]) for role, group in grants))


def _copy_of(session: Session, host_id: str, group_id: int) -> str:
    """Another active host, in that group."""
    other = "f" * 32
    session.execute(
        text("INSERT INTO host SELECT (jsonb_populate_record(h, jsonb_build_object('id', CAST(:other AS text), 'name', 'esx-b11',"
             " 'group_id', CAST(:group AS int)))).* FROM host h WHERE h.id = :id"),
        {"other": other, "group": group_id, "id": host_id},
    )  # fmt: skip
    return other
