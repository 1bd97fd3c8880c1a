"""Reads stored bodies again: after a parser was fixed (`plumbline re-evaluate --read-again`), or after a person set an adapter's role.

The newest bodies of a host are interpreted as if they had just been received: a configuration that differs is stored with its changes, and
the host is evaluated in full. Same locks and same code as a check-in; only the rows of check-ins and sections stay as they are.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from sqlmodel import Session, text

from plumbline.checkin import statements as sql
from plumbline.checkin.interpret import (
    Interpretation,
    InterpretedHost,
    Interpreter,
    Moment,
    SectionContents,
    change_rows,
    configuration_row,
)
from plumbline.checkin.sections import SectionState, unread_kinds_of
from plumbline.checkin.statements import HostRow
from plumbline.checkin.switch_ports import STORE_SWITCH_PORTS, SWITCH_PORTS, switch_port_rows
from plumbline.configurations.compression import Packers
from plumbline.core.drift.causes import Cause
from plumbline.core.facts.document import decode
from plumbline.evaluation.evaluate import HostToEvaluate, evaluate_hosts
from plumbline.evaluation.findings import statements
from plumbline.evaluation.inputs import READ_DOCUMENTS, read_input_results, send_input_queries
from plumbline.evaluation.peers import Peering, read_peer_results, send_peer_queries
from plumbline.evaluation.reevaluate import EVALUATED_STATES, RAISE_VERSIONS, raw_connection
from plumbline.hosts import reread as note
from plumbline.packs.in_force import read_active

CHUNK = 50

_REQUESTED = "SELECT id FROM host WHERE overrides ? :address AND state <> 'retired' ORDER BY random() LIMIT :most"
_REMOVE_REQUEST = "UPDATE host SET overrides = overrides - %s WHERE id = ANY(%s) AND overrides ? %s"
_MOST_REQUESTED = 200
_ALL = "SELECT id FROM host WHERE state <> 'retired' AND configuration_id IS NOT NULL ORDER BY id"

Connection = psycopg.Connection[Any]


def reread_hosts(session: Session, host_ids: Sequence[str], *, cause: str = "unknown", detail: str = "read again") -> int:
    """Reads these hosts' newest bodies again and evaluates them, in the caller's transaction; returns how many configurations changed."""
    changed = 0
    ordered = sorted(set(host_ids))
    for start in range(0, len(ordered), CHUNK):
        changed += _reread_chunk(session, ordered[start : start + CHUNK], Cause(cause, detail))
    return changed


def all_hosts(session: Session) -> list[str]:
    """Every host that is not retired and has checked in, in the order in which they are locked."""
    return list(session.execute(text(_ALL)).scalars())


def hosts_requested(session: Session) -> list[str]:
    """Hosts for which a re-read was requested and whose task message was lost; at most 200 of them."""
    return list(session.execute(text(_REQUESTED), {"address": note.ADDRESS, "most": _MOST_REQUESTED}).scalars())


def _reread_chunk(session: Session, ids: list[str], cause: Cause) -> int:
    connection = raw_connection(session)
    locked = [HostRow.of(row) for row in connection.execute(sql.LOCK_HOSTS, (ids,))]
    hosts = {host.id: host for host in locked if host.state != "retired"}
    rules = read_active(session)
    packers = Packers()
    sections, found = _interpret(connection, hosts, packers)
    changed = [host_id for host_id, each in found.items() if each.is_changed]
    active = [host for host in hosts.values() if host.state in EVALUATED_STATES and host.id in found]
    with connection.pipeline():
        peer_cursors = send_peer_queries(connection, ids)
        input_cursors = send_input_queries(connection, ids)
    peering = Peering(rules, read_peer_results(peer_cursors))
    to_evaluate = [
        HostToEvaluate(
            host.id,
            host.name,
            host.group_id,
            host.is_member,
            host.rules_epoch,
            host.figures,
            host.now,
            found[host.id].configuration,
            unread_kinds_of(host.platform, sections.get(host.id, {})),
            None,
        )
        for host in active
    ]
    evaluated = evaluate_hosts(connection, to_evaluate, rules, read_input_results(input_cursors), peering)
    moments = {host.id: Moment(host.id, host.epoch, host.last_seq, host.now) for host in hosts.values()}
    configurations = [
        configuration_row(moments[host_id], found[host_id].document, sections[host_id], packers.configurations) for host_id in changed
    ]
    changes = [row for host_id in changed for row in change_rows(moments[host_id], found[host_id], given=cause)]
    if configurations:
        connection.execute(sql.STORE_CONFIGURATIONS, sql.CONFIGURATIONS.arrays(configurations))
    if changes:
        connection.execute(sql.INSERT_CHANGES, sql.CHANGES.arrays(changes))
    if ports := [row for host_id in changed for row in switch_port_rows(moments[host_id], found[host_id])]:
        connection.execute(STORE_SWITCH_PORTS, SWITCH_PORTS.arrays(ports))
    for statement, columns in statements(evaluated.writes):
        connection.execute(statement, columns)
    peering.write(connection)
    connection.execute(RAISE_VERSIONS, (sorted({*changed, *(host.id for host in active)}),))
    connection.execute(_REMOVE_REQUEST, (note.ADDRESS, ids, note.ADDRESS))
    session.expire_all()
    return len(changed)


def _interpret(
    connection: Connection, hosts: dict[str, HostRow], packers: Packers
) -> tuple[dict[str, dict[str, SectionState]], dict[str, Interpretation]]:
    """The sections of each host, and their interpretation."""
    ids = list(hosts)
    configured = [host.configuration_id for host in hosts.values() if host.configuration_id is not None]
    with connection.pipeline():
        dictionaries = packers.send_query(connection)
        section_rows = connection.cursor(binary=True).execute(sql.READ_SECTIONS, (ids,))
        documents = connection.cursor(binary=True).execute(READ_DOCUMENTS, (configured,))
    packers.load_results(dictionaries)
    sections: dict[str, dict[str, SectionState]] = {}
    for host_id, section, *state in section_rows:
        sections.setdefault(host_id, {})[section] = SectionState(*state)
    stored = {row[0]: packers.configurations.unpack(*row[1:]) for row in documents}
    body_ids = sorted({state.body_id for each in sections.values() for state in each.values() if state.body_id is not None})
    rows = connection.cursor(binary=True).execute(sql.READ_BODIES, (body_ids,))
    content = {body_id: packers.sections.unpack(packed, dictionary_id) for body_id, packed, dictionary_id in rows}
    # Nothing cached: the parsers may have been fixed since.
    interpreter = Interpreter()
    found = {}
    for host_id in stored.keys() - sections.keys():
        # Its bodies are gone: its configuration stays as it is.
        before = decode(stored[host_id])
        found[host_id] = Interpretation(before, before)
    for host_id, states in sections.items():
        host = hosts[host_id]
        bodies = {name: content[state.body_id] for name, state in states.items() if state.body_id is not None and state.body_id in content}
        found[host_id] = interpreter.interpret(
            InterpretedHost(host_id, host.platform, host.overrides, host.agent_version),
            states,
            SectionContents(bodies=bodies),
            stored.get(host_id),
        )
    return sections, found
