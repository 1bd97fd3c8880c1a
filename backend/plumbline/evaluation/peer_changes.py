"""Judging hosts beside their neighbours: for rescoring, and in the background after something changed in a domain."""

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from plumbline.core.facts.configuration import Configuration
from plumbline.core.rules.peer_questions import Answers, Domain
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.evaluation.peers import (
    ADD_CHANGES,
    LEAVE,
    PUT_TOLD,
    READ_LABELS,
    READ_MEMBERS,
    READ_TOLD,
    READ_VERSIONS,
    DomainMemory,
    Told,
    answers_of,
    asked_by,
    domains_of,
    has_to_answer,
    peers_from,
    tell,
    told_by,
)
from plumbline.hosts.host_list import SILENT_AFTER_INTERVALS
from plumbline.infra.columns import columns
from plumbline.packs.in_force import ActiveRules, JudgingRules

_READ_PLACES = "SELECT id, name, cluster FROM host WHERE id = ANY(%s)"
_TAKE_CHANGES = """
DELETE FROM peer_change WHERE id IN (SELECT id FROM peer_change ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING domain
"""
# Drawn, not counted: a count begins anew in a database that was restored, and a process would take what it remembers for what is there.
_DRAW_VERSIONS = """
INSERT INTO peer_domain (domain, version)
SELECT domain, 1 + floor(random() * 4e18)::bigint FROM unnest(%s::text[]) AS v (domain) ORDER BY domain
ON CONFLICT (domain) DO UPDATE SET version = excluded.version
"""
_MARK_LAGGING = "INSERT INTO peer_lag (host_id) SELECT host_id FROM host_peers WHERE domains && %s::text[]"
_LAGGING = "SELECT id, host_id FROM peer_lag ORDER BY host_id, id LIMIT %s FOR UPDATE SKIP LOCKED"
_SWEEP = """
SELECT p.host_id, h.state = 'active', p.domains FROM host_peers p JOIN host h ON h.id = p.host_id
WHERE h.state <> 'active' OR p.is_silent IS DISTINCT FROM
  (h.last_seen_at IS NULL OR h.last_seen_at < clock_timestamp() - make_interval(secs => %s * h.interval_seconds))
ORDER BY p.host_id LIMIT 1000 FOR UPDATE OF p SKIP LOCKED
"""
_TURN_SILENT = "UPDATE host_peers SET is_silent = NOT is_silent WHERE host_id = ANY(%s)"
_MANY = 10_000

Connection = psycopg.Connection[Any]
_MEMORY = DomainMemory()


class Neighbourhood:
    """The neighbours of up to a chunk of hosts. Three queries; two more where a domain is not remembered.

    First every host is `placed`, then `settle` reads their domains, with these hosts as they stand now, and `peers` answers. Nothing is
    written before `write`, which needs the hosts' locks; who previews other rules never calls it.
    """

    def __init__(self, connection: Connection, rules: ActiveRules, host_ids: Sequence[str]) -> None:
        self._connection = connection
        self._questions = asked_by(rules)
        ids = list(host_ids)
        self._stored: dict[str, Told] = dict(told_by(row) for row in connection.execute(READ_TOLD, (ids,)))
        # name and cluster
        self._known: dict[str, tuple[str, str]] = {row[0]: (row[1], row[2]) for row in connection.execute(_READ_PLACES, (ids,))}
        self._labels: dict[str, dict[str, str]] = {}
        for host_id, adapter, fabric in connection.execute(READ_LABELS, (ids,)) if self._questions.has("fabric") else ():
            self._labels.setdefault(host_id, {})[adapter] = fabric
        self._told: dict[str, Told] = {}
        self._changed: dict[str, Told] = {}
        self._gone: list[str] = []
        self._domains: Mapping[str, Domain] = {}

    def place(
        self, host_id: str, configuration: Configuration, unread: Mapping[str, str], *, group_id: int, is_active: bool, in_full: bool
    ) -> None:
        """Says where a host stands. Its answers are worked out anew only where other things are asked than when it answered."""
        before = self._stored.get(host_id)
        answers: Answers
        if before is None or in_full or has_to_answer(self._questions, before, frozenset(), {}):
            answers = answers_of(self._questions, configuration, unread)
        else:
            answers = before.answers
        cluster = self._known[host_id][1]
        told = tell(self._questions, answers=answers, cluster=cluster, group_id=group_id, labels=self._labels.get(host_id, {}))
        self._told[host_id] = told
        if not is_active:
            self._gone += [host_id] if before is not None else []
        elif told != before:
            self._changed[host_id] = told

    def settle(self) -> None:
        """Reads the domains of all hosts placed."""
        names = sorted({domain for told in self._told.values() for domain in told.domains})
        self._domains = self._read_domains(names) if names else {}

    def _read_domains(self, names: list[str]) -> dict[str, Domain]:
        versions: dict[str, int] = dict(self._connection.execute(READ_VERSIONS, (names,)).fetchall())
        found: dict[str, Domain] = {}
        # What these hosts tell anew is not committed: it is neither looked for in memory nor remembered.
        is_as_stored = not self._changed and not self._gone
        for name in names if is_as_stored else ():
            known = _MEMORY.get(name)
            if known is not None and known.version == versions.get(name, 0):
                found[name] = known
        missing = [name for name in names if name not in found]
        if missing:
            replaced = self._changed.keys() | set(self._gone)
            rows = [row for row in self._connection.execute(READ_MEMBERS, (missing,)) if row[1] not in replaced]
            anew = [
                (told.domains, host_id, self._known[host_id][0], False, told.adapters, told.answers)
                for host_id, told in self._changed.items()
            ]
            read = domains_of(missing, versions, [*rows, *anew])
            if is_as_stored:
                _MEMORY.put(read)
            found |= read
        return found

    def peers(self, rules: JudgingRules, host_id: str) -> Peers:
        """What a host is compared with."""
        told = self._told.get(host_id)
        return NO_PEERS if told is None else peers_from(rules, told, self._domains, host_id)

    def write(self) -> None:
        """Writes the rows that differ, and that something changed in their domains."""
        if self._changed:
            self._connection.execute(PUT_TOLD, columns([told.row(host_id) for host_id, told in sorted(self._changed.items())]))
            moved = {domain for told in self._changed.values() for domain in told.domains}
            moved |= {domain for host_id in self._changed if host_id in self._stored for domain in self._stored[host_id].domains}
            self._connection.execute(ADD_CHANGES, (sorted(moved),))
        if self._gone:
            leave(self._connection, self._gone)


def leave(connection: Connection, host_ids: Sequence[str]) -> None:
    """Takes hosts out of every domain; their neighbours are judged again. The caller holds their locks."""
    left = {domain for (domains,) in connection.execute(LEAVE, (list(host_ids),)) for domain in domains}
    if left:
        connection.execute(ADD_CHANGES, (sorted(left),))


def take_changes(connection: Connection) -> int:
    """Turns what changed in domains into hosts that lag; answers how many domains.

    A transaction of its own, committed before those hosts are judged: a version is remembered beside what was read under it.
    """
    domains = sorted({row[0] for row in connection.execute(_TAKE_CHANGES, (_MANY,))})
    if domains:
        connection.execute(_DRAW_VERSIONS, (domains,))
        connection.execute(_MARK_LAGGING, (domains,))
    return len(domains)


def lagging(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """Marks of up to `limit` hosts that lag, held until the end of the transaction; those that another process holds are left to it."""
    return [(mark, host_id) for mark, host_id in connection.execute(_LAGGING, (limit,))]


def sweep(connection: Connection) -> int:
    """Notes the hosts that fell silent or are heard again, and takes out those that no longer count; answers how many. One transaction."""
    rows = connection.execute(_SWEEP, (SILENT_AFTER_INTERVALS,)).fetchall()
    turned = [host_id for host_id, is_active, _ in rows if is_active]
    gone = [host_id for host_id, is_active, _ in rows if not is_active]
    if turned:
        connection.execute(_TURN_SILENT, (turned,))
        connection.execute(ADD_CHANGES, (sorted({domain for _, is_active, domains in rows if is_active for domain in domains}),))
    if gone:
        leave(connection, gone)
    return len(rows)
