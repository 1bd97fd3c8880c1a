"""Reading packs: the list, one pack with its versions and where they are in force, and the difference between two versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import can_read
from plumbline.auth.scope import KNOWN_STATES, GroupNode, group_name, read_groups
from plumbline.core.rules.rule import Pack, Rule
from plumbline.infra.errors import BadInput, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.infra.schemas import GroupName
from plumbline.models.hosts import HOST
from plumbline.models.packs import PACK_ACTIVATION, PACK_VERSION, PackActivation, PackVersion
from plumbline.packs.drafts import draft_of
from plumbline.packs.files import load_builtin
from plumbline.packs.files.diff import compare, needed_version
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.history import field_changes
from plumbline.packs.in_force import pack_of
from plumbline.packs.rule_text import weight
from plumbline.packs.schemas import (
    NoRule,
    PackDetail,
    PackDifference,
    PackEvent,
    PackGroup,
    PackList,
    PackSummary,
    PackVersionRow,
    RuleDifference,
)

_MOST_EVENTS = 200

CHANGE_WORDS = {
    "added": "new rule",
    "removed": "removed",
    "retired": "retired, or active again",
    "expectation": "requirement changed",
    "scope": "scope changed",
    "weight": "weight changed",
    "words": "text changed",
}


class PackNotFound(NotFound):
    """No pack of this name was ever published."""

    code = "pack_not_found"


def _newest(session: Session) -> dict[tuple[int, str], PackActivation]:
    """The newest activation of each pack on each group."""
    return {(each.group_id, each.pack): each for each in session.scalars(select(PackActivation).order_by(PACK_ACTIVATION.id))}


def _groups_upward(path: str) -> list[int]:
    """The groups from this one up to the root."""
    return ids_on(path)[::-1]


def _in_force(newest: Mapping[tuple[int, str], PackActivation], path: str, pack: str) -> PackActivation | None:
    """The activation in force for this group, if any."""
    for group_id in _groups_upward(path):
        found = newest.get((group_id, pack))
        if found is not None and not found.is_inherited:
            return found
    return None


def _hosts_by_group(session: Session) -> dict[int, int]:
    rows = session.execute(select(HOST.group_id, func.count()).where(HOST.state.in_(KNOWN_STATES)).group_by(HOST.group_id))
    return {row[0]: row[1] for row in rows}


def _versions(session: Session, pack: str | None = None) -> list[Any]:
    """Published versions without their content, oldest first."""
    rules = func.jsonb_array_length(PACK_VERSION.document["rules"]).label("rules")
    query = select(
        PACK_VERSION.id,
        PACK_VERSION.pack,
        PACK_VERSION.version,
        PACK_VERSION.content_hash,
        PACK_VERSION.published_at,
        PACK_VERSION.published_by,
        PACK_VERSION.published_from,
        PACK_VERSION.note,
        rules,
    ).order_by(PACK_VERSION.id)
    return list(session.execute(query.where(PACK_VERSION.pack == pack) if pack is not None else query).all())


def _publisher(version: Any, people: Mapping[int | None, str]) -> str:
    return version.published_from or people.get(version.published_by, "")


def _row(version: Any, people: Mapping[int | None, str], groups: list[GroupName]) -> PackVersionRow:
    return PackVersionRow(
        id=version.id,
        version=version.version,
        content_hash=version.content_hash,
        published_at=version.published_at,
        published_by=_publisher(version, people),
        note=version.note,
        rules=version.rules,
        groups=groups,
    )


def list_packs(session: Session, *, actor: Actor) -> PackList:
    """Every pack with what is in force in the reader's scope. Six queries, whatever the number of packs and hosts."""
    versions = _versions(session)
    newest = _newest(session)
    nodes = {each.id: each for each in read_groups(session).values() if can_read(actor, each.path)}
    hosts = _hosts_by_group(session)
    people = people_of(session, (each.published_by for each in versions))
    builtin = {pack.id for pack in load_builtin()}
    last = {version.pack: version for version in versions}
    contents = session.scalars(select(PackVersion).where(PACK_VERSION.id.in_([each.id for each in last.values()]))).all()
    titles = {content.pack: pack_of(content) for content in contents}
    superseded = {older: content.pack for content in contents for older in pack_of(content).supersedes}
    items = []
    for pack in sorted(last):
        groups_of_version: dict[int, list[GroupNode]] = {}
        grace = []
        for node in nodes.values():
            found = _in_force(newest, node.path, pack)
            if found is not None and found.pack_version_id is not None:
                groups_of_version.setdefault(found.pack_version_id, []).append(node)
                if found.grace_until is not None and found.grace_ended_at is None:
                    grace.append(found.grace_until)
        of_pack = [each for each in versions if each.pack == pack]
        by_id = {
            each.id: _row(each, people, [group_name(node) for node in _without_nested(groups_of_version.get(each.id, []))])
            for each in of_pack
        }
        items.append(
            PackSummary(
                pack=pack,
                title=titles[pack].title,
                summary=titles[pack].summary,
                is_builtin=pack in builtin,
                newest=by_id[last[pack].id],
                versions=len(of_pack),
                superseded_by=superseded.get(pack, ""),
                in_force=[by_id[each] for each in sorted(groups_of_version) if each in by_id],
                hosts=sum(hosts.get(node.id, 0) for members in groups_of_version.values() for node in members),
                grace_until=max(grace, default=None),
            )
        )
    return PackList(items=items)


def _without_nested(nodes: list[GroupNode]) -> list[GroupNode]:
    """The groups that are not below another one of them."""
    return [node for node in nodes if not any(other is not node and node.path.startswith(other.path) for other in nodes)]


def read_pack(session: Session, *, actor: Actor, pack: str) -> PackDetail:
    """One pack: its versions, what is in force for each group in scope, and its history."""
    versions = _versions(session, pack)
    if not versions:
        raise PackNotFound(f"there is no pack {pack}")
    content = pack_of(session.get_one(PackVersion, versions[-1].id))
    nodes = read_groups(session)
    readable = {each.id: each for each in nodes.values() if can_read(actor, each.path)}
    activations = list(session.scalars(select(PackActivation).where(PACK_ACTIVATION.pack == pack).order_by(PACK_ACTIVATION.id)))
    newest = {(activation.group_id, activation.pack): activation for activation in activations}
    people = people_of(session, [version.published_by for version in versions] + [activation.activated_by for activation in activations])
    hosts = _hosts_by_group(session)
    names = {version.id: version.version for version in versions}
    context = _PackContext(pack, newest, nodes, readable, names, people, hosts)
    groups = [_group(node, context) for node in readable.values()]
    own: dict[int | None, list[GroupName]] = {}
    for group in groups:
        if group.how == "own":
            own.setdefault(group.version_id, []).append(GroupName(id=group.id, name=group.name, path=group.path))
    return PackDetail(
        pack=pack,
        title=content.title,
        summary=content.summary,
        is_builtin=pack in {each.id for each in load_builtin()},
        papers=[paper.title for paper in content.papers],
        linked_packs=_linked(session, content),
        no_rules=[NoRule(id=rule.id, because=rule.because) for rule in content.no_rules],
        versions=[_row(version, people, own.get(version.id, [])) for version in reversed(versions)],
        groups=groups,
        history=_history(activations, versions, readable, people),
    )


def _linked(session: Session, pack: Pack) -> list[str]:
    """The published packs that have rules linked to rules of this one."""
    named = {address.partition("/")[0] for rule in pack.rules for address in rule.same_as}
    return sorted(session.scalars(select(PACK_VERSION.pack).where(PACK_VERSION.pack.in_(named)).distinct())) if named else []


@dataclass(frozen=True, slots=True)
class _PackContext:
    """What the groups of one pack are shown with. `hosts` are counts by group, `readable` the groups in the reader's scope."""

    pack: str
    newest: Mapping[tuple[int, str], PackActivation]
    nodes: Mapping[int, GroupNode]
    readable: Mapping[int, GroupNode]
    versions: Mapping[int, str]
    people: Mapping[int | None, str]
    hosts: Mapping[int, int]


def _group(node: GroupNode, context: _PackContext) -> PackGroup:
    nodes, readable = context.nodes, context.readable
    activation = _in_force(context.newest, node.path, context.pack)
    is_own = activation is not None and activation.group_id == node.id
    version_id = activation.pack_version_id if activation is not None else None
    if activation is None:
        how = "none"
    elif version_id is None:
        how = "off" if is_own else "off_inherited"
    else:
        how = "own" if is_own else "inherited"
    in_grace = activation is not None and activation.grace_until is not None and activation.grace_ended_at is None
    above = activation is not None and not is_own
    return PackGroup(
        id=node.id,
        parent_id=node.parent_id if node.parent_id in readable else None,
        name=node.name,
        path=node.path,
        hosts=sum(count for group_id, count in context.hosts.items() if group_id in nodes and nodes[group_id].path.startswith(node.path)),
        version_id=version_id,
        version=context.versions.get(version_id) if version_id is not None else None,
        how=how,
        from_group=nodes[activation.group_id].name if activation is not None and above and activation.group_id in readable else "",
        activated_at=activation.activated_at if activation is not None else None,
        activated_by=context.people.get(activation.activated_by, "") if activation is not None else "",
        grace_until=activation.grace_until if activation is not None and in_grace else None,
        reason=activation.reason if activation is not None else "",
    )


def _history(
    activations: list[PackActivation], versions: list[Any], readable: Mapping[int, GroupNode], people: Mapping[int | None, str]
) -> list[PackEvent]:
    """Publications and activations, newest first; those of groups outside the reader's scope are left out."""
    names = {version.id: version.version for version in versions}
    events = [
        PackEvent(
            at=version.published_at, group="", words=f"{version.version} published", by=_publisher(version, people), reason=version.note
        )
        for version in versions
    ]
    for activation in activations:
        if activation.group_id not in readable:
            continue
        words = f"{names.get(activation.pack_version_id or 0, '?')} activated"
        if activation.is_inherited:
            words = "inherits again"
        elif activation.pack_version_id is None:
            words = "turned off"
        group, by = readable[activation.group_id].name, people.get(activation.activated_by, "")
        if activation.grace_until is not None:
            words += f", failures count from {activation.grace_until:%Y-%m-%d %H:%M} UTC"
        events.append(PackEvent(at=activation.activated_at, group=group, words=words, by=by, reason=activation.reason))
        if activation.grace_ended_at is not None:
            events.append(
                PackEvent(at=activation.grace_ended_at, group=group, words="grace period ended: failures count", by="Plumbline", reason="")
            )
    return sorted(events, key=lambda event: event.at, reverse=True)[:_MOST_EVENTS]


def read_difference(session: Session, *, pack: str, old_version: int | None, new_version: int | None, draft: int | None) -> PackDifference:
    """What differs between two published versions, or between one and a draft. Without an old one everything is new."""
    if (new_version is None) == (draft is None):
        raise BadInput("name either a version or a draft to compare with")
    if draft is not None:
        row = draft_of(session, draft)
        if row.pack != pack:
            raise NotFound(f"this draft is of pack {row.pack}")
        new_document, new_name = row.document, f"{row.version} (draft)"
    else:
        new_document, new_name = _document(session, pack, new_version or 0)
    new = pack_from_document(new_document)
    if old_version is None:
        old_document: dict[str, Any] = {"pack": new_document["pack"], "rules": []}
        old, old_name = Pack(new.id, "0.0.0", new.title, new.summary, (), (), (), ""), ""
    else:
        old_document, old_name = _document(session, pack, old_version)
        old = pack_from_document(old_document)
    needs = needed_version(old, new) if old_name else new.version
    return PackDifference(
        pack=pack,
        old_version=old_name,
        new_version=new_name,
        needs=needs,
        is_enough=_parts(new.version) >= _parts(needs),
        rules=[_difference(each.rule, each.change, old, new, old_document, new_document) for each in compare(old, new)],
        papers_changed=bool(old_name) and old_document["pack"].get("papers") != new_document["pack"].get("papers"),
    )


def _document(session: Session, pack: str, version_id: int) -> tuple[dict[str, Any], str]:
    row = session.get(PackVersion, version_id)
    if row is None or row.pack != pack:
        raise NotFound(f"Version of {pack} not found.")
    return row.document, row.version


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+")[0].split("."))


def _difference(rule: str, change: Any, old: Pack, new: Pack, old_document: dict[str, Any], new_document: dict[str, Any]) -> RuleDifference:
    before, after = old.rule(rule), new.rule(rule)
    return RuleDifference(
        rule=rule,
        title=(after or before).title if (after or before) is not None else rule,  # type: ignore[union-attr]
        change=change,
        words=CHANGE_WORDS[change],
        weight_before=_weight(before),
        weight_after=_weight(after),
        fields=field_changes(_data(old_document, rule), _data(new_document, rule)) if before is not None and after is not None else [],
    )


def _weight(rule: Rule | None) -> float | None:
    return weight(rule) if rule is not None else None


def _data(document: dict[str, Any], rule: str) -> dict[str, Any]:
    return next((each for each in document["rules"] if each.get("id") == rule), {})
