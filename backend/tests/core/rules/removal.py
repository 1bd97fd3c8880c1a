"""Hosts of which something was not read: every single read and section taken away in turn, and what that must never do to the findings.

Of a host with less read, less is known: a finding that failed or was unknown never becomes a pass or not applicable. That holds for each
item, and for each rule on the host as a whole where the item itself is no longer seen.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from plumbline.core.facts.assemble import assemble, parse_section
from plumbline.core.facts.configuration import Configuration, Facts, Platform, SectionReading, Subject
from plumbline.core.rules.compile import CompiledRules, compile_packs
from plumbline.core.rules.rule import Outcome
from plumbline.core.rules.unlisted_kinds import unlisted_kinds
from plumbline.packs.files import load_builtin

Sections = dict[str, SectionReading]
Findings = dict[tuple[str, Subject], Outcome]
RULES: dict[Platform, CompiledRules] = {platform: compile_packs(load_builtin(), platform) for platform in ("windows", "esxi")}
WORST: tuple[Outcome, ...] = ("fail", "unknown", "pass", "not_applicable")
ERROR = "no answer within 20 s"


class Variant(NamedTuple):
    """A host's sections after something was taken away; `what` names what, `changed` the section."""

    what: str
    changed: str
    sections: Sections


def variants(platform: Platform, sections: Sections) -> Iterator[Variant]:
    """Each section absent and failed; each read absent, failed, and failed after half of its rows."""
    for name, section in sections.items():
        yield Variant(f"{name} absent", name, {other: kept for other, kept in sections.items() if other != name})
        yield Variant(f"{name} failed", name, {**sections, name: SectionReading("failed", error=ERROR)})
        if section.status != "ok":
            continue
        body = json.loads(section.body)
        for read, entry in body.items():
            for what, changed in _changed(platform, entry):
                reads = {other: kept for other, kept in body.items() if other != read}
                if changed is not None:
                    # At its place: the order of reads must not matter, and is kept.
                    reads = {other: changed if other == read else kept for other, kept in body.items()}
                yield Variant(f"{name}: {read} {what}", name, {**sections, name: SectionReading("ok", json.dumps(reads).encode())})


def _changed(platform: Platform, entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    yield "absent", None
    if platform == "windows":
        yield "failed", {"status": "failed", "error": ERROR, "rows": []}
        rows = entry.get("rows")
        if isinstance(rows, list) and rows:
            # Which half comes before the error differs from host to host: either.
            yield "failed after the first half", {"status": "failed", "error": ERROR, "rows": rows[: len(rows) // 2]}
            yield "failed before the last half", {"status": "failed", "error": ERROR, "rows": rows[(len(rows) + 1) // 2 :]}
        return
    output = entry.get("output", "")
    yield "failed", {"status": "failed", "error": ERROR, "format": entry.get("format", "text"), "exit": None, "output": ""}
    yield (
        "failed after half of its output",
        {
            **entry,
            "status": "failed",
            "error": ERROR,
            "exit": None,
            "output": output[: len(output) // 2] if isinstance(output, str) else "",
        },
    )


class Host:
    """A host with everything that was read of it, and what its rules find."""

    def __init__(self, platform: Platform, sections: Sections) -> None:
        self.platform, self.sections = platform, sections
        self._parsed = {name: parse_section(platform, name, section.body) for name, section in sections.items() if section.status == "ok"}
        self.configuration = assemble(platform, sections, parsed=self._parsed).configuration
        self.findings = self._evaluate(self.configuration, sections)

    def problems(self) -> list[str]:
        """Every finding that becomes better because something was not read, in words."""
        return [problem for variant in variants(self.platform, self.sections) for problem in self.problems_of(variant)]

    def problems_of(self, variant: Variant) -> list[str]:
        """As `problems`, of one variant: both where it is the first that is read of the host, and where the host was whole before."""
        found: list[str] = []
        parsed: dict[str, Facts] = {
            name: facts for name, facts in self._parsed.items() if variant.sections.get(name) == self.sections[name]
        }
        for before in ((), self.configuration.all_subjects()):
            assembled = assemble(self.platform, variant.sections, parsed=parsed, known_subjects=before)
            assert assembled.internal_errors == ()
            findings = self._evaluate(assembled.configuration, variant.sections)
            when = "after a whole one" if before else "at first"
            found += [f"{variant.what}, {when}: {problem}" for problem in _better(self.findings, findings)]
        return found

    def _evaluate(self, configuration: Configuration, sections: Sections) -> Findings:
        verdicts = RULES[self.platform].evaluate(configuration, unread=unlisted_kinds(self.platform, sections))
        return {(verdict.rule.address, verdict.subject): verdict.outcome for verdict in verdicts}


def _better(before: Findings, after: Findings) -> Iterator[str]:
    was, now = _by_rule(before), _by_rule(after)
    for rule, outcome in was.items():
        if outcome in WORST[:2] and now[rule] not in WORST[:2]:
            yield f"{rule} on the whole: {outcome} -> {now[rule]}"
    for identity, outcome in before.items():
        if outcome in WORST[:2] and after.get(identity, outcome) not in WORST[:2]:
            yield f"{identity[0]} on {identity[1].kind}/{identity[1].id}: {outcome} -> {after[identity]}"


def _by_rule(findings: Findings) -> dict[str, Outcome]:
    """The worst outcome of each rule."""
    worst: dict[str, Outcome] = {}
    for (rule, _), outcome in findings.items():
        held = worst.get(rule)
        worst[rule] = outcome if held is None or WORST.index(outcome) < WORST.index(held) else held
    return worst


__all__ = ["Host", "Variant", "variants"]
