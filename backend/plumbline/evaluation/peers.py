"""What hosts answer their peers, stored as rows: whom a host is compared with, what it answers, and who has to be re-evaluated.

An evaluated host has one row of `peer_answer`: its peer domains and its answers to the questions of rules that compare hosts. Evaluating a
peer reads those rows of the domain, combined once for each version of the domain and cached; no other host's configuration is loaded.

Every change of such a row adds its domains to `peer_domain_change` in the same transaction. Rows are only added, so writers of one domain
never wait for each other. The background worker takes them, gives the domain a new version and marks each of its hosts in
`peer_reevaluation`; these are evaluated again under their locks. So an evaluation that used an older version is repeated.
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psycopg

from plumbline.core.facts.configuration import HOST, Configuration, SettingValue
from plumbline.core.rules.peer_questions import Answers, Domain, Member, Questions, answer, peers_of, questions_of
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.infra.columns import ColumnTable, Json, Text, array
from plumbline.packs.in_force import ActiveRules, GroupRules

# The key for "the peers' answers" among the keys that a rule reads; it is no setting of the host itself.
PEERS_KEY = "peers"
_CLUSTER = "cluster:"
_GROUP = "group:"
_FABRIC = "fabric:"
MAX_DOMAINS = 500
# From how many hosts on a domain without a version is remembered, and for how long.
LARGE_DOMAIN = 100
HOLD_SECONDS = 5.0


class PeerAnswerRow(NamedTuple):
    """A row of `peer_answer` as it is written."""

    host_id: Text
    domains: Json
    adapters: Json
    answers: Json
    asked: Text


ANSWERS = ColumnTable(PeerAnswerRow)
READ_ANSWERS = "SELECT host_id, domains, adapters, answers, asked FROM peer_answer WHERE host_id = ANY(%s)"
READ_LABELS = "SELECT host_id, adapter_id, fabric FROM fabric_label WHERE host_id = ANY(%s)"
READ_VERSIONS = "SELECT domain, version FROM peer_domain WHERE domain = ANY(%s)"
# Of every domain in which these hosts are, or come to be unless their cluster changes.
_READ_LIKELY_VERSIONS = f"""
SELECT domain, version FROM peer_domain WHERE domain IN (
  SELECT unnest(domains) FROM peer_answer WHERE host_id = ANY(%(ids)s)
  UNION SELECT '{_GROUP}' || group_id FROM host WHERE id = ANY(%(ids)s)
  UNION SELECT '{_FABRIC}' || fabric FROM fabric_label WHERE host_id = ANY(%(ids)s))
"""  # noqa: S608 (constants of this file)
READ_MEMBERS = """
SELECT p.domains, p.host_id, h.name, p.is_silent, p.adapters, p.answers FROM peer_answer p JOIN host h ON h.id = p.host_id
WHERE p.domains && %s::text[]
"""
_WRITE_ANSWERS = f"""
INSERT INTO peer_answer (host_id, domains, adapters, answers, asked, is_silent)
SELECT v.host_id, ARRAY(SELECT jsonb_array_elements_text(v.domains::jsonb)), v.adapters::jsonb, v.answers::jsonb, v.asked, false
FROM {ANSWERS.rows} ORDER BY v.host_id
ON CONFLICT (host_id) DO UPDATE SET domains = excluded.domains, adapters = excluded.adapters, answers = excluded.answers,
  asked = excluded.asked, is_silent = false
"""  # noqa: S608 (constants of this file)
ADD_CHANGES = "INSERT INTO peer_domain_change (domain) SELECT unnest(%s::text[])"

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class PeerAnswers:
    """What a host answers its peers: its domains (an empty cluster: none), its answers, and a digest of the questions."""

    cluster: str
    adapters: Mapping[str, str]
    answers: Mapping[str, Sequence[tuple[str, SettingValue | None]]]
    asked: str
    # Every domain in which the host has peers to be compared with.
    domains: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "domains", tuple(sorted({*self.adapters.values(), *([self.cluster] if self.cluster else [])})))

    @property
    def is_incomplete(self) -> bool:
        """Some kind of subject could not be listed when it answered."""
        return any(subject == "" and value is None for values in self.answers.values() for subject, value in values)

    def row(self, host_id: str) -> PeerAnswerRow:
        """The row of `peer_answer`."""
        return PeerAnswerRow(host_id, json.dumps(self.domains), json.dumps(self.adapters), json.dumps(self.answers), self.asked)


def _stored(row: Sequence[Any]) -> tuple[str, PeerAnswers]:
    """A row of `READ_ANSWERS`: the host's id and what it answered."""
    host_id, domains, adapters, answers, asked = row
    cluster = next((domain for domain in domains if domain.startswith(_CLUSTER)), "")
    return host_id, PeerAnswers(cluster, adapters, _answers(answers), asked)


def _answers(stored: Mapping[str, Any]) -> dict[str, list[tuple[str, SettingValue | None]]]:
    return {
        mark: [(subject, tuple(value) if isinstance(value, list) else value) for subject, value in values]
        for mark, values in stored.items()
    }


def _domains_of(names: Iterable[str], versions: Mapping[str, int], rows: Iterable[Sequence[Any]]) -> dict[str, Domain]:
    """Domains by name, from the rows of `READ_MEMBERS`. Read the versions before the members: the members are then never older than the
    version."""
    members: dict[str, list[Member]] = {name: [] for name in names}
    for domains, host_id, name, is_silent, adapters, answers in rows:
        member = Member(host_id, name, is_silent, adapters, _answers(answers))
        for domain in domains:
            if domain in members:
                members[domain].append(member)
    return {name: Domain(name, versions.get(name, 0), found) for name, found in members.items()}


def questions_in_force(rules: ActiveRules) -> Questions:
    """The questions of all packs in force anywhere, since other packs may be in force for a peer of the host."""
    packs = {pack.content_hash: pack for in_force in rules.by_group.values() for pack in in_force.packs}
    return _questions(tuple(sorted(packs)), packs)


def _questions_of_group(rules: GroupRules) -> Questions:
    """The questions of the packs in force for one group."""
    return _questions(tuple(pack.content_hash for pack in rules.packs), {pack.content_hash: pack for pack in rules.packs})


def _questions(key: tuple[str, ...], packs: Mapping[str, Any]) -> Questions:
    found = _QUESTIONS.get(key)
    if found is None:
        if len(_QUESTIONS) >= MAX_DOMAINS:
            _QUESTIONS.clear()
        found = _QUESTIONS[key] = questions_of(packs[each] for each in key)
    return found


_QUESTIONS: dict[tuple[str, ...], Questions] = {}


def place_answers(
    questions: Questions,
    *,
    answers: Mapping[str, Sequence[tuple[str, SettingValue | None]]],
    cluster: str,
    group_id: int,
    labels: Mapping[str, str],
) -> PeerAnswers:
    """What a host answers its peers, given its answers and where it is. Adapters without a label share one fabric a group."""
    compared = {subject for question in questions.items if question.scope == "fabric" for subject, _ in answers.get(question.mark, ())}
    adapters = {subject: f"{_FABRIC}{labels[subject]}" if labels.get(subject) else f"{_GROUP}{group_id}" for subject in sorted(compared)}
    return PeerAnswers(f"{_CLUSTER}{cluster.casefold()}" if cluster and questions.has("cluster") else "", adapters, answers, questions.mark)


def answers_of(
    questions: Questions, configuration: Configuration, unread: Mapping[str, str]
) -> dict[str, list[tuple[str, SettingValue | None]]]:
    """The host's answers from its configuration; a fault of ours answers nothing, which its peers read as not known."""
    try:
        return answer(questions, configuration, unread)
    except Exception:  # a rule that breaks must never cost a check-in
        return {}


def peers_from(rules: GroupRules, answers: PeerAnswers, domains: Mapping[str, Domain], host_id: str) -> Peers:
    """What the host is compared with under its group's rules."""
    return peers_of(_questions_of_group(rules), domains, host_id=host_id, cluster=answers.cluster, adapters=answers.adapters)


class DomainMemory:
    """A cache of the domains read lately; the least recently used is dropped first. It holds committed data only.

    A domain without a version is read again for each host, which then sees all earlier changes. If thousands of new hosts come at
    once, that would be millions of rows; a domain of that size is therefore cached for some seconds. Each host that changes it meanwhile
    has recorded the change, and all of its hosts are evaluated again once the background worker has given it a version.
    """

    def __init__(self, *, hold_seconds: float = HOLD_SECONDS) -> None:
        self._hold_seconds = hold_seconds
        self._domains: OrderedDict[str, tuple[Domain, float]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str, version: int) -> Domain | None:
        """The domain as read last, if it has this version; 0: it has none yet."""
        domain, until = self._domains.get(name, _NOT_CACHED)
        return domain if domain is not None and domain.version == version and (version or time.monotonic() < until) else None

    def put(self, domains: Mapping[str, Domain]) -> None:
        """Remembers those that have a version or are large."""
        until = time.monotonic() + self._hold_seconds
        with self._lock:
            for name, domain in domains.items():
                if domain.version or domain.size >= LARGE_DOMAIN:
                    self._domains[name] = (domain, until)
                    self._domains.move_to_end(name)
            while len(self._domains) > MAX_DOMAINS:
                self._domains.popitem(last=False)

    def clear(self) -> None:
        """Forgets everything. Names and versions are those of one database: another one may have the same ones for other domains."""
        with self._lock:
            self._domains.clear()


_NOT_CACHED: tuple[None, float] = (None, 0.0)
MEMORY = DomainMemory()


@dataclass(slots=True)
class StoredPeers:
    """What the tables hold for the peers of some hosts: their own rows, the labels of their adapters, the versions of their domains."""

    answers: Mapping[str, PeerAnswers]
    labels: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, int]


def send_peer_queries(connection: Connection, host_ids: Sequence[str]) -> list["psycopg.Cursor[Any]"]:
    """Sends the three queries of `StoredPeers`, as a part of the caller's pipeline."""
    ids = list(host_ids)
    return [
        connection.execute(READ_ANSWERS, (ids,)), connection.execute(READ_LABELS, (ids,)),
        connection.execute(_READ_LIKELY_VERSIONS, {"ids": ids}),
    ]  # fmt: skip


def read_peer_results(cursors: Sequence["psycopg.Cursor[Any]"]) -> StoredPeers:
    """Reads the results of `send_peer_queries`."""
    answers, labelled, versions = cursors
    labels: dict[str, dict[str, str]] = {}
    for host_id, adapter, fabric in labelled:
        labels.setdefault(host_id, {})[adapter] = fabric
    return StoredPeers(dict(map(_stored, answers)), labels, dict(versions.fetchall()))


class Peering:
    """The peers of the hosts of one transaction: `place` every host, then `complete` reads what is missing, then `peers` returns them.

    `is_joint`: these hosts see each other's current state, not only the stored one. A batch of check-ins does without, since the background
    worker evaluates changed domains again anyway, and a domain of thousands need not be read for it.
    """

    def __init__(self, rules: ActiveRules, stored: StoredPeers, *, is_joint: bool = True, memory: DomainMemory = MEMORY) -> None:
        self._questions = questions_in_force(rules)
        self._stored = stored
        self._versions = dict(stored.versions)
        self._is_joint = is_joint
        self._memory = memory
        self._domains: dict[str, Domain] = {}
        self._answers: dict[str, PeerAnswers] = {}
        self._names: dict[str, str] = {}
        self._changed: dict[str, PeerAnswers] = {}
        self._gone: list[str] = []

    def foresee(self, groups: Mapping[str, int]) -> list[str]:
        """The domains that have to be read for these hosts, given their groups, unless their cluster changes."""
        names: set[str] = set()
        for host_id, group_id in groups.items() if self._questions.items else ():
            before = self._stored.answers.get(host_id)
            names.update(before.domains if before is not None else self._first_domains(host_id, group_id))
        return self._missing(names)

    def _first_domains(self, host_id: str, group_id: int) -> Iterable[str]:
        return (f"{_GROUP}{group_id}", *(f"{_FABRIC}{label}" for label in self._stored.labels.get(host_id, {}).values()))

    def _missing(self, names: Iterable[str]) -> list[str]:
        missing = []
        for name in sorted(names):
            known = self._domains.get(name) or self._memory.get(name, self._versions.get(name, 0))
            if known is None:
                missing.append(name)
            else:
                self._domains[name] = known
        return missing

    def take(self, names: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
        """Takes the rows of `READ_MEMBERS` of these domains."""
        found = _domains_of(names, self._versions, rows)
        self._memory.put(found)
        self._domains |= found

    def place(
        self,
        host: tuple[str, str, int],
        configuration: Configuration,
        unread: Mapping[str, str],
        *,
        is_active: bool,
        changed_keys: frozenset[str] | None,
    ) -> None:
        """Sets the position of a host (id, name, group). Its answers are computed again only if they may have changed."""
        host_id, name, group_id = host
        questions = self._questions
        before = self._stored.answers.get(host_id)
        if not questions.items and before is None:
            return
        answers: Answers
        if before is None or _has_to_answer(questions, before, changed_keys, unread):
            answers = answers_of(questions, configuration, unread)
        else:
            answers = before.answers
        cluster = configuration.value(HOST, "cluster")
        now = place_answers(
            questions,
            answers=answers,
            cluster=cluster if isinstance(cluster, str) else "",
            group_id=group_id,
            labels=self._stored.labels.get(host_id, {}),
        )
        self._answers[host_id], self._names[host_id] = now, name
        if not is_active:
            self._gone += [host_id] if before is not None else []
        elif now != before:
            self._changed[host_id] = now

    def complete(self, connection: Connection) -> None:
        """Reads the domains that are still missing, if any."""
        names = {domain for answers in self._answers.values() for domain in answers.domains}
        if self._is_joint and (self._changed or self._gone):
            self._read_joint(connection, sorted(names))
        elif missing := self._missing(names):
            unseen = [name for name in missing if name not in self._versions]
            with connection.pipeline():
                versions = connection.execute(READ_VERSIONS, (unseen,))
                members = connection.execute(READ_MEMBERS, (missing,))
            self._versions |= dict(versions.fetchall())
            self.take(missing, members)

    def _read_joint(self, connection: Connection, names: list[str]) -> None:
        """The domains with the current state of these hosts. It is not committed, so the cache is neither read nor written."""
        if not names:
            return
        replaced = self._changed.keys() | set(self._gone)
        rows = [row for row in connection.execute(READ_MEMBERS, (names,)) if row[1] not in replaced]
        current = [
            (answers.domains, host_id, self._names[host_id], False, answers.adapters, answers.answers)
            for host_id, answers in self._changed.items()
        ]
        self._domains = _domains_of(names, self._versions, [*rows, *current])

    def peers(self, rules: GroupRules, host_id: str) -> Peers:
        """What a host is compared with."""
        answers = self._answers.get(host_id)
        return NO_PEERS if answers is None else peers_from(rules, answers, self._domains, host_id)

    def write(self, connection: Connection) -> int:
        """Writes the changed rows, and which domains they change. Returns the number of statements. The caller holds the locks of these
        hosts."""
        changed_domains: set[str] = set()
        if self._changed:
            connection.execute(_WRITE_ANSWERS, ANSWERS.arrays([answers.row(host_id) for host_id, answers in sorted(self._changed.items())]))
        if self._gone:
            connection.execute("DELETE FROM peer_answer WHERE host_id = ANY(%s)", (self._gone,))
        for host_id in (*self._changed, *self._gone):
            before, now = self._stored.answers.get(host_id), self._changed.get(host_id)
            changed_domains.update(before.domains if before is not None else (), now.domains if now is not None else ())
        if changed_domains:
            connection.execute(ADD_CHANGES, (array(sorted(changed_domains)),))
        return bool(self._changed) + bool(self._gone) + bool(changed_domains)


def _has_to_answer(questions: Questions, before: PeerAnswers, changed_keys: frozenset[str] | None, unread: Mapping[str, str]) -> bool:
    """Whether the host's answers may have changed. `changed_keys`: settings that changed since (None: unknown which)."""
    if changed_keys is None or before.asked != questions.mark:
        return True
    return bool(unread) or before.is_incomplete or not questions.keys.isdisjoint(changed_keys)
