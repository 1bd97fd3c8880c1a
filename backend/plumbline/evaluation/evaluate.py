"""From configurations to findings, score and rows: the one evaluation that check-in, re-read, re-evaluation and previews share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, cast

import msgspec
import structlog

from plumbline.core.facts.attestations import with_attestations
from plumbline.core.facts.configuration import Configuration, Platform, SectionReading, SectionStatus, Source, subjects_key
from plumbline.core.rules.compile import describe
from plumbline.core.rules.evaluate import Finding
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.core.rules.peer_questions import compares_hosts
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.core.rules.rule import Verdict
from plumbline.core.rules.score import GUARDRAIL, Cap
from plumbline.core.rules.unlisted_kinds import all_unlisted, unlisted_kinds
from plumbline.core.rules.weights import traits_of
from plumbline.evaluation.attestations_in_force import Given, answered
from plumbline.evaluation.findings import (
    Evaluation,
    HostVerdict,
    Identity,
    NewFinding,
    StoredFinding,
    Writes,
    compare,
    figures_of,
    set_verdict,
)
from plumbline.evaluation.inputs import StoredInputs
from plumbline.evaluation.peers import PEERS_KEY, Connection, Peering
from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.statements import TrippedRow
from plumbline.evaluation.verdict import excluded_of, verdict_of, waived_of
from plumbline.evaluation.waivers_in_force import ActiveWaiver, tripped_waivers
from plumbline.packs.in_force import NO_RULES, ActiveRules, GroupRules

log = structlog.get_logger()

# Settings that every applies_to clause, subject listing or score may rest on besides those that a rule names.
_ALWAYS = frozenset({"host.platform"})


class Context(NamedTuple):
    """What a host's findings rest on besides its configuration and the rules."""

    unread: Mapping[str, str]
    peers: Peers = NO_PEERS
    waivers: Sequence[ActiveWaiver] = ()
    attestations: Sequence[Given] = ()


@dataclass(slots=True)
class HostToEvaluate:
    """A host to be evaluated: its locked row, its configuration, and which kinds of subject could not be listed.

    `changed_keys`: settings that read otherwise than when its findings were stored (None: not known which).
    """

    id: str
    name: str
    group_id: int
    is_active: bool
    rules_epoch: int
    figures: HostFigures
    now: datetime
    configuration: Configuration
    unread: Mapping[str, str]
    changed_keys: frozenset[str] | None = frozenset()


@dataclass(frozen=True, slots=True)
class CurrentFindings:
    """A host's findings under some rules, and its verdict."""

    findings: Mapping[Identity, StoredFinding]
    verdict: HostVerdict


@dataclass(slots=True)
class Evaluated:
    """Evaluated hosts: what to write, and the current findings of each."""

    writes: Writes = field(default_factory=Writes)
    current: dict[str, CurrentFindings] = field(default_factory=dict)
    errors: int = 0


def evaluate_hosts(
    connection: Connection,
    hosts: Sequence[HostToEvaluate],
    rules: ActiveRules,
    stored: StoredInputs,
    peering: Peering,
    *,
    peers: Mapping[str, Peers] | None = None,
    is_guarded: bool = False,
) -> Evaluated:
    """Evaluates hosts and compares their findings with the stored ones; writes nothing.

    `peers` is used instead of stored peer answers if the rules have questions that peers have not answered yet. `is_guarded`: an error in
    Plumbline makes a host's findings unknown instead of being raised; its rules epoch then stays behind, so that it is evaluated again.
    """
    for host in hosts:
        peering.place(
            (host.id, host.name, host.group_id), host.configuration, host.unread, is_active=host.is_active, changed_keys=host.changed_keys
        )
    peering.complete(connection)
    done = Evaluated()
    for host in hosts:
        in_force = rules.by_group.get(host.group_id, NO_RULES)
        waivers = stored.waivers.get(host.id, ())
        tripped = tripped_waivers(waivers, host.configuration)
        done.writes.tripped += [TrippedRow(waiver_id, host.id, words) for waiver_id, words in tripped.items()]
        context = Context(
            host.unread,
            peering.peers(in_force, host.id) if peers is None else peers.get(host.id, NO_PEERS),
            [waiver for waiver in waivers if waiver.id not in tripped],
            stored.attestations.get(host.id, ()),
        )
        old = stored.findings.get(host.id, {})
        try:
            evaluation = evaluate_host(in_force, host.configuration, context, old=old, changed_keys=host.changed_keys)
        except Exception as error:
            if not is_guarded:
                raise
            done.errors += 1
            log.exception("internal error while evaluating", host=host.id)
            evaluation = Evaluation(known_rules=in_force.known_numbers, error=f"internal error while evaluating: {type(error).__name__}")
        _compare(done, host, evaluation, old, rules.rules_epoch)
    return done


def _compare(
    done: Evaluated, host: HostToEvaluate, evaluation: Evaluation, old: Mapping[Identity, StoredFinding], rules_epoch: int
) -> None:
    current = compare(done.writes, host_id=host.id, group_id=host.group_id, now=host.now, old=old, evaluation=evaluation)
    set_verdict(
        done.writes,
        host_id=host.id,
        old=host.figures,
        new=figures_of(host.group_id, evaluation.verdict),
        verdict=evaluation.verdict,
        rules_epoch=max(1, host.rules_epoch if evaluation.error else rules_epoch),
    )
    done.current[host.id] = CurrentFindings(current, evaluation.verdict)


def unread_of(platform: str, sections: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Subject kinds that could not be listed, from (status, error) by section. The configuration itself knows those of single commands."""
    readings = {name: SectionReading(cast(SectionStatus, status), b"", error) for name, (status, error) in sections.items()}
    return unlisted_kinds(cast(Platform, platform), readings)


def evaluate_host(
    rules: GroupRules,
    configuration: Configuration,
    context: Context,
    *,
    old: Mapping[Identity, StoredFinding] | None = None,
    changed_keys: frozenset[str] | None = None,
) -> Evaluation:
    """Evaluates one host. With `old` and `changed_keys` (settings that read otherwise than when `old` was made) only what may differ is
    put into words; without them everything is.
    """
    if context.attestations:
        given = answered(context.attestations, rules.linked_nos)
        configuration = with_attestations(configuration, {address: given[no] for address, no in rules.numbers.items() if no in given})
    verdicts = rules.compiled(configuration.platform).evaluate(configuration, context.peers, context.unread)
    waived_by = waived_of(rules, verdicts, context.waivers)
    excluded = excluded_of(rules, verdicts)
    findings: list[NewFinding] = []
    kept: set[Identity] = set()
    for verdict in verdicts:
        number = rules.numbers[verdict.rule.address]
        identity = (number, verdict.subject.kind, verdict.subject.id)
        waiver_id = waived_by.get(identity)
        why_excluded = excluded.get((verdict.rule.address, verdict.subject), "")
        stored = old.get(identity) if old is not None and changed_keys is not None else None
        if (
            stored is not None
            and changed_keys is not None
            and stored.outcome == verdict.outcome
            # What a person attested changes without any setting; who withdraws it has the host evaluated at once.
            and (verdict.rule.kind != "attestation" or not context.attestations)
            and stored.expected_hash == verdict.rule.expected_hash
            and stored.pack_version_id == rules.version_ids[verdict.rule.pack]
            and stored.waiver_id == waiver_id
            and stored.excluded_by == why_excluded
            and stored.linked_rule_no == rules.linked_nos.get(number, 0)
            and _reads(verdict).isdisjoint(changed_keys)
        ):
            kept.add(identity)
        else:
            findings.append(_new_finding(_described(verdict, configuration, context), number, rules, waiver_id, why_excluded))

    def cap_words(cap: Cap) -> str:
        capping = [verdict for verdict in verdicts if verdict.outcome == "fail" and verdict.rule.address == cap.rule]
        return _cap_words(cap, [(verdict, _described(verdict, configuration, context)) for verdict in capping])

    figures = verdict_of(rules, traits_of(configuration), verdicts, waived_by, excluded, cap_words)
    return Evaluation(findings, frozenset(kept), figures, rules.known_numbers, all_unlisted(configuration, context.unread))


def _cap_words(cap: Cap, failing: Sequence[tuple[Verdict, Finding]]) -> str:
    """What caps the score, for lists of hosts. Items are counted, since a re-evaluation does not read their names."""
    if cap.paths or not failing:
        return cap.reason
    return GUARDRAIL + failing_headline(failing[0][0].rule, [Failing(each.subject, each.reason, each.observed) for _, each in failing])


def _reads(verdict: Verdict) -> frozenset[str]:
    rule = verdict.rule
    key = (rule.address, rule.expected_hash)
    found = _READS.get(key)
    if found is None:
        listed = {subjects_key(kind) for kind in rule.kinds}
        found = _READS[key] = rule.reads | listed | _ALWAYS | ({PEERS_KEY} if compares_hosts(rule) else frozenset())
    return found


_READS: dict[tuple[str, str], frozenset[str]] = {}


def _described(verdict: Verdict, configuration: Configuration, context: Context) -> Finding:
    try:
        return describe(verdict, configuration, context.peers, context.unread)
    except Exception as error:  # a rule that cannot be put into words must not cost the check-in
        return Finding(
            verdict.rule.pack, verdict.rule.id, verdict.subject, "unknown", verdict.rule.kind,
            f"internal error in this rule: {type(error).__name__}", "", "", None, verdict.rule.expected_hash,
        )  # fmt: skip


def _new_finding(found: Finding, number: int, rules: GroupRules, waiver_id: int | None, excluded_by: str) -> NewFinding:
    return NewFinding(
        rule_no=number,
        subject_kind=found.subject.kind,
        subject_id=found.subject.id,
        outcome=found.outcome,
        kind=found.kind,
        reason=found.reason,
        observed=found.observed,
        expected=found.expected,
        source=_source(found.source),
        expected_hash=found.expected_hash,
        pack_version_id=rules.version_ids[found.pack],
        waiver_id=waiver_id if found.outcome == "fail" else None,
        excluded_by=excluded_by,
        linked_rule_no=rules.linked_nos.get(number, 0),
    )


def _source(source: Source | None) -> str | None:
    if source is None:
        return None
    fields = {"section": source.section, "command": source.command, "field": source.field, "raw": source.raw}
    return msgspec.json.encode(fields, order="sorted").decode()
