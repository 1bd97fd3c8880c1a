"""The configuration of a host from a bundle in its stored form, with the member of the bundle that each read came from."""

import zlib
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.hosts import BundledHost
from plumbline.core.facts.configuration import Source
from plumbline.core.facts.document import Document, decode, encode
from plumbline.core.facts.paths import SessionRoute

# No host's is larger; one that claims more is damaged.
_MAX_BYTES = 16 * 1024 * 1024


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
