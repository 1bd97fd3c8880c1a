"""How a host's score is made up, from its stored findings: by the function that computed the score, from the same verdicts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import cast

from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.core.rules.rule import BAND_POINTS, STRENGTH_TENTHS, Outcome, Pack, Verdict
from plumbline.core.rules.score import CAP, GUARDRAIL, Cap, Identity, ScoreExplanation, ScoreLine, score
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.evaluation.findings import NewFinding
from plumbline.evaluation.read_findings import ReadFinding
from plumbline.evaluation.schemas import HostScore, ScoreCap, ScoreRule
from plumbline.packs.library import Library


@dataclass(frozen=True, slots=True)
class Stored:
    """A host's stored findings as the score takes them in."""

    verdicts: list[Verdict]
    waived: set[Identity]
    excluded: set[Identity]
    packs: tuple[Pack, ...]


def stored_verdicts(rows: Iterable[ReadFinding | NewFinding], library: Library) -> Stored:
    """The verdicts behind stored findings. Those of rules that no published pack has any more are left out, as they are from the score."""
    verdicts: list[Verdict] = []
    waived: set[Identity] = set()
    excluded: set[Identity] = set()
    packs: dict[str, Pack] = {}
    for row in rows:
        known = library.by_no.get(row.rule_no)
        if known is None:
            continue
        packs[known.pack.id] = known.pack
        subject = Subject(row.subject_kind, row.subject_id)
        verdicts.append(Verdict(known.rule, subject, cast(Outcome, row.outcome)))
        if row.waiver_id is not None:
            waived.add((known.rule.address, subject))
        elif row.excluded_by:
            excluded.add((known.rule.address, subject))
    return Stored(verdicts, waived, excluded, tuple(packs.values()))


def weights_of(packs: tuple[Pack, ...]) -> Weights:
    """The weights of these packs, kept for the life of the process: linking rules costs more than scoring one host."""
    key = tuple(sorted(f"{pack.id} {pack.content_hash}" for pack in packs))
    if key not in _WEIGHTS:
        if len(_WEIGHTS) >= _MOST_WEIGHTS:
            _WEIGHTS.clear()
        _WEIGHTS[key] = Weights(packs)
    return _WEIGHTS[key]


_WEIGHTS: dict[tuple[str, ...], Weights] = {}
_MOST_WEIGHTS = 64


def explain(rows: Iterable[ReadFinding | NewFinding], library: Library, configuration: Configuration) -> ScoreExplanation:
    """The score of a host taken apart, from its stored findings."""
    stored = stored_verdicts(rows, library)
    traits = traits_of(configuration)
    return score(stored.verdicts, weights_of(stored.packs), traits, waived=stored.waived, excluded=stored.excluded)


def headlines_of(rows: Iterable[ReadFinding | NewFinding], library: Library, label: Callable[[Subject], str]) -> dict[str, str]:
    """What is wrong, by the address of the rule: of the failing findings that are neither waived nor excluded."""
    failing: dict[int, list[Failing]] = {}
    for row in rows:
        if row.outcome == "fail" and row.waiver_id is None and not row.excluded_by and row.rule_no in library.by_no:
            failing.setdefault(row.rule_no, []).append(Failing(Subject(row.subject_kind, row.subject_id), row.reason, row.observed))
    rules = {no: library.by_no[no].rule for no in failing}
    return {rules[no].address: failing_headline(rules[no], findings, label) for no, findings in failing.items()}


def _cap_words(cap: Cap, headlines: Mapping[str, str], label: Callable[[Subject], str]) -> str:
    if cap.paths:
        return f"volume {label(cap.subject)} has {cap.paths}"
    return GUARDRAIL + headlines[cap.rule] if cap.rule in headlines else cap.reason


def host_score_of(
    explanation: ScoreExplanation,
    *,
    stored_score: int | None,
    capped_by: str,
    headlines: Mapping[str, str] = MappingProxyType({}),
    label: Callable[[Subject], str] = lambda subject: subject.id,
) -> HostScore:
    """The explanation as the API shows it. The score itself is the stored one, which lists and reports show.

    `headlines` are those of `headlines_of`, `label` names an item of the host.
    """
    total = sum(line.weight.hundredths for line in explanation.lines if line.evaluated)
    counted = sum(1 for line in explanation.lines if line.evaluated)
    caused = {cap.rule for cap in explanation.caps}
    rules = [_rule(line, total, counted, caused, headlines) for line in explanation.lines]
    rules.sort(key=lambda rule: (-rule.points_lost, -rule.points_possible, rule.title))
    return HostScore(
        score=stored_score,
        uncapped=explanation.uncapped,
        capped_by=capped_by,
        # Linked rules, and the items of one rule, cap the score for the same reason.
        caps=[
            ScoreCap(limit=CAP, because=reason) for reason in dict.fromkeys(_cap_words(cap, headlines, label) for cap in explanation.caps)
        ],
        rule_coverage=explanation.rule_coverage,
        without_waivers=explanation.without_waivers,
        count_based=counted_score(explanation),
        rules=rules,
    )


def counted_score(explanation: ScoreExplanation) -> int | None:
    """What the score would be if every rule counted the same, rounded down, before caps; exact like the score itself."""
    shares = [Fraction(line.passing, line.evaluated) for line in explanation.lines if line.evaluated]
    return int(100 * sum(shares, Fraction()) / len(shares)) if shares else None


def _rule(line: ScoreLine, total: int, counted: int, caused: set[str], headlines: Mapping[str, str]) -> ScoreRule:
    pack, _, rule = line.rules[0].partition("/")
    evidence = line.weight.evidence
    return ScoreRule(
        pack=pack,
        rule=rule,
        title=line.title,
        headline=next((headlines[address] for address in line.rules if address in headlines), ""),
        kind=line.kind,
        weight=line.weight.w,
        band=evidence.band if evidence else "",
        band_points=BAND_POINTS[evidence.band] if evidence else 1.0,
        strength=evidence.strength if evidence else "",
        strength_factor=STRENGTH_TENTHS[evidence.strength] / 10 if evidence else 1.0,
        fit=line.weight.fit_tenths / 10,
        source=f"{evidence.paper}, {evidence.at}" if evidence else "",
        passing=line.passing,
        failing=line.failing,
        judged=line.evaluated,
        points_possible=100 * line.weight.hundredths / total if line.evaluated and total else 0.0,
        points_lost=line.points_lost,
        counted_possible=100 / counted if line.evaluated else 0.0,
        counted_lost=100 * line.failing / line.evaluated / counted if line.evaluated else 0.0,
        waived=line.waived,
        excluded=line.excluded,
        unknown=line.unknown,
        has_capped=not caused.isdisjoint(line.rules),
        also_asked_by=list(line.rules[1:]),
    )
