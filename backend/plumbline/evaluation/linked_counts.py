"""Counts of linked rules: lists and the matrix show them as one and count each host once, as the score does.

Counts come from the rollups, which count linked rules together under their lowest number. Only if some of several linked rules are wanted,
and not all of them, are the findings of these rules counted.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from plumbline.core.rules.finding_status import BIT_SQL, FINDING_STATUSES, RANKS_TOGETHER, FindingStatus
from plumbline.core.rules.weights import linked_rules
from plumbline.evaluation.rollups import BELOW, Rolled
from plumbline.infra.database import sql
from plumbline.packs.library import KnownRule, Library
from plumbline.packs.rule_schemas import LinkedRule

# The bits of all linked rules for each item, then the status. A host counts under the worst status of its items. One of the rules does not
# apply to the host as a whole: that does not count if another one applies to an item of it.
_WORST = """
WITH combined AS (
  SELECT {key} AS key, f.host_id, linked.first, f.subject_kind, (CAST(:ranks AS int[]))[bit_or({bit}) + 1] AS rank
  FROM unnest(CAST(:rules AS smallint[]), CAST(:firsts AS smallint[])) AS linked (no, first)
  JOIN finding f ON f.rule_no = linked.no JOIN host h ON h.id = f.host_id
  WHERE {where} AND h.rules_epoch > 0 GROUP BY 1, 2, 3, 4, f.subject_id),
worst AS (SELECT key, host_id, first, min(rank) AS rank FROM combined GROUP BY 1, 2, 3)
"""
# Without the items, host by host: each host's findings come in the order of their rules, so that those of a rule alone need no sorting.
_COUNT_HOSTS = """
WITH mine AS MATERIALIZED (SELECT h.id, {key} AS key FROM host h WHERE {where} AND h.rules_epoch > 0)
SELECT mine.key, worst.first, worst.rank, count(*)::int FROM mine CROSS JOIN LATERAL (
  SELECT f.rule_no AS first, min((CAST(:ranks AS int[]))[({bit}) + 1]) AS rank
  FROM finding f WHERE f.host_id = mine.id AND f.rule_no = ANY(CAST(:alone AS smallint[])) GROUP BY 1
  UNION ALL
  SELECT first, min(rank) FROM (
    SELECT linked.first, (CAST(:ranks AS int[]))[bit_or({bit}) + 1] AS rank
    FROM unnest(CAST(:rules AS smallint[]), CAST(:firsts AS smallint[])) AS linked (no, first)
    JOIN finding f ON f.rule_no = linked.no WHERE f.host_id = mine.id
    GROUP BY 1, f.subject_kind, f.subject_id) AS combined GROUP BY 1) AS worst
GROUP BY 1, 2, 3
"""
_COUNT_FINDINGS = f"""{_WORST}
SELECT key, first, rank, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects FROM (
  SELECT key, first, rank, count(*) AS hosts, 0 AS subjects FROM worst GROUP BY 1, 2, 3
  UNION ALL
  SELECT combined.key, combined.first, combined.rank, 0, count(*) FROM combined JOIN worst USING (host_id, first)
  WHERE combined.rank <> :na OR combined.subject_kind <> 'host' OR worst.rank = :na GROUP BY 1, 2, 3) AS counted
GROUP BY 1, 2, 3
"""  # noqa: S608 - a constant
_NOT_APPLICABLE = FINDING_STATUSES.index("not_applicable")


@dataclass(frozen=True, slots=True)
class LinkedRules:
    """One rule, or several linked ones, in order of number. All are counted under the number of the first."""

    rules: tuple[KnownRule, ...]

    @property
    def first(self) -> KnownRule:
        """The rule under whose number all are counted."""
        return self.rules[0]

    @property
    def shown(self) -> KnownRule:
        """The rule that represents all where one is shown: the first of a pack in force, so that a superseded edition is not named."""
        return next((known for known in self.rules if known.is_in_force), self.first)

    @property
    def also(self) -> tuple[KnownRule, ...]:
        """The rules in force besides the one shown."""
        return tuple(known for known in self.rules if known.is_in_force and known is not self.shown)

    @property
    def others(self) -> tuple[KnownRule, ...]:
        """The rules linked to the first."""
        return self.rules[1:]

    @property
    def numbers(self) -> list[int]:
        """The numbers of all."""
        return [known.no for known in self.rules]


def linked_rule(known: KnownRule) -> LinkedRule:
    """A rule as it is listed under one that it is linked to."""
    return LinkedRule(pack=known.pack.id, pack_version=known.version, rule=known.rule.id, rule_no=known.no)


def group_linked_rules(rules: Iterable[KnownRule]) -> list[LinkedRules]:
    """The rules, with linked ones in one group, in the order of the first of each group."""
    known = sorted(rules, key=lambda rule: rule.no)
    group_of = linked_rules(rule.rule for rule in known)
    members: dict[str, list[KnownRule]] = {}
    for rule in known:
        members.setdefault(group_of[rule.rule.address], []).append(rule)
    return [LinkedRules(tuple(rules)) for rules in members.values()]


@functools.lru_cache(maxsize=4)
def links_of(library: Library) -> tuple[LinkedRules, ...]:
    """All rules of a library in such groups. A library stays the same object until a pack is published or activated."""
    return tuple(group_linked_rules(library.by_no.values()))


@functools.lru_cache(maxsize=4)
def first_linked(library: Library) -> Mapping[int, KnownRule]:
    """For the number of each rule the first of those linked to it, which is the rule itself where it has no links."""
    return {no: linked.first for linked in links_of(library) for no in linked.numbers}


def linked_rollups(session: Session, library: Library, roots: Sequence[int], rolled: Rolled, groups: Iterable[LinkedRules]) -> Rolled:
    """(number of the first rule, status) -> hosts, items over these groups and their subgroups; linked rules count once.

    `rolled` are the rollups of the same groups. No query, except for some of three or more linked rules.
    """
    counts: Rolled = {}
    partial = []
    for linked in groups:
        number = number_of(library, linked)
        if number is None:
            partial.append(linked)
        else:
            counts |= {(linked.first.no, word): rolled[number, word] for word in FINDING_STATUSES if (number, word) in rolled}
    if partial:
        counted = count_linked_rules(session, "0", f"h.group_id IN ({BELOW})", {"roots": list(roots)}, partial)
        counts |= {(first, word): (hosts, subjects, 0.0) for (_, first, word), (hosts, subjects) in counted.items()}
    return counts


def number_of(library: Library, linked: LinkedRules) -> int | None:
    """The number under which rollups count exactly these rules; None if they count them only together with others."""
    together = library.linked_nos.get(linked.first.no)
    if together is None:
        return -linked.first.no
    if not linked.others:
        return linked.first.no
    numbers = {known.no for known in linked.rules}
    active_packs = {pack.id for pack, _ in library.active}
    for no, other in library.linked_nos.items():
        if other == together and no not in numbers and library.by_no[no].pack.id in active_packs and not library.by_no[no].rule.retired:
            return None
    return -together


def count_linked_rules(
    session: Session, key: str, where: str, values: Mapping[str, Any], groups: Iterable[LinkedRules]
) -> dict[tuple[Any, int, str], tuple[int, int]]:
    """(key, number of the first rule, status) -> hosts, items, from findings `f` and hosts `h`. `key` and `where` are SQL of the caller."""
    rows = session.execute(
        sql(_COUNT_FINDINGS.format(key=key, where=where, bit=BIT_SQL)), {**values, **_numbers(groups), "na": _NOT_APPLICABLE}
    ).all()
    return {(key, first, FINDING_STATUSES[rank]): (hosts, subjects) for key, first, rank, hosts, subjects in rows}


def count_linked_hosts(
    session: Session, key: str, where: str, values: Mapping[str, Any], groups: Sequence[LinkedRules]
) -> list[tuple[Any, int, FindingStatus, int]]:
    """(key, number of the first rule, status, hosts) of some hundred hosts `h`. `key` and `where` are SQL of the caller."""
    alone = [linked.first.no for linked in groups if not linked.others]
    parameters = {**values, **_numbers(linked for linked in groups if linked.others), "alone": alone}
    rows = session.execute(sql(_COUNT_HOSTS.format(key=key, where=where, bit=BIT_SQL)), parameters).all()
    return [(key, first, FINDING_STATUSES[rank], hosts) for key, first, rank, hosts in rows]


def _numbers(groups: Iterable[LinkedRules]) -> dict[str, list[int]]:
    """The parameters of `_WORST`: each rule's number with the number that it is counted under, and the statuses together by their bits."""
    pairs = [(no, linked.first.no) for linked in groups for no in linked.numbers]
    return {"ranks": list(RANKS_TOGETHER), "rules": [no for no, _ in pairs], "firsts": [first for _, first in pairs]}
