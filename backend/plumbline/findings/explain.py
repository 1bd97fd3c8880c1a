"""A host's score taken apart, from its stored findings: the same function that the door scored with, on the same verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass

from plumbline.facts.configuration import Configuration, Subject
from plumbline.findings.models import CurrentFinding
from plumbline.findings.schemas import HostScore, ScoreCap, ScoreRule
from plumbline.rulesets.library import Library
from plumbline.scoring.rule import Pack, Verdict
from plumbline.scoring.score import CAP, Identity, ScoreExplanation, Weights, score, traits_of


@dataclass(frozen=True, slots=True)
class Stored:
    """A host's stored findings as the score takes them in."""

    verdicts: list[Verdict]
    waived: set[Identity]
    excluded: set[Identity]
    packs: tuple[Pack, ...]


def stored_verdicts(rows: Iterable[CurrentFinding], library: Library) -> Stored:
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
        verdicts.append(Verdict(known.rule, subject, row.outcome))  # type: ignore[arg-type]
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


def explain(rows: Iterable[CurrentFinding], library: Library, configuration: Configuration) -> ScoreExplanation:
    """The score of a host taken apart, from its stored findings."""
    stored = stored_verdicts(rows, library)
    traits = traits_of(configuration)
    return score(stored.verdicts, weights_of(stored.packs), traits, waived=stored.waived, excluded=stored.excluded)


def shape_of(explanation: ScoreExplanation, *, stored_score: int | None, capped_by: str) -> HostScore:
    """The explanation as the API tells it; the score itself is the stored one, which lists and reports show."""
    total = sum(line.weight.hundredths for line in explanation.lines if line.judged)
    passing = sum(line.passing for line in explanation.lines)
    judged = sum(line.judged for line in explanation.lines)
    rules = []
    for line in explanation.lines:
        pack, _, rule = line.rules[0].partition("/")
        evidence = line.weight.evidence
        rules.append(
            ScoreRule(
                pack=pack,
                rule=rule,
                title=line.title,
                kind=line.kind,
                weight=line.weight.w,
                band=evidence.band if evidence else "",
                strength=evidence.strength if evidence else "",
                fit=line.weight.fit_tenths / 10,
                passing=line.passing,
                judged=line.judged,
                points_possible=round(100 * line.weight.hundredths / total, 2) if line.judged and total else 0.0,
                points_lost=round(line.points_lost, 2),
                waived=line.waived,
                unknown=line.unknown,
            )
        )
    rules.sort(key=lambda each: (-each.points_lost, -each.points_possible, each.title))
    return HostScore(
        score=stored_score,
        capped_by=capped_by,
        caps=[ScoreCap(limit=CAP, because=cap.reason) for cap in explanation.caps],
        rule_coverage=explanation.rule_coverage,
        without_waivers=explanation.without_waivers,
        count_based=100 * passing // judged if judged else None,
        rules=rules,
    )
