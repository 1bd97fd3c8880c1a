"""Reading the audit trail: entries about groups in the actor's scope; entries about no group only for actors who may read all groups."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlalchemy import Select, func, or_, select
from sqlmodel import Session

from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.audit_schemas import AuditPage, AuditRow
from plumbline.auth.audit_words import act_words, object_name, object_words, person_name, who_words
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.rights import ACTIONS
from plumbline.auth.sessions import HOST_GROUP
from plumbline.infra.cursor import invalid_cursor
from plumbline.models.audit import AUDIT_ENTRY, AuditEntry

router = APIRouter()


def entries() -> Select[Any]:
    """Entries, newest first, each with the names that `row_of` takes."""
    return (
        select(AuditEntry, HOST_GROUP.c.name, person_name(), object_name())
        .outerjoin(HOST_GROUP, HOST_GROUP.c.id == AUDIT_ENTRY.group_id)
        .order_by(AUDIT_ENTRY.id.desc())
    )


def row_of(entry: AuditEntry, group: str | None, person: str, named: str) -> AuditRow:
    """An entry in codes and in words."""
    return AuditRow(
        id=entry.id,
        number=entry.number,
        at=entry.at,
        actor=entry.actor,
        who=who_words(entry.actor, person),
        action=entry.action,
        what=act_words(entry.action),
        object_kind=entry.object_kind,
        object_id=entry.object_id,
        about=object_words(entry.object_kind, entry.object_id, named),
        group_name=group or "",
        before=entry.before,
        after=entry.after,
        reason=entry.reason,
        request_id=entry.request_id,
        is_chained=entry.number is not None,
    )


def list_entries(session: Session, *, actor: Actor, action: str, by: str, about: str, after: str | None, limit: int) -> AuditPage:
    """One page, newest first. `action` matches from its beginning, `by` a part of the code or name of who did it, `about` is `kind` or
    `kind:id`. One query."""
    scopes = actor.scopes_as(ACTIONS["audit.read"].roles)
    query = entries().limit(limit + 1)
    if ROOT_PATH not in scopes:
        query = query.where(or_(*[HOST_GROUP.c.path.startswith(path, autoescape=True) for path in scopes]))
    if action:
        query = query.where(AUDIT_ENTRY.action.startswith(action, autoescape=True))
    if by:
        named = func.lower(person_name()).contains(by.lower(), autoescape=True)
        query = query.where(or_(AUDIT_ENTRY.actor.contains(by, autoescape=True), named))
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
    items = [row_of(*row) for row in rows[:limit]]
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
