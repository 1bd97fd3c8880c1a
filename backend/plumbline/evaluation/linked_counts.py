"""Rules that ask the same are told once: lists and the matrix name them together and count each host once, as the score does.

Counts come from the rollups, where such rules are counted together under the lowest number of theirs. Only who asks for some of several
rules that ask the same, and not for all, has the findings of just these counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.rules.finding_status import BIT_SQL, FINDING_STATUSES, RANKS_TOGETHER
from plumbline.core.rules.weights import linked_rules
from plumbline.evaluation.rollups import BELOW, Rolled
from plumbline.packs.library import KnownRule, Library
from plumbline.packs.rule_schemas import LinkedRule

# Per subject the bits of all rules that ask the same, then the word; a host counts under the worst of its subjects. That one of the
# rules does not apply to the host says nothing where another applies somewhere on it.
_FROM_FINDINGS = """
WITH told AS (
  SELECT {key} AS key, f.host_id, asked.first, f.subject_kind, (CAST(:ranks AS int[]))[bit_or({bit}) + 1] AS rank
  FROM unnest(CAST(:rules AS smallint[]), CAST(:firsts AS smallint[])) AS asked (no, first)
  JOIN finding f ON f.rule_no = asked.no JOIN host h ON h.id = f.host_id
  WHERE {where} AND h.rules_epoch > 0 GROUP BY 1, 2, 3, 4, f.subject_id),
worst AS (SELECT key, host_id, first, min(rank) AS rank FROM told GROUP BY 1, 2, 3)
SELECT key, first, rank, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects FROM (
  SELECT key, first, rank, count(*) AS hosts, 0 AS subjects FROM worst GROUP BY 1, 2, 3
  UNION ALL
  SELECT told.key, told.first, told.rank, 0, count(*) FROM told JOIN worst USING (host_id, first)
  WHERE told.rank <> :na OR told.subject_kind <> 'host' OR worst.rank = :na GROUP BY 1, 2, 3) AS counted
GROUP BY 1, 2, 3
"""
_NOT_APPLICABLE = FINDING_STATUSES.index("not_applicable")


@dataclass(frozen=True, slots=True)
class Asked:
    """One rule, or several that ask the same, by number. The first stands for all where only one can be named."""

    rules: tuple[KnownRule, ...]

    @property
    def first(self) -> KnownRule:
        """The rule that stands for all."""
        return self.rules[0]

    @property
    def others(self) -> tuple[KnownRule, ...]:
        """Those that ask the same as the first."""
        return self.rules[1:]

    @property
    def numbers(self) -> list[int]:
        """The numbers of all."""
        return [known.no for known in self.rules]


def linked_rule(known: KnownRule) -> LinkedRule:
    """A rule as one that asks the same as another."""
    return LinkedRule(pack=known.pack.id, pack_version=known.version, rule=known.rule.id, rule_no=known.no)


def group_linked_rules(rules: Iterable[KnownRule]) -> list[Asked]:
    """The rules with those that ask the same together; in the order of the first of each."""
    known = sorted(rules, key=lambda rule: rule.no)
    group_of = linked_rules(each.rule for each in known)
    found: dict[str, list[KnownRule]] = {}
    for each in known:
        found.setdefault(group_of[each.rule.address], []).append(each)
    return [Asked(tuple(members)) for members in found.values()]


def linked_rollups(session: Session, library: Library, roots: Sequence[int], rolled: Rolled, asked: Iterable[Asked]) -> Rolled:
    """(number of the first rule, word) -> hosts, subjects over these groups and all below them, rules that ask the same counted once.

    `rolled` are the rollups of the same. No query, but for some of three or more rules that ask the same.
    """
    found: Rolled = {}
    some = []
    for each in asked:
        number = number_of(library, each)
        if number is None:
            some.append(each)
        else:
            found |= {(each.first.no, word): rolled[number, word] for word in FINDING_STATUSES if (number, word) in rolled}
    if some:
        counted = count_linked_rules(session, "0", f"h.group_id IN ({BELOW})", {"roots": list(roots)}, some)
        found |= {(first, word): (hosts, subjects, 0.0) for (_, first, word), (hosts, subjects) in counted.items()}
    return found


def number_of(library: Library, asked: Asked) -> int | None:
    """The number under which rollups have just these rules; None where they have them together with others only."""
    together = library.linked_nos.get(asked.first.no)
    if together is None:
        return -asked.first.no
    if not asked.others:
        return asked.first.no
    numbers = {known.no for known in asked.rules}
    judging = {pack.id for pack, _ in library.active}
    for no, other in library.linked_nos.items():
        if other == together and no not in numbers and library.by_no[no].pack.id in judging and not library.by_no[no].rule.retired:
            return None
    return -together


def count_linked_rules(
    session: Session, key: str, where: str, values: Mapping[str, Any], asked: Iterable[Asked]
) -> dict[tuple[Any, int, str], tuple[int, int]]:
    """(key, number of the first rule, word) -> hosts, subjects, from findings `f` and hosts `h`. `key` and `where` are our own SQL."""
    pairs = [(no, each.first.no) for each in asked for no in each.numbers]
    rows = session.execute(
        text(_FROM_FINDINGS.format(key=key, where=where, bit=BIT_SQL)),
        {
            **values,
            "ranks": RANKS_TOGETHER,
            "na": _NOT_APPLICABLE,
            "rules": [no for no, _ in pairs],
            "firsts": [first for _, first in pairs],
        },
    )
    return {(row.key, row.first, FINDING_STATUSES[row.rank]): (row.hosts, row.subjects) for row in rows}
