"""A plan as text for one's own hands: a script, or an Ansible playbook."""

import json
from typing import Annotated, Literal

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.core.planning.ansible import playbook
from plumbline.core.planning.plan import read_plan
from plumbline.core.planning.script import plan_script
from plumbline.infra.errors import Conflict
from plumbline.infra.schemas import RowId
from plumbline.remediation.jobs import queries

router = APIRouter()

Form = Literal["script", "ansible"]


@router.get("/plans/{plan_id}/text", response_class=PlainTextResponse)
def read_plan_text(
    plan_id: RowId, session: SessionDep, actor: Annotated[Actor, May("job.read")], form: Form = "script", undo: bool = False
) -> str:
    """The commands of a plan in order, with what each needs; `undo` gives the way back. Nothing is run."""
    plan, _ = queries.visible_plan(session, actor=actor, plan_id=plan_id)
    if not plan.document:
        raise Conflict("the plan is not made yet: there is nothing to copy")
    planned = read_plan(json.loads(plan.document))
    return playbook(planned, undo=undo) if form == "ansible" else plan_script(planned, undo=undo)
