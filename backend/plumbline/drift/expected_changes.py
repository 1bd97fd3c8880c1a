"""Marking changes as expected, and ending such a mark. The log of changes itself stays as it is."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.drift.schemas import ChangeMarkCreate
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.baselines import ChangeMark

_CHANGES = """
SELECT c.id, c.host_id, g.id AS group_id, g.path
FROM setting_change c JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id WHERE c.id = ANY(:ids)
"""
_MARK = """
INSERT INTO marked_change (change_id, mark_id, host_id) SELECT unnest(CAST(:ids AS bigint[])), :mark, unnest(CAST(:hosts AS text[]))
ON CONFLICT (change_id) DO UPDATE SET mark_id = excluded.mark_id
"""
_HOSTS = """
SELECT DISTINCT g.path FROM marked_change e JOIN host h ON h.id = e.host_id JOIN host_group g ON g.id = h.group_id WHERE e.mark_id = :mark
"""


class ChangeNotFound(NotFound):
    """One of the changes does not exist for this person."""

    code = "change_not_found"


class MarkNotFound(NotFound):
    """No such mark for this person."""

    code = "mark_not_found"


def mark_expected(session: Session, *, actor: Actor, request: ChangeMarkCreate) -> tuple[ChangeMark, int]:
    """Marks changes as expected; returns the mark and how many it covers. Raises `NotFound`, `NotAllowed`."""
    ids = sorted(set(request.change_ids))
    rows = session.execute(text(_CHANGES), {"ids": ids}).all()
    _require(actor, [row.path for row in rows])
    if len(rows) < len(ids):
        missing = set(ids) - {row.id for row in rows}
        raise ChangeNotFound(f"Change: {min(missing)} not found.")
    mark = ChangeMark(reason=request.reason.strip(), ticket=request.ticket.strip(), marked_by=actor.person_id)
    session.add(mark)
    session.flush()
    values = {"ids": [row.id for row in rows], "hosts": [row.host_id for row in rows], "mark": mark.id}
    session.execute(text(_MARK), values)
    audit.record(
        session,
        actor=actor.audit_name,
        action="changes.marked",
        about=audit.Object("change_mark", str(mark.id), min(row.group_id for row in rows)),
        after={"changes": len(rows), "hosts": len({row.host_id for row in rows}), "ticket": mark.ticket},
        reason=mark.reason,
    )
    return mark, len(rows)


def end_mark(session: Session, *, actor: Actor, mark_id: int) -> None:
    """Ends a mark: its changes count as unexpected again. Raises `NotFound`, `NotAllowed`, `Conflict` where it has ended already."""
    mark = session.get(ChangeMark, mark_id, with_for_update=True)
    _require(actor, session.execute(text(_HOSTS), {"mark": mark_id}).scalars().all() if mark is not None else [""])
    if mark is None:
        raise MarkNotFound("Mark not found.")
    if mark.ended_at is not None:
        raise Conflict("this mark was ended already")
    mark.ended_at, mark.ended_by = now_of(session), actor.person_id
    session.add(mark)
    audit.record(
        session, actor=actor.audit_name, action="changes.unmarked", about=audit.Object("change_mark", str(mark.id)), reason=mark.reason
    )


def _require(actor: Actor, paths: Sequence[str]) -> None:
    for path in sorted(set(paths)) or [""]:
        require(actor, "change.mark", path, missing="Change not found.")
