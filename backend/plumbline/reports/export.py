"""A table leaves Plumbline as CSV: only what the reader may export, and never without an entry in the audit trail."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import ACTIONS, require
from plumbline.auth.scope import visible_host
from plumbline.models.hosts import HostGroup
from plumbline.reports.cells import csv_bytes
from plumbline.reports.tables import Table

RIGHT = "table.export"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file to hand out."""

    name: str
    content: bytes


def exporting(actor: Actor) -> Actor:
    """The same person with the grants alone that let them export: lists then hold what they may take along, not all they may read."""
    return replace(actor, grants=tuple(grant for grant in actor.grants if grant.role in ACTIONS[RIGHT].roles))


def export(
    session: Session,
    *,
    actor: Actor,
    what: str,
    asked: Iterable[tuple[str, str]],
    read: Callable[[Actor], Table],
    group_id: int | None = None,
    host_id: str | None = None,
) -> Exported:
    """Reads a table as this person may export it and writes the act down: who, what, under which filters, how many rows, which digest.

    `asked` are the filters as they were sent. Raises `NotFound` and `NotAllowed` for a group or host outside of what may be exported.
    """
    name, about = what, None
    if group_id is not None:
        group = session.get(HostGroup, group_id)
        require(actor, RIGHT, group.path if group else "", missing="no such group")
    if host_id is not None:
        about, group = visible_host(session, actor=actor, host_id=host_id)
        require(actor, RIGHT, group.path, missing="no such host")
        name, group_id = f"{what}-{_plain(about.name)}", about.group_id
    found = read(exporting(actor))
    content = csv_bytes([found.columns, *found.rows])
    audit.record(
        session,
        actor=actor.audit_name,
        action="table.exported",
        object_kind="host" if about else "table",
        object_id=about.id if about else what,
        group_id=group_id,
        after={
            "table": what,
            "rows": len(found.rows),
            "filters": [list(pair) for pair in asked],
            "sha256": hashlib.sha256(content).hexdigest(),
        },
    )
    return Exported(f"plumbline-{name}.csv", content)


def _plain(name: str) -> str:
    """A name as a part of a file's name on any system."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[:80]
