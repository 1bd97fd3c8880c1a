"""From a configuration to findings and score: what the door, rescoring and waivers share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

import msgspec

from plumbline.facts.attestations import Attested, with_attestations
from plumbline.facts.configuration import Configuration, Platform, SectionReading, SectionStatus, Source, Subject
from plumbline.findings.peers import PEERS_KEY
from plumbline.findings.standing import standing_of
from plumbline.findings.store import FindingRow, HostVerdict, Identity, StoredFinding
from plumbline.rulesets.active import JudgingRules
from plumbline.scoring.again import judge_again, slots_of
from plumbline.scoring.compile import describe
from plumbline.scoring.conflicts import Contradiction, conflicts_on, contradictions
from plumbline.scoring.evaluate import Finding
from plumbline.scoring.gather import compares_hosts
from plumbline.scoring.peers import NO_PEERS, Peers
from plumbline.scoring.rule import Verdict
from plumbline.scoring.score import Traits, Weights, score, traits_of
from plumbline.scoring.unread import unread_kinds


class ActiveWaiver(NamedTuple):
    """A waiver that may meet a host. Empty subject: any. `trip_wires` are addresses of settings with the value they had."""

    id: int
    rule_no: int
    subject_kind: str
    subject_id: str
    trip_wires: Mapping[str, object]


# One row for each rule that a waiver meets: its own, and those that asked the same. A waiver whose time is over meets nothing, even
# before its end is written; one that a host's own trip-wire ended no longer meets that host.
READ_WAIVERS = """
SELECT h.id, w.id, asked.rule_no, w.subject_kind, w.subject_id, coalesce(mine.wires, w.trip_wires)
FROM host h JOIN host_group g ON g.id = h.group_id
JOIN waiver w ON w.state = 'active' AND w.expires_at > now() AND (
  w.host_id = h.id
  OR (NOT w.is_listed AND w.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  OR (w.is_listed AND EXISTS (SELECT FROM waiver_host l WHERE l.waiver_id = w.id AND l.host_id = h.id)))
LEFT JOIN waiver_host mine ON mine.waiver_id = w.id AND mine.host_id = h.id
CROSS JOIN LATERAL unnest(w.rule_no || w.also_rule_nos) AS asked (rule_no)
WHERE h.id = ANY(%s) AND mine.tripped_at IS NULL ORDER BY w.id, asked.rule_no
"""


# The attestation that counts for each host and rule: one that holds before one whose time is over, then the nearest scope, then the newest.
READ_ATTESTATIONS = """
SELECT DISTINCT ON (h.id, asked.rule_no) h.id, asked.rule_no, a.is_so, coalesce(nullif(p.display_name, ''), p.login, 'somebody'),
       to_char(a.made_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), to_char(a.expires_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), a.statement,
       a.state = 'expired' OR a.expires_at <= now() AS is_over
FROM host h JOIN host_group g ON g.id = h.group_id
JOIN attestation a ON a.state IN ('active', 'expired')
  AND (a.host_id = h.id OR a.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
LEFT JOIN host_group scope ON scope.id = a.group_id LEFT JOIN person p ON p.id = a.author_id
CROSS JOIN LATERAL unnest(a.rule_no || a.also_rule_nos) AS asked (rule_no)
WHERE h.id = ANY(%s)
ORDER BY h.id, asked.rule_no, is_over, (a.host_id IS NULL), length(scope.path) DESC, a.id DESC
"""


def attestations_by_host(rows: Iterable[Sequence[object]]) -> dict[str, dict[int, Attested]]:
    """The rows of `READ_ATTESTATIONS` by host and rule number."""
    found: dict[str, dict[int, Attested]] = {}
    for host_id, rule_no, *said in rows:
        found.setdefault(str(host_id), {})[cast(int, rule_no)] = Attested(*said)  # type: ignore[arg-type]
    return found


def waivers_by_host(rows: Iterable[Sequence[object]]) -> dict[str, list[ActiveWaiver]]:
    """The rows of `READ_WAIVERS` by host."""
    found: dict[str, list[ActiveWaiver]] = {}
    for host_id, *rest in rows:
        found.setdefault(str(host_id), []).append(ActiveWaiver(*rest))  # type: ignore[arg-type]
    return found


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
    slots: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Beside:
    """What verdicts rest on besides the configuration and the rules."""

    unread: Mapping[str, str]
    peers: Peers
    attestations: Mapping[int, Attested]


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
    attestations: Mapping[int, Attested] | None = None,
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
        configuration = with_attestations(
            configuration, {address: attestations[no] for address, no in rules.numbers.items() if no in attestations}
        )
    beside = Beside(unread, peers, attestations or {})
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
                rules.version_ids[rule.pack],
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
            and _reads(verdict).isdisjoint(touched)
        ):
            kept.add(identity)
        else:
            findings.append(_row(verdict, number, version, configuration, peers, unread, waiver_id, why_excluded))
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
        and before.verdicts == verdicts
    ):
        return before if _is_beside(before.beside, beside) else replace(before, beside=beside)
    waived_by = _waived(rules, verdicts, waivers)
    excluded = _excluded(rules, verdicts)
    verdict = _verdict(rules, traits, verdicts, waived_by, excluded)
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
    version: int,
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
    return _row_of(said, number, version, waiver_id, excluded_by)


def _row_of(said: Finding, number: int, version: int, waiver_id: int | None, excluded_by: str) -> FindingRow:
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
        judged_by=version,
        waiver_id=waiver_id if said.outcome == "fail" else None,
        excluded_by=excluded_by,
    )


def _source(source: Source | None) -> str | None:
    if source is None:
        return None
    said = {"section": source.section, "command": source.command, "field": source.field, "raw": source.raw}
    return msgspec.json.encode(said, order="sorted").decode()


def _waived(rules: JudgingRules, verdicts: Sequence[Verdict], waivers: Sequence[ActiveWaiver]) -> dict[Identity, int]:
    """The waiver of each failing finding that has one; the oldest where several meet it."""
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


def _excluded(rules: JudgingRules, verdicts: Sequence[Verdict]) -> dict[tuple[str, Subject], str]:
    """Findings that do not count: both sides of a conflict that nobody decided, the side that was decided not to hold, and failing ones
    of a pack in its time of grace. Where one stands in several conflicts, the undecided one is what people have to hear of.
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


def _contents(rules: JudgingRules) -> tuple[str, ...]:
    return tuple(pack.content_hash for pack in rules.packs)


def _contradictions(rules: JudgingRules) -> tuple[Contradiction, ...]:
    key = _contents(rules)
    if key not in _KNOWN_CONTRADICTIONS:
        _KNOWN_CONTRADICTIONS[key] = contradictions(rules.packs)
    return _KNOWN_CONTRADICTIONS[key]


def weights_of(rules: JudgingRules) -> Weights:
    """The weights of a set of packs, kept for the life of the process."""
    key = _contents(rules)
    if key not in _KNOWN_WEIGHTS:
        _KNOWN_WEIGHTS[key] = Weights(rules.packs)
    return _KNOWN_WEIGHTS[key]


def _verdict(
    rules: JudgingRules,
    traits: Traits,
    verdicts: Sequence[Verdict],
    waived_by: Mapping[Identity, int],
    excluded: Mapping[tuple[str, Subject], str],
) -> HostVerdict:
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
        word = standing_of("fail", 1 if identity in waived else None, excluded.get(identity, ""), verdict.rule.kind)
        if word == "fail":
            failing.add(rules.numbers[verdict.rule.address])
            if verdict.rule.kind == "guard_rail":
                guard_rails.add((weights_of(rules).group_of(verdict.rule), verdict.subject))
    failed = (line for line in explained.lines if line.failing)
    worst = max(failed, key=lambda line: (line.severity == "critical", line.points_lost), default=None)
    return HostVerdict(
        score=explained.score,
        score_without_waivers=explained.without_waivers,
        capped_by=explained.caps[0].reason if explained.caps else "",
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


def _worst(rules: JudgingRules, addresses: Iterable[str], failing: set[int]) -> int | None:
    for address in addresses:
        if rules.numbers[address] in failing:
            return rules.numbers[address]
    return min(failing, default=None)
