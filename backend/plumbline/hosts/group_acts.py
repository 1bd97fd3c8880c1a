"""What people do to groups that changes where their hosts count."""

from typing import Any

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.evaluation.rollups import carry_subtree
from plumbline.hosts import groups
from plumbline.hosts.schemas import Group
from plumbline.models.hosts import HostGroup


def change_group(session: Session, *, actor: Actor, group_id: int, changes: dict[str, Any]) -> Group:
    """Renames a group, sets its mode and whether plans and waivers need a ticket, or moves it with all below it and what they count.

    Raises `NotFound`, `BadInput`, `Conflict`.
    """
    if not changes.get("parent_id"):
        return groups.change_group(session, actor=actor, group_id=group_id, changes=changes)
    groups.lock_tree(session)
    group = session.get(HostGroup, group_id, populate_existing=True)
    old = group.path if group is not None else ""
    changed = groups.change_group(session, actor=actor, group_id=group_id, changes=changes)
    if changed.path != old:
        carry_subtree(session, group_id=group_id, old=old, new=changed.path)
    return changed
