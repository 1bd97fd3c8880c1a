"""What a pack and a rule are: frozen data, already checked. Only `packs/files/load.py` makes them, from files.

A rule states whom it applies to, which settings it requires, on what evidence, what its fix disrupts and what a step would set.
There are no expressions and no scripts in it: the operators below are a closed list, and every value is a checked literal.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Platform, Scalar, SettingValue, Subject

Outcome = Literal["pass", "fail", "not_applicable", "unknown"]
Kind = Literal["recommended", "guard_rail", "consistency", "capability", "proof", "informational", "advisory", "attestation"]
Impact = Literal["none", "new_sessions", "adapter_restart", "path_loss", "maintenance", "reboot", "unknown"]
Band = Literal["instability", "effect_25_or_more", "effect_10_to_25", "retransmit", "stated"]
Strength = Literal["measured", "chart", "stated", "own_judgement"]
Scope = Literal["host", "cluster", "fabric"]
Operator = Literal[
    "equals", "one_of", "at_least", "at_most", "between", "driver_maximum", "present", "absent",
    "same_across", "distinct", "sum_at_most", "proves",
]  # fmt: skip
ConditionTest = Literal["one_of", "none_of", "at_least", "at_most", "contains", "contains_value_of"]

# Kinds that are shown but have no weight in the score (docs/writing-rules.md).
WEIGHTLESS: frozenset[Kind] = frozenset({"capability", "informational", "advisory", "attestation"})

# Points of a band and factor of a strength, in tenths so that weights stay whole numbers.
BAND_POINTS: dict[Band, int] = {"instability": 10, "effect_25_or_more": 8, "effect_10_to_25": 5, "retransmit": 3, "stated": 2}
STRENGTH_TENTHS: dict[Strength, int] = {"measured": 10, "chart": 8, "stated": 6, "own_judgement": 4}


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of one reading inside `applies_to` or `where`.

    True, false, or not known. A setting that the driver does not offer satisfies only `none_of`. `otherwise` is the text for why a subject
    for which it is false is left out.
    """

    key: str
    test: ConditionTest
    values: tuple[Scalar, ...]
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Has:
    """The host has at least one subject of a kind that meets every condition (and whose id contains a text).

    `modes`, for adapters: the modes that its initiators may have, as in `InitiatorMode`; empty means any.
    """

    kind: str
    where: tuple[Condition, ...] = ()
    id_contains: str = ""
    modes: tuple[str, ...] = ()
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class InitiatorMode:
    """For adapter rules: the mode of the initiators on this adapter. An adapter that no initiator names counts as `software`.

    `modes` are allowed; any initiator on the adapter with another mode proves the clause false.
    """

    modes: tuple[str, ...]
    otherwise: str = ""


HostClause = Condition | Has
SubjectClause = Condition | InitiatorMode


@dataclass(frozen=True, slots=True)
class AppliesTo:
    """Which hosts a rule applies to. Platform and host clauses test the host, subject clauses each item."""

    platform: Platform | None = None
    host: tuple[HostClause, ...] = ()
    subject: tuple[SubjectClause, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One operator on one setting.

    `values` holds the operand: one scalar for equals, at_least, at_most, sum_at_most and proves, two for between, any number for one_of,
    none for the rest. For driver_maximum it is the paper's figure, used where the driver's own maximum cannot be read. On a list setting
    `equals` means the same members in any order and `one_of` that every member is allowed. On a version `at_least` has text ("1.2").
    """

    operator: Operator
    key: str
    values: tuple[Scalar, ...] = ()
    scope: Scope = "host"  # of same_across
    where: tuple[Condition, ...] = ()  # of distinct and sum_at_most: which subjects count
    tested: str = ""  # the paper's own figure, shown with the expectation


@dataclass(frozen=True, slots=True)
class Exists:
    """`present` or `absent` of a whole subject: some (no) subject of the kind meets every condition."""

    kind: str
    where: tuple[Condition, ...]
    wanted: bool
    words: str  # "a QoS policy for SMB Direct (port 445)"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part must hold; half of them holding has no effect."""

    parts: tuple["Expectation", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One part is enough."""

    parts: tuple["Expectation", ...]


@dataclass(frozen=True, slots=True)
class Attested:
    """A person attests it, because no host can report it (a switch setting). Without the attestation it is unknown."""

    words: str


Expectation = Check | Exists | AllOf | AnyOf | Attested


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a rule exists: one place in one paper, and what was seen there.

    `paper` names an entry of the pack. Figures (`change_percent`, or `value_from` and `value_to` in the metric's own unit) are
    given only where the paper's text prints them; a bar that was only drawn is strength `chart` and has no number. `families` and
    `os_releases` narrow the paper's test beds to those this place is about.
    """

    paper: str
    at: str
    says: str
    strength: Strength
    band: Band
    workload: str = ""
    condition: str = ""
    metric: str = ""
    change_percent: float | None = None
    value_from: float | None = None
    value_to: float | None = None
    families: tuple[str, ...] = ()
    os_releases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestBed:
    """The test system of a paper; how well its evidence fits a host is computed from this."""

    __test__ = False  # not a test class, despite its name

    platform: Platform
    os_releases: tuple[str, ...]
    families: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper that a pack rests on."""

    id: str
    title: str
    publisher: str
    edition: str
    beds: tuple[TestBed, ...]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class FixSetting:
    """What a step would set. `to` None means the driver's own maximum, or `fallback` where that cannot be read."""

    key: str
    to: SettingValue | None
    fallback: int | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """What resolves a failing finding: settings that a plan may write, or manual steps with the reason."""

    set: tuple[FixSetting, ...] = ()
    manual_steps: tuple[str, ...] = ()
    because: str = ""

    @property
    def is_manual(self) -> bool:
        """It has manual steps only."""
        return not self.set


@dataclass(frozen=True, slots=True)
class Rule:
    """One requirement, on one kind of subject."""

    pack: str
    id: str
    kind: Kind
    title: str
    summary: str
    why: str
    subject_kind: str
    applies_to: AppliesTo
    expect: Expectation
    impact: Impact
    fix: Fix
    evidence: tuple[Evidence, ...] = ()
    covers: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()  # addresses, `pack/rule`
    retired: bool = False
    # What is wrong where it fails: one text, or one for each part of `all_of`. Empty: made from the title (`headlines.py`).
    headline: tuple[str, ...] = ()
    # Instead of "could not be checked": by the value read ("silent"), or under "" whatever the reason.
    headline_unknown: tuple[tuple[str, str], ...] = ()
    # Derived once when built, since they are read for every evaluation.
    address: str = field(init=False)
    expected_hash: str = field(init=False)
    # The keys of every setting that can change this rule's findings, and the kinds of item whose coming and going can.
    reads: frozenset[str] = field(init=False, compare=False)
    kinds: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "address", f"{self.pack}/{self.id}")
        object.__setattr__(self, "expected_hash", hash_of(self.expect))
        object.__setattr__(self, "reads", frozenset(_read_by(self.applies_to, self.expect)))
        read = (key.partition(".")[0] for key in self.reads)
        object.__setattr__(self, "kinds", frozenset((self.subject_kind, *read, *_listed_by(self.applies_to, self.expect))))

    @property
    def weighs(self) -> bool:
        """It counts in the score."""
        return self.kind not in WEIGHTLESS

    @property
    def caps(self) -> bool:
        """Its failure caps the score: a guard-rail whose harm is more than a bar in a chart."""
        return self.kind == "guard_rail" and not (self.evidence and all(each.strength == "chart" for each in self.evidence))


class Verdict(NamedTuple):
    """The outcome of one rule on one subject, without text."""

    rule: Rule
    subject: Subject
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class NoRule:
    """A row or finding of a paper that deliberately became no rule, and why."""

    id: str
    because: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A named set of rules at one version. `content_hash` is SHA-256 over its canonical documents."""

    id: str
    version: str
    title: str
    summary: str
    papers: tuple[Paper, ...]
    rules: tuple[Rule, ...]
    no_rules: tuple[NoRule, ...] = ()
    content_hash: str = ""
    supersedes: tuple[str, ...] = ()  # packs with an older edition of its papers

    def rule(self, rule_id: str) -> Rule | None:
        """The rule of that id, or None."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)

    def paper(self, paper_id: str) -> Paper:
        """The paper of that id; a checked pack names only papers it has."""
        return next(paper for paper in self.papers if paper.id == paper_id)


def is_list(key: str) -> bool:
    """The setting holds several members, so that `equals` and `one_of` concern all of them."""
    return key in BY_KEY and BY_KEY[key].type == "list"


def is_version(key: str) -> bool:
    """The setting is a version, so that `at_least` compares it by its parts."""
    return key in BY_KEY and BY_KEY[key].type == "version"


def walk(expectation: Expectation) -> Iterator[Expectation]:
    """The expectation and all parts below it."""
    yield expectation
    if isinstance(expectation, AllOf | AnyOf):
        for part in expectation.parts:
            yield from walk(part)


def keys_of(expectation: Expectation) -> Iterator[str]:
    """The keys of all settings an expectation reads."""
    for node in walk(expectation):
        if isinstance(node, Check):
            yield node.key
            if node.operator == "driver_maximum":
                yield f"{node.key}_maximum"
            yield from (condition.key for condition in node.where)
        elif isinstance(node, Exists):
            for condition in node.where:
                yield condition.key
                if condition.test == "contains_value_of":
                    yield str(condition.values[0])


def _read_by(applies_to: AppliesTo, expectation: Expectation) -> Iterator[str]:
    """The keys that a rule's clauses and its expectation read."""
    yield from keys_of(expectation)
    for clause in (*applies_to.host, *applies_to.subject):
        if isinstance(clause, Condition):
            yield clause.key
            continue
        if isinstance(clause, Has):
            yield from (condition.key for condition in clause.where)
        if not isinstance(clause, Has) or clause.modes:
            yield from ("initiator.mode", "initiator.adapter")


def _listed_by(applies_to: AppliesTo, expectation: Expectation) -> Iterator[str]:
    """The kinds of item of which a clause or the expectation asks only whether there is one."""
    for part in (*applies_to.host, *applies_to.subject, *walk(expectation)):
        if isinstance(part, Has | Exists):
            yield part.kind


def _plain(node: object) -> object:
    if isinstance(node, Check):
        return ["check", node.operator, node.key, list(node.values), node.scope, [_plain(each) for each in node.where]]
    if isinstance(node, Condition):
        return ["condition", node.key, node.test, list(node.values)]
    if isinstance(node, Exists):
        return ["exists", node.kind, [_plain(each) for each in node.where], node.wanted]
    if isinstance(node, Attested):
        return ["attested", node.words]
    if isinstance(node, AllOf | AnyOf):
        return [type(node).__name__, [_plain(part) for part in node.parts]]
    raise TypeError(node)


def hash_of(expectation: Expectation) -> str:
    """A short name of what is expected: two versions of a rule require the same exactly when it is equal. Text does not count."""
    canonical = json.dumps(_plain(expectation), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
