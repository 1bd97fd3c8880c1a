"""The scope of a waiver: a request resolved into hosts and groups, with the right that is needed on each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, func, literal, or_, select, true
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import allow, can_read, require
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.core.rules.rule import WEIGHTLESS
from plumbline.infra.errors import BadInput, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.models.findings import WAIVER, WAIVER_HOST
from plumbline.models.host_locks import HostNotFound
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import KnownRule, Library
from plumbline.waivers.schemas import WaiverScopeInput


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope in which the person may request a waiver. `paths` are those of every group on which a right is needed."""

    host_ids: tuple[str, ...]
    group_id: int | None
    is_listed: bool
    subject_kind: str
    subject_id: str
    paths: tuple[str, ...]

    @property
    def host_id(self) -> str | None:
        """The host, if the scope is a single one."""
        return self.host_ids[0] if len(self.host_ids) == 1 else None


def resolve(session: Session, *, actor: Actor, request: WaiverScopeInput, action: str) -> Scope:
    """The scope of a request. Raises `BadInput`, `HostNotFound`, `NotFound`, `NotAllowed`."""
    if bool(request.host_ids) == (request.group_id is not None):
        raise BadInput("Choose hosts or one group.")
    if bool(request.subject_id) and not request.subject_kind:
        raise BadInput("subject_id needs subject_kind")
    if request.subject_kind and len(set(request.host_ids)) != 1:
        raise BadInput("a subject is waived on one host; leave it out to waive the rule on several")
    if request.group_id is not None:
        group = session.get(HostGroup, request.group_id)
        require(actor, action, group.path if group else "", missing="Group not found.")
        assert group is not None
        return Scope((), request.group_id, False, "", "", (group.path,))
    ids = sorted(set(request.host_ids))
    rows = session.execute(
        select(HOST.id, HOST_GROUP.path)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(HOST.id.in_(ids), HOST.state.in_(KNOWN_STATES), in_scope(actor))
    ).all()
    if len(rows) < len(ids):
        raise HostNotFound("A host is missing, pending approval or retired.")
    paths = tuple(sorted({path for _, path in rows}))
    for path in paths:
        require(actor, action, path, missing="Host not found.")
    if len(ids) == 1:
        return Scope((ids[0],), None, False, request.subject_kind, request.subject_id, paths)
    return Scope(tuple(ids), common_group(paths), True, "", "", paths)


def common_group(paths: Sequence[str]) -> int:
    """The nearest group above all of these; the root group is above every group."""
    parts = [path.strip("/").split("/") for path in paths]
    shared = [ids[0] for ids in zip(*parts, strict=False) if len(set(ids)) == 1]
    return int(shared[-1])


def rule_of(library: Library, request: WaiverScopeInput) -> KnownRule:
    """The rule that the request names. Raises `NotFound`, `BadInput` for one that cannot be waived."""
    known = library.by_address.get(f"{request.pack}/{request.rule}")
    if known is None:
        raise NotFound(f"no active pack has the rule {request.pack}/{request.rule}")
    if known.rule.kind in WEIGHTLESS:
        raise BadInput(f"This rule is {known.rule.kind} and not scored, so it can't be waived.")
    return known


def rules_linked_to(library: Library, known: KnownRule) -> list[KnownRule]:
    """Linked rules of other packs, which count once with this one."""
    active = {pack.id for pack, _ in library.active}
    group_of = library.linked_groups
    group = group_of[known.rule.address]
    return [
        other
        for other in library.by_no.values()
        if other.no != known.no and other.pack.id in active and group_of[other.rule.address] == group and other.rule.kind not in WEIGHTLESS
    ]


def may(actor: Actor, action: str, paths: Sequence[str]) -> bool:
    """Whether the person has the right on all of these groups."""
    return bool(paths) and all(allow(actor, action, path) for path in paths)


def waivers_in_scope(actor: Actor) -> ColumnElement[bool]:
    """A condition on waivers joined to their host and group: the person may see at least one host that the waiver covers."""
    if ROOT_PATH in actor.scopes:
        # Without a condition on host and group, PostgreSQL leaves both joins out of a count.
        return true()
    above = or_(*[func.starts_with(literal(scope), HOST_GROUP.path) for scope in actor.scopes]) if actor.scopes else literal(False)
    listed = exists(
        select(WAIVER_HOST.waiver_id)
        .join(LISTED_HOST, col(LISTED_HOST.id) == WAIVER_HOST.host_id)
        .join(LISTED_GROUP, col(LISTED_GROUP.id) == col(LISTED_HOST.group_id))
        .where(WAIVER_HOST.waiver_id == WAIVER.id, in_scope(actor, col(LISTED_GROUP.path)))
    )
    return or_(
        and_(WAIVER.is_listed.is_(False), in_scope(actor)),
        and_(WAIVER.is_listed.is_(False), WAIVER.host_id.is_(None), above),
        and_(WAIVER.is_listed, listed),
    )


LISTED_HOST = aliased(Host, name="listed_host")
LISTED_GROUP = aliased(HostGroup, name="listed_group")


def is_ticket_required(session: Session, paths: Sequence[str]) -> bool:
    """Whether one of the groups, or a group above it, requires a ticket reference. One query."""
    ids = {group_id for path in paths for group_id in ids_on(path)}
    return bool(session.scalar(select(func.count()).select_from(HostGroup).where(HOST_GROUP.id.in_(ids), HOST_GROUP.is_ticket_required)))


def readable(actor: Actor, paths: Sequence[str]) -> bool:
    """Whether the person may read at least one of the groups."""
    return any(can_read(actor, path) for path in paths)
