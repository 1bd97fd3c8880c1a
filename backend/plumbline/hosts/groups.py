"""The tree of groups: reading and changing it."""

from collections import Counter
from typing import Any

from sqlalchemy import func, select, text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read, require
from plumbline.auth.scope import read_groups
from plumbline.evaluation.rollups import carry_subtree
from plumbline.hosts.group_schemas import Group
from plumbline.hosts.summary_counts import known_by_group
from plumbline.infra.errors import BadInput, Conflict
from plumbline.infra.group_path import ids_on
from plumbline.models.hosts import HOST_GROUP, HostGroup, lock_tree

_MOST_DEEP = 8


def list_groups(session: Session, *, actor: Actor) -> list[Group]:
    """The groups in scope, parents before children, with the hosts in each and below. Two queries."""
    nodes = read_groups(session)
    hosts: Counter[int] = Counter()
    for group_id, count in known_by_group(session).items():
        if group_id in nodes:
            hosts.update(dict.fromkeys(ids_on(nodes[group_id].path), count))
    return [
        Group(
            id=node.id,
            parent_id=node.parent_id if node.parent_id in nodes and can_read(actor, nodes[node.parent_id].path) else None,
            name=node.name,
            path=node.path,
            mode=node.mode,
            mode_effective=node.mode_effective,
            is_ticket_required=node.is_ticket_required,
            is_ticket_required_effective=node.is_ticket_required_effective,
            hosts=hosts[node.id],
        )
        for node in nodes.values()
        if can_read(actor, node.path)
    ]


def _one(session: Session, actor: Actor, group_id: int | None) -> Group:
    return next(group for group in list_groups(session, actor=actor) if group.id == group_id)


def create_group(session: Session, *, actor: Actor, parent_id: int, name: str) -> Group:
    """A group below another; names are unique among siblings."""
    lock_tree(session)
    parent = session.get(HostGroup, parent_id, populate_existing=True)
    require(actor, "group.manage", parent.path if parent else "", missing="Group not found.")
    assert parent is not None
    _refuse_deeper(parent, 1)
    _refuse_same_name(session, parent_id, name)
    group = HostGroup(parent_id=parent_id, name=name, path=f"{parent.path}new")
    session.add(group)
    session.flush()
    group.path = f"{parent.path}{group.id}/"
    session.add(group)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="group.created",
        about=audit.Object("group", str(group.id), group.id),
        after={"name": name, "parent_id": parent_id},
    )
    return _one(session, actor, group.id)


def change_group(session: Session, *, actor: Actor, group_id: int, changes: dict[str, Any]) -> Group:
    """Renames a group, sets its mode and whether plans and waivers need a ticket, or moves it with all below it.

    No other group of the new parent may have its name, and its subgroups may not exceed the greatest depth.
    """
    if changes.get("parent_id") or changes.get("name"):
        lock_tree(session)
    group = session.get(HostGroup, group_id, with_for_update=True)
    require(actor, "group.manage", group.path if group else "", missing="Group not found.")
    assert group is not None
    before = {name: getattr(group, name) for name in changes}
    is_moved = bool(changes.get("parent_id")) and changes["parent_id"] != group.parent_id
    if changes.get("name") and changes["name"] != group.name:
        if not is_moved:
            _refuse_same_name(session, group.parent_id, changes["name"], but=group_id)
        group.name = changes["name"]
    if "mode" in changes:
        if group.parent_id is None and changes["mode"] is None:
            raise BadInput("The root group can't inherit a mode. Choose observe or remediate.")
        group.mode = changes["mode"]
    if changes.get("is_ticket_required") is not None:
        group.is_ticket_required = changes["is_ticket_required"]
    session.add(group)
    session.flush()
    if is_moved:
        _move(session, actor, group, changes["parent_id"])
    audit.record(
        session,
        actor=actor.audit_name,
        action="group.changed",
        about=audit.Object("group", str(group_id), group_id),
        before=before,
        after=changes,
    )
    return _one(session, actor, group_id)


def _move(session: Session, actor: Actor, group: HostGroup, parent_id: int) -> None:
    parent = session.get(HostGroup, parent_id, populate_existing=True)
    require(actor, "group.manage", parent.path if parent else "", missing="Group not found.")
    assert parent is not None
    if group.parent_id is None:
        raise Conflict("The root group can't be moved.")
    if parent.path.startswith(group.path):
        raise Conflict("A group can't be moved into itself.")
    _refuse_same_name(session, parent_id, group.name)
    old, new = group.path, f"{parent.path}{group.id}/"
    deepest = session.scalar(select(func.max(_depth_of(HOST_GROUP.path))).where(func.starts_with(HOST_GROUP.path, old)))
    _refuse_deeper(parent, 1 + (deepest or 0) - old.count("/"))
    session.execute(
        text("UPDATE host_group SET path = :new || substr(path, length(:old) + 1) WHERE path LIKE :old || '%'"),
        {"old": old, "new": new},
    )
    session.execute(text("UPDATE host_group SET parent_id = :parent WHERE id = :id"), {"parent": parent_id, "id": group.id})
    # Packs are inherited: all hosts below are re-evaluated.
    session.execute(text("UPDATE installation SET rules_epoch = rules_epoch + 1"))
    session.expire_all()
    carry_subtree(session, group_id=group.id or 0, old=old, new=new)


def _depth_of(path: Any) -> Any:
    return func.length(path) - func.length(func.replace(path, "/", ""))


def _refuse_deeper(parent: HostGroup, levels: int) -> None:
    """Raises `BadInput` if `levels` of groups below `parent` would be too deep."""
    if parent.path.count("/") + levels > _MOST_DEEP:
        raise BadInput(f"groups nest at most {_MOST_DEEP} deep")


def _refuse_same_name(session: Session, parent_id: int | None, name: str, *, but: int = 0) -> None:
    """Raises `Conflict` if another group of this parent has the name, in any case of letters; `but` is the group to be named."""
    taken = session.scalar(
        select(HOST_GROUP.id)
        .where(HOST_GROUP.parent_id == parent_id, HOST_GROUP.id != but, func.lower(HOST_GROUP.name) == func.lower(name))
        .limit(1)
    )
    if taken is not None:
        raise Conflict(f"A group named “{name}” already exists here.")
