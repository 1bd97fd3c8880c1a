"""Rights follow the host: a person who plans, approves or runs a change needs the right where the host is now, not where it was.

A plan keeps the group in which it was drafted, and a host may be moved to another group at any time. So the rights on a plan are decided on
the present group of each of its hosts: when it is approved, and again before each step of each job.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, literal, not_, or_, true
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select, text

from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import allow
from plumbline.auth.rights_now import actor_now, holds_now
from plumbline.auth.scope import in_scope
from plumbline.infra.errors import Conflict, NotAllowed
from plumbline.infra.group_path import is_below
from plumbline.models.auth import Person
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan

# What each right lets people do, for sentences such as "anton may no longer approve plans where this host is now".
_DOES = {
    "plan.draft": "plan fixes",
    "plan.approve": "approve plans",
    "plan.break_glass": "use break-glass",
    "plan.run_standing": "run plans under a standing approval",
    "standing.sign": "sign standing approvals",
    "job.undo": "undo jobs",
}


def hosts_of(plan: Plan) -> list[str]:
    """Ids of the hosts that a plan was drafted for."""
    return sorted({each["host_id"] for kind in ("findings", "settings") for each in plan.request.get(kind, ())})


def paths_of(session: Session, host_ids: Iterable[str]) -> dict[str, str]:
    """The path of the group in which each host is now. One query."""
    rows = session.exec(
        select(Host.id, HostGroup.path).join(HostGroup, col(HostGroup.id) == col(Host.group_id)).where(col(Host.id).in_(list(host_ids)))
    )
    return dict(rows.all())


def may_everywhere(actor: Actor, action: str, paths: Iterable[str]) -> bool:
    """Whether the person has the right on each of these groups; False where there is none."""
    known = list(paths)
    return bool(known) and all(allow(actor, action, path) for path in known)


def require_everywhere(session: Session, actor: Actor, action: str, host_ids: Iterable[str]) -> None:
    """Raises `NotAllowed` unless the person has the right where each of these hosts is now."""
    if not may_everywhere(actor, action, paths_of(session, host_ids).values()):
        raise NotAllowed(f"you may not {_DOES.get(action, 'do this')} where each host of this plan is now: a host may have been moved")


def require_still_held(session: Session, plan: Plan, people: Sequence[tuple[int, str]]) -> None:
    """Raises `Conflict` naming who of these (person, action) lacks the right where a host of the plan is now."""
    paths = paths_of(session, hosts_of(plan)).values()
    for person_id, action in people:
        actor = actor_now(session, person_id)
        # The first admin of a break-glass counts as a second person: not while an admin's password of theirs is in use.
        is_foreign = (
            action == "plan.break_glass" and session.exec(select(Person.must_set_password).where(col(Person.id) == person_id)).one()
        )
        if actor is None or is_foreign or not may_everywhere(actor, action, paths):
            raise Conflict(f"{_login(session, person_id)} may no longer {_DOES[action]} where each host of this plan is now")


def plans_in_scope(actor: Actor) -> ColumnElement[bool]:
    """A condition on plans joined to their group: the person may read the plan's group, or the present group of each of its hosts.

    The second is for plans over several groups, which belong to the group above them, and for hosts that were moved since.
    """
    if ROOT_PATH in actor.scopes:
        return true()
    # Plans drafted before settings could be chosen have none.
    settings = func.coalesce(col(Plan.request)["settings"], literal([], JSONB))
    wishes = func.jsonb_array_elements(col(Plan.request)["findings"].op("||")(settings)).table_valued("value").render_derived()
    host_id = wishes.c.value.op("->>")("host_id")
    chosen = select(literal(1)).select_from(wishes).correlate(Plan)
    # One that is gone is outside of every scope.
    outside = (
        select(literal(1))
        .select_from(wishes.outerjoin(Host, col(Host.id) == host_id).outerjoin(_HOSTS_GROUP, col(_HOSTS_GROUP.id) == col(Host.group_id)))
        .where(or_(col(_HOSTS_GROUP.id).is_(None), not_(in_scope(actor, col(_HOSTS_GROUP.path)))))
        .correlate(Plan)
    )
    return or_(in_scope(actor), and_(chosen.exists(), not_(outside.exists())))


_HOSTS_GROUP = aliased(HostGroup, name="hosts_group")


def lost_right(session: Session, job: Job, payload: Mapping[str, Any], group_id: int) -> str:
    """Who of those that authorised a job may no longer do so in the group where its host is now, in words; empty where all may.

    An undo was signed with the plan, and asks only for the right of the person who started it.
    """
    path = session.exec(select(HostGroup.path).where(col(HostGroup.id) == group_id)).one()
    for person_id, action in _authorised_by(session, job, payload):
        if not holds_now(session, person_id, action, path):
            return f"{_login(session, person_id)} may no longer {_DOES[action]} where this host is now"
    standing = payload.get("standing") if job.kind != "undo" else None
    if standing:
        groups = session.execute(text("SELECT group_ids FROM standing_approval WHERE id = :id"), {"id": standing["id"]}).scalar_one()
        if not is_below(path, groups):
            return "the host is no longer in a group of the standing approval"
    return ""


def _authorised_by(session: Session, job: Job, payload: Mapping[str, Any]) -> list[tuple[int | None, str]]:
    if job.kind == "undo":
        return [(person_of(job.requested_by), "job.undo")]
    approver = payload["approver"]["id"]
    if payload["kind"] == "standing":
        signer = session.execute(
            text("SELECT signer_id FROM standing_approval WHERE id = :id"), {"id": payload["standing"]["id"]}
        ).scalar_one_or_none()
        return [(approver, "plan.run_standing"), (signer, "standing.sign")]
    author: tuple[int | None, str] = (payload["author"]["id"], "plan.draft")
    if payload["kind"] == "break_glass":
        return [author, (approver, "plan.break_glass"), (payload["second"]["id"], "plan.break_glass")]
    return [author, (approver, "plan.approve")]


def person_of(actor: str) -> int | None:
    """The id in `person:3 ana` or `person:3 ana by token:7 deploy`; None for anything else."""
    kind, _, rest = actor.partition(":")
    number = rest.partition(" ")[0]
    return int(number) if kind == "person" and number.isascii() and number.isdigit() else None


def _login(session: Session, person_id: int | None) -> str:
    login = session.exec(select(Person.login).where(col(Person.id) == person_id)).one_or_none()
    return login if login is not None else "the person who authorised it"
