"""The route that changes a group: what its hosts count may move with it."""

from typing import Annotated

from fastapi import APIRouter

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.hosts import group_acts
from plumbline.hosts.schemas import Group, GroupUpdate
from plumbline.infra.schemas import RowId

router = APIRouter()


@router.patch("/groups/{group_id}")
def change_group(group_id: RowId, body: GroupUpdate, session: SessionDep, actor: Annotated[Actor, May("group.manage")]) -> Group:
    """Renames a group, moves it, or sets its mode and whether it asks for tickets."""
    return group_acts.change_group(session, actor=actor, group_id=group_id, changes=body.model_dump(exclude_unset=True))
