"""Exports a table as CSV: only what the person may export, and always with an entry in the audit trail."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import ACTIONS, require
from plumbline.auth.scope import host_in_scope
from plumbline.models.hosts import HostGroup
from plumbline.reports.cells import csv_bytes
from plumbline.reports.tables import Table

RIGHT = "table.export"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file to download."""

    name: str
    content: bytes


def export_scope(actor: Actor) -> Actor:
    """The same person with only the grants that allow exports, so that lists hold what they may export, not all that they may read."""
    return replace(actor, grants=tuple(grant for grant in actor.grants if grant.role in ACTIONS[RIGHT].roles))


def export(
    session: Session,
    *,
    actor: Actor,
    what: str,
    filters: Iterable[tuple[str, str]],
    read: Callable[[Actor], Table],
    group_id: int | None = None,
    host_id: str | None = None,
) -> Exported:
    """Reads a table as this person may export it, and audits it: who, what, with which filters, how many rows, which digest.

    `filters` are those of the request. Raises `NotFound` and `NotAllowed` for a group or host that this person may not export.
    """
    name, host = what, None
    if group_id is not None:
        group = session.get(HostGroup, group_id)
        require(actor, RIGHT, group.path if group else "", missing="Group not found.")
    if host_id is not None:
        host, group = host_in_scope(session, actor=actor, host_id=host_id)
        require(actor, RIGHT, group.path, missing="Host not found.")
        name, group_id = f"{what}-{_file_name(host.name)}", host.group_id
    table_read = read(export_scope(actor))
    content = csv_bytes([table_read.columns, *table_read.rows])
    audit.record(
        session,
        actor=actor.audit_name,
        action="table.exported",
        about=audit.Object("host" if host else "table", host.id if host else what, group_id),
        after={
            "table": what,
            "rows": len(table_read.rows),
            "filters": [list(pair) for pair in filters],
            "sha256": hashlib.sha256(content).hexdigest(),
        },
    )
    return Exported(f"plumbline-{name}.csv", content)


def _file_name(name: str) -> str:
    """A name as part of a file name on any system."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[:80]
