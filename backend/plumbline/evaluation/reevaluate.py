"""Evaluating stored configurations again: after a pack was activated, a waiver began or ended, a host was approved or moved.

The same locks in the same order as a check-in, the same evaluation, the same statements; each host re-evaluated here gets a higher
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
from plumbline.evaluation.inputs import ask_inputs, read_configurations, take_inputs
from plumbline.evaluation.peer_changes import waiting_hosts
from plumbline.evaluation.peers import PEERS_KEY, Peering, ask_peers, take_peers
from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.statements import FIGURES
from plumbline.models.hosts import COUNTED, COUNTED_STATES, HostState
from plumbline.packs.in_force import ActiveRules, read_active

CHUNK = 200
EVALUATED_STATES = COUNTED_STATES

# The columns of `LockedHost`, from a table called host.
HOST_COLUMNS = f"id, name, state, platform, configuration_id, rules_epoch, clock_timestamp(), {FIGURES}"
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
    platform: str
    configuration_id: int | None
    rules_epoch: int
    now: datetime
    figures: HostFigures

    @classmethod
    def of(cls, row: Sequence[Any]) -> "LockedHost":
        """From a row of the database."""
        return cls._make((*row[:7], HostFigures(*row[7:18])))

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
    """Evaluates up to `limit` (at most 200) hosts again whose peers changed; answers how many. Zero: none waits.

    One transaction, as `reevaluate_lagging`; a crash leaves the marks, and what they ask for is done again.
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
    """What these rules say of these hosts' stored configurations, and what would have to be written for it.

    Writes nothing: who previews other rules stops here, who re-evaluates holds the hosts' locks and goes on. The stored findings were
    made from these very configurations; findings that rest on `changed_keys` are put into words again all the same, None: all. `peers` is
    as for `evaluate_hosts`.
    """
    ids = [host.id for host in hosts]
    configurations = read_configurations(connection, [host.configuration_id for host in hosts if host.configuration_id is not None], rules)
    with connection.pipeline():
        peer_cursors = ask_peers(connection, ids)
        section_cursor = connection.execute(_SECTIONS, (ids,))
        input_cursors = ask_inputs(connection, ids)
    peering = Peering(rules, take_peers(peer_cursors))
    sections: dict[str, dict[str, tuple[str, str]]] = {}
    for host_id, section, status, error in section_cursor:
        sections.setdefault(host_id, {})[section] = (status, error)
    readable = [
        HostToEvaluate(
            host.id,
            host.name,
            host.figures.group_id,
            host.state == HostState.ACTIVE,
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
    return evaluate_hosts(connection, readable, rules, take_inputs(input_cursors), peering, peers=peers), peering
