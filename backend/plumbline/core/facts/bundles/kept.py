"""The configuration of a host from a bundle in its stored form, with the member of the bundle that each read came from."""

import zlib
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.hosts import BundledHost
from plumbline.core.facts.configuration import SectionReading, SectionStatus, Source
from plumbline.core.facts.document import Document, decode, encode
from plumbline.core.facts.paths import SessionRoute

# No host's is larger; one that claims more is damaged.
_MAX_BYTES = 16 * 1024 * 1024
_MAX_SECTION_BYTES = 64 * 1024 * 1024


class KeptHost(msgspec.Struct, frozen=True):
    """What is kept of one host of a bundle besides its report, so that it can be compared and planned later.

    `members`: section and command -> the member that answered it. `unread`: kinds of items that no section lists, each with the reason.
    `routes`: its connected sessions, None where the list of them was not read.
    """

    document: Document
    members: Mapping[tuple[str, str], str]
    unread: Mapping[str, str]
    routes: tuple[SessionRoute, ...] | None

    def member_of(self, source: Source | None) -> str:
        """The member that a reading came from; empty where no member is known."""
        return self.members.get((source.section, source.command), "") if source is not None else ""


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    document: bytes
    members: list[tuple[str, str, str]]
    unread: dict[str, str]
    routes: tuple[SessionRoute, ...] | None


def keep(host: BundledHost, document: Document, unread: Mapping[str, str], routes: tuple[SessionRoute, ...] | None) -> KeptHost:
    """What is kept of a host whose sections gave this document."""
    return KeptHost(document, dict(host.members), dict(unread), routes)


def pack(kept: KeptHost) -> bytes:
    """The stored bytes."""
    members = [(section, command, member) for (section, command), member in kept.members.items()]
    return zlib.compress(msgspec.msgpack.encode(_Stored(encode(kept.document), members, dict(kept.unread), kept.routes)))


def unpack(stored: bytes) -> KeptHost:
    """The host of `pack`'s bytes. Raises ValueError on anything else."""
    opened = zlib.decompressobj()
    try:
        plain = opened.decompress(stored, _MAX_BYTES)
        if not opened.eof:
            raise ValueError("it is cut off or too large")
        read = msgspec.msgpack.decode(plain, type=_Stored)
        document = decode(read.document)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"the stored configuration cannot be read: {error}") from None
    return KeptHost(document, {(section, command): member for section, command, member in read.members}, read.unread, read.routes)


class KeptSections(msgspec.Struct, frozen=True):
    """The section bodies of a host of a bundle, as a check-in would bring them, and the version of the agent where one printed them."""

    agent_version: str
    sections: Mapping[str, SectionReading]


class _StoredSections(msgspec.Struct, frozen=True, array_like=True):
    agent_version: str
    sections: list[tuple[str, SectionStatus, bytes, str]]


def pack_sections(host: BundledHost) -> bytes:
    """The stored bytes of a host's sections. Raises ValueError where they are larger than any host's."""
    sections = [(name, reading.status, reading.body, reading.error) for name, reading in host.sections.items()]
    plain = msgspec.msgpack.encode(_StoredSections(host.agent_version, sections))
    if len(plain) > _MAX_SECTION_BYTES:
        raise ValueError("its sections are too large")
    return zlib.compress(plain)


def unpack_sections(stored: bytes) -> KeptSections:
    """The sections of `pack_sections`' bytes. Raises ValueError on anything else."""
    opened = zlib.decompressobj()
    try:
        plain = opened.decompress(stored, _MAX_SECTION_BYTES + 1024)
        if not opened.eof:
            raise ValueError("it is cut off or too large")
        read = msgspec.msgpack.decode(plain, type=_StoredSections)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"the stored sections cannot be read: {error}") from None
    return KeptSections(read.agent_version, {name: SectionReading(status, body, error) for name, status, body, error in read.sections})
