"""Routes of baselines."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.drift import baseline_queries, baselines
from plumbline.drift.baseline_schemas import (
    BaselineDecision,
    BaselineDetail,
    BaselineList,
    BaselineProposal,
    BaselineRefusal,
    BaselineState,
    HostBaselineOut,
)
from plumbline.infra.schemas import HostId, RowId

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("baseline.read")]
Decider = Annotated[Actor, May("baseline.decide")]


@router.get("/baselines")
def list_baselines(
    session: SessionDep,
    actor: Reader,
    state: BaselineState | None = None,
    after: RowId | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> BaselineList:
    """Proposals of baselines, newest first."""
    return baseline_queries.list_baselines(session, actor=actor, state=state, after=after, limit=limit)


@router.post("/baselines", status_code=status.HTTP_201_CREATED)
def propose_baseline(body: BaselineProposal, session: SessionDep, actor: Annotated[Actor, May("baseline.propose")]) -> BaselineDetail:
    """Proposes the present configuration of a host, or of every host of a group, as the baseline."""
    made = baselines.propose(session, actor=actor, request=body)
    return baseline_queries.read_baseline(session, actor=actor, baseline_id=made.id or 0)


@router.get("/baselines/{baseline_id}")
def read_baseline(baseline_id: RowId, session: SessionDep, actor: Reader) -> BaselineDetail:
    """One proposal with what it changes."""
    return baseline_queries.read_baseline(session, actor=actor, baseline_id=baseline_id)


@router.post("/baselines/{baseline_id}/accept")
def accept_baseline(baseline_id: RowId, body: BaselineDecision, session: SessionDep, actor: Decider) -> BaselineDetail:
    """Makes the proposed configurations the baselines of their hosts; never one's own proposal."""
    baselines.accept(session, actor=actor, baseline_id=baseline_id, reason=body.reason)
    return baseline_queries.read_baseline(session, actor=actor, baseline_id=baseline_id)


@router.post("/baselines/{baseline_id}/refuse")
def refuse_baseline(baseline_id: RowId, body: BaselineRefusal, session: SessionDep, actor: Decider) -> BaselineDetail:
    """Refuses a proposal, with the reason."""
    baselines.refuse(session, actor=actor, baseline_id=baseline_id, reason=body.reason)
    return baseline_queries.read_baseline(session, actor=actor, baseline_id=baseline_id)


@router.post("/baselines/{baseline_id}/withdraw")
def withdraw_baseline(
    baseline_id: RowId, body: BaselineDecision, session: SessionDep, actor: Annotated[Actor, May("baseline.withdraw")]
) -> BaselineDetail:
    """Withdraws a proposal before it is decided."""
    baselines.withdraw(session, actor=actor, baseline_id=baseline_id, reason=body.reason)
    return baseline_queries.read_baseline(session, actor=actor, baseline_id=baseline_id)


@router.get("/hosts/{host_id}/baseline")
def read_host_baseline(host_id: HostId, session: SessionDep, actor: Reader) -> HostBaselineOut:
    """One host compared with its accepted baseline."""
    return baseline_queries.read_host_baseline(session, actor=actor, host_id=host_id)
