"""Routes of the overview, the score, the matrix, rules, search and saved views."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.core.rules.finding_status import FindingStatus
from plumbline.fleet import first_steps, matrix, overview, rule_hosts, rules, score, search, views
from plumbline.fleet.matrix import MatrixQuery, Rules
from plumbline.fleet.matrix_groups import By
from plumbline.fleet.matrix_schemas import Matrix
from plumbline.fleet.schemas import FirstSteps, FleetScoreApart, Overview, RuleHostPage, SearchHit, View, ViewCreate, ViewUpdate
from plumbline.infra.schemas import RowId
from plumbline.packs.rule_schemas import RuleDetail, RuleList

router = APIRouter(route_class=IdempotentRoute)

PackId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(max_length=400)]
Filter = Annotated[list[str], Query(max_length=50)]
Reader = Annotated[Actor, May("finding.read")]
RuleReader = Annotated[Actor, May("rule.read")]
ViewOwner = Annotated[Actor, May("view.own")]
ViewReader = Annotated[Actor, May("view.read")]


@router.get("/overview")
def read_overview(
    session: SessionDep, actor: Reader, group: RowId | None = None, days: Annotated[int, Query(ge=1, le=366)] = overview.DEFAULT_DAYS
) -> Overview:
    """The overview of a group and its subgroups, compared with `days` days ago."""
    return overview.read_overview(session, actor=actor, group_id=group, days=days)


@router.get("/first-steps")
def read_first_steps(
    session: SessionDep,
    actor: Annotated[Actor, May("person.manage")],  # noqa: ARG001 - the right alone is asked for
) -> FirstSteps:
    """What a new installation still needs."""
    return first_steps.read_first_steps(session)


@router.get("/rules")
def list_rules(
    session: SessionDep,
    actor: RuleReader,
    q: Annotated[str, Query(max_length=200)] = "",
    pack: Filter = [],  # noqa: B006 - FastAPI copies it
    kind: Filter = [],  # noqa: B006
    outcome: Annotated[list[FindingStatus], Query(max_length=7)] = [],  # noqa: B006
) -> RuleList:
    """The rules of the active packs with their hosts by outcome."""
    return rules.list_rules(session, actor=actor, q=q, packs=pack, kinds=kind, outcomes=outcome)


@router.get("/rules/{pack}/{rule}")
def read_rule(pack: PackId, rule: RuleId, session: SessionDep, actor: RuleReader) -> RuleDetail:
    """One rule, whole."""
    return rules.read_rule(session, actor=actor, pack=pack, rule=rule)


@router.get("/rules/{pack}/{rule}/hosts")
def list_rule_hosts(
    pack: PackId,
    rule: RuleId,
    session: SessionDep,
    actor: RuleReader,
    outcome: Annotated[list[FindingStatus], Query(max_length=7)] = [],  # noqa: B006
    after: Cursor = None,
    limit: Limit = 100,
) -> RuleHostPage:
    """The rule's findings, one for each item."""
    return rule_hosts.list_rule_hosts(session, actor=actor, pack=pack, rule=rule, outcomes=outcome, after=after, limit=limit)


@router.get("/search")
def search_all(
    session: SessionDep, actor: Annotated[Actor, May("search.read")], q: Annotated[str, Query(max_length=200)] = ""
) -> list[SearchHit]:
    """Hosts, rules, saved views and actions whose name contains the words."""
    return search.search_all(session, actor=actor, q=q)


@router.get("/views")
def list_views(session: SessionDep, actor: ViewReader) -> list[View]:
    """One's own saved views and the shared ones."""
    return views.list_views(session, actor=actor)


@router.post("/views", status_code=status.HTTP_201_CREATED)
def create_view(body: ViewCreate, session: SessionDep, actor: ViewOwner) -> View:
    """Keeps a page with its filters under a name."""
    return views.create_view(session, actor=actor, name=body.name, url=body.url, is_shared=body.is_shared)


@router.patch("/views/{view_id}")
def change_view(view_id: RowId, body: ViewUpdate, session: SessionDep, actor: ViewOwner) -> View:
    """Lets one's own view open in place of its page, or no longer."""
    return views.set_default(session, actor=actor, view_id=view_id, is_default=body.is_default)


@router.delete("/views/{view_id}", status_code=status.HTTP_204_NO_CONTENT)
def delete_view(view_id: RowId, session: SessionDep, actor: ViewOwner) -> None:
    """Deletes one's own saved view."""
    views.delete_view(session, actor=actor, view_id=view_id)


@router.get("/score")
def read_fleet_score(session: SessionDep, actor: Reader, group: RowId | None = None) -> FleetScoreApart:
    """The score of a group and all below it, taken apart to the rules that made it."""
    return score.read_fleet_score(session, actor=actor, group_id=group)


def matrix_query(
    group: RowId | None = None,
    cluster: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
    by: By | None = None,
    pack: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - FastAPI copies it
    rules: Rules = "failing",
    hosts: bool = False,
) -> MatrixQuery:
    """The filters of the matrix and of its download."""
    return MatrixQuery(group, cluster, by, pack, rules, hosts)


MatrixFilters = Annotated[MatrixQuery, Depends(matrix_query)]


@router.get("/matrix")
def read_matrix(session: SessionDep, actor: Reader, query: MatrixFilters) -> Matrix:
    """Hosts x rules, or groups of hosts x rules if there are too many hosts for rows of their own."""
    return matrix.read_matrix(session, actor=actor, query=query)
