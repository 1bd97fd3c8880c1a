"""From a configuration to findings and score: what the door, rescoring and waivers share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import msgspec

from plumbline.core.facts.attestations import with_attestations
from plumbline.core.facts.configuration import Configuration, Platform, SectionReading, SectionStatus, Source, Subject
from plumbline.core.rules.again import Slots, judge_again, slots_of
from plumbline.core.rules.compile import describe
from plumbline.core.rules.evaluate import Finding
from plumbline.core.rules.gather import compares_hosts
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.core.rules.rule import Verdict
from plumbline.core.rules.unlisted_kinds import unread_kinds
from plumbline.core.rules.weights import Traits, traits_of
from plumbline.evaluation.attestations_in_force import Given, answered
from plumbline.evaluation.findings import FindingRow, HostVerdict, Identity, StoredFinding
from plumbline.evaluation.peers import PEERS_KEY
from plumbline.evaluation.verdict import excluded_of, verdict_of, waived_of
from plumbline.evaluation.waivers_in_force import ActiveWaiver
from plumbline.packs.in_force import JudgingRules


@dataclass(frozen=True, slots=True)
class Judged:
    """What a host's verdict was worked out from, and what came out. The same from the same: kept so that it is not worked out again."""

    rules: JudgingRules
    traits: Traits
    waivers: tuple[ActiveWaiver, ...]
    verdicts: list[Verdict]
    waived_by: Mapping[Identity, int]
    excluded: Mapping[tuple[str, Subject], str]
    verdict: HostVerdict
    beside: "Beside"
    slots: Slots


@dataclass(frozen=True, slots=True)
class Beside:
    """What verdicts rest on besides the configuration and the rules."""

    unread: Mapping[str, str]
    peers: Peers
    attestations: tuple[Given, ...]


@dataclass(slots=True)
class Judgement:
    """A host judged: the findings to compare with the stored ones, those that surely stand as they are, and the verdict.

    `is_partial`: every stored finding that is not among `findings` stands as it is.
    """

    findings: list[FindingRow]
    # Findings whose outcome, expectation and every setting they read are as before: not put into words again.
    kept: frozenset[Identity]
    verdict: HostVerdict
    known_rules: frozenset[int]
    unread_kinds: Mapping[str, str] = field(default_factory=dict)
    is_broken: bool = False
    judged: Judged | None = None
    is_partial: bool = False

    def is_unread(self, identity: Identity) -> str:
        """Why the subject of a stored finding was not read; empty: it was looked for and is gone."""
        return self.unread_kinds.get(identity[1], "")


def unread_of(platform: str, sections: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Subject kinds that could not be listed, from (status, error) by section."""
    readings = {name: SectionReading(cast(SectionStatus, status), b"", error) for name, (status, error) in sections.items()}
    return unread_kinds(cast(Platform, platform), readings)


def judge(
    rules: JudgingRules,
    configuration: Configuration,
    *,
    unread: Mapping[str, str],
    waivers: Sequence[ActiveWaiver] = (),
    attestations: Sequence[Given] = (),
    peers: Peers = NO_PEERS,
    old: Mapping[Identity, StoredFinding] | None = None,
    touched: frozenset[str] | None = None,
    before: Judged | None = None,
    moved: Mapping[str, Sequence[Subject]] | None = None,
) -> Judgement:
    """Judges one host. With `old` and `touched` (keys of settings that read otherwise than when `old` was made) only what differs is
    put into words; without them everything is. `before` may be the `judged` of any earlier judgement: it spares working out the score
    where no outcome moved. With `moved` (the subjects of each touched key) the host has the subjects it had, `before` is the very
    judgement that `old` was stored from, and only rules that read a touched key are looked at.
    """
    platform = configuration.platform
    if attestations:
        said = answered(attestations, rules.told)
        configuration = with_attestations(configuration, {address: said[no] for address, no in rules.numbers.items() if no in said})
    beside = Beside(unread, peers, tuple(attestations))
    ending = tuple(waivers)
    compiled = rules.compiled(platform)
    again = None
    is_alike = before is not None and before.rules is rules and before.waivers == ending and _is_beside(before.beside, beside)
    if before is not None and moved is not None and is_alike:
        again = judge_again(compiled.readers, before.verdicts, before.slots, moved, configuration, peers, unread)
    verdicts = again.verdicts if again is not None else compiled.judge(configuration, peers, unread)
    traits = before.traits if again is not None and before is not None and _TRAITS.isdisjoint(moved or ()) else traits_of(configuration)
    judged = _judged(rules, traits, ending, verdicts, before, beside)
    waived_by, excluded = judged.waived_by, judged.excluded
    if again is not None and before is not None and (judged is before or (waived_by == before.waived_by and excluded == before.excluded)):
        rows = [
            _row_of(
                finding,
                (number := rules.numbers[rule.address]),
                rules,
                waived_by.get((number, finding.subject.kind, finding.subject.id)),
                excluded.get((rule.address, finding.subject), ""),
            )
            for rule, finding in zip(again.rules, again.findings, strict=True)
        ]
        return Judgement(rows, frozenset(), judged.verdict, rules.known_numbers, unread, judged=judged, is_partial=True)
    findings: list[FindingRow] = []
    kept: set[Identity] = set()
    for verdict in verdicts:
        number = rules.numbers[verdict.rule.address]
        subject = verdict.subject
        identity = (number, subject.kind, subject.id)
        waiver_id = waived_by.get(identity)
        why_excluded = excluded.get((verdict.rule.address, subject), "")
        version = rules.version_ids[verdict.rule.pack]
        stored = old.get(identity) if old is not None and touched is not None else None
        if (
            stored is not None
            and touched is not None
            and stored.outcome == verdict.outcome
            # What a person attested changes without any setting.
            and verdict.rule.kind != "attestation"
            and stored.expected_hash == verdict.rule.expected_hash
            and stored.judged_by == version
            and stored.waiver_id == waiver_id
            and stored.excluded_by == why_excluded
            and stored.told_as == rules.told.get(number, 0)
            and _reads(verdict).isdisjoint(touched)
        ):
            kept.add(identity)
        else:
            findings.append(_row(verdict, number, rules, configuration, peers, unread, waiver_id, why_excluded))
    return Judgement(findings, frozenset(kept), judged.verdict, rules.known_numbers, unread, judged=judged)


def _is_beside(before: Beside, now: Beside) -> bool:
    return (
        (before.peers is now.peers or before.peers == now.peers) and before.unread == now.unread and before.attestations == now.attestations
    )


# Settings that `traits_of` reads.
_TRAITS = frozenset({"adapter.family", "adapter.role", "initiator.adapter", "volume.paths_healthy", "host.os_release"})


def _judged(
    rules: JudgingRules,
    traits: Traits,
    waivers: tuple[ActiveWaiver, ...],
    verdicts: list[Verdict],
    before: Judged | None,
    beside: Beside,
) -> Judged:
    """Waivers, exclusions and score. Most changes move no outcome, and then all of it is as before: it rests on nothing but these."""
    if (
        before is not None
        and before.rules is rules
        and before.traits == traits
        and before.waivers == waivers
        and (before.verdicts is verdicts or before.verdicts == verdicts)
    ):
        return before if _is_beside(before.beside, beside) else replace(before, beside=beside)
    waived_by = waived_of(rules, verdicts, waivers)
    excluded = excluded_of(rules, verdicts)
    verdict = verdict_of(rules, traits, verdicts, waived_by, excluded)
    return Judged(rules, traits, waivers, verdicts, waived_by, excluded, verdict, beside, slots_of(verdicts))


# Settings that every applies_to clause, subject listing or score may rest on besides those that a rule names.
_ALWAYS = frozenset({"host.platform"})


def _reads(verdict: Verdict) -> frozenset[str]:
    rule = verdict.rule
    key = (rule.address, rule.expected_hash)
    found = _READS.get(key)
    if found is None:
        found = _READS[key] = rule.reads | _ALWAYS | ({PEERS_KEY} if compares_hosts(rule) else frozenset())
    return found


_READS: dict[tuple[str, str], frozenset[str]] = {}


def _row(
    verdict: Verdict,
    number: int,
    rules: JudgingRules,
    configuration: Configuration,
    peers: Peers,
    unread: Mapping[str, str],
    waiver_id: int | None,
    excluded_by: str,
) -> FindingRow:
    try:
        said = describe(verdict, configuration, peers, unread)
    except Exception as error:  # a rule that cannot be put into words must not cost the check-in
        said = Finding(
            verdict.rule.pack, verdict.rule.id, verdict.subject, "unknown", verdict.rule.kind,
            f"internal error while judging: {type(error).__name__}", "", "", None, verdict.rule.expected_hash,
        )  # fmt: skip
    return _row_of(said, number, rules, waiver_id, excluded_by)


def _row_of(said: Finding, number: int, rules: JudgingRules, waiver_id: int | None, excluded_by: str) -> FindingRow:
    return FindingRow(
        rule_no=number,
        subject_kind=said.subject.kind,
        subject_id=said.subject.id,
        outcome=said.outcome,
        kind=said.kind,
        reason=said.reason,
        observed=said.observed,
        expected=said.expected,
        source=_source(said.source),
        expected_hash=said.expected_hash,
        judged_by=rules.version_ids[said.pack],
        waiver_id=waiver_id if said.outcome == "fail" else None,
        excluded_by=excluded_by,
        told_as=rules.told.get(number, 0),
    )


def _source(source: Source | None) -> str | None:
    if source is None:
        return None
    said = {"section": source.section, "command": source.command, "field": source.field, "raw": source.raw}
    return msgspec.json.encode(said, order="sorted").decode()
