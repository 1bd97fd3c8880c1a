"""Saved views: a page with its filters under a name, one's own or shared with everybody."""

from sqlalchemy import func, or_, select, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.fleet.schemas import View
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.findings import SAVED_VIEW, SavedView

MOST_VIEWS = 200


def list_views(session: Session, *, actor: Actor) -> list[View]:
    """One's own and the shared ones, by name."""
    rows = session.scalars(
        select(SavedView)
        .where(or_(SAVED_VIEW.person_id == actor.person_id, SAVED_VIEW.is_shared))
        .order_by(func.lower(SAVED_VIEW.name), SAVED_VIEW.id)
        .limit(MOST_VIEWS * 2)
    )
    return [_view_out(row, actor) for row in rows]


def _view_out(row: SavedView, actor: Actor) -> View:
    is_mine = row.person_id == actor.person_id
    return View(id=row.id or 0, name=row.name, url=row.url, is_shared=row.is_shared, is_mine=is_mine, is_default=row.is_default and is_mine)


def create_view(session: Session, *, actor: Actor, name: str, url: str, is_shared: bool) -> View:
    """Keeps a view."""
    if (session.scalar(select(func.count()).select_from(SavedView).where(SAVED_VIEW.person_id == actor.person_id)) or 0) >= MOST_VIEWS:
        raise Conflict(f"you have {MOST_VIEWS} saved views; delete one first")
    row = SavedView(person_id=actor.person_id, name=name, url=url, is_shared=is_shared)
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="view.saved",
        about=audit.Object("view", str(row.id)),
        after={"name": name, "url": url, "is_shared": is_shared},
    )
    return _view_out(row, actor)


def set_default(session: Session, *, actor: Actor, view_id: int, is_default: bool) -> View:
    """Makes one's own view the default of its page, or no longer. A page has one default; an earlier one is replaced."""
    row = session.get(SavedView, view_id)
    if row is None or row.person_id != actor.person_id:
        raise NotFound("View not found.")
    if is_default:
        page = row.url.partition("?")[0]
        session.execute(
            update(SavedView)
            .where(
                SAVED_VIEW.person_id == actor.person_id,
                SAVED_VIEW.id != view_id,
                func.split_part(SAVED_VIEW.url, "?", 1) == page,
                SAVED_VIEW.is_default,
            )
            .values(is_default=False)
        )
    row.is_default = is_default
    session.add(row)
    session.flush()
    return _view_out(row, actor)


def delete_view(session: Session, *, actor: Actor, view_id: int) -> None:
    """Deletes one's own view."""
    row = session.get(SavedView, view_id)
    if row is None or row.person_id != actor.person_id:
        raise NotFound("View not found.")
    session.delete(row)
    audit.record(
        session, actor=actor.audit_name, action="view.deleted", about=audit.Object("view", str(view_id)), before={"name": row.name}
    )
