"""All rules in force, by number and by address: read from the published packs and kept until a pack changes.

Screens name rules by these; check-ins are evaluated by `packs.in_force`.
"""

import functools
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select, text
from sqlmodel import Session, col

from plumbline.core.rules.rule import Pack, Rule
from plumbline.core.rules.weights import linked_rules
from plumbline.models.packs import PackActivation, PackVersion, RuleNumber
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.rule_words import ShownRule, shown_rule


# Without slots, and compared by identity, as the library is: what screens show of it is kept beside it.
@dataclass(frozen=True, eq=False)
class KnownRule:
    """A rule with its number and its pack version."""

    no: int
    rule: Rule
    pack: Pack
    version_id: int
    version: str  # as published: the pack's own number, or with a mark where that was taken
    published_at: datetime
    data: Mapping[str, Any]  # the rule's file as plain data
    # Whether some group is evaluated by its pack. Rules of other packs are known too, because old findings name them.
    is_in_force: bool = True

    @functools.cached_property
    def shown(self) -> ShownRule:
        """What screens show of it, whatever host it is about."""
        return shown_rule(self.rule, self.pack)


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """One published version of a pack, without its content."""

    id: int
    pack: str
    version: str
    published_at: datetime
    rules: frozenset[str]


# Compared by identity: what is worked out of it is kept beside it until a pack changes.
@dataclass(frozen=True, eq=False)
class Library:
    """The rules. `active` holds the packs switched on anywhere, at their newest activated version."""

    by_no: Mapping[int, KnownRule] = field(default_factory=dict)
    by_address: Mapping[str, KnownRule] = field(default_factory=dict)
    active: tuple[tuple[Pack, PublishedVersion], ...] = ()
    versions: Mapping[int, PublishedVersion] = field(default_factory=dict)
    # For linked rules: number -> the lowest number among those linked.
    linked_nos: Mapping[int, int] = field(default_factory=dict)

    @functools.cached_property
    def numbers_reading(self) -> Mapping[str, frozenset[int]]:
        """For each setting ("adapter.mtu") the numbers of the rules that read it."""
        found: dict[str, set[int]] = {}
        for no, known in self.by_no.items():
            for key in known.rule.reads:
                found.setdefault(key, set()).add(no)
        return {key: frozenset(numbers) for key, numbers in found.items()}

    @functools.cached_property
    def consistency_rules(self) -> frozenset[int]:
        """The numbers of the rules that compare a host with its peers."""
        return frozenset(no for no, known in self.by_no.items() if known.rule.kind == "consistency")

    @functools.cached_property
    def linked_groups(self) -> Mapping[str, str]:
        """For each rule's address that of the rule which stands for all that are linked with it."""
        return linked_rules(known.rule for known in self.by_no.values())

    def title(self, no: int | None) -> str:
        """A rule's title; empty where the number is not known."""
        known = self.by_no.get(no or 0)
        return known.rule.title if known else ""

    def with_linked(self, address: str) -> list[int]:
        """The numbers of a rule and of those linked to it; empty where the address is not known."""
        known = self.by_address.get(address)
        if known is None:
            return []
        lowest = self.linked_nos.get(known.no)
        return [known.no] if lowest is None else [no for no, other in self.linked_nos.items() if other == lowest]


_cache: dict[str, tuple[tuple[int, ...], Library]] = {}
_lock = threading.Lock()


def read_library(session: Session) -> Library:
    """The library: one small query where no pack has changed since the last call."""
    stamp = tuple(
        int(value)
        for value in session.execute(
            text(
                "SELECT coalesce((SELECT max(id) FROM pack_version), 0), coalesce((SELECT max(id) FROM pack_activation), 0),"
                " coalesce((SELECT max(no) FROM rule_number), 0)"
            )
        ).one()
    )
    database_url = str(session.get_bind().engine.url)
    with _lock:
        cached = _cache.get(database_url)
        if cached is not None and cached[0] == stamp:
            return cached[1]
    library = _load(session)
    with _lock:
        _cache.clear()
        _cache[database_url] = (stamp, library)
    return library


def _load(session: Session) -> Library:
    numbers = {(row.pack, row.rule): row.no for row in session.scalars(select(RuleNumber))}
    activated = _activated_versions(session)
    versions: dict[int, PublishedVersion] = {}
    documents: dict[int, PackVersion] = {}
    for row in session.scalars(select(PackVersion).order_by(col(PackVersion.id))):
        assert row.id is not None
        documents[row.id] = row
        rules = frozenset(str(rule.get("id", "")) for rule in row.document.get("rules", ()))
        versions[row.id] = PublishedVersion(row.id, row.pack, row.version, row.published_at, rules)
    by_no: dict[int, KnownRule] = {}
    by_address: dict[str, KnownRule] = {}
    active: list[tuple[Pack, PublishedVersion]] = []
    for pack_name in sorted({version.pack for version in versions.values()}):
        version_id = activated.get(pack_name) or max(version.id for version in versions.values() if version.pack == pack_name)
        pack = pack_from_document(documents[version_id].document)
        data = {str(rule.get("id", "")): rule for rule in documents[version_id].document.get("rules", ())}
        if activated.get(pack_name):
            active.append((pack, versions[version_id]))
        for rule in pack.rules:
            no = numbers.get((pack.id, rule.id))
            if no is not None:
                known = KnownRule(
                    no,
                    rule,
                    pack,
                    version_id,
                    versions[version_id].version,
                    versions[version_id].published_at,
                    data.get(rule.id, {}),
                    is_in_force=pack_name in activated,
                )
                by_no[no] = by_address[rule.address] = known
    return Library(by_no, by_address, tuple(active), versions, _linked_nos(by_address))


def _activated_versions(session: Session) -> dict[str, int]:
    """Pack -> the version activated last, of those in force for some group. A pack that is off for one group may be on for another."""
    newest: dict[tuple[int, str], PackActivation] = {}
    for activation in session.scalars(select(PackActivation).order_by(col(PackActivation.id))):
        newest[activation.group_id, activation.pack] = activation
    in_force = [each for each in newest.values() if each.pack_version_id is not None and not each.is_inherited]
    return {each.pack: each.pack_version_id for each in sorted(in_force, key=lambda each: each.id or 0) if each.pack_version_id is not None}


def _linked_nos(by_address: Mapping[str, KnownRule]) -> dict[int, int]:
    members: dict[str, list[int]] = {}
    for address, group in linked_rules(known.rule for known in by_address.values()).items():
        members.setdefault(group, []).append(by_address[address].no)
    return {no: min(numbers) for numbers in members.values() if len(numbers) > 1 for no in numbers}
