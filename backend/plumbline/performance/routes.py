"""Routes of counters."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.performance import queries
from plumbline.performance.schemas import HostCounters

router = APIRouter()


@router.get("/hosts/{host_id}/counters")
def read_host_counters(
    host_id: Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")],
    session: SessionDep,
    actor: Annotated[Actor, May("host.read")],
    hours: Annotated[int, Query(ge=1, le=24 * 366)] = 48,
    series: Annotated[str, Query(max_length=4000)] = "",
) -> HostCounters:
    """Counters over a range; `series` is a comma-separated list of ids, a sensible pick where it is empty."""
    return queries.read_counters(session, actor=actor, host_id=host_id, hours=hours, wanted=[each for each in series.split(",") if each])
