"""Reading the audit trail: entries about groups in the actor's scope; entries about no group only for actors who may read all groups."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import or_, select
from sqlmodel import Session

from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.audit_schemas import AuditPage, AuditRow
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.rights import ACTIONS
from plumbline.auth.sessions import HOST_GROUP
from plumbline.infra.cursor import invalid_cursor
from plumbline.models.audit import AuditEntry
from plumbline.models.columns import columns_of

router = APIRouter()
# SQLModel declares columns as plain attributes; this is the table as SQL sees it.
AUDIT_ENTRY = columns_of(AuditEntry)


def list_entries(session: Session, *, actor: Actor, action: str, by: str, about: str, after: str | None, limit: int) -> AuditPage:
    """One page, newest first. `action` and `by` match from their beginning, `about` is `kind` or `kind:id`. One query."""
    scopes = actor.scopes_as(ACTIONS["audit.read"].roles)
    query = (
        select(AuditEntry, HOST_GROUP.c.name)
        .outerjoin(HOST_GROUP, HOST_GROUP.c.id == AUDIT_ENTRY.group_id)
        .order_by(AUDIT_ENTRY.id.desc())
        .limit(limit + 1)
    )
    if ROOT_PATH not in scopes:
        query = query.where(or_(*[HOST_GROUP.c.path.startswith(path, autoescape=True) for path in scopes]))
    if action:
        query = query.where(AUDIT_ENTRY.action.startswith(action, autoescape=True))
    if by:
        query = query.where(AUDIT_ENTRY.actor.contains(by, autoescape=True))
    if about:
        kind, _, object_id = about.partition(":")
        query = query.where(AUDIT_ENTRY.object_kind == kind)
        if object_id:
            query = query.where(AUDIT_ENTRY.object_id == object_id)
    if after:
        if not (after.isascii() and after.isdigit()) or len(after) > 18:
            raise invalid_cursor()
        query = query.where(AUDIT_ENTRY.id < int(after))
    rows = session.execute(query).all()
    items = [
        AuditRow(
            id=entry.id,
            number=entry.number,
            at=entry.at,
            actor=entry.actor,
            action=entry.action,
            object_kind=entry.object_kind,
            object_id=entry.object_id,
            group_name=name or "",
            before=entry.before,
            after=entry.after,
            reason=entry.reason,
            request_id=entry.request_id,
            is_chained=entry.number is not None,
        )
        for entry, name in rows[:limit]
    ]
    return AuditPage(items=items, next=str(items[-1].id) if len(rows) > limit else None)


@router.get("/audit")
def list_audit(
    session: SessionDep,
    actor: Annotated[Actor, May("audit.read")],
    after: Annotated[str | None, Query(max_length=20)] = None,
    action: Annotated[str, Query(max_length=100)] = "",
    by: Annotated[str, Query(max_length=100, alias="actor")] = "",
    about: Annotated[str, Query(max_length=200, alias="object")] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> AuditPage:
    """The audit trail, newest first."""
    return list_entries(session, actor=actor, action=action, by=by, about=about, after=after, limit=limit)
