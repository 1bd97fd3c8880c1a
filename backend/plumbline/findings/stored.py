"""Stored configurations as judging reads them again: of each only the settings that some rule in force asks for."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg
import structlog
import zstandard

from plumbline.facts.attestations import PREFIX
from plumbline.facts.configuration import Configuration
from plumbline.facts.document import Document, decode
from plumbline.facts.partial import reader_of
from plumbline.rulesets.active import ActiveRules
from plumbline.scoring.rule import Pack

T = TypeVar("T")

log = structlog.get_logger()

_DOCUMENTS = """
SELECT c.host_id, c.document, c.dictionary_id, d.content FROM host_configuration c
LEFT JOIN compression_dictionary d ON d.id = c.dictionary_id WHERE c.id = ANY(%s)
"""
# What judging reads besides the rules: the score's traits, and the cluster, which decides about neighbours.
_ALWAYS = frozenset(
    {"adapter.family", "adapter.role", "initiator.adapter", "initiator.mode", "volume.paths_healthy", "host.os_release", "host.cluster"}
)
_MAX_BYTES = 16 * 1024 * 1024


def read_documents(connection: "psycopg.Connection[Any]", ids: Sequence[int]) -> dict[str, Document]:
    """Stored configurations by host; one that is damaged is left out, and told in the log."""
    return _read(connection, ids, decode)


def read_configurations(connection: "psycopg.Connection[Any]", ids: Sequence[int], rules: ActiveRules) -> dict[str, Configuration]:
    """As `read_documents`, for judging under these rules. What they do not ask for is read once somebody asks for it."""
    return _read(connection, ids, reader_of(keys_asked(rules)).read)


def keys_asked(rules: ActiveRules) -> frozenset[str]:
    """The keys (`kind.key`) that any rule in force anywhere reads, and what judging reads besides."""
    packs = {pack.content_hash: pack for in_force in rules.by_group.values() for pack in in_force.packs}
    return _ALWAYS.union(*(_keys_of(pack) for pack in packs.values()))


def _keys_of(pack: Pack) -> frozenset[str]:
    found = _KEYS.get(pack.content_hash)
    if found is None:
        if len(_KEYS) >= _MOST_KEPT:
            _KEYS.clear()
        attested = frozenset(f"host.{PREFIX}{rule.address}" for rule in pack.rules if rule.kind == "attestation")
        found = _KEYS[pack.content_hash] = attested.union(*(rule.reads for rule in pack.rules))
    return found


# By content, which never changes under a hash.
_KEYS: dict[str, frozenset[str]] = {}
_MOST_KEPT = 200


def _read(connection: "psycopg.Connection[Any]", ids: Sequence[int], decoded: Callable[[bytes], T]) -> dict[str, T]:
    found: dict[str, T] = {}
    # A dictionary is taken in once, which costs as much as unpacking some dozens of documents.
    unpackers: dict[int | None, zstandard.ZstdDecompressor] = {}
    for host_id, packed, dictionary_id, dictionary in connection.execute(_DOCUMENTS, (list(ids),)):
        try:
            unpacker = unpackers.get(dictionary_id)
            if unpacker is None:
                data = zstandard.ZstdCompressionDict(dictionary) if dictionary is not None else None
                unpacker = unpackers[dictionary_id] = zstandard.ZstdDecompressor(dict_data=data)
            found[host_id] = decoded(unpacker.decompress(packed, max_output_size=_MAX_BYTES))
        except Exception as error:  # one damaged document must not stop the others
            log.error("stored configuration cannot be read", host=host_id, error=str(error)[:300])
    return found
