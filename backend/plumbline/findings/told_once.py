"""Rules that ask the same are told once: lists and the matrix name them together and count each host once, as the score does.

Counts come from the rollups wherever these settle the matter: rules that ask exactly the same of the same subjects, and are in force on
the same hosts, have the same counts in each group, and then one of them tells for all. Where they differ (one edition in a time of grace,
or waived alone) the findings of just these rules are counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.findings.standing import BIT_SQL, RANKS_TOGETHER, STANDINGS
from plumbline.rulesets.library import KnownRule
from plumbline.rulesets.schemas import AlsoAsked
from plumbline.scoring.weights import linked_rules

Rolled = dict[tuple[int, str], tuple[int, int, float]]

_BY_GROUP = """
SELECT group_id, rule_no, bucket, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects FROM (
  SELECT group_id, rule_no, bucket, hosts, subjects FROM rollup WHERE group_id = ANY(:groups) AND rule_no = ANY(:rules)
  UNION ALL
  SELECT group_id, rule_no, bucket, hosts, subjects FROM rollup_delta WHERE group_id = ANY(:groups) AND rule_no = ANY(:rules)
) AS counted GROUP BY group_id, rule_no, bucket HAVING sum(hosts) <> 0 OR sum(subjects) <> 0
"""

# Per subject the bits of all rules that ask the same, then the word; a host counts under the worst of its subjects. That one of the
# rules does not apply to the host says nothing where another applies somewhere on it.
_FROM_FINDINGS = """
WITH told AS (
  SELECT {key} AS key, f.host_id, asked.first, f.subject_kind, (CAST(:ranks AS int[]))[bit_or({bit}) + 1] AS rank
  FROM unnest(CAST(:rules AS smallint[]), CAST(:firsts AS smallint[])) AS asked (no, first)
  JOIN finding f ON f.rule_no = asked.no JOIN host h ON h.id = f.host_id
  WHERE {where} AND h.judging_epoch > 0 GROUP BY 1, 2, 3, 4, f.subject_id),
worst AS (SELECT key, host_id, first, min(rank) AS rank FROM told GROUP BY 1, 2, 3)
SELECT key, first, rank, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects FROM (
  SELECT key, first, rank, count(*) AS hosts, 0 AS subjects FROM worst GROUP BY 1, 2, 3
  UNION ALL
  SELECT told.key, told.first, told.rank, 0, count(*) FROM told JOIN worst USING (host_id, first)
  WHERE told.rank <> :na OR told.subject_kind <> 'host' OR worst.rank = :na GROUP BY 1, 2, 3) AS counted
GROUP BY 1, 2, 3
"""
_NOT_APPLICABLE = STANDINGS.index("not_applicable")


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

    def is_settled_by(self, counted: Sequence[Mapping[str, tuple[int, int]]]) -> bool:
        """Whether what each of the rules counts in one group tells what they count together.

        Rules that ask exactly the same, counted alike, found the same on the same hosts. Only a waiver or an attestation, which may be for
        one of them alone, could have met other hosts; not where all that a rule applies to stands under one word.
        """
        if len(counted) == 1:
            return True
        if any(each != counted[0] for each in counted[1:]):
            return False
        alike = all(
            known.rule.expected_hash == self.first.rule.expected_hash
            and known.rule.applies_to == self.first.rule.applies_to
            and known.rule.kind == self.first.rule.kind
            for known in self.others
        )
        is_by_person = self.first.rule.kind == "attestation" or "waived" in counted[0]
        return alike and (not is_by_person or len(counted[0].keys() - {"not_applicable"}) == 1)


def also_asked(known: KnownRule) -> AlsoAsked:
    """A rule as one that asks the same as another."""
    return AlsoAsked(pack=known.pack.id, pack_version=known.version, rule=known.rule.id, rule_no=known.no)


def asked_once(rules: Iterable[KnownRule]) -> list[Asked]:
    """The rules with those that ask the same together; in the order of the first of each."""
    known = sorted(rules, key=lambda each: each.no)
    group_of = linked_rules(each.rule for each in known)
    found: dict[str, list[KnownRule]] = {}
    for each in known:
        found.setdefault(group_of[each.rule.address], []).append(each)
    return [Asked(tuple(members)) for members in found.values()]


def roll_once(session: Session, groups: Sequence[int], rolled: Rolled, asked: Iterable[Asked]) -> Rolled:
    """(number of the first rule, word) -> hosts, subjects over these groups, rules that ask the same counted once.

    `rolled` are the rollups of the same groups. One query where any rules ask the same, and one more where rollups do not settle it.
    """
    found: Rolled = {}
    linked = []
    for each in asked:
        if each.others:
            linked.append(each)
        else:
            found |= {(each.first.no, word): rolled[each.first.no, word] for word in STANDINGS if (each.first.no, word) in rolled}
    if not linked:
        return found
    by_group: dict[int, dict[int, dict[str, tuple[int, int]]]] = {}
    values = {"groups": list(groups), "rules": [no for each in linked for no in each.numbers]}
    for row in session.execute(text(_BY_GROUP), values):
        by_group.setdefault(row.group_id, {}).setdefault(row.rule_no, {})[row.bucket] = (row.hosts, row.subjects)
    unsettled = [each for each in linked if not _settle(each, by_group.values(), found)]
    if unsettled:
        counted = count_once(session, "0", "h.group_id = ANY(:groups)", {"groups": list(groups)}, unsettled)
        found |= {(first, word): (hosts, subjects, 0.0) for (_, first, word), (hosts, subjects) in counted.items()}
    return found


def _settle(asked: Asked, by_group: Iterable[Mapping[int, Mapping[str, tuple[int, int]]]], found: Rolled) -> bool:
    """Adds what the rollups say of rules that ask the same; False, and nothing added, where they do not settle it."""
    sums: dict[str, list[int]] = {}
    for rules in by_group:
        counted = [rules[no] for no in asked.numbers if no in rules]
        if not counted:
            continue
        if not asked.is_settled_by(counted):
            return False
        for word, (hosts, subjects) in counted[0].items():
            of_word = sums.setdefault(word, [0, 0])
            of_word[0] += hosts
            of_word[1] += subjects
    found |= {(asked.first.no, word): (hosts, subjects, 0.0) for word, (hosts, subjects) in sums.items()}
    return True


def count_once(
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
    return {(row.key, row.first, STANDINGS[row.rank]): (row.hosts, row.subjects) for row in rows}
