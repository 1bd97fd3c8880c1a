"""Short texts for lists on what breaking a rule costs; evidence and fixes as the API shows them."""

import re

from plumbline.core.facts.configuration import SettingValue
from plumbline.core.rules import words
from plumbline.core.rules.rule import BAND_POINTS, STRENGTH_TENTHS, Evidence, Pack, Rule
from plumbline.packs.rule_schemas import EvidenceOut, FixLine
from plumbline.packs.runner_settings import runner_settings

_WORKLOADS = {
    "8k_random": "8 KB random",
    "8k_random_mix": "8 KB random, 67% read",
    "256k_seq_read": "256 KB sequential read",
    "256k_seq_write": "256 KB sequential write",
    "8k_random_67_read": "8 KB random, 67% read",
}


def workload_words(workload: str) -> str:
    """A workload as text."""
    return _WORKLOADS.get(workload, workload.replace("_", " "))


# What a figure of the papers counts: before the figure, and its unit.
_METRICS = {
    "array_retransmit_percent": ("array retransmits", "%"),
    "cpu_percent": ("CPU", "%"),
    "host_cpu_percent": ("host CPU", "%"),
    "write_mb_per_second": ("write", "MB/s"),
}
# How people name a paper in passing; a site's own paper goes by its id.
_PAPERS = {
    "bp1057": "BP1057",
    "bp1057r2": "BP1057 (later edition)",
    "esxi55": "Dell ESXi 5.5",
    "chelsio": "Chelsio S2D",
    "qlogic": "QLogic QLE3142",
}
# What a paper does not say, and Plumbline concludes from it.
_STRENGTHS = {"own_judgement": "inferred"}
_SECTION = re.compile(r"(?:^|(?<=, ))(?=(?:\d+(?:\.\d+)*|[A-Z]\.\d+)(?:,|$))")


def place_words(evidence: Evidence) -> str:
    """The place of the evidence: "BP1057 §4.2.7", "Dell ESXi 5.5 §4.1.3, Figures 5-7"."""
    paper = _PAPERS.get(evidence.paper, evidence.paper)
    return f"{paper} {_SECTION.sub('§', evidence.at)}".strip()


def effect_of(rule: Rule) -> str:
    """What breaking the rule costs, by its weightiest evidence; "" for a rule without any."""
    return effect_words(best_evidence(rule), is_guard=rule.kind == "guard_rail")


def effect_words(evidence: Evidence | None, *, is_guard: bool = False) -> str:
    """The effect of breaking the rule, and how it is known: "30% slower 256 KB sequential reads (measured, BP1057 §4.2.7)".

    A guardrail protects from an observed harm, so it is no mere recommendation even if no figure is printed.
    """
    if evidence is None:
        return ""
    if evidence.change_percent is not None:
        size = f"{abs(evidence.change_percent):g}%"
        workload = workload_words(evidence.workload)
        several = f"{workload}s" if workload.endswith(("read", "write")) else workload
        effect = f"{size} slower {several}" if evidence.change_percent < 0 else f"up to {size} gain"
        effect = effect.rstrip()
    elif evidence.value_from is not None and evidence.value_to is not None:
        metric, unit = _METRICS.get(evidence.metric, (evidence.metric.replace("_", " "), ""))
        after = unit if unit == "%" else f" {unit}".rstrip()
        effect = f"{metric} {evidence.value_from:,g}{after} vs {evidence.value_to:,g}{after}"
    elif evidence.workload:
        effect = f"{workload_words(evidence.workload)} affected"
    else:
        unprinted = "slower (no figure)" if is_guard else "recommended"
        effect = {"instability": "instability", "retransmit": "retransmits", "stated": unprinted}.get(evidence.band, "slower")
    return f"{effect} ({_STRENGTHS.get(evidence.strength, evidence.strength)}, {place_words(evidence)})"


def weight_of(evidence: Evidence) -> float:
    """Band points x strength, the weight before the fit to a host."""
    return BAND_POINTS[evidence.band] * STRENGTH_TENTHS[evidence.strength] / 10


def best_evidence(rule: Rule) -> Evidence | None:
    """The evidence that gives the rule its weight."""
    return max(rule.evidence, key=weight_of, default=None)


def weight(rule: Rule) -> float:
    """The rule's weight at fit 1; 1 without evidence, 0 for kinds without a weight."""
    if not rule.weighs:
        return 0.0
    best = best_evidence(rule)
    return weight_of(best) if best else 1.0


def evidence_of(rule: Rule, pack: Pack) -> list[EvidenceOut]:
    """The rule's evidence with the papers' editions."""
    editions = {paper.id: paper for paper in pack.papers}
    return [
        EvidenceOut(
            paper=editions[evidence_item.paper].title if evidence_item.paper in editions else evidence_item.paper,
            edition=editions[evidence_item.paper].edition if evidence_item.paper in editions else "",
            at=evidence_item.at,
            says=evidence_item.says,
            workload=workload_words(evidence_item.workload),
            condition=evidence_item.condition.replace("_", " "),
            metric=evidence_item.metric.replace("_", " "),
            from_=evidence_item.value_from,
            to=evidence_item.value_to,
            percent=evidence_item.change_percent,
            strength=evidence_item.strength,
            band=evidence_item.band,
            note=limits_of(evidence_item),
        )
        for evidence_item in rule.evidence
    ]


def limits_of(evidence: Evidence) -> str:
    """What the evidence is limited to: "measured on X520", or "stated for X520" if nothing was measured."""
    families = [words.value("adapter.family", family) for family in evidence.families]
    on = [*families, *(words.value("host.os_release", release) for release in evidence.os_releases)]
    how = "measured on" if evidence.strength in ("measured", "chart") else "stated for"
    return f"{how} {', '.join(on)}" if on else ""


def fix_lines(rule: Rule) -> list[FixLine]:
    """What a step would write."""
    return [
        FixLine(
            setting=each.key,
            label=words.label(each.key),
            to=_to(each.key, each.to, each.fallback),
            until_restart=_until_restart(rule, each.key),
        )
        for each in rule.fix.set
    ]


def _until_restart(rule: Rule, key: str) -> str:
    setting = runner_settings().get(rule.applies_to.platform, key) if rule.applies_to.platform is not None else None
    return setting.until_restart if setting is not None else ""


def _to(key: str, to: SettingValue | None, fallback: int | None) -> str:
    if to is None:
        return f"driver maximum (or {words.value(key, fallback)})" if fallback is not None else "driver maximum"
    return words.value(key, to)


def manual_lines(rule: Rule) -> list[str]:
    """The steps that only a person can take. Why no plan takes them is `fix.because`, which is no step."""
    return list(rule.fix.manual_steps)
