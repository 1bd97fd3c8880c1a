"""Re-evaluating stored configurations: after a pack was activated, a waiver started or ended, a host was approved or moved.

It takes the same locks in the same order as a check-in and uses the same evaluation and statements. Each re-evaluated host gets a higher
`state_version`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

import psycopg
from sqlmodel import Session

from plumbline.core.rules.peers import Peers
from plumbline.evaluation.evaluate import Evaluated, HostToEvaluate, evaluate_hosts, unread_of
from plumbline.evaluation.findings import statements
from plumbline.evaluation.inputs import read_configurations, read_input_results, send_input_queries
from plumbline.evaluation.peer_changes import waiting_hosts
from plumbline.evaluation.peers import PEERS_KEY, Peering, read_peer_results, send_peer_queries
from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.statements import FIGURES
from plumbline.models.hosts import COUNTED, COUNTED_STATES, is_peer
from plumbline.packs.in_force import ActiveRules, read_active

CHUNK = 200
EVALUATED_STATES = COUNTED_STATES

# The columns of `LockedHost`, from a table called host.
HOST_COLUMNS = f"id, name, state, source, platform, configuration_id, rules_epoch, clock_timestamp(), {FIGURES}"
_LOCK = f"""
WITH host AS MATERIALIZED (SELECT * FROM host WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE) SELECT {HOST_COLUMNS} FROM host
"""  # noqa: S608 (constants of this file)
_LAGGING = f"""
SELECT id FROM host WHERE {COUNTED} AND configuration_id IS NOT NULL
  AND rules_epoch < (SELECT rules_epoch FROM installation)
ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED
"""  # noqa: S608 (a constant)
_SECTIONS = "SELECT host_id, section, status, error FROM host_section WHERE host_id = ANY(%s)"
_UNMARK = "DELETE FROM peer_reevaluation WHERE id = ANY(%s)"
RAISE_VERSIONS = "UPDATE host SET state_version = state_version + 1 WHERE id = ANY(%s)"


class LockedHost(NamedTuple):
    """A host's row, as `HOST_COLUMNS` read it."""

    id: str
    name: str
    state: str
    source: str
    platform: str
    configuration_id: int | None
    rules_epoch: int
    now: datetime
    figures: HostFigures

    @classmethod
    def of(cls, row: Sequence[Any]) -> "LockedHost":
        """From a row of the database."""
        return cls._make((*row[:8], HostFigures(*row[8:19])))

    @property
    def is_evaluated(self) -> bool:
        """It counts, and its configuration is stored."""
        return self.state in EVALUATED_STATES and self.configuration_id is not None


def raw_connection(session: Session) -> "psycopg.Connection[Any]":
    """The driver's connection of the session's own transaction, for statements over arrays."""
    session.flush()
    return cast("psycopg.Connection[Any]", session.connection().connection.driver_connection)


def reevaluate_lagging(session: Session, limit: int = CHUNK) -> int:
    """Evaluates up to `limit` (at most 200) hosts that lag behind the installation's rules epoch; answers how many. Zero: none lags.

    One transaction: the caller commits and calls again. Hosts that a check-in holds at this moment are left for the next call.
    """
    connection = raw_connection(session)
    ids = [row[0] for row in connection.execute(_LAGGING, (min(limit, CHUNK),))]
    return reevaluate_hosts(session, ids) if ids else 0


def reevaluate_peers(session: Session, limit: int = CHUNK) -> int:
    """Re-evaluates up to `limit` (at most 200) hosts whose peers changed. Returns how many; zero if none is marked.

    One transaction, as `reevaluate_lagging`; after a crash the marks are still there and the work is repeated.
    """
    connection = raw_connection(session)
    marks = waiting_hosts(connection, min(limit, CHUNK))
    if marks:
        reevaluate_hosts(session, [host_id for _, host_id in marks], changed_keys=frozenset({PEERS_KEY}))
        connection.execute(_UNMARK, ([mark for mark, _ in marks],))
    return len(marks)


def reevaluate_hosts(
    session: Session, host_ids: Sequence[str], *, in_full: bool = False, changed_keys: frozenset[str] = frozenset()
) -> int:
    """Evaluates these hosts again from their stored configurations, in the caller's transaction; answers how many were evaluated.

    `in_full` puts every finding into words again, where the texts themselves are in doubt; `changed_keys` those that rest on these keys.
    """
    evaluated = 0
    ordered = sorted(set(host_ids))
    for start in range(0, len(ordered), CHUNK):
        evaluated += _reevaluate_chunk(session, ordered[start : start + CHUNK], None if in_full else changed_keys)
    return evaluated


def _reevaluate_chunk(session: Session, ids: list[str], changed_keys: frozenset[str] | None) -> int:
    connection = raw_connection(session)
    locked = [LockedHost.of(row) for row in connection.execute(_LOCK, (ids,))]
    # Everything below is read after the locks are held.
    rules = read_active(session)
    hosts = [host for host in locked if host.is_evaluated]
    if not hosts:
        return 0
    evaluated, peering = evaluate_stored(connection, hosts, rules, changed_keys=changed_keys)
    for statement, columns in statements(evaluated.writes):
        connection.execute(statement, columns)
    peering.write(connection)
    connection.execute(RAISE_VERSIONS, ([host.id for host in hosts],))
    session.expire_all()
    return len(evaluated.writes.verdicts)


def evaluate_stored(
    connection: "psycopg.Connection[Any]",
    hosts: Sequence[LockedHost],
    rules: ActiveRules,
    *,
    changed_keys: frozenset[str] | None = frozenset(),
    peers: Mapping[str, Peers] | None = None,
) -> tuple[Evaluated, Peering]:
    """The result of these rules for these hosts' stored configurations, and what would have to be written for it.

    Writes nothing: a preview of other rules stops here; a re-evaluation holds the hosts' locks and goes on. The stored findings come from
    these same configurations. Findings that depend on `changed_keys` (None: all findings) get new texts all the same. `peers` is as for
    `evaluate_hosts`.
    """
    ids = [host.id for host in hosts]
    configurations = read_configurations(connection, [host.configuration_id for host in hosts if host.configuration_id is not None], rules)
    with connection.pipeline():
        peer_cursors = send_peer_queries(connection, ids)
        section_cursor = connection.execute(_SECTIONS, (ids,))
        input_cursors = send_input_queries(connection, ids)
    peering = Peering(rules, read_peer_results(peer_cursors))
    sections: dict[str, dict[str, tuple[str, str]]] = {}
    for host_id, section, status, error in section_cursor:
        sections.setdefault(host_id, {})[section] = (status, error)
    readable = [
        HostToEvaluate(
            host.id,
            host.name,
            host.figures.group_id,
            is_peer(host.state, host.source),
            host.rules_epoch,
            host.figures,
            host.now,
            configurations[host.id],
            unread_of(host.platform, sections.get(host.id, {})),
            changed_keys,
        )
        for host in hosts
        if host.id in configurations
    ]
    return evaluate_hosts(connection, readable, rules, read_input_results(input_cursors), peering, peers=peers), peering
