"""Peer questions and answers: what rules that compare hosts need of a host's peers, and the answers of a peer domain, combined by value.

A question is what a `same_across` check reads of a peer: which items, and which key of them. It is identified by its content: the same
check in two packs, or in two versions of one pack, is one question, and answers stay valid when the pack changes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, SettingValue, Subject, Value, subjects_key
from plumbline.core.rules.evaluate import evaluated_subjects
from plumbline.core.rules.peers import NO_PEERS, Peers, PeerValue
from plumbline.core.rules.rule import Check, Pack, Rule, Scope, walk
from plumbline.core.rules.unlisted_kinds import all_unlisted

# Mark of a question -> (item id, value) for each item. Value None: unknown. Item id empty: the items could not be listed.
Answers = Mapping[str, Sequence[tuple[str, SettingValue | None]]]
# How many hosts with one value are named in a finding; the rest are counted.
NAMED = 3
SILENT = "host not reporting"
NOT_ANSWERED = "not read yet"


@dataclass(frozen=True, slots=True)
class Question:
    """What one check needs of its host's peers."""

    mark: str
    scope: Scope
    rule: Rule
    key: str

    @property
    def name(self) -> str:
        """`pack/rule:setting key`, as `Peers` has it."""
        return f"{self.rule.address}:{self.key}"


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of a set of packs. `mark` is equal for equal questions; `keys` are all settings that the answers depend on."""

    items: tuple[Question, ...] = ()
    mark: str = ""
    keys: frozenset[str] = frozenset()

    def has(self, scope: Scope) -> bool:
        """Something is compared across this."""
        return any(question.scope == scope for question in self.items)


def questions_of(packs: Iterable[Pack]) -> Questions:
    """All questions of the packs; equal ones of several rules are listed for each rule."""
    pack_list = list(packs)
    items = tuple(
        Question(_mark(scope, rule, key), scope, rule, key) for scope in ("cluster", "fabric") for rule, key in compared(pack_list, scope)
    )
    marks = sorted({question.mark for question in items})
    keys = {key for question in items for key in question.rule.reads} | {subjects_key(question.rule.subject_kind) for question in items}
    return Questions(items, hashlib.sha256("".join(marks).encode()).hexdigest()[:16], frozenset(keys))


def _mark(scope: str, rule: Rule, key: str) -> str:
    content = (scope, rule.applies_to.platform, rule.subject_kind, key, rule.applies_to.subject)
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def answer(
    questions: Questions, configuration: Configuration, unread: Mapping[str, str]
) -> dict[str, list[tuple[str, SettingValue | None]]]:
    """What a host answers. `unread` holds the kinds of subject that could not be listed: of those it answers that it does not know."""
    unread = all_unlisted(configuration, unread)
    answers: dict[str, list[tuple[str, SettingValue | None]]] = {}
    for question in questions.items:
        if question.mark in answers:
            continue
        rule = question.rule
        if rule.applies_to.platform not in (None, configuration.platform):
            answers[question.mark] = []
            continue
        values = [(subject.id, value) for subject, value in values_of(rule, question.key, configuration)]
        answers[question.mark] = values or ([("", None)] if rule.subject_kind in unread else [])
    return answers


class Member(NamedTuple):
    """A host of a domain, as its peers see it. `adapters` has the domain of each of its adapters."""

    host_id: str
    name: str
    is_silent: bool
    adapters: Mapping[str, str]
    answers: Answers


_Values = Mapping[str, Sequence[SettingValue | None]]


class _Answered(NamedTuple):
    """A member as its domain keeps it: what it answered here, by question."""

    name: str
    host_id: str
    is_silent: bool
    values: _Values

    def to(self, mark: str) -> list[tuple[SettingValue | None, str]]:
        """Its values and why one is not known."""
        values = self.values.get(mark)
        if values is None:
            return [(None, NOT_ANSWERED)]
        if self.is_silent:
            return [(None, SILENT)] if values else []
        return [(value, "") for value in values]


@dataclass(frozen=True, slots=True)
class _Holders:
    """The hosts that have one value, by id, in the order of their names."""

    value: SettingValue | None
    why: str
    names: Mapping[str, str]


class Domain:
    """The answers of all hosts of one failure domain, joined by value.

    Of a host it keeps which values it answered here, not for which subjects; most hosts of a fleet answer alike and share one answer.
    """

    __slots__ = ("_by_mark", "_members", "_name", "version")

    def __init__(self, name: str, version: int, members: Iterable[Member] = ()) -> None:
        self.version = version
        self._name = name
        kept: dict[tuple[object, ...], _Values] = {}
        # Complete from the start: threads share it.
        self._members = sorted((self._answered(member, kept) for member in members), key=lambda each: (each.name, each.host_id))
        self._by_mark: dict[str, tuple[_Holders, ...]] = {}

    def _answered(self, member: Member, kept: dict[tuple[object, ...], _Values]) -> _Answered:
        values: _Values = {mark: self._values_here(member, answered) for mark, answered in member.answers.items()}
        key = tuple((mark, tuple((type(value), value) for value in each)) for mark, each in values.items())
        return _Answered(member.name, member.host_id, member.is_silent, kept.setdefault(key, values))

    def _values_here(self, member: Member, answered: Sequence[tuple[str, SettingValue | None]]) -> tuple[SettingValue | None, ...]:
        """In the domain of a fabric, only what the host's adapters on it have."""
        if self._name in member.adapters.values():
            return tuple([value for subject, value in answered if member.adapters.get(subject) == self._name])
        return tuple([value for _, value in answered])

    @property
    def size(self) -> int:
        """How many hosts are in it."""
        return len(self._members)

    def others(self, question: Question, host_id: str) -> tuple[PeerValue, ...]:
        """The answers of all hosts but this one: for each value the first few hosts by name, and the number of the others."""
        values: list[PeerValue] = []
        for holders in self._joined(question.mark):
            count = len(holders.names) - (host_id in holders.names)
            named = list(islice((name for holder, name in holders.names.items() if holder != host_id), NAMED))
            for place, name in enumerate(named, start=1):
                values.append(PeerValue(name, holders.value, holders.why, count - place if place == len(named) else 0))
        return tuple(values)

    def _joined(self, mark: str) -> tuple[_Holders, ...]:
        values = self._by_mark.get(mark)
        if values is None:
            values = self._by_mark[mark] = self._join(mark)
        return values

    def _join(self, mark: str) -> tuple[_Holders, ...]:
        by_value: dict[tuple[object, ...], dict[str, str]] = {}
        kept: dict[tuple[object, ...], tuple[SettingValue | None, str]] = {}
        for member in self._members:
            for value, why in member.to(mark):
                key = (type(value), value, why)
                kept.setdefault(key, (value, why))
                by_value.setdefault(key, {})[member.host_id] = member.name
        return tuple(_Holders(*kept[key], names) for key, names in by_value.items())


def peers_of(questions: Questions, domains: Mapping[str, Domain], *, host_id: str, cluster: str, adapters: Mapping[str, str]) -> Peers:
    """What a host is compared with. `cluster` and `adapters` name its domains (an empty cluster: none is known); all are in `domains`."""
    if not questions.items:
        return NO_PEERS
    in_cluster: dict[str, tuple[PeerValue, ...]] = {}
    on_fabric: dict[tuple[str, str], tuple[PeerValue, ...]] = {}
    for question in questions.items:
        if question.scope == "cluster" and cluster:
            in_cluster[question.name] = domains[cluster].others(question, host_id)
        elif question.scope == "fabric":
            for adapter, domain in adapters.items():
                on_fabric[(question.name, adapter)] = domains[domain].others(question, host_id)
    return Peers(in_cluster if cluster else None, on_fabric)


def peer_values(packs: Iterable[Pack], host: str, configuration: Configuration, scope: Scope) -> dict[str, tuple[PeerValue, ...]]:
    """What one host contributes as a peer: the values that rules comparing across `scope` read of it, by `pack/rule:setting key`.

    Only subjects that the rule applies to there count. Small enough to be kept for every host and used for all its peers.
    """
    values: dict[str, tuple[PeerValue, ...]] = {}
    for rule, key in compared(packs, scope):
        if rule.applies_to.platform in (None, configuration.platform):
            values[f"{rule.address}:{key}"] = tuple(PeerValue(host, value) for _, value in values_of(rule, key, configuration))
    return values


def gather(
    packs: Iterable[Pack],
    *,
    cluster: Mapping[str, Configuration] | None = None,
    fabric: Mapping[str, Iterable[tuple[str, Configuration, str]]] | None = None,
) -> Peers:
    """The peers of one host, from the configurations of the others.

    `cluster`: the other members by name, None where they are not known. `fabric`: for each adapter id of this host the (host name,
    configuration, adapter id) of the other adapters on its fabric, None where fabrics are not known.
    """
    packs = list(packs)
    in_cluster: dict[str, tuple[PeerValue, ...]] | None = None
    if cluster is not None:
        in_cluster = {}
        for host, configuration in cluster.items():
            for name, values in peer_values(packs, host, configuration, "cluster").items():
                in_cluster[name] = in_cluster.get(name, ()) + values
    on_fabric: dict[tuple[str, str], tuple[PeerValue, ...]] | None = None
    if fabric is not None:
        on_fabric = {}
        for adapter, others in fabric.items():
            for host, configuration, other in others:
                for rule, key in compared(packs, "fabric"):
                    values = tuple(PeerValue(host, value) for subject, value in values_of(rule, key, configuration) if subject.id == other)
                    name_and_adapter = (f"{rule.address}:{key}", adapter)
                    on_fabric[name_and_adapter] = on_fabric.get(name_and_adapter, ()) + values
    return Peers(in_cluster, on_fabric)


def compared(packs: Iterable[Pack], scope: Scope) -> list[tuple[Rule, str]]:
    """The rules of the packs that compare hosts across `scope`, with the key that each compares."""
    return [
        (rule, node.key)
        for pack in packs
        for rule in pack.rules
        for node in walk(rule.expect)
        if isinstance(node, Check) and node.operator == "same_across" and node.scope == scope and not rule.retired
    ]


def compares_hosts(rule: Rule) -> bool:
    """The rule reads other hosts."""
    return any(isinstance(node, Check) and node.operator == "same_across" and node.scope != "host" for node in walk(rule.expect))


def values_of(rule: Rule, key: str, configuration: Configuration) -> list[tuple[Subject, SettingValue | None]]:
    """The values of the subjects that the rule evaluates on a host; None where one could not be read, none where it is not offered."""
    subjects = [HOST] if rule.subject_kind == "host" else evaluated_subjects(rule, configuration)
    values: list[tuple[Subject, SettingValue | None]] = []
    for subject in subjects:
        reading = configuration.read(subject, key.split(".", 1)[1])
        if not isinstance(reading, NotOffered):
            values.append((subject, reading.value if isinstance(reading, Value) else None))
    return values
