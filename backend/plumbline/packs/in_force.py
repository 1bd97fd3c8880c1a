"""Which pack versions are in force for which group, compiled and ready.

A pack is activated on a group and is in force for all its subgroups, unless a nearer group has an activation of its own. Each activation,
end of a grace period and conflict decision raises the installation's `rules_epoch`; hosts evaluated under a lower one are re-evaluated in
the background. What is in force never depends on the clock, only on rows: under one epoch, all processes evaluate alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline.core.facts.configuration import Platform
from plumbline.core.rules.compile import CompiledRules, compile_packs
from plumbline.core.rules.rule import Pack, Rule
from plumbline.infra.group_path import ids_on
from plumbline.models.packs import ConflictDecision, DecisionState, PackActivation, PackVersion, RuleNumber
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.library import read_library


@dataclass(frozen=True)
class GroupRules:
    """The rules in force for one group, with what findings are stored under."""

    packs: tuple[Pack, ...]
    version_ids: Mapping[str, int]  # pack -> pack_version.id
    numbers: Mapping[str, int]  # rule address -> number
    grace: frozenset[str] = frozenset()  # packs whose failing findings do not count yet
    decisions: Mapping[str, str] = field(default_factory=dict)  # contradiction -> the demand that holds; empty: neither does
    rules: Mapping[str, Rule] = field(default_factory=dict)  # by address
    known_numbers: frozenset[int] = frozenset()
    linked_nos: Mapping[int, int] = field(default_factory=dict)  # number -> the lowest of those that ask the same, where there are several

    def compiled(self, platform: Platform) -> CompiledRules:
        """All packs compiled for a platform; done once a process and combination."""
        key = (platform, *(pack.content_hash for pack in self.packs))
        found = _COMPILED.get(key)
        if found is None:
            if len(_COMPILED) >= _MOST_KEPT:
                _COMPILED.clear()
            found = _COMPILED[key] = compile_packs(self.packs, platform)
        return found


# By content, which never changes under a hash; emptied when a site has published very many.
_COMPILED: dict[tuple[str, ...], CompiledRules] = {}
_PACKS: dict[str, Pack] = {}
_MOST_KEPT = 200


def pack_of(version: PackVersion) -> Pack:
    """The pack of a published version."""
    found = _PACKS.get(version.content_hash)
    if found is None:
        if len(_PACKS) >= _MOST_KEPT:
            _PACKS.clear()
        found = _PACKS[version.content_hash] = pack_from_document(version.document)
    return found


@dataclass(frozen=True)
class ActiveRules:
    """Everything in force, as of one `rules_epoch`."""

    rules_epoch: int
    by_group: Mapping[int, GroupRules]


@dataclass(frozen=True)
class Choice:
    """A pack version assumed in place of the active one, for a preview or a past state.

    `content` None means switched off. A draft has no version yet: `version_id` is 0. `group_id` is where it is assumed to be active; None
    means everywhere, whatever is active in any group.
    """

    pack: str
    content: Pack | None
    version_id: int = 0
    group_id: int | None = None
    in_grace: bool = False


NO_RULES = GroupRules((), {}, {})


@dataclass(frozen=True, slots=True)
class _InForce:
    content: Pack
    version_id: int
    in_grace: bool


def read_active(session: Session, *, at: datetime | None = None, choices: Sequence[Choice] = ()) -> ActiveRules:
    """Reads what is in force, or what was at an instant, with some packs chosen otherwise.

    The epoch is read first: an activation in between then only makes hosts be evaluated once more. The tree of groups is today's.
    """
    epoch = int(session.execute(text("SELECT rules_epoch FROM installation")).scalar_one())
    groups = {row.id: row.path for row in session.execute(text("SELECT id, path FROM host_group"))}
    activations = _activations(session, at)
    decided = _decisions(session, at)
    of_rules = select(col(RuleNumber.pack), col(RuleNumber.rule), col(RuleNumber.no))
    numbers = {f"{pack}/{rule}": no for pack, rule, no in session.exec(of_rules) if no is not None}
    linked_nos = read_library(session).linked_nos
    for choice in choices:
        for rule in choice.content.rules if choice.content is not None else ():
            # A draft's new rules have no number yet; they get numbers below zero, which are never stored.
            numbers.setdefault(rule.address, -1 - len(numbers))
    version_ids = {pack.pack_version_id for packs in activations.values() for pack in packs.values() if pack.pack_version_id is not None}
    versions = _packs_of(session, version_ids)
    built: dict[tuple[Any, ...], GroupRules] = {}
    by_group: dict[int, GroupRules] = {}
    with_own = {*activations, *decided, *(choice.group_id for choice in choices)}
    # Parents first, since a group without anything of its own has what its parent has.
    for group_id, path in sorted(groups.items(), key=lambda group: group[1].count("/")):
        above = ids_on(path)
        if group_id not in with_own and len(above) > 1:
            by_group[group_id] = by_group[above[-2]]
            continue
        chosen = _chosen(above, activations, versions, choices, at)
        decisions: dict[str, str] = {}
        for each in above:
            decisions.update(decided.get(each, {}))
        key = (
            tuple((name, each.version_id, each.content.content_hash, each.in_grace) for name, each in sorted(chosen.items())),
            tuple(sorted(decisions.items())),
        )
        if key not in built:
            built[key] = _group_rules(chosen, decisions, numbers, linked_nos)
        by_group[group_id] = built[key]
    return ActiveRules(epoch, by_group)


def _packs_of(session: Session, version_ids: Iterable[int]) -> dict[int, Pack]:
    """The packs of these versions. Their documents, hundreds of kilobytes, are read only where this process does not have the packs yet."""
    query = select(col(PackVersion.id), col(PackVersion.content_hash)).where(col(PackVersion.id).in_(version_ids))
    found = {version_id or 0: _PACKS.get(content_hash) for version_id, content_hash in session.exec(query)}
    missing = [version_id for version_id, pack in found.items() if pack is None]
    read = session.exec(select(PackVersion).where(col(PackVersion.id).in_(missing))) if missing else ()
    return {version_id: pack for version_id, pack in found.items() if pack is not None} | {each.id or 0: pack_of(each) for each in read}


def _activations(session: Session, at: datetime | None) -> dict[int, dict[str, PackActivation]]:
    """The newest activation of each pack on each group."""
    query = select(PackActivation).order_by(col(PackActivation.id))
    if at is not None:
        query = query.where(col(PackActivation.activated_at) <= at)
    found: dict[int, dict[str, PackActivation]] = {}
    for activation in session.exec(query):
        found.setdefault(activation.group_id, {})[activation.pack] = activation
    return found


def _decisions(session: Session, at: datetime | None) -> dict[int, dict[str, str]]:
    """The decisions of each group: contradiction -> the demand that holds."""
    query = select(ConflictDecision).where(ConflictDecision.state == DecisionState.ACTIVE)
    if at is not None:
        ended, decided = col(ConflictDecision.ended_at), col(ConflictDecision.decided_at)
        query = select(ConflictDecision).where(
            decided <= at,
            ended.is_(None) | (ended > at),
            col(ConflictDecision.state).in_((DecisionState.ACTIVE, DecisionState.WITHDRAWN, DecisionState.REPLACED)),
        )
    found: dict[int, dict[str, str]] = {}
    for each in session.exec(query.order_by(col(ConflictDecision.decided_at), col(ConflictDecision.id))):
        found.setdefault(each.group_id, {})[each.contradiction] = each.holds
    return found


def _chosen(
    above: Sequence[int],
    activations: Mapping[int, Mapping[str, PackActivation]],
    versions: Mapping[int, Pack],
    choices: Sequence[Choice],
    at: datetime | None,
) -> dict[str, _InForce]:
    """The packs in force for a group, from the root (the first of `above`) down to itself."""
    chosen: dict[str, _InForce] = {}
    for group_id in above:
        here: dict[str, _InForce | None] = {}
        for pack, each in activations.get(group_id, {}).items():
            if each.is_inherited:
                continue
            here[pack] = None
            if each.pack_version_id is not None:
                here[pack] = _InForce(versions[each.pack_version_id], each.pack_version_id, _is_in_grace(each, at))
        for choice in choices:
            if choice.group_id == group_id:
                here[choice.pack] = _assumed(choice)
        _overlay(chosen, here)
    _overlay(chosen, {choice.pack: _assumed(choice) for choice in choices if choice.group_id is None})
    return chosen


def _assumed(choice: Choice) -> _InForce | None:
    return None if choice.content is None else _InForce(choice.content, choice.version_id, choice.in_grace)


def _overlay(chosen: dict[str, _InForce], here: Mapping[str, _InForce | None]) -> None:
    for pack, each in here.items():
        if each is None:
            chosen.pop(pack, None)
        else:
            chosen[pack] = each


def _is_in_grace(activation: PackActivation, at: datetime | None) -> bool:
    """In grace until the end is stored, whatever the clock says: see the docstring of this module."""
    if activation.grace_until is None:
        return False
    return activation.grace_ended_at is None or (at is not None and activation.grace_ended_at > at)


def grace_ends(session: Session, path: str) -> dict[str, datetime]:
    """The packs that are in their time of grace for the group at this path, and when it is over. One query."""
    above = ids_on(path)
    rows = session.exec(select(PackActivation).where(col(PackActivation.group_id).in_(above)).order_by(col(PackActivation.id)))
    newest = {(row.group_id, row.pack): row for row in rows}
    found: dict[str, datetime] = {}
    for (_, pack), each in sorted(newest.items(), key=lambda item: above.index(item[0][0])):
        if each.is_inherited:
            continue
        found.pop(pack, None)
        if each.grace_until is not None and _is_in_grace(each, None):
            found[pack] = each.grace_until
    return found


def _group_rules(
    chosen: Mapping[str, _InForce], decisions: Mapping[str, str], numbers: Mapping[str, int], linked_nos: Mapping[int, int]
) -> GroupRules:
    in_order = sorted(chosen.items())
    packs = tuple(each.content for _, each in in_order)
    rules = {rule.address: rule for pack in packs for rule in pack.rules}
    return GroupRules(
        packs,
        {name: each.version_id for name, each in in_order},
        numbers,
        frozenset(name for name, each in in_order if each.in_grace),
        decisions,
        rules,
        frozenset(numbers[address] for address in rules),
        linked_nos,
    )
