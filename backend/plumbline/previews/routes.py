"""Routes of previews ("what would change") and of past states."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.infra.schemas import HostId, RowId
from plumbline.previews import host_as_of, queries, runs
from plumbline.previews.schemas import HostPast, PastCreate, PreviewCreate, PreviewRunOut, RunHostPage

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("rule.read")]
Previewer = Annotated[Actor, May("pack.preview")]
PastReader = Annotated[Actor, May("past.read")]


@router.post("/previews", status_code=status.HTTP_202_ACCEPTED)
def request_preview(body: PreviewCreate, session: SessionDep, actor: Previewer) -> PreviewRunOut:
    """Queues a run that shows what an activation would change, host by host; nothing takes effect."""
    return queries.read_run(session, actor=actor, run_id=runs.request_preview(session, actor=actor, request=body))


@router.post("/past-runs", status_code=status.HTTP_202_ACCEPTED)
def request_past_run(body: PastCreate, session: SessionDep, actor: PastReader) -> PreviewRunOut:
    """Queues a run that evaluates a group as of an instant."""
    return queries.read_run(session, actor=actor, run_id=runs.request_past(session, actor=actor, request=body))


# The paths and ids of these operations are those of the first release; generated clients have them as names.
@router.get("/judging-runs", name="list_judging_runs")
def list_preview_runs(session: SessionDep, actor: Reader, kind: Literal["preview", "past"] = "preview") -> list[PreviewRunOut]:
    """The newest runs of a kind, without their figures."""
    return queries.list_runs(session, actor=actor, kind=kind)


@router.get("/judging-runs/{run_id}", name="read_judging_run")
def read_preview_run(run_id: RowId, session: SessionDep, actor: Reader) -> PreviewRunOut:
    """One run: how far it is, and its figures once it is ready."""
    return queries.read_run(session, actor=actor, run_id=run_id)


@router.get("/judging-runs/{run_id}/hosts", name="list_judging_run_hosts")
def list_preview_run_hosts(
    run_id: RowId,
    session: SessionDep,
    actor: Reader,
    after: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> RunHostPage:
    """The results of a run by host, the greatest loss of score first."""
    return queries.list_run_hosts(session, actor=actor, run_id=run_id, after=after, limit=limit)


@router.get("/hosts/{host_id}/past")
def read_host_past(
    host_id: HostId,
    session: SessionDep,
    actor: PastReader,
    at: datetime,
    version: Annotated[list[RowId], Query(max_length=20)] = [],  # noqa: B006 - FastAPI copies it
) -> HostPast:
    """The host at an instant, under the packs of then or other versions."""
    return host_as_of.read_past(session, actor=actor, host_id=host_id, as_of=at, version_ids=version)
