"""Break-glass runs that are requested or not reviewed yet: shown on every page until they are."""

from typing import Literal

from sqlalchemy import text
from sqlmodel import Session, select

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.models.hosts import HostGroup
from plumbline.remediation.plans.schemas import BrokenGlass

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


def list_open(session: Session, *, actor: Actor) -> list[BrokenGlass]:
    """Open break-glass runs in the actor's scope, signed ones first, oldest first. Two queries."""
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
