"""Routes of watches."""

from typing import Annotated

from fastapi import APIRouter, Query, status
from pydantic import Field

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import HostId, RowId
from plumbline.performance.charts import MOST_SERIES
from plumbline.performance.routes import SeriesKey
from plumbline.performance.schemas import Charts
from plumbline.watches import actions, queries
from plumbline.watches.schemas import HostWatches, WatchCreate, WatchOut

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("host.read")]
Watcher = Annotated[Actor, May("host.watch")]


@router.get("/hosts/{host_id}/watches")
def list_host_watches(host_id: HostId, session: SessionDep, actor: Reader) -> HostWatches:
    """The newest watches of a host, and whether one can be started."""
    return queries.read_host_watches(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/watches", status_code=status.HTTP_201_CREATED)
def start_watch(host_id: HostId, body: WatchCreate, session: SessionDep, actor: Watcher) -> WatchOut:
    """Signs in to the host and reads its counters every five seconds for so many minutes."""
    return actions.request_watch(session, actor=actor, host_id=host_id, minutes=body.minutes)


@router.post("/watches/{watch_id}/stop")
def stop_watch(watch_id: RowId, session: SessionDep, actor: Watcher) -> WatchOut:
    """Stops a watch; one that is over stays as it is."""
    return actions.stop_watch(session, actor=actor, watch_id=watch_id)


@router.get("/watches/{watch_id}/charts")
def read_watch_charts(
    watch_id: RowId,
    session: SessionDep,
    actor: Reader,
    series: Annotated[list[SeriesKey], Query(), Field(max_length=MOST_SERIES)] = [],  # noqa: B006 - read only
) -> Charts:
    """At most eight series of a watch on steps of five seconds, with marks and reference figures."""
    return queries.read_watch_charts(session, actor=actor, watch_id=watch_id, wanted=series)
