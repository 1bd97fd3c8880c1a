"""What was done about a rule."""

from typing import Annotated

from fastapi import APIRouter, Path

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.remediation.plans.rule_history import RuleRemediations, list_rule_remediations

router = APIRouter()

PackId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]


@router.get("/rules/{pack}/{rule}/remediations")
def list_remediations(pack: PackId, rule: RuleId, session: SessionDep, actor: Annotated[Actor, May("job.read")]) -> RuleRemediations:
    """The plans about this rule, newest first, with how their jobs ended and how the rule stands on their hosts now."""
    return list_rule_remediations(session, actor=actor, pack=pack, rule=rule)
