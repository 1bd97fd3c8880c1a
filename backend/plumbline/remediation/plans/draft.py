"""Drafting a plan: which failing findings on which hosts, and how carefully. An empty choice is an error, never “all”."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.infra.task_queue import ring
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.remediation import MaintenanceWindow, Plan
from plumbline.remediation.jobs.reconcile import BUILD
from plumbline.remediation.plans.schemas import FindingChoice, PlanCreate
from plumbline.remediation.transitions import counted, lock_plan, move_plan, now_of, tell_plan

MOST_HOSTS = 500
MOST_FINDINGS = 5000
# Past this an approval that was not used ends, unless the draft says otherwise.
GOOD_FOR = timedelta(hours=24)
LONGEST = timedelta(days=31)

_FAILING = """
SELECT f.host_id, r.pack, r.rule, f.subject_kind, f.subject_id
FROM finding f JOIN rule_number r ON r.no = f.rule_no
WHERE f.outcome = 'fail' AND f.host_id = ANY(:hosts) AND r.pack = :pack AND r.rule = :rule
ORDER BY 1, 4, 5
"""


def draft_plan(session: Session, *, actor: Actor, asked: PlanCreate) -> Plan:
    """Notes what is wanted and starts planning it. Raises `BadInput` for an empty choice, `NotFound`, `NotAllowed`."""
    chosen = _chosen(session, asked)
    if not chosen:
        raise BadInput("choose at least one failing finding: an empty choice never means everything")
    hosts = sorted({each.host_id for each in chosen})
    if len(hosts) > MOST_HOSTS or len(chosen) > MOST_FINDINGS:
        raise BadInput(f"a plan has at most {MOST_HOSTS} hosts and {MOST_FINDINGS} findings; these are {len(hosts)} and {len(chosen)}")
    group = _group_of(session, actor, hosts)
    now = now_of(session)
    not_after = asked.not_after or now + GOOD_FOR
    if not now < not_after <= now + LONGEST or (asked.not_before is not None and asked.not_before >= not_after):
        raise BadInput("not_after: between now and 31 days from now, and after not_before")
    if asked.window_id is not None:
        _check_window(session, asked.window_id, group)
    _check_ticket(session, group, asked.ticket)
    plan = Plan(
        group_id=group.id or 0,
        title=asked.title,
        reason=asked.reason,
        ticket=asked.ticket,
        author_id=actor.person_id,
        author=actor.audit_name,
        request={"findings": [each.model_dump() for each in chosen], "options": asked.options.model_dump()},
        window_id=asked.window_id,
        not_before=asked.not_before,
        not_after=not_after,
    )
    session.add(plan)
    session.flush()
    tell_plan(session, plan, "drafted", f"{counted(len(chosen), 'finding')} on {counted(len(hosts), 'host')}", actor=actor.audit_name)
    audit.record(
        session,
        actor=actor.audit_name,
        action="plan.drafted",
        object_kind="plan",
        object_id=str(plan.id),
        group_id=plan.group_id,
        after={"state": "DRAFT", "hosts": len(hosts), "findings": len(chosen)},
        reason=asked.reason,
    )
    move_plan(session, plan, "PLANNING", "being planned", actor=actor.audit_name)
    ring(session, BUILD, plan.id or 0)
    return plan


def _chosen(session: Session, asked: PlanCreate) -> list[FindingChoice]:
    chosen = list(asked.findings)
    for rule in asked.rules:
        rows = session.execute(text(_FAILING), {"hosts": rule.host_ids, "pack": rule.pack, "rule": rule.rule})
        chosen += [
            FindingChoice(host_id=host, pack=pack, rule=name, subject_kind=kind, subject_id=subject)
            for host, pack, name, kind, subject in rows
        ]
    unique = {tuple(each.model_dump().values()): each for each in chosen}
    return [unique[key] for key in sorted(unique)]


def _group_of(session: Session, actor: Actor, host_ids: Sequence[str]) -> HostGroup:
    """The lowest group above every host; each host is one that the person may plan for."""
    found = session.exec(
        select(Host, HostGroup).join(HostGroup, col(HostGroup.id) == col(Host.group_id)).where(col(Host.id).in_(host_ids))
    ).all()
    here = {host.id: group for host, group in found}
    for host_id in host_ids:
        path = here[host_id].path if host_id in here else ""
        require(actor, "plan.draft", path, missing=f"no such host: {host_id}")
    retired = next((host.name for host, _ in found if host.state != "active"), None)
    if retired is not None:
        raise Conflict(f"{retired} is not an active host: it is not changed")
    above = common_path(group.path for group in here.values())
    return session.exec(select(HostGroup).where(col(HostGroup.path) == above)).one()


def common_path(paths: Iterable[str]) -> str:
    """The path of the lowest group above all of these."""
    split = [path.strip("/").split("/") for path in paths]
    shared: list[str] = []
    for parts in zip(*split, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared) + "/"


def _check_window(session: Session, window_id: int, group: HostGroup) -> None:
    window = session.get(MaintenanceWindow, window_id)
    owner = session.get(HostGroup, window.group_id) if window is not None else None
    if window is None or owner is None or not group.path.startswith(owner.path):
        raise NotFound("no such maintenance window for this group")
    if window.ended_at is not None:
        raise Conflict(f"the window {window.name} was ended")


def _check_ticket(session: Session, group: HostGroup, ticket: str) -> None:
    if ticket.strip():
        return
    above = ids_on(group.path)
    asks = session.exec(select(HostGroup.name).where(col(HostGroup.id).in_(above), col(HostGroup.is_ticket_required))).first()
    if asks is not None:
        raise BadInput(f"ticket: the group {asks} asks for a ticket reference")


def submit_plan(session: Session, *, actor: Actor, plan_id: int, reason: str | None) -> Plan:
    """Asks an approver for it. Raises `IllegalMove` unless it is planned, `Conflict` where it is not one's own."""
    plan = lock_plan(session, plan_id)
    if plan.author_id != actor.person_id:
        raise Conflict("only its author submits a plan")
    if reason is not None:
        plan.reason = reason
    if not plan.reason.strip():
        raise BadInput("reason: say why this is to be done")
    move_plan(session, plan, "AWAITING_APPROVAL", "waits for an approver", actor=actor.audit_name)
    return plan


def withdraw_plan(session: Session, *, actor: Actor, plan_id: int, reason: str) -> Plan:
    """Takes a plan back before anything runs; once approved, by cancelling its jobs. Raises `IllegalMove`."""
    from plumbline.remediation.jobs.cancel import cancel_jobs  # here: cancelling a job may end a plan as well

    plan = lock_plan(session, plan_id)
    if plan.state == "APPROVED":
        cancel_jobs(session, plan, actor=actor.audit_name, reason=reason)
        return plan
    move_plan(session, plan, "WITHDRAWN", reason or "withdrawn", actor=actor.audit_name)
    return plan


def options_of(plan: Plan) -> dict[str, Any]:
    """The options that the draft asked for."""
    return dict(plan.request.get("options", {}))
