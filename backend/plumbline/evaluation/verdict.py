"""What applies to a host's findings (waivers, conflict decisions, grace), and the resulting figures of its row."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.conflicts import Contradiction, conflicts_on, contradictions
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.rule import Verdict
from plumbline.core.rules.score import Cap, score
from plumbline.core.rules.weights import Traits, Weights
from plumbline.evaluation.findings import HostVerdict, Identity
from plumbline.evaluation.waivers_in_force import ActiveWaiver
from plumbline.packs.in_force import GroupRules


def waived_of(rules: GroupRules, verdicts: Sequence[Verdict], waivers: Sequence[ActiveWaiver]) -> dict[Identity, int]:
    """The waiver of each failing finding that has one; the oldest if several apply."""
    if not waivers:
        return {}
    by_rule: dict[int, list[ActiveWaiver]] = {}
    for waiver in waivers:
        by_rule.setdefault(waiver.rule_no, []).append(waiver)
    found: dict[Identity, int] = {}
    for verdict in verdicts:
        if verdict.outcome != "fail":
            continue
        number = rules.numbers[verdict.rule.address]
        for waiver in by_rule.get(number, ()):
            if waiver.subject_kind == "" or (waiver.subject_kind, waiver.subject_id) == (verdict.subject.kind, verdict.subject.id):
                found[(number, verdict.subject.kind, verdict.subject.id)] = waiver.id
                break
    return found


def excluded_of(rules: GroupRules, verdicts: Sequence[Verdict]) -> dict[tuple[str, Subject], str]:
    """Findings that do not count: both sides of an undecided conflict, the side that a decision did not choose, and failing findings of a
    pack in its grace period. A finding in several conflicts gets `conflict` if one of them is undecided.
    """
    found: dict[tuple[str, Subject], str] = {}
    for conflict in conflicts_on(_contradictions(rules), verdicts):
        holds = rules.decisions.get(conflict.contradiction.id)
        left_out = () if holds is None else conflict.contradiction.left_out(holds)
        for identity in conflict.identities:
            if holds is None:
                found[identity] = "conflict"
            elif identity[0] in left_out:
                found.setdefault(identity, "decision")
    if rules.grace:
        for verdict in verdicts:
            if verdict.outcome == "fail" and verdict.rule.pack in rules.grace:
                found.setdefault((verdict.rule.address, verdict.subject), "grace")
    return found


_KNOWN_CONTRADICTIONS: dict[tuple[str, ...], tuple[Contradiction, ...]] = {}
_KNOWN_WEIGHTS: dict[tuple[str, ...], Weights] = {}


def _contents(rules: GroupRules) -> tuple[str, ...]:
    return tuple(pack.content_hash for pack in rules.packs)


def _contradictions(rules: GroupRules) -> tuple[Contradiction, ...]:
    key = _contents(rules)
    if key not in _KNOWN_CONTRADICTIONS:
        _KNOWN_CONTRADICTIONS[key] = contradictions(rules.packs)
    return _KNOWN_CONTRADICTIONS[key]


def weights_of(rules: GroupRules) -> Weights:
    """The weights of a set of packs, kept for the life of the process."""
    key = _contents(rules)
    if key not in _KNOWN_WEIGHTS:
        _KNOWN_WEIGHTS[key] = Weights(rules.packs)
    return _KNOWN_WEIGHTS[key]


def verdict_of(
    rules: GroupRules,
    traits: Traits,
    verdicts: Sequence[Verdict],
    waived_by: Mapping[Identity, int],
    excluded: Mapping[tuple[str, Subject], str],
    cap_words: Callable[[Cap], str] = lambda cap: cap.reason,
) -> HostVerdict:
    """The figures of a host's row: its score, and what counts as failing. `cap_words` says why a cap applies."""
    waived = {
        (verdict.rule.address, verdict.subject)
        for verdict in verdicts
        if waived_by and (rules.numbers[verdict.rule.address], verdict.subject.kind, verdict.subject.id) in waived_by
    }
    explained = score(verdicts, weights_of(rules), traits, waived=waived, excluded=frozenset(excluded))
    counts = explained.counts
    failing: set[int] = set()
    guard_rails: set[tuple[str | None, Subject]] = set()
    for verdict in verdicts:
        if verdict.outcome != "fail":
            continue
        identity = (verdict.rule.address, verdict.subject)
        word = status_of("fail", 1 if identity in waived else None, excluded.get(identity, ""), verdict.rule.kind)
        if word == "fail":
            failing.add(rules.numbers[verdict.rule.address])
            if verdict.rule.kind == "guard_rail":
                guard_rails.add((weights_of(rules).group_of(verdict.rule), verdict.subject))
    failed = (line for line in explained.lines if line.failing)
    worst = max(failed, key=lambda line: (line.severity == "critical", line.points_lost), default=None)
    return HostVerdict(
        score=explained.score,
        score_without_waivers=explained.without_waivers,
        capped_by=cap_words(explained.caps[0]) if explained.caps else "",
        rule_coverage=explained.rule_coverage,
        n_pass=counts["pass"],
        n_fail=counts["fail"],
        n_unknown=counts["unknown"],
        n_not_applicable=counts["not_applicable"],
        n_waived=counts["waived"],
        n_excluded=counts["excluded"],
        n_guard_rail=len(guard_rails),
        worst_rule_no=_worst(rules, worst.rules if worst is not None else (), failing),
        failing=sorted(failing),
    )


def _worst(rules: GroupRules, addresses: Iterable[str], failing: set[int]) -> int | None:
    for address in addresses:
        if rules.numbers[address] in failing:
            return rules.numbers[address]
    return min(failing, default=None)
