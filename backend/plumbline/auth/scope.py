"""Which hosts a person may see. What is outside the scope does not exist for them: no row, no count, a 404."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, false, or_, select, true
from sqlmodel import Session

from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import can_read
from plumbline.infra.errors import NotFound
from plumbline.infra.group_path import ids_on
from plumbline.infra.schemas import GroupName
from plumbline.models.columns import is_one_of
from plumbline.models.host_locks import HostNotFound
from plumbline.models.hosts import COUNTED_STATES, HOST_GROUP, Host, HostGroup

# Neither waiting for approval nor retired.
KNOWN_STATES = COUNTED_STATES
# The logs of so many hosts are read host by host; those of more by time, which reads the whole fleet's. Left to itself PostgreSQL reads
# by time for a single group too, once it has planned a statement for any list of groups.
FEW_HOSTS = 2_000


def in_scope(actor: Actor, path: Any = HostGroup.path) -> ColumnElement[bool]:
    """A condition on the path of a group: this person may read it."""
    scopes = actor.scopes
    if ROOT_PATH in scopes:
        return true()
    if not scopes:
        return false()
    return or_(*[path.startswith(scope, autoescape=True) for scope in scopes])


class GroupNode(NamedTuple):
    """One group with what it inherits."""

    id: int
    parent_id: int | None
    name: str
    path: str
    mode: str | None
    mode_effective: str
    # Required by the group itself, and by the group or one above it.
    is_ticket_required: bool = False
    is_ticket_required_effective: bool = False


def read_groups(session: Session, *, of_path: str | None = None) -> dict[int, GroupNode]:
    """All groups with what they inherit, by id, parents before children; or those of a path. One query; the tree is small."""
    nodes: dict[int, GroupNode] = {}
    query = select(HOST_GROUP.id, HOST_GROUP.parent_id, HOST_GROUP.name, HOST_GROUP.path, HOST_GROUP.mode, HOST_GROUP.is_ticket_required)
    rows = session.execute(query if of_path is None else query.where(is_one_of(HOST_GROUP.id, ids_on(of_path)))).all()
    for group_id, parent_id, name, path, mode, requires_ticket in sorted(
        rows, key=lambda row: (row[3].count("/"), row[2].casefold(), row[0])
    ):
        above = nodes.get(parent_id)
        nodes[group_id] = GroupNode(
            id=group_id,
            parent_id=parent_id,
            name=name,
            path=path,
            mode=mode,
            mode_effective=mode or (above.mode_effective if above else "observe"),
            is_ticket_required=requires_ticket,
            is_ticket_required_effective=requires_ticket or (above is not None and above.is_ticket_required_effective),
        )
    return nodes


@dataclass(frozen=True, slots=True)
class GroupScope:
    """A group with those below it. `below`: ids of those that a person may read, the group included; `nodes`: all groups there are."""

    group: GroupNode
    below: list[int]
    nodes: dict[int, GroupNode]

    @property
    def is_all(self) -> bool:
        """Whether these are all groups there are."""
        return len(self.below) == len(self.nodes)


def scope_of_group(session: Session, *, actor: Actor, group_id: int | None) -> GroupScope:
    """A group that this person may read, with None the widest one. Raises `NotFound`. One query."""
    nodes = read_groups(session)
    group = nodes.get(_widest(actor) if group_id is None else group_id)
    if group is None or not can_read(actor, group.path):
        raise NotFound("Group not found.")
    return GroupScope(group, [node.id for node in nodes.values() if node.path.startswith(group.path) and can_read(actor, node.path)], nodes)


def _widest(actor: Actor) -> int:
    """The widest group that this person may read; 0 where there is none."""
    widest = min(actor.grants, key=lambda grant: (grant.path.count("/"), grant.path), default=None)
    return widest.group_id if widest else 0


def groups_below(session: Session, group_id: int) -> list[int]:
    """The group and all below it. One query."""
    nodes = read_groups(session)
    path = nodes[group_id].path
    return [node.id for node in nodes.values() if node.path.startswith(path)]


def effective_mode(host_mode: str | None, group: GroupNode | None) -> str:
    """A host may be stricter than its group, never less strict."""
    if host_mode == "observe" or group is None:
        return "observe"
    return group.mode_effective


def host_in_scope(session: Session, *, actor: Actor, host_id: str) -> tuple[Host, HostGroup]:
    """A host and its group; `HostNotFound` if it is outside this person's scope. One query."""
    found = session.execute(
        select(Host, HostGroup).join(HostGroup, HostGroup.id == Host.group_id).where(Host.id == host_id, in_scope(actor))  # type: ignore[arg-type]
    ).first()
    if found is None:
        raise HostNotFound("Host not found.")
    return found[0], found[1]


def group_in_scope(session: Session, *, actor: Actor, group_id: int | None) -> HostGroup:
    """A group this person may read, with None the widest one. `NotFound` if it is outside their scope."""
    group = session.get(HostGroup, _widest(actor) if group_id is None else group_id)
    if group is None or not can_read(actor, group.path):
        raise NotFound("Group not found.")
    return group


def group_name(node: GroupNode) -> GroupName:
    """A group as a link."""
    return GroupName(id=node.id, name=node.name, path=node.path)
