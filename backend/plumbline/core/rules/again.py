"""Judging a host again after a change, looking only at rules that read what changed.

Pure. It answers nothing where the change moves which subjects a rule judges: then everything is judged anew by the compiled rules, which
say the same. A property test holds both ways equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.core.facts.configuration import Configuration, Platform, Subject
from plumbline.core.rules.evaluate import Finding, evaluate_expectation, evaluate_rule, evaluate_subject
from plumbline.core.rules.peers import Peers
from plumbline.core.rules.rule import AllOf, AnyOf, Check, Condition, Expectation, Has, Pack, Rule, Verdict, keys_of, walk
from plumbline.core.rules.words import expected

# These look at other subjects than the one they judge.
_BEYOND = ("same_across", "distinct", "sum_at_most")
_NOWHERE: Mapping[Subject, int] = {}
# A rule says one of these only where it applies.
_APPLIES = ("pass", "fail")


@dataclass(frozen=True, slots=True)
class Readers:
    """The rules that read each key: `own` where a verdict rests on its own subject's reading alone, `whole` where others' may follow.

    `asked`: the expectation of each rule of `own` in words, by its address.
    """

    own: Mapping[str, tuple[Rule, ...]]
    whole: Mapping[str, tuple[Rule, ...]]
    asked: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Again:
    """All verdicts in the order of before (the very list of before where no outcome is another one), and the findings, with their words,
    of those that had to be looked at."""

    verdicts: list[Verdict]
    findings: list[Finding]
    rules: list[Rule]
    is_moved: bool  # some outcome is another one


def readers_of(packs: Iterable[Pack], platform: Platform) -> Readers:
    """Which rules of these packs read which keys on hosts of a platform."""
    own: dict[str, list[Rule]] = {}
    whole: dict[str, list[Rule]] = {}
    for pack in packs:
        for rule in pack.rules:
            if rule.retired or rule.applies_to.platform not in (None, platform):
                continue
            mine = _own_keys(rule)
            for key in rule.reads:
                (own if key in mine else whole).setdefault(key, []).append(rule)
    return Readers(
        {key: tuple(rules) for key, rules in own.items()},
        {key: tuple(rules) for key, rules in whole.items()},
        {rule.address: expected(rule.expect) for rules in own.values() for rule in rules},
    )


Slots = Mapping[str, Mapping[Subject, int]]


def slots_of(verdicts: Sequence[Verdict]) -> Slots:
    """Where the verdicts of each rule stand, by its address and their subjects, of which a rule judges each once."""
    slots: dict[str, dict[Subject, int]] = {}
    for at, verdict in enumerate(verdicts):
        slots.setdefault(verdict[0].address, {})[verdict[1]] = at
    return slots


def judge_again(
    readers: Readers,
    verdicts: list[Verdict],
    slots: Slots,
    touched: Mapping[str, Sequence[Subject]],
    configuration: Configuration,
    peers: Peers,
    unread: Mapping[str, str],
) -> Again | None:
    """The verdicts after a change, from those before it; None where subjects moved in or out of a rule.

    `touched` names the subjects of every key that reads otherwise; the host has the same subjects, neighbours and unread kinds as before.
    """
    found: list[tuple[int, Rule, Finding]] = []
    done: set[str] = set()
    for key in touched:
        for rule in readers.whole.get(key, ()):
            if rule.address in done:
                continue
            done.add(rule.address)
            findings = evaluate_rule(rule, configuration, peers, unread)
            places = slots.get(rule.address, _NOWHERE)
            if list(places) != [finding.subject for finding in findings]:
                return None
            found.extend((at, rule, finding) for at, finding in zip(places.values(), findings, strict=True))
    for address, subjects in _by_rule(readers.own, touched, done).items():
        places = slots.get(address, _NOWHERE)
        for at in [places[subject] for subject in subjects if subject in places]:
            rule, subject, outcome = verdicts[at]
            if outcome in _APPLIES:
                # What its clauses rest on did not change, and they held.
                said = evaluate_expectation(rule, subject, configuration, peers, unread, readers.asked[address])
            else:
                said = evaluate_subject(rule, subject, configuration, peers, unread)
            if said is None:
                return None
            found.append((at, rule, said))
    moved = [(at, rule, finding) for at, rule, finding in found if verdicts[at][2] != finding.outcome]
    after = verdicts
    if moved:
        after = list(verdicts)
        for at, rule, finding in moved:
            after[at] = Verdict(rule, finding.subject, finding.outcome)
    return Again(after, [finding for _, _, finding in found], [rule for _, rule, _ in found], bool(moved))


def _by_rule(own: Mapping[str, tuple[Rule, ...]], touched: Mapping[str, Sequence[Subject]], done: set[str]) -> dict[str, set[Subject]]:
    """The subjects to look at for each rule, by its address, that was not looked at as a whole."""
    found: dict[str, set[Subject]] = {}
    for key, subjects in touched.items():
        for rule in own.get(key, ()):
            if rule.address not in done:
                found.setdefault(rule.address, set()).update(subjects)
    return found


def _own_keys(rule: Rule) -> frozenset[str]:
    """Keys that matter only by the judged subject's own reading, and only for what is expected of it."""
    keys: set[str] = set()
    beyond: set[str] = set()
    for node in walk(rule.expect):
        if not isinstance(node, AllOf | AnyOf):
            (keys if _is_own(node, rule) else beyond).update(keys_of(node))
    for clause in (*rule.applies_to.host, *rule.applies_to.subject):
        if isinstance(clause, Condition):
            beyond.add(clause.key)
        elif isinstance(clause, Has):
            beyond.update(condition.key for condition in clause.where)
    return frozenset(keys - beyond - {"initiator.mode", "initiator.adapter"})


def _is_own(node: Expectation, rule: Rule) -> bool:
    return isinstance(node, Check) and node.operator not in _BEYOND and not node.where and node.key.split(".", 1)[0] == rule.subject_kind
