"""The stored configuration of a host, read back."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlmodel import Session

from plumbline.configurations.compression import Unpacker, unpacker_of
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, Subject, label_of
from plumbline.core.facts.document import Document, decode, decode_path_map
from plumbline.core.facts.partial import reader_of
from plumbline.core.facts.paths import volume_names
from plumbline.models.columns import is_one_of
from plumbline.models.configurations import HOST_CONFIGURATION, HostConfiguration
from plumbline.models.hosts import HOST, Host

# What labels are made of besides the paths: the name of every kind, and the adapter of an offload engine.
_NAMES = frozenset({f"{key.partition('.')[0]}.name" for key in BY_KEY} | {"initiator.adapter"})
# Texts contain whole ids: a MAC without separators, a GUID in braces, a NAA. Shorter ids (vmk1) need no label.
_ID = re.compile(r"[A-Za-z0-9{][A-Za-z0-9.:{}-]{6,}[A-Za-z0-9}]")


@dataclass(frozen=True, slots=True)
class HostDocument:
    """The newest configuration with the row that carries it."""

    row: HostConfiguration
    document: Document


def read_document(session: Session, host: Host) -> HostDocument | None:
    """The host's newest configuration, or None where it has none yet. One query, and one for a dictionary that this process has not
    read yet.
    """
    if host.configuration_id is None:
        return None
    row = session.scalar(select(HostConfiguration).where(HOST_CONFIGURATION.id == host.configuration_id))
    if row is None:
        return None
    return HostDocument(row, unpack(row, unpacker_of(session, (row.dictionary_id,))))


def unpack(row: HostConfiguration, unpacker: Unpacker) -> Document:
    """A stored configuration. Raises where it is damaged."""
    return decode(unpacker.unpack(row.document, row.dictionary_id))


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of the items of one host. Compare the configuration with None; its truth value would read all of it."""

    configuration: Configuration | None = None
    volumes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document | None) -> "Labels":
        """The labels of a host; of one that was never read, its subjects are called by their ids."""
        return cls(document.configuration, volume_names(document.path_map)) if document else cls()

    def of_subject(self, subject: Subject) -> str:
        """The name that the host reports, for a volume the array's name, else the id; the host itself is "host"."""
        if subject.kind == "volume" and subject.id in self.volumes:
            return self.volumes[subject.id]
        if subject.kind == "initiator" and "\\" in subject.id and self.configuration is not None:
            # An offload engine that Windows shows as a device only: people know it by its adapter.
            adapter = self.configuration.value(subject, "adapter")
            return label_of(self.configuration, Subject("adapter", str(adapter))) if adapter else subject.id
        return label_of(self.configuration, subject)

    def in_words(self, text: str) -> str:
        """A sentence with every id in it replaced by the name that the host has for it."""
        return _ID.sub(lambda found: self._named(found[0]), text) if text else text

    def _named(self, word: str) -> str:
        if word in self.volumes:
            return self.volumes[word]
        for kind in ("adapter", "vnic"):
            name = self.configuration.value(Subject(kind, word), "name") if self.configuration is not None else None
            if name:
                return str(name)
        return word


def read_documents(session: Session, host_ids: Iterable[str]) -> dict[str, Document]:
    """The newest configurations of several hosts. One query, none for no host; hosts never read are left out."""
    return {host_id: decode(stored) for host_id, stored in _read_stored(session, host_ids)}


def read_labels(session: Session, host_ids: Iterable[str]) -> dict[str, Labels]:
    """The labels of several hosts, for lists that run across hosts. One query, none for no host; hosts never read are left out."""
    names = reader_of(_NAMES)
    return {
        host_id: Labels(names.read(stored), volume_names(decode_path_map(stored))) for host_id, stored in _read_stored(session, host_ids)
    }


def _read_stored(session: Session, host_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    ids = list(host_ids)
    if not ids:
        return
    rows = session.execute(
        select(HOST_CONFIGURATION.host_id, HOST_CONFIGURATION.document, HOST_CONFIGURATION.dictionary_id)
        .join(Host, HOST.configuration_id == HOST_CONFIGURATION.id)
        .where(is_one_of(HOST.id, ids))
    ).all()
    unpacker = unpacker_of(session, {dictionary_id for _, _, dictionary_id in rows})
    for host_id, packed, dictionary_id in rows:
        yield host_id, unpacker.unpack(packed, dictionary_id)


def setting_label(kind: str, key: str) -> str:
    """What a setting is called on screen."""
    entry = BY_KEY.get(f"{kind}.{key}")
    return entry.label if entry else key
