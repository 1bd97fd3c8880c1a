"""The score of a host, and everything needed to explain it on screen.

Score = 100 · Σ w·(passing subjects / evaluated subjects) / Σ w over rules with an evaluated subject, rounded down. A subject counts as
evaluated where its outcome is pass or fail and it is neither waived nor excluded. w is the largest band × strength × fit among a rule's
evidence, 1 without evidence. Rules linked by `same_as` count once: per subject the worst of fail, unknown, pass, with the largest w. A
failing guardrail, or a SAN volume known to have fewer than two healthy paths, caps the score at 59. Bands, strengths and fits:
docs/writing-rules.md, "Weights".

Weights are whole hundredths and sums are exact, so that the offline verifier, the screens and the reports cannot differ by a rounding.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import Literal

from plumbline.core.facts.configuration import HOST, Subject
from plumbline.core.rules.rule import Outcome, Rule, Verdict
from plumbline.core.rules.weights import Traits, Weight, Weights

CAP = 59
GUARDRAIL = "guardrail: "
# The rule whose waiver also lifts the cap for a volume with too few healthy paths.
PATHS_RULE = "plumbline-core/core.paths.two_healthy"

Severity = Literal["critical", "high", "medium", "low"]
Identity = tuple[str, Subject]  # address of the rule, and the subject


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one rule, or several linked ones, did to the score. Counts are of subjects."""

    rules: tuple[str, ...]  # addresses; the first is the one that gave the weight
    title: str
    kind: str
    weight: Weight
    passing: int
    failing: int
    waived: int
    excluded: int
    unknown: int
    points_lost: float  # of the 100, before caps; 0 where nothing was evaluated
    severity: Severity

    @property
    def evaluated(self) -> int:
        """Subjects that count: pass or fail, neither waived nor excluded."""
        return self.passing + self.failing


@dataclass(frozen=True, slots=True)
class Cap:
    """One reason why the score cannot pass 59: a failing guardrail, or a volume with too few healthy paths (`paths` says how many)."""

    rule: str
    subject: Subject
    title: str = ""
    paths: str = ""

    @property
    def reason(self) -> str:
        """As text, for readers without the findings; with them `failing_headline` says more, after the same first word."""
        return f"a volume has {self.paths}" if self.paths else f"{GUARDRAIL}{self.title}"


@dataclass(frozen=True)
class ScoreExplanation:
    """A score and its parts. `score` None means that no rule had an evaluated subject; `rule_coverage` None that no rule had a weight.

    `uncapped` is the score before caps, `without_waivers` the capped score as if there were no waiver, `counts` subjects by
    status (see `_counts`). `lines`, rule by rule, are made only when they are read: check-in needs the figures alone.
    """

    score: int | None
    uncapped: int | None
    without_waivers: int | None
    rule_coverage: float | None
    caps: tuple[Cap, ...]
    counts: Mapping[str, int]
    _tallies: tuple["_Tally", ...] = field(repr=False, compare=False)

    @cached_property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The effect of each rule, or group of linked rules, on the score."""
        total = sum(tally.weight.hundredths for tally in self._tallies if tally.evaluated)
        caused = {cap.rule for cap in self.caps}
        return tuple(tally.line(total, caused) for tally in self._tallies)


def severity(w: float, *, caused_cap: bool) -> Severity:
    """How bad a failing finding is, in the one word that pages use."""
    if caused_cap:
        return "critical"
    return "high" if w >= 5 else "medium" if w >= 2 else "low"


def score(
    verdicts: Iterable[Verdict],
    weights: Weights,
    traits: Traits,
    *,
    waived: Collection[Identity] = frozenset(),
    excluded: Collection[Identity] = frozenset(),
) -> ScoreExplanation:
    """The score of one host from all its verdicts; `waived` and `excluded` are identities, (address of the rule, subject)."""
    verdicts = list(verdicts)
    tallies = _tallies(verdicts, weights, traits, waived, excluded)
    caps = _caps(verdicts, traits, waived, excluded)
    uncapped = _exact(tallies)
    bare, bare_caps = uncapped, caps
    if waived:
        bare = _exact(_tallies(verdicts, weights, traits, frozenset(), excluded))
        bare_caps = _caps(verdicts, traits, frozenset(), excluded)
    return ScoreExplanation(
        score=_capped(uncapped, caps),
        uncapped=_floor(uncapped),
        without_waivers=_capped(bare, bare_caps),
        rule_coverage=_coverage(tallies),
        caps=caps,
        counts=_counts(verdicts, weights, tallies),
        _tallies=tuple(tallies),
    )


def _tallies(
    verdicts: list[Verdict], weights: Weights, traits: Traits, waived: Collection[Identity], excluded: Collection[Identity]
) -> list["_Tally"]:
    """One tally for each group of rules that has a subject to which it applies."""
    members: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict[2] != "not_applicable":
            group = weights.group_of(verdict[0])
            if group is None:
                continue
            if group in members:
                members[group].append(verdict)
            else:
                members[group] = [verdict]
    return [_Tally(group, weights, traits, waived, excluded) for group in members.values()]


class _Tally:
    """Counts the subjects of one rule, or of several linked ones. All its verdicts are of subjects to which the rule applies."""

    __slots__ = ("applying", "excluded", "failing", "passing", "rules", "unknown", "waived", "weight", "weight_rule")

    def __init__(
        self, members: list[Verdict], weights: Weights, traits: Traits, waived: Collection[Identity], excluded: Collection[Identity]
    ) -> None:
        self.passing = self.failing = self.waived = self.excluded = self.unknown = 0
        by_rule: dict[str, list[Verdict]] = {}
        for verdict in members:
            address = verdict[0].address
            if address in by_rule:
                by_rule[address].append(verdict)
            else:
                by_rule[address] = [verdict]
        self.rules: dict[str, Rule] = {address: of_rule[0][0] for address, of_rule in by_rule.items()}
        if len(by_rule) == 1 and not waived and not excluded:
            # By far the most common case: one rule with one verdict for each item, none waived or excluded.
            outcomes = [verdict[2] for verdict in members]
            self.passing, self.failing, self.unknown = outcomes.count("pass"), outcomes.count("fail"), outcomes.count("unknown")
            self.applying = len(members)
        else:
            subjects: dict[Subject, list[Verdict]] = {}
            for verdict in members:
                subjects.setdefault(verdict[1], []).append(verdict)
            for of_subject in subjects.values():
                self._count(of_subject, waived, excluded)
            self.applying = len(subjects)
        weighed = [
            (weights.of(of_rule[0][0], _families(of_rule, traits), traits.os_release, traits.platform), address)
            for address, of_rule in by_rule.items()
        ]
        # The largest, and of equals the first by name, whatever the order of the verdicts.
        self.weight, address = min(weighed, key=lambda each: (-each[0].hundredths, each[1])) if len(weighed) > 1 else weighed[0]
        self.weight_rule = self.rules[address]

    def _count(self, verdicts: list[Verdict], waived: Collection[Identity], excluded: Collection[Identity]) -> None:
        """One subject: the worst outcome of any of the rules, and whether at least one with that outcome is not waived."""
        outcomes = [verdict[2] for verdict in verdicts]
        worst: Outcome = "fail" if "fail" in outcomes else "unknown" if "unknown" in outcomes else "pass"
        # A waiver accepts a failure, and a conflict is between a pass and a fail: what could not be read stays unknown.
        if worst != "unknown" and (waived or excluded):
            deciding = [(verdict.rule.address, verdict.subject) for verdict in verdicts if verdict.outcome == worst]
            if all(each in waived or each in excluded for each in deciding):
                if any(each in waived for each in deciding):
                    self.waived += 1
                else:
                    self.excluded += 1
                return
        if worst == "pass":
            self.passing += 1
        elif worst == "fail":
            self.failing += 1
        else:
            self.unknown += 1

    @property
    def evaluated(self) -> int:
        return self.passing + self.failing

    def line(self, total: int, caused: set[str]) -> ScoreLine:
        lost = 100 * self.weight.hundredths * self.failing / (self.evaluated * total) if self.evaluated and total else 0.0
        addresses = sorted(self.rules, key=lambda address: (address != self.weight_rule.address, address))
        return ScoreLine(
            rules=tuple(addresses),
            title=self.weight_rule.title,
            kind=self.weight_rule.kind,
            weight=self.weight,
            passing=self.passing,
            failing=self.failing,
            waived=self.waived,
            excluded=self.excluded,
            unknown=self.unknown,
            points_lost=lost,
            severity=severity(self.weight.w, caused_cap=not caused.isdisjoint(self.rules)),
        )


def _families(of_rule: list[Verdict], traits: Traits) -> frozenset[str]:
    """The adapter families that the rule's subjects are, or belong to; those of the host's SAN adapters where that is not known."""
    kind = of_rule[0][0].subject_kind
    if kind == "adapter":
        families = traits.families
        return frozenset([families[verdict[1].id] for verdict in of_rule if verdict[1].id in families])
    if kind == "initiator":
        adapters = [traits.adapter_of[verdict[1].id] for verdict in of_rule if verdict[1].id in traits.adapter_of]
        found = frozenset(traits.families[adapter] for adapter in adapters if adapter in traits.families)
        if found:
            return found
    return traits.san_families


def _exact(tallies: list[_Tally]) -> tuple[int, int] | None:
    """The score before rounding and caps, as numerator and denominator."""
    gained: dict[int, int] = {}
    total = 0
    for tally in tallies:
        evaluated = tally.evaluated
        if evaluated:
            total += tally.weight.hundredths
            gained[evaluated] = gained.get(evaluated, 0) + tally.weight.hundredths * tally.passing
    if not total:
        return None
    common = lcm(*gained)
    return 100 * _over(common, gained), common * total


def _over(common: int, by_divisor: Mapping[int, int]) -> int:
    """The sum of weights that are each divided by a number of subjects, in parts of 1 / `common`: whole numbers, so nothing is rounded."""
    return sum(points * (common // divisor) for divisor, points in by_divisor.items())


def _floor(exact: tuple[int, int] | None) -> int | None:
    return None if exact is None else exact[0] // exact[1]


def _capped(exact: tuple[int, int] | None, caps: tuple[Cap, ...]) -> int | None:
    whole = _floor(exact)
    return min(whole, CAP) if whole is not None and caps else whole


def _caps(verdicts: list[Verdict], traits: Traits, waived: Collection[Identity], excluded: Collection[Identity]) -> tuple[Cap, ...]:
    caps = []
    for verdict in verdicts:
        if verdict[2] == "fail" and verdict.rule.caps:
            identity = (verdict.rule.address, verdict.subject)
            if identity not in waived and identity not in excluded:
                caps.append(Cap(verdict.rule.address, verdict.subject, verdict.rule.title))
    for volume, healthy in traits.thin_volumes:
        subject = Subject("volume", volume)
        if (PATHS_RULE, subject) in waived or (PATHS_RULE, subject) in excluded:
            continue
        if not any(cap.rule == PATHS_RULE and cap.subject == subject for cap in caps):
            paths = "no healthy path" if healthy == 0 else "only one healthy path"
            caps.append(Cap(PATHS_RULE, subject, paths=paths))
    return tuple(caps)


def _coverage(tallies: list[_Tally]) -> float | None:
    """Weight evaluated or waived over weight evaluated, waived or unknown, each rule's weight shared equally by the subjects that apply."""
    known: dict[int, int] = {}
    applicable: dict[int, int] = {}
    for tally in tallies:
        seen = tally.evaluated + tally.waived
        known[tally.applying] = known.get(tally.applying, 0) + tally.weight.hundredths * seen
        applicable[tally.applying] = applicable.get(tally.applying, 0) + tally.weight.hundredths * (seen + tally.unknown)
    common = lcm(*applicable) if applicable else 1
    whole = _over(common, applicable)
    return _over(common, known) / whole if whole else None


def _counts(verdicts: list[Verdict], weights: Weights, tallies: list["_Tally"]) -> dict[str, int]:
    """Subjects by status, over rules that have a weight; linked rules count once.

    Where one of several linked rules applies somewhere on the host, it does not matter that the others do not apply to the host.
    """
    applies: dict[str, set[Subject]] = {}
    applies_not: set[tuple[str, Subject]] = set()
    for verdict in verdicts:
        group = weights.group_of(verdict[0])
        if group is None:
            continue
        if verdict[2] == "not_applicable":
            applies_not.add((group, verdict[1]))
        else:
            applies.setdefault(group, set()).add(verdict[1])
    return {
        "pass": sum(tally.passing for tally in tallies),
        "fail": sum(tally.failing for tally in tallies),
        "unknown": sum(tally.unknown for tally in tallies),
        "waived": sum(tally.waived for tally in tallies),
        "excluded": sum(tally.excluded for tally in tallies),
        "not_applicable": sum(
            1 for group, subject in applies_not if group not in applies or (subject != HOST and subject not in applies[group])
        ),
    }
