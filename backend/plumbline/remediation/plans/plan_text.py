"""A plan as text to run by hand: a script, or an Ansible playbook."""

import json
from typing import Literal

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.core.planning.ansible import playbook
from plumbline.core.planning.plan import read_plan
from plumbline.core.planning.script import plan_script
from plumbline.infra.errors import Conflict
from plumbline.remediation.plans.queries import plan_in_scope

Form = Literal["script", "ansible"]


def read_text(session: Session, *, actor: Actor, plan_id: int, form: Form, undo: bool) -> str:
    """The commands of a plan in order, or with `undo` those that revert it. Raises `PlanNotFound`, `Conflict` before it is planned."""
    plan, _ = plan_in_scope(session, actor=actor, plan_id=plan_id)
    if not plan.document:
        raise Conflict("The plan is not ready yet, so there is nothing to copy.")
    planned = read_plan(json.loads(plan.document))
    return playbook(planned, undo=undo) if form == "ansible" else plan_script(planned, undo=undo)
