"""The cases of a rule: small host configurations with the outcome that the rule must give, in files named for it.

`<rule-id>.<what>.<outcome>.yaml`; the outcome is what every finding of the rule must be, unless `expect` names subjects one by one.

    platform: windows
    settings:
      host: {os_release: "2012"}
      adapter/a1: {family: x520, role: san_iscsi, mtu: 9000}
      adapter/a2: {mtu: {unknown: "no rights"}, team: {not_offered: "driver"}}
    unread: {volume: "section mpio failed"}
    cluster: {other-host: {qos_policy/rdma: {priority: 5}}}      # the other members' settings
    fabric: {a1: {other-host: {adapter/b1: {mtu: 9000}}}}        # by adapter of this host; one adapter each
    attested: true                       # by a person, about what no host reports; false: not met; over: expired
    expect: {adapter/a1: pass, adapter/a2: unknown}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from plumbline.core.facts.attestations import Attested, with_attestations
from plumbline.core.facts.catalogue import BY_KEY, KINDS, Entry
from plumbline.core.facts.configuration import Configuration, NotOffered, Platform, Reading, Source, Subject, Unknown, Value
from plumbline.core.rules.evaluate import Finding, evaluate_rule
from plumbline.core.rules.peer_questions import gather
from plumbline.core.rules.peers import Peers
from plumbline.core.rules.rule import AppliesTo, Outcome, Pack, Rule
from plumbline.infra.errors import RulesetInvalid
from plumbline.packs.files.fitting import must_fit
from plumbline.packs.files.structs import converted
from plumbline.packs.files.yaml_lines import Located, Steps, read

OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "not_applicable", "unknown")
_READ_AT = Source("case", "case", "case")
Settings = dict[str, dict[str, Any]]


class CaseDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A case file."""

    settings: Settings = {}
    platform: Platform = "windows"
    unread: dict[str, str] = {}
    cluster: dict[str, Settings] | None = None
    fabric: dict[str, dict[str, Settings]] | None = None
    attested: bool | Literal["over"] | UnsetType = UNSET
    expect: dict[str, Outcome] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """One case, ready to evaluate."""

    path: str
    rule: str
    outcome: Outcome
    configuration: Configuration
    peers: Peers
    unread: Mapping[str, str]
    expect: Mapping[Subject, Outcome]


def load_cases(folder: Path, pack: Pack, problems: list[RulesetInvalid]) -> list[Case]:
    """All cases of the pack in this folder, and what is wrong with the others. A file that belongs to no rule is a mistake; one of a rule
    that could not be read is left out, since that rule's own error is reported.
    """
    unread = {path.stem for path in (folder / "rules").glob("*.yaml")} - {rule.id for rule in pack.rules}
    found = []
    for path in sorted((folder / "cases").glob("*.yaml")):
        try:
            found.append(_load(path, folder, pack))
        except RulesetInvalid as error:
            if not any(path.stem.startswith(f"{rule}.") for rule in unread):
                problems.append(error)
    return found


def _load(path: Path, folder: Path, pack: Pack) -> Case:
    shown = f"{folder.name}/cases/{path.name}"
    located = read(path, shown)
    stem, _, outcome = path.stem.rpartition(".")
    rule = next((each for each in pack.rules if stem == each.id or stem.startswith(f"{each.id}.")), None)
    # The longest id wins: `a.b` and `a.b.c` may both be rules.
    for each in pack.rules:
        if rule is not None and stem.startswith(f"{each.id}.") and len(each.id) > len(rule.id):
            rule = each
    if rule is None or outcome not in OUTCOMES:
        raise located.wrong((), "the name of a case is <rule-id>.<what>.<outcome>.yaml, with a rule of this pack")
    document = converted(located, CaseDocument)
    cluster = None
    if document.cluster is not None:
        cluster = {
            host: _configuration(located, document.platform, settings, ("cluster", host)) for host, settings in document.cluster.items()
        }
    fabric = None
    if document.fabric is not None:
        fabric = {
            adapter: [
                _on_fabric(located, document.platform, host, settings, ("fabric", adapter, host)) for host, settings in others.items()
            ]
            for adapter, others in document.fabric.items()
        }
    configuration = _configuration(located, document.platform, document.settings, ("settings",))
    if not isinstance(document.attested, UnsetType):
        attested = Attested(
            is_so=document.attested is not False,
            by="a person",
            on="2026-01-01",
            until="2027-01-01",
            statement="case",
            is_over=document.attested == "over",
        )
        configuration = with_attestations(configuration, {rule.address: attested})
    return Case(
        path=shown,
        rule=rule.id,
        outcome=outcome,
        configuration=configuration,
        peers=gather([pack], cluster=cluster, fabric=fabric),
        unread=document.unread,
        expect={_subject(located, address, ("expect", address)): wanted for address, wanted in document.expect.items()},
    )


def _on_fabric(located: Located, platform: Platform, host: str, settings: Settings, steps: Steps) -> tuple[str, Configuration, str]:
    configuration = _configuration(located, platform, settings, steps)
    adapters = configuration.subjects("adapter")
    if len(adapters) != 1:
        raise located.wrong(steps, "name exactly one adapter of the other host")
    return host, configuration, adapters[0].id


def _subject(located: Located, address: str, steps: Steps) -> Subject:
    kind, _, identity = address.partition("/")
    if kind not in KINDS or (kind == "host") == bool(identity):
        raise located.wrong(steps, f"{address!r} is no subject: `host`, or `<kind>/<id>`")
    return Subject(kind, identity)


def _configuration(located: Located, platform: Platform, settings: Settings, steps: Steps) -> Configuration:
    readings: dict[Subject, dict[str, Reading]] = {}
    for address, keys in settings.items():
        subject = _subject(located, address, (*steps, address))
        readings[subject] = {}
        for name, written in keys.items():
            if f"{subject.kind}.{name}" not in BY_KEY:
                raise located.wrong((*steps, address, name), f"'{subject.kind}.{name}' is no setting of the catalogue")
            readings[subject][name] = _reading(located, BY_KEY[f"{subject.kind}.{name}"], written, (*steps, address, name))
    return Configuration(platform, readings)


def _reading(located: Located, entry: Entry, written: Any, steps: Steps) -> Reading:
    """The reading of one setting in a case. A value that no host could have is refused, since the case would prove nothing."""
    if isinstance(written, dict):
        if set(written) == {"unknown"}:
            return Unknown(str(written["unknown"]))
        if set(written) == {"not_offered"}:
            return NotOffered(str(written["not_offered"]))
        raise located.wrong(steps, 'a value, or {unknown: "why"}, or {not_offered: "why"}')
    for value in written if isinstance(written, list) else [written]:
        must_fit(located, entry, value, steps)
    return Value(tuple(written) if isinstance(written, list) else written, _READ_AT)


def evaluate_case(case: Case, rule: Rule) -> list[Finding]:
    """The findings of the rule on the case."""
    return evaluate_rule(rule, case.configuration, case.peers, case.unread)


def error_of(case: Case, rule: Rule) -> RulesetInvalid | None:
    """The error where a case does not have the outcome in its name; None where it does."""
    findings = evaluate_case(case, rule)
    outcomes = {finding.subject: finding.outcome for finding in findings}
    wanted = dict(case.expect) if case.expect else dict.fromkeys(outcomes, case.outcome)
    if outcomes and outcomes == wanted and case.outcome in outcomes.values():
        return None
    came_out = "; ".join(f"{finding.subject.kind}/{finding.subject.id} {finding.outcome} ({finding.reason})" for finding in findings)
    return RulesetInvalid(f"{case.path}:1: should be {case.outcome}, came out as {came_out or 'nothing'}", file=case.path, line=1)


def missing_outcomes(rule: Rule, cases: list[Case]) -> list[Outcome]:
    """The outcomes for which a rule has no case. A retired rule needs none, and one attested on every host always applies."""
    if rule.retired:
        return []
    applies_to_all = rule.kind == "attestation" and rule.applies_to == AppliesTo()
    have = {case.outcome for case in cases if case.rule == rule.id}
    return [outcome for outcome in OUTCOMES if outcome not in have and not (applies_to_all and outcome == "not_applicable")]
