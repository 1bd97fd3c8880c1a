"""Judging stored configurations again: after a pack was activated, a waiver began or ended, a host was approved or moved.

The same locks in the same order as the door, the same comparison, the same statements; each host judged here gets a higher `state_version`,
so that a check-in whose verdict was made meanwhile is judged again under the lock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import psycopg
from sqlmodel import Session

from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.evaluation.attestations_in_force import READ_ATTESTATIONS, attestations_by_host
from plumbline.evaluation.evaluate import Judgement, judge, unread_of
from plumbline.evaluation.findings import (
    HostVerdict,
    Identity,
    StoredFinding,
    Writes,
    bare_findings,
    compare,
    figures,
    figures_of,
    set_verdict,
    statements,
    take_texts,
    texts_to_read,
)
from plumbline.evaluation.inputs import read_configurations
from plumbline.evaluation.peer_changes import Neighbourhood, lagging
from plumbline.evaluation.peers import PEERS_KEY
from plumbline.evaluation.statements import READ_BARE_FINDINGS, READ_FIGURES, READ_TEXTS
from plumbline.evaluation.waivers_in_force import READ_WAIVERS, TRIP_WAIVERS, tripped_waivers, waivers_by_host
from plumbline.infra.columns import columns as array_columns
from plumbline.packs.in_force import NO_RULES, ActiveRules, read_active

CHUNK = 200
JUDGED_STATES = ("active", "quarantined")

_LOCK = """
WITH held AS MATERIALIZED (
  SELECT id, group_id, state, platform, configuration_id FROM host WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE
)
SELECT held.*, clock_timestamp() FROM held
"""
_LAGGING = """
SELECT id FROM host WHERE state IN ('active', 'quarantined') AND configuration_id IS NOT NULL
  AND judging_epoch < (SELECT judging_epoch FROM installation)
ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED
"""
_SECTIONS = "SELECT host_id, section, status, error FROM host_section WHERE host_id = ANY(%s)"
_UNMARK = "DELETE FROM peer_lag WHERE id = ANY(%s)"
_RAISE = "UPDATE host SET state_version = state_version + 1 WHERE id = ANY(%s)"


@dataclass(frozen=True, slots=True)
class Outlook:
    """What stands of a host under some rules: its findings and its verdict."""

    findings: Mapping[Identity, StoredFinding]
    verdict: HostVerdict


@dataclass(frozen=True, slots=True)
class Worked:
    """A chunk of hosts judged: what to write, the waivers that tripped, what stands of each host whose configuration can be read, and
    what each tells its neighbours.
    """

    writes: Writes
    tripped: list[tuple[int, str, str]]
    outlooks: Mapping[str, Outlook]
    neighbours: Neighbourhood


def raw_connection(session: Session) -> "psycopg.Connection[Any]":
    """The driver's connection of the session's own transaction, for statements over arrays."""
    session.flush()
    return cast("psycopg.Connection[Any]", session.connection().connection.driver_connection)


def rejudge_lagging(session: Session, limit: int = CHUNK) -> int:
    """Judges up to `limit` (at most 200) hosts that lag behind the installation's judging epoch; answers how many. Zero: none lags.

    One transaction: the caller commits and calls again. Hosts that a check-in holds at this moment are left for the next call.
    """
    connection = raw_connection(session)
    ids = [row[0] for row in connection.execute(_LAGGING, (min(limit, CHUNK),))]
    return rejudge_hosts(session, ids) if ids else 0


def rejudge_neighbours(session: Session, limit: int = CHUNK) -> int:
    """Judges up to `limit` (at most 200) hosts again that lag behind their neighbours; answers how many did. Zero: none does.

    One transaction, as `rejudge_lagging`; a crash leaves the marks, and what they ask for is done again.
    """
    connection = raw_connection(session)
    marks = lagging(connection, min(limit, CHUNK))
    if marks:
        rejudge_hosts(session, [host_id for _, host_id in marks], touched=frozenset({PEERS_KEY}))
        connection.execute(_UNMARK, ([mark for mark, _ in marks],))
    return len(marks)


def rejudge_hosts(session: Session, host_ids: Sequence[str], *, in_full: bool = False, touched: frozenset[str] = frozenset()) -> int:
    """Judges these hosts again from their stored configurations, in the caller's transaction; answers how many were judged.

    `in_full` puts every finding into words again, where the words themselves are in doubt; `touched` those that rest on these keys.
    """
    judged = 0
    ordered = sorted(set(host_ids))
    for start in range(0, len(ordered), CHUNK):
        judged += _rejudge_chunk(session, ordered[start : start + CHUNK], None if in_full else touched)
    return judged


def _rejudge_chunk(session: Session, ids: list[str], touched: frozenset[str] | None) -> int:
    connection = raw_connection(session)
    locked = connection.execute(_LOCK, (ids,)).fetchall()
    # Everything below is read after the locks are held.
    rules = read_active(session)
    hosts = [row for row in locked if row[2] in JUDGED_STATES and row[4] is not None]
    held = [row[0] for row in hosts]
    if not held:
        return 0
    worked = work_out(connection, hosts, rules, touched=touched)
    for statement, columns in statements(worked.writes):
        connection.execute(statement, columns)
    if worked.tripped:
        connection.execute(TRIP_WAIVERS, tuple(array_columns(worked.tripped)))
    worked.neighbours.write()
    connection.execute(_RAISE, (held,))
    session.expire_all()
    return len(worked.writes.verdicts)


def work_out(
    connection: "psycopg.Connection[Any]",
    hosts: Sequence[Sequence[Any]],
    rules: ActiveRules,
    *,
    touched: frozenset[str] | None = frozenset(),
    beside: Mapping[str, Peers] | None = None,
) -> Worked:
    """What these rules say of these hosts (id, group, state, platform, configuration, time) and what would have to be written for it.

    Writes nothing: who previews other rules stops here, who judges holds the hosts' locks and goes on. The stored findings were made from
    these very configurations; `touched` are keys whose findings are put into words again all the same, None: all. `beside` is what
    hosts are compared with where neighbours have not told it yet, because nobody asked.
    """
    held = [row[0] for row in hosts]
    configurations = read_configurations(connection, [row[4] for row in hosts], rules)
    sections: dict[str, dict[str, tuple[str, str]]] = {}
    for host_id, section, status, error in connection.execute(_SECTIONS, (held,)):
        sections.setdefault(host_id, {})[section] = (status, error)
    unread = {row[0]: unread_of(row[3], sections.get(row[0], {})) for row in hosts}
    neighbours = Neighbourhood(connection, rules, held)
    for host_id, group_id, state, *_ in hosts:
        configuration = configurations.get(host_id)
        if configuration is not None:
            is_active = state == "active"
            neighbours.place(host_id, configuration, unread[host_id], group_id=group_id, is_active=is_active, in_full=touched is None)
    neighbours.settle()
    # In the database's own form, and all rows at one go: there are more than a hundred a host.
    stored = bare_findings(connection.cursor(binary=True).execute(READ_BARE_FINDINGS, (held,)).fetchall())
    waivers = waivers_by_host(connection.execute(READ_WAIVERS, (held,)))
    attestations = attestations_by_host(connection.execute(READ_ATTESTATIONS, (held,)))
    tripped: list[tuple[int, str, str]] = []
    judgements: dict[str, Judgement] = {}
    for host_id, group_id, *_ in hosts:
        configuration = configurations.get(host_id)
        if configuration is None:
            continue
        in_force = rules.by_group.get(group_id, NO_RULES)
        mine = waivers.get(host_id, [])
        ended = tripped_waivers(mine, configuration)
        tripped += [(waiver_id, host_id, words) for waiver_id, words in ended.items()]
        judgements[host_id] = judge(
            in_force,
            configuration,
            unread=unread[host_id],
            peers=neighbours.peers(in_force, host_id) if beside is None else beside.get(host_id, NO_PEERS),
            waivers=[waiver for waiver in mine if waiver.id not in ended],
            attestations=attestations.get(host_id, ()),
            old=stored.get(host_id, {}),
            touched=touched,
        )
    _read_texts(connection, stored, judgements)
    writes, outlooks = _compare(connection, hosts, rules, stored, judgements)
    return Worked(writes, tripped, outlooks, neighbours)


def _read_texts(
    connection: "psycopg.Connection[Any]", stored: Mapping[str, Mapping[Identity, StoredFinding]], judgements: Mapping[str, Judgement]
) -> None:
    """Reads the texts of those stored findings that may differ in nothing else."""
    asked = [
        (host_id, *identity)
        for host_id, judgement in judgements.items()
        for identity in texts_to_read(stored.get(host_id, {}), judgement.findings)
    ]
    if asked:
        take_texts(stored, connection.execute(READ_TEXTS, array_columns(asked)).fetchall())


def _compare(
    connection: "psycopg.Connection[Any]",
    hosts: Sequence[Sequence[Any]],
    rules: ActiveRules,
    stored: Mapping[str, Mapping[Identity, StoredFinding]],
    judgements: Mapping[str, Judgement],
) -> tuple[Writes, dict[str, Outlook]]:
    """What would have to be written for these judgements, and what then stands of each host."""
    known = figures(connection.execute(READ_FIGURES, ([row[0] for row in hosts],)))
    writes = Writes()
    outlooks: dict[str, Outlook] = {}
    for host_id, group_id, _state, _platform, _configuration, now in hosts:
        judgement = judgements.get(host_id)
        if judgement is None:
            continue
        stands = compare(
            writes,
            host_id=host_id,
            group_id=group_id,
            now=now,
            old=stored.get(host_id, {}),
            new=judgement.findings,
            is_unread=judgement.is_unread,
            known_rules=judgement.known_rules,
            kept=judgement.kept,
        )
        verdict = judgement.verdict
        after = figures_of(group_id, verdict)
        set_verdict(writes, host_id=host_id, old=known[host_id], new=after, verdict=verdict, judging_epoch=rules.judging_epoch)
        outlooks[host_id] = Outlook(stands, verdict)
    return writes, outlooks
