"""The fast evaluator: one generated function for each pack version and platform, with exactly the outcomes of `evaluate.py`.

Every changed host is evaluated under every active rule, so the rules' structure is unrolled once instead of being walked each time.
The generated code contains no text of an author: names are our own, literals are the `repr` of values whose type was checked, and
attributes come from a closed list. It makes no texts: `describe` gets the text of one finding from the reference evaluator, and callers
need it only for findings that changed. A property test holds the two evaluators equal.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.core.facts.configuration import (
    HOST,
    NOT_COLLECTED,
    Configuration,
    NotOffered,
    Platform,
    Reading,
    SettingValue,
    Subject,
    Value,
)
from plumbline.core.rules.clauses import may_offload
from plumbline.core.rules.codegen import Generated, generate
from plumbline.core.rules.evaluate import NOTHING_UNREAD, Finding, evaluate_rule, evaluate_subject, expectation_outcome, needs_a_look
from plumbline.core.rules.peers import NO_PEERS, Peers, PeerValue
from plumbline.core.rules.rule import Outcome, Pack, Verdict
from plumbline.core.rules.unlisted_kinds import all_unlisted
from plumbline.core.rules.versions import is_at_least

log = logging.getLogger(__name__)

Keys = Mapping[str, Reading]
Indexed = Mapping[str, Sequence[tuple[Subject, Keys]]]


_Evaluate = Callable[[Configuration, Indexed, Peers, Mapping[str, str]], list[Verdict]]


@dataclass(frozen=True, slots=True)
class CompiledPack:
    """One pack version, ready to evaluate hosts of one platform."""

    pack: Pack
    platform: Platform
    source: str  # the generated text, for tests and debugging
    _evaluate: _Evaluate

    def evaluate(self, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD) -> list[Verdict]:
        """The verdicts of every rule on one host, in no particular order."""
        return self._guarded(configuration, _indexed(configuration), peers, unread)

    def _guarded(self, configuration: Configuration, indexed: Indexed, peers: Peers, unread: Mapping[str, str]) -> list[Verdict]:
        if configuration.platform != self.platform:
            raise ValueError(f"compiled for {self.platform}, called for {configuration.platform}")
        unread = all_unlisted(configuration, unread)
        try:
            verdicts = self._evaluate(configuration, indexed, peers, unread)
            return [*verdicts, *self._not_looked_at(verdicts, configuration, peers, unread)] if unread else verdicts
        except Exception:
            # A check-in never fails because of a rule: the reference evaluates rule by rule, and only the broken one becomes unknown.
            log.exception("evaluation by the generated function of %s %s failed", self.pack.id, self.pack.version)
            return [
                Verdict(rule, finding.subject, finding.outcome)
                for rule in self.pack.rules
                for finding in evaluate_rule(rule, configuration, peers, unread)
            ]

    def _not_looked_at(
        self, verdicts: Sequence[Verdict], configuration: Configuration, peers: Peers, unread: Mapping[str, str]
    ) -> list[Verdict]:
        """An unknown on the host for each rule whose kind was not listed whole and whose findings do not show that already."""
        outcomes: dict[str, list[Outcome]] = {}
        on_host: set[str] = set()
        for verdict in verdicts:
            if verdict.subject is HOST or verdict.subject == HOST:
                on_host.add(verdict.rule.address)
            elif verdict.rule.subject_kind in unread:
                outcomes.setdefault(verdict.rule.address, []).append(verdict.outcome)
        rules = [rule for rule in self.pack.rules if rule.address in outcomes and rule.address not in on_host]
        return [
            Verdict(rule, HOST, "unknown") for rule in rules if needs_a_look(rule, outcomes[rule.address], configuration, peers, unread)
        ]


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """All packs in force on a host, compiled for its platform."""

    platform: Platform
    packs: tuple[CompiledPack, ...]

    def evaluate(self, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD) -> list[Verdict]:
        """The verdicts of every rule of every pack on one host. `unread` maps each subject kind that could not be listed to the reason."""
        indexed = _indexed(configuration)
        verdicts: list[Verdict] = []
        for compiled in self.packs:
            verdicts += compiled._guarded(configuration, indexed, peers, unread)
        return verdicts


def describe(
    verdict: Verdict, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD
) -> Finding:
    """The finding of a verdict, with its text. Pass what it was evaluated with."""
    finding = evaluate_subject(verdict.rule, verdict.subject, configuration, peers, unread)
    if finding is None or finding.outcome != verdict.outcome:
        raise AssertionError(f"{verdict.rule.address} on {verdict.subject}: compiled gives {verdict.outcome}, the reference {finding}")
    return finding


def compile_packs(packs: Iterable[Pack], platform: Platform) -> CompiledRules:
    """Compiles packs for one platform. Some milliseconds a pack: callers keep the result by content hash."""
    packs = tuple(packs)
    return CompiledRules(platform, tuple(compile_pack(pack, platform) for pack in packs))


def compile_pack(pack: Pack, platform: Platform) -> CompiledPack:
    """Compiles one pack for one platform."""
    generated: Generated = generate(pack.rules, platform)
    names: dict[str, object] = {
        "Value": Value,
        "NotOffered": NotOffered,
        "NC": NOT_COLLECTED,
        "HOST": HOST,
        "Verdict": Verdict,
        "new": tuple.__new__,
        "P": "pass",
        "F": "fail",
        "N": "not_applicable",
        "U": "unknown",
        "NOTHING": {},
        "all_of": _all_of,
        "any_of": _any_of,
        "contains": _contains,
        "members": _members,
        "uniform": _uniform,
        "across_host": _across_host,
        "across_peers": _across_peers,
        "version": _version,
        "initiator_mode": _initiator_mode,
        "may_offload": may_offload,
        "reference": expectation_outcome,
    }
    for index, rule in enumerate(generated.rules):
        names[f"R{index}"] = rule
        names[f"RN{index}"] = Verdict(rule, HOST, "not_applicable")
        names[f"RU{index}"] = Verdict(rule, HOST, "unknown")
    for index, node in enumerate(generated.nodes):
        names[f"E{index}"] = node
    code = compile(generated.text, f"<rules {pack.id} {pack.version} {platform}>", "exec")
    exec(code, names)  # noqa: S102 (generated by us from checked values; see the module's text)
    evaluate = names["evaluate"]
    assert callable(evaluate)
    return CompiledPack(pack, platform, generated.text, evaluate)


def _indexed(configuration: Configuration) -> Indexed:
    """Subjects by kind, sorted by id."""
    by_kind: dict[str, list[tuple[Subject, Keys]]] = {}
    for pair in configuration._readings.items():
        kind = pair[0].kind
        if kind in by_kind:
            by_kind[kind].append(pair)
        else:
            by_kind[kind] = [pair]
    for pairs in by_kind.values():
        if len(pairs) > 1:
            pairs.sort(key=_id_of)
    return by_kind


def _id_of(pair: tuple[Subject, Keys]) -> str:
    return pair[0].id


# --- called from generated code ------------------------------------------------------------------------------------------------------


def _all_of(outcomes: tuple[Outcome, ...]) -> Outcome:
    for outcome in ("not_applicable", "fail", "unknown"):
        if outcome in outcomes:
            return outcome
    return "pass"


def _any_of(outcomes: tuple[Outcome, ...]) -> Outcome:
    for outcome in ("pass", "unknown", "fail"):
        if outcome in outcomes:
            return outcome
    return "not_applicable"


def _same(left: SettingValue, right: SettingValue) -> bool:
    return type(left) is type(right) and left == right


def _contains(value: SettingValue, wanted: SettingValue) -> int:
    """1 holds, 0 does not, 2 is not known."""
    if not isinstance(value, tuple):
        return 2
    return 1 if any(_same(member, wanted) for member in value) else 0


def _members(value: tuple[SettingValue, ...], allowed: tuple[SettingValue, ...]) -> bool:
    return all(any(_same(member, each) for each in allowed) for member in value)


def _uniform(group: Sequence[tuple[Subject, Keys, int]], key: str) -> bool:
    """Every subject of the group that has the setting has the same value."""
    first: SettingValue | None = None
    for _, keys, _state in group:
        reading = keys.get(key, NOT_COLLECTED)
        if isinstance(reading, NotOffered):
            continue
        if not isinstance(reading, Value):
            return False
        if first is None:
            first = reading.value
        elif not _same(first, reading.value):
            return False
    return True


def _version(wanted: str, value: SettingValue) -> Outcome:
    met = is_at_least(value, wanted)
    return "unknown" if met is None else "pass" if met else "fail"


def _across_host(group: Sequence[tuple[Subject, Keys, int]], mine: Subject, key: str, value: SettingValue, is_unlisted: bool) -> Outcome:
    """`state` is 2 for a subject that the rule may not be about: one that differs proves nothing."""
    doubtful = is_unlisted
    for subject, keys, state in group:
        if subject == mine:
            continue
        reading = keys.get(key, NOT_COLLECTED)
        if isinstance(reading, Value):
            if not _same(reading.value, value):
                if state == 1:
                    return "fail"
                doubtful = True
        elif not isinstance(reading, NotOffered):
            doubtful = True
    return "unknown" if doubtful else "pass"


def _across_peers(values: tuple[PeerValue, ...] | None, value: SettingValue) -> Outcome:
    if values is None:
        return "unknown"
    if not values:
        return "not_applicable"
    doubtful = False
    for peer in values:
        if peer.value is None:
            doubtful = True
        elif not _same(peer.value, value):
            return "fail"
    return "unknown" if doubtful else "pass"


def _initiator_mode(initiators: Sequence[tuple[Subject, Keys]], adapter_id: str, modes: tuple[str, ...], is_engine_unlisted: bool) -> int:
    """1 holds, 0 does not, 2 is not known."""
    seen = doubtful = False
    for _, keys in initiators:
        adapter = keys.get("adapter", NOT_COLLECTED)
        if not isinstance(adapter, Value) or adapter.value != adapter_id:
            continue
        mode = keys.get("mode", NOT_COLLECTED)
        if isinstance(mode, Value):
            if str(mode.value) not in modes:
                return 0
            seen = True
        elif not isinstance(mode, NotOffered):
            doubtful = True
    if doubtful or (is_engine_unlisted and not seen):
        return 2
    return 1 if seen or "software" in modes else 0
