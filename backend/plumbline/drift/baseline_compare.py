"""Comparing hosts with their baselines. The work is found in the rows, so a crash loses none, and comparing twice writes the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import select, text, update
from sqlmodel import Session

from plumbline.configurations.compression import unpacker_of
from plumbline.configurations.read import unpack
from plumbline.core.drift.compare import Comparison, compare, with_settings
from plumbline.core.facts.document import Document
from plumbline.models.baselines import HOST_BASELINE, HostBaseline
from plumbline.models.columns import is_one_of
from plumbline.models.configurations import HOST_CONFIGURATION, HostConfiguration

log = structlog.get_logger()


# Two documents are read for each host; a chunk is one transaction.
CHUNK = 100
_LAGGING = """
SELECT b.host_id, b.configuration_id AS accepted, b.settings, h.configuration_id AS newest
FROM host_baseline b JOIN host h ON h.id = b.host_id
WHERE h.configuration_id IS NOT NULL AND b.compared_configuration_id IS DISTINCT FROM h.configuration_id
ORDER BY b.host_id LIMIT :most FOR NO KEY UPDATE OF b SKIP LOCKED
"""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One stored configuration, and when it was read from its host."""

    document: Document
    read_at: datetime


def read_stored(session: Session, configuration_ids: Iterable[int]) -> dict[int, StoredDocument]:
    """Stored configurations by id; one that is damaged is left out and logged. One query."""
    rows = session.scalars(select(HostConfiguration).where(is_one_of(HOST_CONFIGURATION.id, sorted(set(configuration_ids))))).all()
    unpacker = unpacker_of(session, {row.dictionary_id for row in rows})
    found: dict[int, StoredDocument] = {}
    for row in rows:
        try:
            found[row.id or 0] = StoredDocument(unpack(row, unpacker), row.received_at)
        except Exception as error:  # whatever is wrong with one stored document, the others are compared
            log.error("stored configuration cannot be read", host=row.host_id, configuration=row.id, error=str(error)[:300])
    return found


def compare_lagging(session: Session) -> int:
    """Compares hosts whose newest configuration is not compared yet, at most one chunk. Returns how many."""
    rows = session.execute(text(_LAGGING), {"most": CHUNK}).all()
    if not rows:
        return 0
    stored = read_stored(session, [each for row in rows for each in (row.accepted, row.newest)])
    for row in rows:
        accepted, newest = stored.get(row.accepted), stored.get(row.newest)
        if accepted is None or newest is None:
            _write(session, row.host_id, row.newest, None, None)
        else:
            found = compare(with_settings(accepted.document.configuration, row.settings), newest.document.configuration)
            _write(session, row.host_id, row.newest, found, newest.read_at)
    return len(rows)


def _write(session: Session, host_id: str, compared_configuration_id: int, found: Comparison | None, read_at: datetime | None) -> None:
    values: dict[str, Any] = {"compared_configuration_id": compared_configuration_id, "differs": None, "unread": 0}
    if found is not None:
        values |= {"differs": len(found.differences), "unread": len(found.unread)}
        # How long a host has differed counts from the configuration that began it, whatever was changed since.
        values["differs_since"] = text("coalesce(differs_since, :since)").bindparams(since=read_at) if found.differences else None
    session.execute(update(HostBaseline).where(HOST_BASELINE.host_id == host_id).values(**values))
