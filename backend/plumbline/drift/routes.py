"""The route of the drift page."""

from typing import Annotated

from fastapi import APIRouter, Query

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.drift import queries
from plumbline.drift.schemas import DriftPage
from plumbline.infra.schemas import RowId

router = APIRouter()

Cause = Annotated[str, Query(pattern=r"^[a-z_]{1,40}$")]


@router.get("/drift")
def read_drift(
    session: SessionDep,
    actor: Annotated[Actor, May("host.read")],
    group: RowId | None = None,
    hours: Annotated[int, Query(ge=1, le=24 * 366)] = 24 * 7,
    cause: Annotated[list[Cause], Query(max_length=20)] = [],  # noqa: B006 - read only
    unread: bool = False,
) -> DriftPage:
    """What changed, alike changes together, and the four references. `unread` also shows settings that only could or could not be read."""
    return queries.read_drift(session, actor=actor, group_id=group, hours=hours, causes=cause, with_unread=unread)
