"""Parts of pages over groups with many hosts, prepared ahead of time (decision 0046): what changed, what got worse, which hosts are late.

They are put together from every change in a group, or from every host that may be late. Of a group with many hosts that takes far longer
than all else on the page, so a worker does it and readers take what it stored. What a person does about changes and where hosts are is seen
at once: a transaction that changed any of this and that a part has not seen (`prepared_part_change`) puts the part out of use.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from time import monotonic
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError
from sqlmodel import Session

from plumbline.infra.database import session_scope, sql

# "silent" are the overview's hosts without check-ins, "late" the same hosts as the list's filters count them.
Kind = Literal["changes", "worse", "silent", "late"]
Part = TypeVar("Part", bound=BaseModel)
# Makes the part of a group, as of a time.
Maker = Callable[[Session, int, datetime], BaseModel]

# Groups with more hosts than this, with those below them, have prepared parts.
MANY_HOSTS = 5_000
# When the next part is due: with the task's next run (every 20 s), and so that making a part takes no more than a tenth of the time.
DUE_AFTER_SECONDS = 15
_TIMES_AS_LONG = 10
# A part is used this much longer than until its next making is due, since another one may be made first.
_USED_LONGER_SECONDS = 60
_LARGE = """
SELECT c.group_id FROM host_count c JOIN host_group g ON g.id = c.group_id
WHERE c.kind = 'all' AND c.value = '' AND c.subtree_hosts > :more_than ORDER BY g.path
"""
_READ = sql("""
SELECT p.kind, p.document FROM prepared_part p
WHERE p.group_id = :group AND p.kind = ANY(:kinds) AND p.used_until > now() AND NOT EXISTS (
  SELECT FROM prepared_part_change c WHERE NOT pg_visible_in_snapshot(CAST(c.xid AS xid8), CAST(p.snapshot AS pg_snapshot)))
""")
_DUE_IN = "SELECT extract(epoch FROM used_until - now()) - :longer FROM prepared_part WHERE group_id = :group AND kind = :kind"
_BEGIN = "SELECT now() AS at, CAST(pg_current_snapshot() AS text) AS snapshot"
_STORE = """
INSERT INTO prepared_part (group_id, kind, used_until, snapshot, document)
VALUES (:group, :kind, :at + make_interval(secs => :seconds), :snapshot, :document)
ON CONFLICT (group_id, kind) DO UPDATE SET used_until = excluded.used_until, snapshot = excluded.snapshot, document = excluded.document
"""
# No part is used for so long.
_FORGET_PARTS = "DELETE FROM prepared_part WHERE used_until < now() - interval '1 hour'"
_FORGET_CHANGES = "DELETE FROM prepared_part_change WHERE at < now() - interval '2 hours'"


class Parts(dict[Kind, str]):
    """The parts of a group that are in use, as they were stored."""

    def part(self, kind: Kind, schema: type[Part]) -> Part | None:
        """One of them; None if it is not in use, or if a worker of another version made it, as while nodes are upgraded one by one."""
        if kind not in self:
            return None
        try:
            return schema.model_validate_json(self[kind])
        except ValidationError:
            return None


def read_parts(session: Session, group_id: int, kinds: Sequence[Kind]) -> Parts:
    """The parts of this group that are in use, of these kinds. One query."""
    return Parts({kind: document for kind, document in session.execute(_READ, {"group": group_id, "kinds": list(kinds)})})  # noqa: C416 (rows)


def prepare_parts(makers: Sequence[tuple[Kind, Maker]], *, more_than: int = MANY_HOSTS) -> int:
    """Makes what is due of the groups with more hosts than that, each part in a transaction; returns how many. Safe to run twice at once.

    What is not finished for minutes, since there are many such groups, is read from the
    changes by the pages themselves meanwhile.
    """
    with session_scope() as session:
        session.execute(sql(_FORGET_PARTS))
        session.execute(sql(_FORGET_CHANGES))
        groups = list(session.execute(sql(_LARGE), {"more_than": more_than}).scalars())
    made = 0
    for group_id in groups:
        for kind, make in makers:
            with session_scope() as session:
                made += _prepare(session, group_id, kind, make)
    return made


def _prepare(session: Session, group_id: int, kind: Kind, make: Maker) -> bool:
    place = {"group": group_id, "kind": kind}
    due_in = session.execute(sql(_DUE_IN), {**place, "longer": _USED_LONGER_SECONDS}).scalar_one_or_none()
    if due_in is not None and due_in > 0:
        return False
    # Before anything is read: what commits from here on counts as not seen.
    began = session.execute(sql(_BEGIN)).one()
    started = monotonic()
    document = make(session, group_id, began.at).model_dump_json()
    seconds = max(DUE_AFTER_SECONDS, _TIMES_AS_LONG * (monotonic() - started)) + _USED_LONGER_SECONDS
    session.execute(sql(_STORE), {**place, "at": began.at, "seconds": seconds, "snapshot": began.snapshot, "document": document})
    return True
