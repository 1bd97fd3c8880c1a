"""The hosts of a saved view: its filters, as reports and evidence bundles keep them."""

from typing import Any
from urllib.parse import parse_qs

from pydantic import ValidationError
from sqlalchemy import or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.hosts.filters import HostFilters
from plumbline.infra.errors import BadInput, NotFound
from plumbline.models.findings import SAVED_VIEW, SavedView

# What the hosts page has in its address besides filters.
_NOT_FILTERS = frozenset({"sort", "columns", "after", "limit", "peek", "density"})


def view_for(session: Session, *, actor: Actor, view_id: int | None) -> tuple[dict[str, Any] | None, str]:
    """The filters and the name of a saved view of the hosts page, one's own or shared; (None, "") without one.

    Raises `NotFound`; `BadInput` for a view of another page, or one whose filters this version does not know.
    """
    if view_id is None:
        return None, ""
    mine = or_(SAVED_VIEW.person_id == actor.person_id, SAVED_VIEW.is_shared)
    view = session.scalars(select(SavedView).where(SAVED_VIEW.id == view_id, mine)).first()
    if view is None:
        raise NotFound("Saved view not found.")
    return filters_of(view.url), view.name


def filters_of(url: str) -> dict[str, Any]:
    """The filters in the address of the hosts page. Raises `BadInput`."""
    page, _, query = url.partition("?")
    if page.rstrip("/") != "/hosts":
        raise BadInput("view_id: choose a saved view of the hosts page. This one is of another page.")
    wanted: dict[str, Any] = {}
    for name, values in parse_qs(query).items():
        field = HostFilters.model_fields.get(name)
        if field is None:
            if name not in _NOT_FILTERS:
                raise BadInput(f"view_id: this saved view filters by “{name}”, which does not choose hosts. Save it again without that.")
            continue
        is_list = str(field.annotation).startswith(("list", "typing.List"))
        wanted[name] = [part for value in values for part in value.split(",")] if is_list else values[-1]
    try:
        filters = HostFilters.model_validate(wanted)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"view_id: a filter of this saved view is not known any more ({first['loc'][0]}). Save it again.") from error
    return filters.model_dump(mode="json", exclude_defaults=True)
