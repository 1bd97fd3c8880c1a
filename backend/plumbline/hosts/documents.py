"""The stored configuration of a host, read back."""

from dataclasses import dataclass

import zstandard
from sqlalchemy import select
from sqlmodel import Session

from plumbline.facts.catalogue import BY_KEY
from plumbline.facts.configuration import Configuration, Subject
from plumbline.facts.document import Document, decode
from plumbline.hosts.configurations import CompressionDictionary, HostConfiguration
from plumbline.hosts.models import Host

# No document is larger; one that claims more is damaged.
_MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HostDocument:
    """The newest configuration with the row that carries it."""

    row: HostConfiguration
    document: Document


def read_document(session: Session, host: Host) -> HostDocument | None:
    """The host's newest configuration, or None where it has none yet. One query, two where a trained dictionary packed it."""
    if host.configuration_id is None:
        return None
    row = session.scalar(select(HostConfiguration).where(HostConfiguration.id == host.configuration_id))  # type: ignore[arg-type]
    if row is None:
        return None
    trained = None
    if row.dictionary_id is not None:
        content = session.scalar(select(CompressionDictionary.content).where(CompressionDictionary.id == row.dictionary_id))  # type: ignore[call-overload]
        assert content is not None  # dictionaries are never deleted
        trained = zstandard.ZstdCompressionDict(content)
    plain = zstandard.ZstdDecompressor(dict_data=trained).decompress(row.document, max_output_size=_MAX_BYTES)
    return HostDocument(row, decode(plain))


def label_of(configuration: Configuration | None, subject: Subject) -> str:
    """What people call a subject: its name as the host says it, else its id; the host itself is "host"."""
    if subject.kind == "host":
        return "host"
    name = configuration.value(subject, "name") if configuration else None
    return str(name) if name else subject.id


def setting_label(kind: str, key: str) -> str:
    """What a setting is called on screen."""
    entry = BY_KEY.get(f"{kind}.{key}")
    return entry.label if entry else key
