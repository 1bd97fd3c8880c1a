"""What hosts tell their neighbours, kept as rows: whom a host is compared with, what it answers, and who has to be judged again.

A judged host keeps one row of `host_peers`: its failure domains and its answers to what rules comparing hosts ask. Judging a neighbour
reads those rows of the domain, joined once for each version of the domain and kept by the process; no other host's configuration is loaded.

Whoever changes such a row adds the domains to `peer_change` in the same transaction: rows are only ever added, so writers of one domain
never wait for each other. The background takes them, gives the domain another version and marks every host of it as lagging; each of
those is judged again under its lock. A verdict made from an older version is therefore either seen to be stale under the lock (the door
compares versions there) or made before the mark, and judged again because of it.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline.core.facts.configuration import Configuration, SettingValue
from plumbline.core.rules.peer_questions import Domain, Member, Questions, answer, peers_of, questions_of
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.packs.in_force import ActiveRules, JudgingRules

# Stands among the keys that a rule reads for "what the neighbours have", which is no setting of the host itself.
PEERS_KEY = "peers"
_CLUSTER = "cluster:"
MAX_DOMAINS = 500
# From how many hosts on a domain without a version is remembered, and for how long.
LARGE_DOMAIN = 100
HOLD_SECONDS = 5.0

READ_TOLD = "SELECT host_id, domains, adapters, answers, asked FROM host_peers WHERE host_id = ANY(%s)"
READ_LABELS = "SELECT host_id, adapter_id, fabric FROM fabric_label WHERE host_id = ANY(%s)"
READ_VERSIONS = "SELECT domain, version FROM peer_domain WHERE domain = ANY(%s)"
READ_MEMBERS = """
SELECT p.domains, p.host_id, h.name, p.is_silent, p.adapters, p.answers FROM host_peers p JOIN host h ON h.id = p.host_id
WHERE p.domains && %s::text[]
"""
PUT_TOLD = """
INSERT INTO host_peers (host_id, domains, adapters, answers, asked, is_silent)
SELECT v.host, ARRAY(SELECT jsonb_array_elements_text(v.domains::jsonb)), v.adapters::jsonb, v.answers::jsonb, v.asked, false
FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[]) AS v (host, domains, adapters, answers, asked) ORDER BY v.host
ON CONFLICT (host_id) DO UPDATE SET domains = excluded.domains, adapters = excluded.adapters, answers = excluded.answers,
  asked = excluded.asked, is_silent = false
"""
ADD_CHANGES = "INSERT INTO peer_change (domain) SELECT unnest(%s::text[])"
LEAVE = "DELETE FROM host_peers WHERE host_id = ANY(%s) RETURNING domains"


@dataclass(frozen=True, slots=True)
class Told:
    """What a host tells its neighbours: its domains (an empty cluster: none), its answers, and the mark of what was asked."""

    cluster: str
    adapters: Mapping[str, str]
    answers: Mapping[str, Sequence[tuple[str, SettingValue | None]]]
    asked: str
    # Every domain in which the host has neighbours to be compared with.
    domains: tuple[str, ...] = field(init=False, compare=False)
    # Some kind of subject could not be listed when it answered.
    is_doubtful: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        # Asked at every check-in of the host, and the same each time.
        object.__setattr__(self, "domains", tuple(sorted({*self.adapters.values(), *([self.cluster] if self.cluster else [])})))
        is_doubtful = any(subject == "" and value is None for told in self.answers.values() for subject, value in told)
        object.__setattr__(self, "is_doubtful", is_doubtful)

    def row(self, host_id: str) -> tuple[str, str, str, str, str]:
        """The columns of `PUT_TOLD`."""
        return (host_id, json.dumps(self.domains), json.dumps(self.adapters), json.dumps(self.answers), self.asked)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one host is judged with. `left` are domains of its stored row; `is_new`: the row differs from the stored one."""

    peers: Peers = NO_PEERS
    told: Told | None = None
    is_new: bool = False
    left: tuple[str, ...] = ()
    # The version of each domain that the peers were gathered from.
    versions: Mapping[str, int] = field(default_factory=dict)

    @property
    def changed_domains(self) -> frozenset[str]:
        """Domains whose hosts have to be judged again."""
        return frozenset({*self.left, *(self.told.domains if self.told else ())}) if self.is_new else frozenset()


def told_by(row: Sequence[Any]) -> tuple[str, Told]:
    """A row of `READ_TOLD`: the host's id and what it told."""
    host_id, domains, adapters, answers, asked = row
    cluster = next((domain for domain in domains if domain.startswith(_CLUSTER)), "")
    return host_id, Told(cluster, adapters, _answers(answers), asked)


def _answers(stored: Mapping[str, Any]) -> dict[str, list[tuple[str, SettingValue | None]]]:
    return {
        mark: [(subject, tuple(value) if isinstance(value, list) else value) for subject, value in told] for mark, told in stored.items()
    }


def domains_of(names: Iterable[str], versions: Mapping[str, int], rows: Iterable[Sequence[Any]]) -> dict[str, Domain]:
    """Domains by name, from the rows of `READ_MEMBERS`; read the versions before the members."""
    found = {name: Domain(name, versions.get(name, 0)) for name in names}
    add_members(found, rows)
    return found


def add_members(domains: Mapping[str, Domain], rows: Iterable[Sequence[Any]]) -> None:
    """Some more rows of `READ_MEMBERS`."""
    for names, host_id, name, is_silent, adapters, answers in rows:
        member = Member(host_id, name, is_silent, adapters, _answers(answers))
        for domain in names:
            if domain in domains:
                domains[domain].add(member)


def asked_by(rules: ActiveRules) -> Questions:
    """What all packs in force anywhere ask: a host answers for neighbours that other packs may judge."""
    packs = {pack.content_hash: pack for in_force in rules.by_group.values() for pack in in_force.packs}
    key = tuple(sorted(packs))
    if key not in _ASKED:
        if len(_ASKED) >= MAX_DOMAINS:
            _ASKED.clear()
        _ASKED[key] = questions_of(packs[each] for each in key)
    return _ASKED[key]


def asked_of(rules: JudgingRules) -> Questions:
    """What the packs that judge one group ask."""
    key = tuple(pack.content_hash for pack in rules.packs)
    if key not in _ASKED:
        if len(_ASKED) >= MAX_DOMAINS:
            _ASKED.clear()
        _ASKED[key] = questions_of(rules.packs)
    return _ASKED[key]


_ASKED: dict[tuple[str, ...], Questions] = {}


def has_to_answer(questions: Questions, before: Told | None, touched: frozenset[str] | None, unread: Mapping[str, str]) -> bool:
    """The host's answers may differ from those it gave. `touched`: keys of settings that read otherwise since (None: not known which)."""
    if before is None or touched is None or before.asked != questions.mark:
        return True
    return bool(unread) or before.is_doubtful or not questions.keys.isdisjoint(touched)


def tell(
    questions: Questions,
    *,
    answers: Mapping[str, Sequence[tuple[str, SettingValue | None]]],
    cluster: str,
    group_id: int,
    labels: Mapping[str, str],
) -> Told:
    """What a host tells, given its answers and where it stands. Adapters without a label are on one fabric that their group shares."""
    compared = {subject for question in questions.asked if question.scope == "fabric" for subject, _ in answers.get(question.mark, ())}
    adapters = {subject: f"fabric:{labels[subject]}" if labels.get(subject) else f"group:{group_id}" for subject in sorted(compared)}
    return Told(f"{_CLUSTER}{cluster.casefold()}" if cluster and questions.has("cluster") else "", adapters, answers, questions.mark)


def answers_of(
    questions: Questions, configuration: Configuration, unread: Mapping[str, str]
) -> dict[str, list[tuple[str, SettingValue | None]]]:
    """The host's answers from its configuration; a fault of ours answers nothing, which its neighbours read as not known."""
    try:
        return answer(questions, configuration, unread)
    except Exception:  # a rule that breaks must never cost a check-in
        return {}


def peers_from(rules: JudgingRules, told: Told, domains: Mapping[str, Domain], host_id: str) -> Peers:
    """What the host is compared with under its group's rules."""
    return peers_of(asked_of(rules), domains, host_id=host_id, cluster=told.cluster, adapters=told.adapters)


class DomainMemory:
    """The domains read lately, the longest unused forgotten first. What it holds was committed when it was read.

    A domain that nobody has given a version yet is read again by each host, which sees all that came before it. Where thousands of hosts
    come at once, none known before, that would be millions of rows: of one so large, what was read is good for some seconds. Each host
    that changes it meanwhile has said so, and all of its hosts are judged again once the background has given it a version.
    """

    def __init__(self, *, hold_seconds: float = HOLD_SECONDS) -> None:
        self._hold_seconds = hold_seconds
        self._domains: OrderedDict[str, tuple[Domain, float]] = OrderedDict()

    def get(self, name: str) -> Domain | None:
        """The domain as read last."""
        domain, until = self._domains.get(name, _NOT_HELD)
        return domain if domain is None or domain.version or time.monotonic() < until else None

    def put(self, domains: Mapping[str, Domain]) -> None:
        """Remembers those that have a version or are large."""
        until = time.monotonic() + self._hold_seconds
        for name, domain in domains.items():
            if domain.version or domain.size >= LARGE_DOMAIN:
                self._domains[name] = (domain, until)
                self._domains.move_to_end(name)
        while len(self._domains) > MAX_DOMAINS:
            self._domains.popitem(last=False)


_NOT_HELD: tuple[None, float] = (None, 0.0)
