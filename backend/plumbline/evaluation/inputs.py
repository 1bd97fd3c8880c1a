"""What evaluating hosts needs besides their sections: stored findings, waivers, attestations, and stored configurations.

Of configurations, only the settings are read that some rule in force reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
import structlog

from plumbline.configurations.compression import Unpacker
from plumbline.core.facts.attestations import PREFIX
from plumbline.core.facts.configuration import Configuration
from plumbline.core.facts.document import Document, decode
from plumbline.core.facts.partial import reader_of
from plumbline.core.rules.rule import Pack
from plumbline.evaluation.attestations_in_force import READ_ATTESTATIONS, Given, attestations_by_host
from plumbline.evaluation.findings import Identity, StoredFinding, stored_findings
from plumbline.evaluation.statements import READ_FINDINGS
from plumbline.evaluation.waivers_in_force import READ_WAIVERS, ActiveWaiver, waivers_by_host
from plumbline.packs.in_force import ActiveRules

T = TypeVar("T")

log = structlog.get_logger()

READ_DOCUMENTS = "SELECT host_id, document, dictionary_id FROM host_configuration WHERE id = ANY(%s)"
# What evaluating reads besides the rules: the score's traits, and the cluster, which decides about peers.
_ALWAYS = frozenset(
    {"adapter.family", "adapter.role", "initiator.adapter", "initiator.mode", "volume.paths_healthy", "host.os_release", "host.cluster"}
)


@dataclass(slots=True)
class StoredInputs:
    """The stored findings of some hosts, and the waivers and attestations that meet them."""

    findings: Mapping[str, Mapping[Identity, StoredFinding]]
    waivers: Mapping[str, Sequence[ActiveWaiver]]
    attestations: Mapping[str, Sequence[Given]]


def send_input_queries(connection: "psycopg.Connection[Any]", host_ids: Sequence[str]) -> list["psycopg.Cursor[Any]"]:
    """Sends the queries of `StoredInputs`, as a part of the caller's pipeline."""
    ids = (list(host_ids),)
    # Findings in the database's own form: there are more than a hundred a host.
    return [
        connection.cursor(binary=True).execute(READ_FINDINGS, ids), connection.execute(READ_WAIVERS, ids),
        connection.execute(READ_ATTESTATIONS, ids),
    ]  # fmt: skip


def read_input_results(cursors: Sequence["psycopg.Cursor[Any]"]) -> StoredInputs:
    """Reads the results of `send_input_queries`."""
    findings, waivers, attestations = cursors
    return StoredInputs(stored_findings(findings.fetchall()), waivers_by_host(waivers), attestations_by_host(attestations))


def read_documents(connection: "psycopg.Connection[Any]", ids: Sequence[int]) -> dict[str, Document]:
    """Stored configurations by host; one that is damaged is left out, and noted in the log."""
    return _read(connection, ids, decode)


def read_configurations(connection: "psycopg.Connection[Any]", ids: Sequence[int], rules: ActiveRules) -> dict[str, Configuration]:
    """As `read_documents`, with only the settings that these rules read. Others are read when they are first accessed."""
    return _read(connection, ids, reader_of(keys_read(rules)).read)


def keys_read(rules: ActiveRules) -> frozenset[str]:
    """The keys (`kind.key`) that any rule in force anywhere reads, and what evaluating reads besides."""
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
    rows = cursor.execute(READ_DOCUMENTS, (list(ids),)).fetchall()
    unpacker = Unpacker()
    unpacker.learn(connection, {dictionary_id for _, _, dictionary_id in rows})
    found: dict[str, T] = {}
    for host_id, packed, dictionary_id in rows:
        try:
            found[host_id] = decoded(unpacker.unpack(packed, dictionary_id))
        except Exception as error:  # one damaged document must not stop the others
            log.error("stored configuration cannot be read", host=host_id, error=str(error)[:300])
    return found
