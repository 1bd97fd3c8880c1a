"""Routes of the drift page."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, status
from pydantic import Field

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.drift import event_detail, expected_changes, queries
from plumbline.drift.schemas import ChangeMarkCreate, ChangeMarkMade, DriftPage, EventDetail
from plumbline.infra.schemas import HostId, RowId

router = APIRouter(route_class=IdempotentRoute)

Cause = Annotated[str, Query(pattern=r"^[a-z_]{1,40}$")]
# Events that may be selected at once.
MOST_SELECTED = 100
ChangeId = Annotated[int, Path(ge=1, lt=2**63)]
EventId = Annotated[int, Field(ge=1, lt=2**63)]
Reader = Annotated[Actor, May("host.read")]
Marker = Annotated[Actor, May("change.mark")]


@router.get("/drift")
def read_drift(
    session: SessionDep,
    actor: Reader,
    group: RowId | None = None,
    hours: Annotated[int, Query(ge=1, le=24 * 366)] = queries.DEFAULT_HOURS,
    cause: Annotated[list[Cause], Query(max_length=20)] = [],  # noqa: B006 - read only
    host: Annotated[list[HostId], Query(max_length=100)] = [],  # noqa: B006 - read only
    unread: bool = False,
) -> DriftPage:
    """What changed, one row for each happening, and the four references. `unread` also shows settings that only could or could not be
    read.
    """
    return queries.read_drift(session, actor=actor, group_id=group, hours=hours, causes=cause, host_ids=host, with_unread=unread)


@router.get("/drift/events/{event_id}")
def read_drift_event(
    event_id: ChangeId, session: SessionDep, actor: Reader, group: RowId | None = None, unread: bool = False
) -> EventDetail:
    """One event with every change, what its hosts have now, and what may be done about it."""
    return event_detail.read_event(session, actor=actor, event_id=event_id, group_id=group, with_unread=unread)


@router.get("/drift/events")
def list_drift_event_details(
    event: Annotated[list[EventId], Query(min_length=1, max_length=MOST_SELECTED)],
    session: SessionDep,
    actor: Reader,
    group: RowId | None = None,
    unread: bool = False,
) -> list[EventDetail]:
    """Several events, each as by itself, the newest first; those that no longer exist are left out."""
    return event_detail.read_event_details(session, actor=actor, event_ids=event, group_id=group, with_unread=unread)


@router.post("/drift/marks", status_code=status.HTTP_201_CREATED)
def mark_changes(body: ChangeMarkCreate, session: SessionDep, actor: Marker) -> ChangeMarkMade:
    """Marks changes as expected: they are shown apart from the others, with the reason."""
    made, changes = expected_changes.mark_expected(session, actor=actor, request=body)
    return ChangeMarkMade(id=made.id or 0, changes=changes)


@router.post("/drift/marks/{mark_id}/end", status_code=status.HTTP_204_NO_CONTENT)
def unmark_changes(mark_id: RowId, session: SessionDep, actor: Marker) -> None:
    """Ends a mark: its changes count as unexpected again."""
    expected_changes.end_mark(session, actor=actor, mark_id=mark_id)
