"""What an API process remembers of a host between two of its check-ins, and how it is read again.

Memory is a guess: each decision made from it is compared, under the lock of the host's row, with (epoch, seq, state_version, judging_epoch)
and the generations, and made again from fresh rows where anything differs. So nothing here has to be told of other processes' writes.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, NamedTuple

import psycopg

from plumbline.core.facts.assemble import Memory
from plumbline.core.facts.document import Document, Encoded
from plumbline.evaluation.attestations_in_force import Given
from plumbline.evaluation.evaluate import Judged
from plumbline.evaluation.findings import Identity, StoredFinding
from plumbline.evaluation.peers import Told
from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.waivers_in_force import ActiveWaiver

ENTRY_BYTES = 24
RING_ENTRIES = 32
MAX_STATES = 10_000
MAX_WARM = 300
# How long a refusal may be answered from memory alone.
FRESH_SECONDS = 5.0


@dataclass(slots=True)
class SectionState:
    """The newest state of one section; `also` are other digests of the same stored body."""

    status: str
    error: str = ""
    sha256: bytes | None = None
    body_id: int | None = None
    also: frozenset[bytes] = frozenset()

    hex: str = field(init=False, default="", compare=False)

    def __post_init__(self) -> None:
        self.hex = self.sha256.hex() if self.sha256 is not None else ""

    def is_named(self, digest: bytes) -> bool:
        """The stored body has this digest among its names."""
        return self.status == "ok" and (digest == self.sha256 or digest in self.also)


def is_every_read(sections: Mapping[str, SectionState]) -> bool:
    """Every section gave something; nearly always so."""
    return {state.status for state in sections.values()} <= {"ok"}


class Shown(NamedTuple):
    """What lists show of a configuration."""

    os_name: str
    os_release: str
    cluster: str
    families: list[str]
    initiator_modes: list[str]
    paths_healthy: int | None
    paths_total: int | None
    is_restart_pending: bool


@dataclass(slots=True)
class Warm:
    """What is kept only for hosts that changed lately: their configuration and findings, as they stand under the same basis."""

    configuration_id: int | None
    document: Document
    # What the next check-in is understood and encoded with; None where it has to be done from nothing.
    memory: Memory | None = None
    encoded: Encoded | None = None
    shown: Shown | None = None
    # None: not judged yet, or not known to be the stored ones.
    findings: dict[Identity, StoredFinding] | None = None
    waivers: list[ActiveWaiver] = field(default_factory=list)
    attestations: list[Given] = field(default_factory=list)
    figures: HostFigures | None = None
    judged: Judged | None = None
    # What the host tells its neighbours.
    told: Told | None = None
    # The version of each domain whose neighbours it was compared with.
    versions: Mapping[str, int] | None = None


@dataclass(slots=True)
class HostState:
    """One host as last read or written by this process."""

    id: str
    name: str
    platform: str
    group_id: int
    state: str
    is_approved: bool
    epoch: int
    generation: int
    next_generation: int | None
    key_id: str
    next_key_id: str
    last_seq: int
    accepted: bytes
    boots: tuple[str, ...]
    alarm: str
    state_version: int
    judging_epoch: int
    interval_seconds: int
    configuration_id: int | None
    overrides: dict[str, str]
    sections: dict[str, SectionState] = field(default_factory=dict)
    # The mark of the newest check-in's counters (`Sampled.mark`), and the number of each; empty: not known.
    series_mark: bytes = b""
    series_numbers: tuple[int, ...] = ()
    warm: Warm | None = None
    read_at: float = field(default_factory=time.monotonic)

    @property
    def basis(self) -> tuple[Any, ...]:
        """What a decision rests on; compared under the lock."""
        return (self.epoch, self.last_seq, self.state_version, self.judging_epoch, self.generation, self.next_generation, self.state)

    def following(self) -> "HostState":
        """A copy, for the host as it will stand after a check-in."""
        return HostState(*_VALUES(self))

    def remembered(self, seq: int) -> bytes | None:
        """The first 16 bytes of the digest accepted under this seq, where it is among the last 32."""
        wanted = seq.to_bytes(8, "big")
        for at in range(0, len(self.accepted), ENTRY_BYTES):
            if self.accepted[at : at + 8] == wanted:
                return self.accepted[at + 8 : at + ENTRY_BYTES]
        return None


# Field by field: `dataclasses.replace` costs five times as much, and every check-in makes a copy.
_VALUES = attrgetter(*(each.name for each in fields(HostState)))


def ring_entry(seq: int, digest: bytes) -> bytes:
    """One entry of the ring: 8 bytes seq, the first 16 of the digest."""
    return seq.to_bytes(8, "big") + digest[:16]


def push_entry(ring: bytes, entry: bytes) -> bytes:
    """The ring with one more entry, the oldest dropped past 32."""
    return (ring + entry)[-ENTRY_BYTES * RING_ENTRIES :]


class HostStates:
    """Remembered hosts, the longest unused forgotten first."""

    def __init__(self, maximum: int = MAX_STATES) -> None:
        self._states: OrderedDict[str, HostState] = OrderedDict()
        self._warm: OrderedDict[str, None] = OrderedDict()
        self._maximum = maximum

    def get(self, host_id: str) -> HostState | None:
        """The host as remembered, however old."""
        state = self._states.get(host_id)
        if state is not None:
            self._states.move_to_end(host_id)
        return state

    def put(self, state: HostState) -> None:
        """Remembers."""
        self._states[state.id] = state
        self._states.move_to_end(state.id)
        while len(self._states) > self._maximum:
            self._warm.pop(self._states.popitem(last=False)[0], None)
        if state.warm is not None:
            self._warm[state.id] = None
            self._warm.move_to_end(state.id)
            while len(self._warm) > MAX_WARM:
                cooled = self._states.get(self._warm.popitem(last=False)[0])
                if cooled is not None:
                    cooled.warm = None

    def forget(self, host_id: str) -> None:
        """Forgets one."""
        self._states.pop(host_id, None)
        self._warm.pop(host_id, None)

    def clear(self) -> None:
        """Forgets all."""
        self._states.clear()
        self._warm.clear()


_HOSTS = """
SELECT id, name, platform, group_id, state, approved_at IS NOT NULL, epoch, generation, next_generation, key_id, next_key_id, last_seq,
       accepted, boots, alarm, state_version, judging_epoch, interval_seconds, configuration_id, overrides
FROM host WHERE id = ANY(%s)
"""
_SECTIONS = "SELECT host_id, section, status, error, sha256, body_id FROM host_section WHERE host_id = ANY(%s)"
# Only other names of bodies that are current matter here; older ones are found by `decide` when a host goes back to them.
_NAMES = """
SELECT n.host_id, n.section, n.sha256 FROM section_name n
JOIN host_section s ON s.host_id = n.host_id AND s.section = n.section AND s.body_id = n.body_id
WHERE n.host_id = ANY(%s)
"""


async def read_states(connection: "psycopg.AsyncConnection[Any]", host_ids: list[str]) -> dict[str, HostState]:
    """Reads hosts with their sections; unknown ids are left out. Under locks held, what comes back stays true until COMMIT."""
    async with connection.pipeline():
        hosts = await connection.execute(_HOSTS, (host_ids,))
        sections = await connection.execute(_SECTIONS, (host_ids,))
        names = await connection.execute(_NAMES, (host_ids,))
    states: dict[str, HostState] = {}
    for row in await hosts.fetchall():
        values = [*row]
        values[13] = tuple(row[13])
        states[row[0]] = HostState(*values)
    for host_id, section, status, error, sha256, body_id in await sections.fetchall():
        if host_id in states:
            states[host_id].sections[section] = SectionState(status, error, sha256, body_id)
    also: dict[tuple[str, str], set[bytes]] = {}
    for host_id, section, sha256 in await names.fetchall():
        also.setdefault((host_id, section), set()).add(sha256)
    for (host_id, section), digests in also.items():
        if host_id in states and section in states[host_id].sections:
            states[host_id].sections[section].also = frozenset(digests)
    return states
