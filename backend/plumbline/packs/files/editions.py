"""The readable difference between two packs, such as two editions of one paper.

Rules are paired along `same_as`. What only one of them requires comes first, then what both require but state differently, then where the
same advice is in the other paper.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plumbline.core.rules import words
from plumbline.core.rules.rule import Evidence, Pack, Rule
from plumbline.infra.errors import NotFound
from plumbline.infra.resources import RULESETS
from plumbline.packs.files import diff
from plumbline.packs.files.coverage import PaperList, read_papers
from plumbline.packs.files.load import load_pack


@dataclass(frozen=True, slots=True)
class Pair:
    """The same advice in two packs."""

    first: Rule
    second: Rule

    @property
    def differences(self) -> Iterator[tuple[str, str, str]]:
        """What differs besides the places in the papers: its name, then both sides as text."""
        first, second = self.first, self.second
        yield from _unequal("asks", words.expected(first.expect), words.expected(second.expect))
        yield from _unequal("kind", first.kind, second.kind)
        if first.applies_to != second.applies_to:
            yield "applies to", "other hosts or subjects", "see the rules"
        yield from _unequal("impact", first.impact, second.impact)
        yield from _unequal("title", first.title, second.title)
        yield from _unequal("why", first.why, second.why)
        for step in _steps(first):
            if step not in _steps(second):
                yield "step", step, ""
        for step in _steps(second):
            if step not in _steps(first):
                yield "step", "", step
        yield from _unequal("evidence", _statements(first), _statements(second))

    @property
    def places(self) -> tuple[str, str]:
        """The place of the advice in either paper."""
        return _places(self.first), _places(self.second)


def _unequal(name: str, first: str, second: str) -> Iterator[tuple[str, str, str]]:
    if first.strip() != second.strip():
        yield name, first.strip(), second.strip()


def _steps(rule: Rule) -> list[str]:
    return [*(f"set {words.label(each.key)}" for each in rule.fix.set), *rule.fix.manual_steps]


def _figure(evidence: Evidence) -> str:
    if evidence.change_percent is not None:
        return f" ({evidence.change_percent:+g}%)"
    if evidence.value_from is not None and evidence.value_to is not None:
        return f" ({evidence.value_from:g} to {evidence.value_to:g})"
    return ""


def _statements(rule: Rule) -> str:
    return "; ".join(f"{evidence_item.says}{_figure(evidence_item)}" for evidence_item in rule.evidence)


def evidence_lines(rule: Rule) -> list[str]:
    """The evidence of a rule, each statement with its place."""
    return [f"{evidence_item.at}: {evidence_item.says}{_figure(evidence_item)}" for evidence_item in rule.evidence]


def _places(rule: Rule) -> str:
    return "; ".join(evidence_item.at for evidence_item in rule.evidence)


def pairs_of(first: Pack, second: Pack) -> list[Pair]:
    """The linked rules of both packs, in the first one's order."""
    others = {rule.address: rule for rule in second.rules}
    return [Pair(rule, others[address]) for rule in first.rules for address in rule.same_as if address in others]


def difference(first: Pack, second: Pack, papers: PaperList | None = None) -> list[str]:
    """The lines that `plumbline ruleset diff` prints for two packs; `papers` adds what is in only one of the papers."""
    pairs = pairs_of(first, second)
    lines = [f"{first.id} {first.version} against {second.id} {second.version}"]
    for pack in (first, second):
        lines += [f"  {pack.id} rests on: {paper.title} ({paper.edition})" for paper in pack.papers]
        lines += [f"  {pack.id} was measured on: {bed.words}" for paper in pack.papers for bed in paper.beds]
    lines += _only(second, {pair.second.id for pair in pairs})
    lines += _only(first, {pair.first.id for pair in pairs})
    lines += _both(pairs, first.id, second.id)
    if papers is not None:
        lines += _only_in_one_paper(papers, first.id, second.id)
    return lines


def _only(pack: Pack, paired: set[str]) -> list[str]:
    rules = [rule for rule in pack.rules if rule.id not in paired]
    if not rules:
        return ["", f"Nothing is asked by {pack.id} alone."]
    lines = ["", f"Asked by {pack.id} alone:"]
    for rule in rules:
        lines += [f"  {rule.title} ({rule.id}, {rule.kind})", f"    requires: {words.expected(rule.expect)}"]
        lines += [f"    {line}" for line in evidence_lines(rule)]
    return lines


def _both(pairs: list[Pair], first: str, second: str) -> list[str]:
    lines = []
    unlike = [pair for pair in pairs if list(pair.differences)]
    if unlike:
        lines += ["", "Required by both, differently:"]
    for pair in unlike:
        lines.append(f"  {pair.first.title}")
        for name, in_first, in_second in pair.differences:
            lines += [f"    {name} in {pack}: {text}" for pack, text in ((first, in_first), (second, in_second)) if text]
    moved = [pair for pair in pairs if pair.places[0] != pair.places[1]]
    if moved:
        lines += ["", "Asked by both, at other places of the papers:"]
        lines += [f"  {pair.first.title}: {pair.places[0]} | {pair.places[1]}" for pair in moved]
    alike = sum(1 for pair in pairs if pair not in unlike and pair not in moved)
    lines += ["", f"Alike in both: {alike} of {len(pairs)} rules that both have."]
    return lines


def _only_in_one_paper(papers: PaperList, first: str, second: str) -> list[str]:
    lines = []
    for pack, other in ((second, first), (first, second)):
        only = [item for item in papers.items.values() if pack in item.packs and other not in item.packs]
        if only:
            lines += ["", f"In the paper of {pack} and not by the other:"]
            lines += [f"  {item.id} ({_within(item.at)}): {item.says}" for item in only]
    return lines


def _within(place: str) -> str:
    """A place in one edition, without the letter of the edition."""
    return re.sub(r"(^|[,;] )[AB] ", r"\1", place)


def compared(first: str, second: str) -> list[str]:
    """The difference of two packs by name or folder: two versions of one pack, or two packs. Raises `NotFound`, `RulesetInvalid`."""
    old, new = _pack(first), _pack(second)
    if old.id == new.id:
        return diff.summary(old, new)
    return difference(old, new, read_papers(RULESETS))


def _pack(name: str) -> Pack:
    for folder in (Path(name), RULESETS / name):
        if (folder / "pack.yaml").is_file():
            return load_pack(folder).pack
    known = ", ".join(sorted(each.parent.name for each in RULESETS.glob("*/pack.yaml")))
    raise NotFound(f"there is no pack {name!r}: name a folder with a pack.yaml, or one of {known}")
