"""Routes of the lab: what removing it would remove, and the request to do so."""

from typing import Annotated

from fastapi import APIRouter, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute, not_idempotent
from plumbline.infra.schemas import Schema
from plumbline.ops import lab_removal

router = APIRouter(route_class=IdempotentRoute)

Admin = Annotated[Actor, May("lab.remove")]


class LabOut(Schema):
    """The lab. `reason` is why it cannot be removed; empty where it can."""

    simulated_hosts: int
    reason: str


class LabRemoval(Schema):
    """The lab is being removed. `setup_code` makes the first admin of the empty installation that starts in its place; it works once."""

    setup_code: str


@router.get("/lab")
def read_lab(session: SessionDep, _: Admin) -> LabOut:
    """Whether the lab can be removed, and how many hosts would go with it."""
    lab = lab_removal.read_lab(session)
    return LabOut(simulated_hosts=lab.simulated_hosts, reason=lab.reason)


@router.post("/lab/remove", status_code=status.HTTP_202_ACCEPTED)
@not_idempotent("its answer is a secret, and what keeps the answers of repeated requests goes with the lab")
def remove_lab(session: SessionDep, actor: Admin) -> LabRemoval:
    """Removes the lab with everything in it; Plumbline starts again empty. Refused (409) while a host here is not simulated."""
    return LabRemoval(setup_code=lab_removal.ask_removal(session, actor=actor))
