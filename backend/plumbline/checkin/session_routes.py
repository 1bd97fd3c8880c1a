"""The iSCSI sessions of hosts as their newest sections show them, with the adapter of each.

Routes are stored with no configuration, since they would change it with every login; a plan that would take a session's adapter needs them.
"""

from collections.abc import Sequence

from sqlmodel import Session

from plumbline.checkin import statements as sql
from plumbline.checkin.sections import SectionState
from plumbline.configurations.compression import Packers
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.facts.paths import SessionRoute
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.models.hosts import Host

_CHUNK = 50


def read_routes(session: Session, hosts: Sequence[Host]) -> dict[str, tuple[SessionRoute, ...] | None]:
    """The connected sessions of each host; None where the list of them could not be read. Three queries for every 50 hosts."""
    found: dict[str, tuple[SessionRoute, ...] | None] = {}
    packers = Packers()
    for start in range(0, len(hosts), _CHUNK):
        found.update(_read(session, hosts[start : start + _CHUNK], packers))
    return found


def _read(session: Session, hosts: Sequence[Host], packers: Packers) -> dict[str, tuple[SessionRoute, ...] | None]:
    connection = raw_connection(session)
    packers.load_results(packers.send_query(connection))
    sections: dict[str, dict[str, SectionState]] = {host.id: {} for host in hosts}
    for host_id, section, *state in connection.cursor(binary=True).execute(sql.READ_SECTIONS, (list(sections),)):
        sections[host_id][section] = SectionState(*state)
    body_ids = sorted({state.body_id for each in sections.values() for state in each.values() if state.body_id is not None})
    rows = connection.cursor(binary=True).execute(sql.READ_BODIES, (body_ids,))
    content = {body_id: packers.sections.unpack(packed, dictionary_id) for body_id, packed, dictionary_id in rows}
    return {
        host.id: assemble(
            "esxi" if host.platform == "esxi" else "windows",
            {name: _reading(state, content) for name, state in sections[host.id].items()},
            host.overrides,
        ).routes
        for host in hosts
    }


def _reading(state: SectionState, content: dict[int, bytes]) -> SectionReading:
    if state.status == "ok" and state.body_id in content:
        return SectionReading("ok", content[state.body_id])
    return SectionReading("unavailable" if state.status == "unavailable" else "failed", error=state.error)
