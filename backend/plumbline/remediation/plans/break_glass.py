"""Glass that is being broken, or was and nobody looked at it since: shown on every page until that is done."""

from datetime import datetime
from typing import Literal

from sqlalchemy import text
from sqlmodel import Session, select

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.infra.schemas import Shape
from plumbline.models.hosts import HostGroup

MOST = 50
_OPEN = """
SELECT p.id AS plan_id, p.title, g.path, 'broken' AS state, a.signed_at AS at, a.review_by, b.first, a.approver AS second, b.reason,
  a.review_by < clock_timestamp() AS is_overdue, ARRAY[a.approver_id, a.second_id, a.author_id] AS took_part
FROM approval a JOIN plan p ON p.id = a.plan_id JOIN host_group g ON g.id = p.group_id LEFT JOIN break_glass b ON b.plan_id = p.id
WHERE a.kind = 'break_glass' AND a.reviewed_at IS NULL AND p.group_id = ANY(:groups)
UNION ALL
SELECT p.id, p.title, g.path, 'asked', b.asked_at, NULL, b.first, '', b.reason, false, ARRAY[b.first_id, p.author_id]
FROM break_glass b JOIN plan p ON p.id = b.plan_id AND p.digest = b.digest JOIN host_group g ON g.id = p.group_id
WHERE p.state IN ('PLANNED', 'AWAITING_APPROVAL') AND p.group_id = ANY(:groups)
  AND NOT EXISTS (SELECT 1 FROM approval a WHERE a.plan_id = p.id)
ORDER BY state DESC, at LIMIT :most
"""


class BrokenGlass(Shape):
    """A plan that two admins run, or are about to run, without an approver.

    `asked`: the first admin asked, nothing runs yet. `broken`: it was signed, and somebody who had no part in it has to review it.
    """

    plan_id: int
    title: str
    state: Literal["asked", "broken"]
    at: datetime
    review_by: datetime | None
    is_overdue: bool
    first: str
    second: str
    reason: str
    # What the person who reads this may do about it now: review it, or join as the second admin.
    may: Literal["review", "join", ""]


def list_open(session: Session, *, actor: Actor) -> list[BrokenGlass]:
    """What is open in the actor's scope, broken glass first, oldest first. Two queries."""
    groups = session.exec(select(HostGroup.id).where(in_scope(actor))).all()
    rows = session.execute(text(_OPEN), {"groups": groups, "most": MOST})
    return [
        BrokenGlass(
            plan_id=row.plan_id,
            title=row.title,
            state=row.state,
            at=row.at,
            review_by=row.review_by,
            is_overdue=row.is_overdue,
            first=(row.first or "").partition(" ")[2],
            second=row.second.partition(" ")[2],
            reason=row.reason or "",
            may=_may(actor, row.state, row.path, row.took_part),
        )
        for row in rows
    ]


def _may(actor: Actor, state: str, path: str, took_part: list[int | None]) -> Literal["review", "join", ""]:
    if actor.person_id in took_part:
        return ""
    if state == "broken":
        return "review" if allow(actor, "plan.review", path) else ""
    return "join" if allow(actor, "plan.break_glass", path) else ""
