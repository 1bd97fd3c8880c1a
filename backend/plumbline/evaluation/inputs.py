"""Stored configurations as judging reads them again: of each only the settings that some rule in force asks for."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg
import structlog
import zstandard

from plumbline.core.facts.attestations import PREFIX
from plumbline.core.facts.configuration import Configuration
from plumbline.core.facts.document import Document, decode
from plumbline.core.facts.partial import reader_of
from plumbline.core.rules.rule import Pack
from plumbline.packs.in_force import ActiveRules

T = TypeVar("T")

log = structlog.get_logger()

_DOCUMENTS = "SELECT host_id, document, dictionary_id FROM host_configuration WHERE id = ANY(%s)"
_DICTIONARIES = "SELECT id, content FROM compression_dictionary WHERE id = ANY(%s)"
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
    # In the database's own form: as text every byte would travel as two digits.
    cursor = connection.cursor(binary=True)
    rows = cursor.execute(_DOCUMENTS, (list(ids),)).fetchall()
    unpackers = _unpackers(cursor, {dictionary_id for _, _, dictionary_id in rows})
    found: dict[str, T] = {}
    for host_id, packed, dictionary_id in rows:
        try:
            found[host_id] = decoded(unpackers[dictionary_id].decompress(packed, max_output_size=_MAX_BYTES))
        except Exception as error:  # one damaged document must not stop the others
            log.error("stored configuration cannot be read", host=host_id, error=str(error)[:300])
    return found


def _unpackers(cursor: "psycopg.Cursor[Any]", named: set[int | None]) -> dict[int | None, zstandard.ZstdDecompressor]:
    """One for each dictionary, which is as large as some dozens of documents: fetched and taken in once, never with each of them."""
    found: dict[int | None, zstandard.ZstdDecompressor] = {None: zstandard.ZstdDecompressor()}
    if wanted := sorted(each for each in named if each is not None):
        for dictionary_id, content in cursor.execute(_DICTIONARIES, (wanted,)):
            found[dictionary_id] = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(content))
    return found
