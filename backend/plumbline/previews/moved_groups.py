"""Groups that were moved since an instant: a past state has each host in its group of then, but the tree of groups of today."""

from datetime import datetime

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import read_groups
from plumbline.previews.schemas import MovedGroup

_MOVED = """
SELECT object_id::int AS id, max(at) AS at FROM audit_entry
WHERE object_kind = 'group' AND action = 'group.changed' AND at > :since AND jsonb_exists(after::jsonb, 'parent_id')
  AND after -> 'parent_id' IS DISTINCT FROM before -> 'parent_id'
GROUP BY object_id ORDER BY 2 DESC
"""


def moved_since(session: Session, *, actor: Actor, since: datetime) -> list[MovedGroup]:
    """The groups this person may read that hung elsewhere then, the newest move first: what came to them from above may have been other."""
    nodes = read_groups(session)
    return [
        MovedGroup(id=row.id, name=nodes[row.id].name, at=row.at)
        for row in session.execute(text(_MOVED), {"since": since})
        if row.id in nodes and can_read(actor, nodes[row.id].path)
    ]
