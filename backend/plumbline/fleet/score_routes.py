"""Routes of the fleet's score taken apart and of the matrix."""

from typing import Annotated

from fastapi import APIRouter, Query

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.fleet import matrix
from plumbline.fleet import score as fleet_score
from plumbline.fleet.matrix import Rules
from plumbline.fleet.matrix_groups import By
from plumbline.fleet.score_schemas import FleetScoreApart, Matrix
from plumbline.infra.schemas import RowId

router = APIRouter()

Reader = Annotated[Actor, May("finding.read")]


@router.get("/score")
def read_fleet_score(session: SessionDep, actor: Reader, group: RowId | None = None) -> FleetScoreApart:
    """The score of a group and all below it, taken apart to the rules that made it."""
    return fleet_score.read_fleet_score(session, actor=actor, group_id=group)


@router.get("/matrix")
def read_matrix(
    session: SessionDep,
    actor: Reader,
    group: RowId | None = None,
    cluster: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
    by: By | None = None,
    pack: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - FastAPI copies it
    rules: Rules = "failing",
    hosts: bool = False,
) -> Matrix:
    """Hosts x rules, or groups of hosts x rules where there are too many to look at one by one."""
    return matrix.read_matrix(session, actor=actor, group_id=group, cluster=cluster, by=by, packs=pack, rules=rules, hosts_too=hosts)
