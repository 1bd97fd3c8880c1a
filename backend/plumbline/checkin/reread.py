"""Reading stored bodies again: after a fault of ours was mended (`plumbline rejudge`), or after a person set an adapter's role.

The newest bodies of a host are read as if they had just come in: a configuration that differs is stored with its changes, and the host is
judged. Same locks as everywhere.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

import psycopg
import zstandard
from sqlmodel import Session, text

from plumbline.checkin import statements as sql
from plumbline.checkin.interpret import Understood, new_configuration
from plumbline.checkin.pending import NewConfiguration
from plumbline.core.drift.changes import diff
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import Platform, SectionReading, SectionStatus
from plumbline.core.facts.document import Document, decode
from plumbline.evaluation.reevaluate import raw_connection, rejudge_hosts
from plumbline.hosts import reread as asked

CHUNK = 50

_LOCK = """
WITH held AS MATERIALIZED (
  SELECT id, platform, overrides, agent_version, epoch, last_seq, configuration_id FROM host
  WHERE id = ANY(%s) AND state <> 'retired' ORDER BY id FOR NO KEY UPDATE
)
SELECT held.*, clock_timestamp() FROM held
"""
_SECTIONS = """
SELECT s.section, s.status, s.error, s.sha256, b.content, d.content FROM host_section s
LEFT JOIN section_body b ON b.id = s.body_id LEFT JOIN compression_dictionary d ON d.id = b.dictionary_id WHERE s.host_id = %s
"""
_DOCUMENT = """
SELECT c.document, d.content FROM host_configuration c LEFT JOIN compression_dictionary d ON d.id = c.dictionary_id WHERE c.id = %s
"""
_ASKED = "SELECT id FROM host WHERE overrides ? :address AND state <> 'retired' ORDER BY random() LIMIT :most"
_DONE = "UPDATE host SET overrides = overrides - %s WHERE id = ANY(%s) AND overrides ? %s"
_MOST_ASKED = 200
_RAISE = "UPDATE host SET state_version = state_version + 1 WHERE id = %s"


def reread_hosts(session: Session, host_ids: Sequence[str], *, cause: str = "unknown", detail: str = "read again") -> int:
    """Reads these hosts' newest bodies again and judges them, in the caller's transaction; answers how many configurations changed."""
    changed = 0
    ordered = sorted(set(host_ids))
    for start in range(0, len(ordered), CHUNK):
        ids = ordered[start : start + CHUNK]
        connection = raw_connection(session)
        for row in connection.execute(_LOCK, (ids,)).fetchall():
            changed += _reread(connection, row, cause, detail)
        connection.execute(_DONE, (asked.ADDRESS, ids, asked.ADDRESS))
        rejudge_hosts(session, ids, in_full=True)
    return changed


def hosts_asked(session: Session) -> list[str]:
    """Hosts that somebody asked to have read again, and whose bell nobody heard: some of them, where there are many."""
    return list(session.execute(text(_ASKED), {"address": asked.ADDRESS, "most": _MOST_ASKED}).scalars())


def _reread(connection: "psycopg.Connection[Any]", row: tuple[Any, ...], cause: str, detail: str) -> bool:
    host_id, platform, overrides, agent_version, epoch, seq, configuration_id, now = row
    readings: dict[str, SectionReading] = {}
    digests: dict[str, str] = {}
    for section, status, error, sha256, packed, dictionary in connection.execute(_SECTIONS, (host_id,)).fetchall():
        body = _unpack(packed, dictionary) if packed is not None else b""
        readings[section] = SectionReading(cast(SectionStatus, status), body, error)
        if sha256 is not None:
            digests[section] = bytes(sha256).hex()
    if not readings:
        return False
    before = _document(connection, configuration_id)
    known = before.configuration.all_subjects() if before is not None else ()
    assembled = assemble(cast(Platform, platform), readings, overrides, known_subjects=known, agent_version=agent_version)
    document = Document(assembled.configuration, assembled.path_map, assembled.problems)
    changes = diff(before.configuration if before is not None else None, document.configuration)
    understood = Understood(assembled, document, before, changes)
    if not understood.is_changed:
        return False
    _store(connection, host_id, epoch, seq, now, new_configuration(understood, is_rebooted=False), digests, (cause, detail))
    connection.execute(_RAISE, (host_id,))
    return True


def _store(
    connection: "psycopg.Connection[Any]",
    host_id: str,
    epoch: int,
    seq: int,
    now: Any,
    new: NewConfiguration,
    digests: dict[str, str],
    why: tuple[str, str],
) -> None:
    packed = zstandard.ZstdCompressor(level=3).compress(new.document)
    row = (host_id, epoch, seq, now, packed, None, json.dumps(digests, sort_keys=True))
    stored = connection.execute(sql.INSERT_CONFIGURATIONS, [[value] for value in row]).fetchone()
    assert stored is not None
    shown = new.shown
    columns = (
        host_id, stored[1], shown.os_name, shown.os_release, shown.cluster, ",".join(shown.families), ",".join(shown.initiator_modes),
        shown.paths_healthy, shown.paths_total, shown.is_restart_pending,
    )  # fmt: skip
    connection.execute(sql.SET_CONFIGURATION, [[value] for value in columns])
    rows = [
        (now, host_id, seq, change.subject_kind, change.subject_id, change.key, change.old, change.new, *why, change.alike)
        for change in new.changes
    ]
    if rows:
        connection.execute(sql.INSERT_CHANGES, [list(column) for column in zip(*rows, strict=True)])


def _document(connection: "psycopg.Connection[Any]", configuration_id: int | None) -> Document | None:
    if configuration_id is None:
        return None
    row = connection.execute(_DOCUMENT, (configuration_id,)).fetchone()
    try:
        return None if row is None else decode(_unpack(row[0], row[1]))
    except Exception:  # a form that is no longer read: then the new one is a first
        return None


def _unpack(packed: bytes, dictionary: bytes | None) -> bytes:
    data = zstandard.ZstdCompressionDict(dictionary) if dictionary is not None else None
    return zstandard.ZstdDecompressor(dict_data=data).decompress(packed, max_output_size=16 * 1024 * 1024)
