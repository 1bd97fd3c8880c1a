"""Routes of counters and charts."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.infra.schemas import HostId, Moment, RowId
from plumbline.performance import charts, fleet_charts, queries
from plumbline.performance.schemas import Charts, FleetCharts, HostCounters

router = APIRouter()

SeriesKey = Annotated[str, Field(pattern=r"^[0-9a-f]{32}~[^~]{1,330}$")]


class ChartFilters(BaseModel):
    """Which series over which time. `from` and `to` stand above `hours`."""

    host: list[HostId] = Field(default=[], max_length=charts.MOST_HOSTS)
    series: list[SeriesKey] = Field(default=[], max_length=charts.MOST_SERIES)
    hours: int = Field(default=48, ge=1, le=24 * charts.LONGEST_DAYS)
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
    compare: str = Field(default="", pattern=r"^(|week|peers|job:\d{1,9})$")

    def request(self) -> charts.ChartRequest:
        """The same without HTTP."""
        since: datetime | None = self.from_
        return charts.ChartRequest(self.host, self.series, self.hours, since, self.to, self.compare)


@router.get("/hosts/{host_id}/counters")
def read_host_counters(
    host_id: HostId,
    session: SessionDep,
    actor: Annotated[Actor, May("host.read")],
    hours: Annotated[int, Query(ge=1, le=24 * 366)] = 48,
    series: Annotated[str, Query(max_length=4000)] = "",
) -> HostCounters:
    """Counters over a range; `series` is a comma-separated list of ids, a sensible pick where it is empty."""
    return queries.read_counters(session, actor=actor, host_id=host_id, hours=hours, wanted=[each for each in series.split(",") if each])


@router.get("/performance/charts")
def read_charts(filters: Annotated[ChartFilters, Query()], session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> Charts:
    """At most eight series of one or more hosts on common steps, with marks, reference figures and a comparison."""
    return charts.read_charts(session, actor=actor, request=filters.request())


@router.get("/performance/fleet")
def read_fleet_charts(
    session: SessionDep,
    actor: Annotated[Actor, May("host.read")],
    by: Literal["cluster", "group", "host"] = "cluster",
    group: RowId | None = None,
    cluster: Annotated[str | None, Query(max_length=200)] = None,
    hours: Annotated[int, Query(ge=1, le=24 * 31)] = 48,
    sort: fleet_charts.Sort = "wrong",
) -> FleetCharts:
    """Small charts of clusters, groups or hosts, worst first."""
    return fleet_charts.read_fleet_charts(session, actor=actor, by=by, group_id=group, cluster=cluster, hours=hours, sort=sort)
