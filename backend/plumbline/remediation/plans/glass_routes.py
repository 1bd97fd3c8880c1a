"""The route of broken glass."""

from typing import Annotated

from fastapi import APIRouter

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.remediation.plans import break_glass as glass
from plumbline.remediation.plans.break_glass import BrokenGlass

router = APIRouter()


@router.get("/broken-glass")
def list_broken_glass(session: SessionDep, actor: Annotated[Actor, May("job.read")]) -> list[BrokenGlass]:
    """Plans that run, or are about to, without an approver, and that nobody has reviewed yet."""
    return glass.list_open(session, actor=actor)
