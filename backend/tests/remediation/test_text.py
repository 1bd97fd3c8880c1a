"""A plan as a script or a playbook, over the API."""

import pytest

from plumbline.auth.actor import Actor
from plumbline.core.planning.plan import canonical, document
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.models.plans import Plan
from plumbline.remediation.plans.routes import read_plan_text
from plumbline.remediation.transitions import PlanNotFound
from tests.core.planning.builders import a_plan
from tests.remediation.conftest import make_person


def stored(author: Actor, *, is_planned: bool = True) -> int:
    """A plan of the root group."""
    with session_scope() as session:
        words = canonical(document(a_plan())).decode() if is_planned else ""
        plan = Plan(group_id=1, title="t", author_id=author.person_id, author="olga", request={"findings": []}, document=words)
        session.add(plan)
        session.flush()
        assert plan.id is not None
        return plan.id


@pytest.mark.usefixtures("fresh_database")
def test_a_plan_is_given_as_a_script_and_as_a_playbook() -> None:
    viewer = make_person("vera", "viewer")
    plan_id = stored(viewer)
    with session_scope() as session:
        script = read_plan_text(plan_id, session, viewer)
        undo = read_plan_text(plan_id, session, viewer, undo=True)
        playbook = read_plan_text(plan_id, session, viewer, form="ansible")
    assert "Restart-NetAdapter -Name 'SAN1'" in script
    assert "(undo)" in undo.splitlines()[0]
    assert "\n---\n- name: !unsafe 'canary: sql-01'" in playbook


@pytest.mark.usefixtures("fresh_database")
def test_a_plan_that_is_not_made_yet_or_not_there_is_refused() -> None:
    viewer = make_person("vera", "viewer")
    plan_id = stored(viewer, is_planned=False)
    with session_scope() as session:
        with pytest.raises(Conflict, match="not ready yet"):
            read_plan_text(plan_id, session, viewer)
        with pytest.raises(PlanNotFound):
            read_plan_text(plan_id + 1, session, viewer)
