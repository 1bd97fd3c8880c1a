"""Packs that require opposite values of one setting.

A contradiction is between two rules and found once for a set of packs: no value could satisfy both, and both may apply to one subject.
A conflict is a contradiction on one host: both rules evaluate the same subject there. Until a named person decides, the findings
of both sides are excluded from the score ("decision needed"), each with its own evidence.

Linked rules (`same_as`) are on one side together: two editions of a paper against an array vendor are one decision, not two.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from plumbline.core.facts.configuration import Scalar, Subject
from plumbline.core.rules import words
from plumbline.core.rules.rule import AllOf, Check, Condition, Evidence, Expectation, Pack, Rule, Verdict, is_version

# Only rules that demand something can contradict one another.
_DEMANDING = frozenset({"recommended", "guard_rail", "consistency"})


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two rules, what it requires, and on what evidence.

    `demand` identifies the rule together with all rules linked to it, active or not: the first of their addresses.
    """

    rule: str  # address
    demand: str
    title: str
    asks: str  # the requirement as text
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two rules of different packs that no value of `key` can satisfy together. The sides are in the order of their demands."""

    key: str
    first: Side
    second: Side

    @property
    def id(self) -> str:
        """A stable name: a decision is made for this, once per scope. Linked rules share it."""
        return f"{self.first.demand}|{self.second.demand}|{self.key}"

    def left_out(self, holds: str) -> tuple[str, ...]:
        """The rules that do not count where this demand was chosen; empty: neither side counts."""
        return tuple(side.rule for side in (self.first, self.second) if side.demand != holds)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction on one host, with the subjects that both rules evaluate there."""

    contradiction: Contradiction
    subjects: tuple[Subject, ...]

    @property
    def identities(self) -> tuple[tuple[str, Subject], ...]:
        """The findings that stay out of the score until the conflict is resolved."""
        sides = (self.contradiction.first.rule, self.contradiction.second.rule)
        return tuple((rule, subject) for subject in self.subjects for rule in sides)


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The values a check accepts: a finite set, or whole numbers from `low` to `high`; neither means anything but `never`."""

    values: frozenset[Scalar] | None = None
    low: int | None = None
    high: int | None = None
    never: frozenset[Scalar] = frozenset()

    def accepts(self, value: Scalar) -> bool:
        if self.values is not None and not any(type(each) is type(value) and each == value for each in self.values):
            return False
        if self.low is not None and (type(value) is not int or value < self.low):
            return False
        if self.high is not None and (type(value) is not int or value > self.high):
            return False
        return value not in self.never


def contradictions(packs: Iterable[Pack]) -> tuple[Contradiction, ...]:
    """Every pair of rules of different packs that no host can satisfy both."""
    packs = tuple(packs)
    names = _demand_names(rule for pack in packs for rule in pack.rules)
    demands: dict[tuple[str, str], list[tuple[Rule, Check]]] = {}
    for pack in packs:
        for rule in pack.rules:
            if rule.kind in _DEMANDING and not rule.retired:
                for check in _demanded(rule.expect):
                    demands.setdefault((rule.subject_kind, check.key), []).append((rule, check))
    found = []
    for (_, key), demanding in demands.items():
        in_order = sorted(demanding, key=lambda each: (names[each[0].address], each[0].address))
        for (left, left_check), (right, right_check) in combinations(in_order, 2):
            if left.pack != right.pack and _may_meet(left, right) and _cannot_both(left_check, right_check):
                sides = (_side(left, left_check, names[left.address]), _side(right, right_check, names[right.address]))
                found.append(Contradiction(key, *sides))
    return tuple(sorted(found, key=lambda each: (each.id, each.first.rule, each.second.rule)))


def _demand_names(rules: Iterable[Rule]) -> dict[str, str]:
    """Address of each rule -> the first address among its linked rules, also those known only from the links."""
    names: dict[str, str] = {}

    def named(address: str) -> str:
        while names.setdefault(address, address) != address:
            address = names[address]
        return address

    addresses = []
    for rule in rules:
        addresses.append(rule.address)
        for other in rule.same_as:
            first, second = sorted((named(rule.address), named(other)))
            names[second] = first
    return {address: named(address) for address in addresses}


def conflicts_on(known: Sequence[Contradiction], verdicts: Iterable[Verdict]) -> tuple[Conflict, ...]:
    """The contradictions on one host. A rule evaluates a subject where its outcome is pass or fail."""
    if not known:
        return ()
    evaluated: dict[str, set[Subject]] = {}
    for verdict in verdicts:
        if verdict.outcome in ("pass", "fail"):
            evaluated.setdefault(verdict.rule.address, set()).add(verdict.subject)
    found = []
    for contradiction in known:
        both = evaluated.get(contradiction.first.rule, set()) & evaluated.get(contradiction.second.rule, set())
        if both:
            found.append(Conflict(contradiction, tuple(sorted(both))))
    return tuple(found)


def _side(rule: Rule, check: Check, demand: str) -> Side:
    return Side(rule.address, demand, rule.title, words.expected(check), rule.evidence)


def _demanded(expectation: Expectation) -> Iterator[Check]:
    """The checks that must hold by themselves: not those of an `any_of`."""
    if isinstance(expectation, Check):
        if _allowed(expectation) is not None:
            yield expectation
    elif isinstance(expectation, AllOf):
        for part in expectation.parts:
            yield from _demanded(part)


def _allowed(check: Check) -> _Allowed | None:
    """What a check accepts; None where it compares with something else than a fixed value."""
    match check.operator:
        case "equals" if len(check.values) == 1:
            return _Allowed(values=frozenset(check.values))
        case "one_of" | "proves":
            return _Allowed(values=frozenset(check.values))
        case "at_least" if is_version(check.key):
            return _Allowed(never=frozenset({""}))  # of versions no more is compared than that there is one
        case "at_least":
            return _Allowed(low=int(check.values[0]))
        case "driver_maximum" if check.values:
            return _Allowed(low=int(check.values[0]))
        case "at_most":
            return _Allowed(high=int(check.values[0]))
        case "between":
            return _Allowed(low=int(check.values[0]), high=int(check.values[1]))
        case "present":
            return _Allowed(never=frozenset({""}))
        case "absent":
            return _Allowed(values=frozenset({""}))
        case _:
            return None


def _cannot_both(left: Check, right: Check) -> bool:
    first_allowed, second_allowed = _allowed(left), _allowed(right)
    if first_allowed is None or second_allowed is None:
        return False
    for one, other in ((first_allowed, second_allowed), (second_allowed, first_allowed)):
        if one.values is not None:
            return not any(other.accepts(value) for value in one.values)
    lows = [allowed.low for allowed in (first_allowed, second_allowed) if allowed.low is not None]
    highs = [allowed.high for allowed in (first_allowed, second_allowed) if allowed.high is not None]
    return bool(lows and highs and max(lows) > min(highs))


def _may_meet(left: Rule, right: Rule) -> bool:
    """Whether one subject could fall under both rules: their clauses do not demand different values of one setting."""
    platforms = {left.applies_to.platform, right.applies_to.platform} - {None}
    if len(platforms) > 1:
        return False
    pinned = _pinned(left)
    return not any(key in pinned and pinned[key].isdisjoint(values) for key, values in _pinned(right).items())


def _pinned(rule: Rule) -> dict[str, frozenset[Scalar]]:
    """The settings that a rule's clauses allow only certain values of."""
    clauses = (*rule.applies_to.host, *rule.applies_to.subject)
    return {clause.key: frozenset(clause.values) for clause in clauses if isinstance(clause, Condition) and clause.test == "one_of"}
