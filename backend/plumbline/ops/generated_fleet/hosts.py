"""The hosts of a generated fleet, stored as check-ins are: every host with a configuration of its own.

Each host is made from one of the agents' samples. Its adapters get MAC addresses that no other host has, and one in twenty of the values
that rules check is replaced by a value that the setting has elsewhere in the samples. So no two configurations are equal, and hosts fail
different rules, yet everything has its real size: the samples' documents are 20 to 70 KB before compression.
"""

import random
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import zstandard
from sqlmodel import Session, insert

from plumbline.configurations.compression import LEVEL, train
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.check_in import read_check_in
from plumbline.core.facts.configuration import HOST, Configuration, Platform, Reading, Subject, Value
from plumbline.core.facts.document import Document, encode
from plumbline.evaluation.inputs import keys_read
from plumbline.evaluation.reevaluate import raw_connection, reevaluate_lagging
from plumbline.evaluation.rollups import fold_rollups
from plumbline.hosts.kept_counts import fold_counts
from plumbline.hosts.name_search import name_grams
from plumbline.infra.database import session_scope
from plumbline.infra.resources import SCHEMA
from plumbline.models.hosts import Host, HostGroup
from plumbline.packs.in_force import read_active

# One value in so many differs from the sample.
_ONE_IN = 20
_CLUSTER_OF = 8
_GROUPS = 25
_TRAINED_ON = 300
# No agent sends for them, so they would all be silent within the hour.
_INTERVAL_SECONDS = 90 * 24 * 3600
_CONFIGURATION = "COPY host_configuration (host_id, epoch, seq, received_at, document, dictionary_id) FROM STDIN"
_SECTION = "COPY host_section (host_id, section, status, error) FROM STDIN"


@dataclass(frozen=True)
class Kind:
    """A sample from which hosts are made: its document, the state of its sections, and its adapters."""

    platform: Platform
    document: Document
    sections: tuple[tuple[str, str, str], ...]  # section, status, error
    adapters: tuple[str, ...]


def kinds() -> list[Kind]:
    """One for each sample of the agents."""
    found = []
    for path in sorted(SCHEMA.glob("samples/*/*.checkin")):
        platform, sections, version = read_check_in(path.read_bytes())
        read = assemble(platform, sections, agent_version=version)
        configuration = read.configuration
        adapters = tuple(each.id for each in configuration.subjects("adapter") if re.fullmatch("[0-9a-f]{12}", each.id))
        states = tuple((name, section.status, section.error) for name, section in sections.items())
        found.append(Kind(platform, Document(configuration, read.path_map, tuple(read.problems)), states, adapters))
    return found


Made = tuple[Kind, Configuration, bytes]


class Maker:
    """Makes hosts; the same ones from the same seed."""

    def __init__(self, seed: int, asked: frozenset[str]) -> None:
        self._dice = random.Random(seed)  # noqa: S311 - the same fleet from the same seed
        self._kinds = kinds()
        # What each setting that rules ask for reads anywhere in the samples of a platform.
        self._readings: dict[tuple[str, str], list[Reading]] = {}
        for kind in self._kinds:
            for subject, key, reading in kind.document.configuration:
                name = f"{subject.kind}.{key}"
                if name in asked and not name.startswith(("host.os_", "initiator.adapter", "host.cluster")):
                    known = self._readings.setdefault((kind.platform, name), [])
                    if all(_said(each) != _said(reading) for each in known):
                        known.append(reading)

    def documents(self, count: int) -> Iterator[Made]:
        """So many hosts: what each was made from, its configuration, and its document as it is stored before packing."""
        for number in range(count):
            kind = self._kinds[number % len(self._kinds)]
            configuration = self._varied(kind)
            content = encode(Document(configuration, kind.document.path_map, kind.document.problems))
            for place, adapter in enumerate(kind.adapters):
                # The maker's half stays, so that the family is still what the address says.
                content = content.replace(adapter.encode(), f"{adapter[:6]}{number * 16 + place:06x}".encode())
            yield kind, configuration, content

    def _varied(self, kind: Kind) -> Configuration:
        before = kind.document.configuration
        readings: dict[Subject, dict[str, Reading]] = {}
        for subject in before.all_subjects():
            keys = dict(before.keys(subject))
            for key in keys:
                others = self._readings.get((kind.platform, f"{subject.kind}.{key}"), ())
                if len(others) > 1 and self._dice.random() * _ONE_IN < 1:
                    keys[key] = self._dice.choice(others)
            readings[subject] = keys
        return Configuration.taking(kind.platform, readings)


def _said(reading: Reading) -> object:
    return reading.value if isinstance(reading, Value) else type(reading)


def store(count: int, seed: int) -> None:
    """Puts `count` active hosts into the database that this process is pointed at, in 25 groups and clusters of eight, not evaluated."""
    with session_scope() as session:
        groups = _groups(session)
        maker = Maker(seed, keys_read(read_active(session)))
        # A small fleet has too few of its own.
        dictionary = train("configuration", [content for _, _, content in maker.documents(_TRAINED_ON)])
        session.add(dictionary)
        session.flush()
        packer = zstandard.ZstdCompressor(level=LEVEL, dict_data=zstandard.ZstdCompressionDict(dictionary.content))
        fleet = Maker(seed, keys_read(read_active(session))).documents(count)
        _copy(session, fleet, packer, dictionary.id, groups)


def _groups(session: Session) -> list[int]:
    found = []
    for number in range(_GROUPS):
        group = HostGroup(parent_id=1, name=f"Site {number:02}", path=f"1/{secrets.token_hex(4)}")
        session.add(group)
        session.flush()
        group.path = f"1/{group.id}/"
        session.add(group)
        found.append(group.id or 0)
    session.flush()
    return found


def _copy(session: Session, fleet: Iterable[Made], packer: zstandard.ZstdCompressor, dictionary_id: int | None, groups: list[int]) -> None:
    connection = raw_connection(session)
    now = datetime.now(UTC)
    hosts: list[dict[str, Any]] = []
    sections: list[tuple[str, str, str, str]] = []
    with connection.cursor().copy(_CONFIGURATION) as writer:
        for number, (kind, configuration, content) in enumerate(fleet):
            host_id = f"{number:032x}"
            at = now - timedelta(seconds=number % 900)
            writer.write_row((host_id, 1, 1, at, packer.compress(content), dictionary_id))
            # Hosts of a cluster are alike, and all in one group.
            cluster = number // 13 // _CLUSTER_OF
            group = groups[cluster % len(groups)]
            name = f"{kind.platform[:3]}-{number:05}"
            hosts.append({
                "id": host_id,
                "name": name,
                "name_grams": name_grams(name),
                "platform": kind.platform,
                "group_id": group,
                "state": "active",
                "last_seen_at": at,
                "last_changed_at": at,
                "agent_version": "1.0.0",
                "last_seq": 1,
                "interval_seconds": _INTERVAL_SECONDS,
                "is_lab": True,
                "os_name": str(configuration.value(HOST, "os_name") or ""),
                "os_release": str(configuration.value(HOST, "os_release") or ""),
                "cluster": f"C{number % 13}-{cluster}" if number % 3 == 0 else "",
                "families": _values(configuration, "adapter", "family"),
                "initiator_modes": _values(configuration, "initiator", "mode"),
            })  # fmt: skip
            sections += [(host_id, *state) for state in kind.sections]
    session.execute(insert(Host), hosts)
    with connection.cursor().copy(_SECTION) as writer:
        for row in sections:
            writer.write_row(row)
    connection.execute("UPDATE host SET configuration_id = c.id FROM host_configuration c WHERE c.host_id = host.id")


def _values(configuration: Configuration, kind: str, key: str) -> list[str]:
    found = {configuration.value(subject, key) for subject in configuration.subjects(kind)}
    return sorted(str(each) for each in found if each is not None)


def reevaluate_all() -> int:
    """Evaluates every host that lags, a chunk a transaction, as the background does. Returns how many."""
    evaluated = 0
    while True:
        with session_scope() as session:
            done = reevaluate_lagging(session)
        if not done:
            break
        evaluated += done
    with session_scope() as session:
        while fold_rollups(session) or fold_counts(session):
            pass
    return evaluated
