"""Drafting a plan: which failing findings and settings on which hosts, and how carefully. An empty choice is an error, never “all”."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.core.facts.catalogue import BY_KEY, Entry, SettingType
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.infra.task_queue import enqueue
from plumbline.models.controls import MaintenanceWindow
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.plans import Plan, PlanState
from plumbline.remediation.jobs.cancel import cancel_jobs
from plumbline.remediation.plans.schemas import FindingChoice, PlanCreate, SettingChoice
from plumbline.remediation.task_names import BUILD_PLAN
from plumbline.remediation.transitions import add_plan_event, lock_plan, set_plan_state

MOST_HOSTS = 500
MOST_FINDINGS = 5000
# An approval that is not used expires after this, unless the draft sets another time.
GOOD_FOR = timedelta(hours=24)
LONGEST = timedelta(days=31)

_FAILING = """
SELECT f.host_id, r.pack, r.rule, f.subject_kind, f.subject_id
FROM finding f JOIN rule_number r ON r.no = f.rule_no
WHERE f.outcome = 'fail' AND f.host_id = ANY(:hosts) AND r.pack = :pack AND r.rule = :rule
ORDER BY 1, 4, 5
"""


def draft_plan(session: Session, *, actor: Actor, request: PlanCreate) -> Plan:
    """Stores what is requested and starts planning it. Raises `BadInput` for an empty choice, `NotFound`, `NotAllowed`."""
    chosen, settings = _chosen(session, request), _settings(request)
    if not chosen and not settings:
        raise BadInput("Select at least one failing finding or setting.")
    hosts = sorted({each.host_id for each in chosen} | {each.host_id for each in settings})
    wishes = len(chosen) + len(settings)
    if len(hosts) > MOST_HOSTS or wishes > MOST_FINDINGS:
        most = f"A plan can have up to {MOST_HOSTS} hosts and {MOST_FINDINGS} findings and settings."
        raise BadInput(f"{most} Selected: {len(hosts)} and {wishes}.")
    group = _group_of(session, actor, hosts)
    now = now_of(session)
    not_after = request.not_after or now + GOOD_FOR
    if not now < not_after <= now + LONGEST or (request.not_before is not None and request.not_before >= not_after):
        raise BadInput("Choose an expiry within 31 days and after the start.")
    if request.window_id is not None:
        _check_window(session, request.window_id, group)
    _check_ticket(session, group, request.ticket)
    plan = Plan(
        group_id=group.id or 0,
        title=request.title,
        reason=request.reason,
        ticket=request.ticket,
        author_id=actor.person_id,
        author=actor.audit_name,
        request={
            "findings": [each.model_dump() for each in chosen],
            "settings": [_requested(each) for each in settings],
            "options": request.options.model_dump(),
        },
        window_id=request.window_id,
        not_before=request.not_before,
        not_after=not_after,
    )
    session.add(plan)
    session.flush()
    wished = [counted(len(each), word) for each, word in ((chosen, "finding"), (settings, "setting")) if each]
    add_plan_event(session, plan, "drafted", f"{' and '.join(wished)} on {counted(len(hosts), 'host')}", actor=actor.audit_name)
    audit.record(
        session,
        actor=actor.audit_name,
        action="plan.drafted",
        about=audit.Object("plan", str(plan.id), plan.group_id),
        after={"state": PlanState.DRAFT, "hosts": len(hosts), "findings": len(chosen), "settings": len(settings)},
        reason=request.reason,
    )
    set_plan_state(session, plan, PlanState.PLANNING, "planning", actor=actor.audit_name)
    enqueue(session, BUILD_PLAN, plan.id or 0)
    return plan


def _chosen(session: Session, request: PlanCreate) -> list[FindingChoice]:
    chosen = list(request.findings)
    for rule in request.rules:
        rows = session.execute(text(_FAILING), {"hosts": rule.host_ids, "pack": rule.pack, "rule": rule.rule})
        chosen += [
            FindingChoice(host_id=host, pack=pack, rule=name, subject_kind=kind, subject_id=subject)
            for host, pack, name, kind, subject in rows
        ]
    unique = {tuple(each.model_dump().values()): each for each in chosen}
    return [unique[key] for key in sorted(unique)]


def _settings(request: PlanCreate) -> list[SettingChoice]:
    """Raises `BadInput` for a setting that is not in the catalogue, a value of another type, or two values of one setting."""
    chosen: dict[tuple[str, str, str], SettingChoice] = {}
    for each in request.settings:
        entry = BY_KEY.get(each.key)
        if entry is None:
            raise BadInput(f"settings: there is no setting {each.key}; GET /hosts/{{host_id}}/settings lists those of a host")
        if not _is_of_type(each.to, entry):
            raise BadInput(f"settings: {each.key} takes {_TYPE_WORDS[entry.type]}, not {each.to!r}")
        before = chosen.setdefault((each.host_id, each.key, "" if entry.kind == "host" else each.subject_id), each)
        if before.to != each.to:
            raise BadInput(f"settings: two values for {each.key} of one item: {before.to!r} and {each.to!r}; choose one")
    return [chosen[key] for key in sorted(chosen)]


def _requested(each: SettingChoice) -> dict[str, Any]:
    """As the request of a plan keeps it."""
    kind = BY_KEY[each.key].kind
    return {**each.model_dump(), "subject_kind": kind, "subject_id": "" if kind == "host" else each.subject_id}


_TYPE_WORDS: dict[SettingType, str] = {
    "bool": "true or false", "int": "a whole number", "text": "text", "version": "text", "enum": "one of its words", "list": "a list",
}  # fmt: skip


def _is_of_type(value: object, entry: Entry) -> bool:
    """The value has the type of the setting, and is one of its words where it has words."""
    if entry.type == "bool":
        return isinstance(value, bool)
    if entry.type == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if entry.type == "list":
        return isinstance(value, list)
    return isinstance(value, str) and (not entry.values or value in entry.values)


def _group_of(session: Session, actor: Actor, host_ids: Sequence[str]) -> HostGroup:
    """The lowest group above every host; each host is one that the person may plan for."""
    stored = session.exec(
        select(Host, HostGroup).join(HostGroup, col(HostGroup.id) == col(Host.group_id)).where(col(Host.id).in_(host_ids))
    ).all()
    here = {host.id: group for host, group in stored}
    for host_id in host_ids:
        path = here[host_id].path if host_id in here else ""
        require(actor, "plan.draft", path, missing=f"Host not found: {host_id}")
    retired = next((host.name for host, _ in stored if host.state != "active"), None)
    if retired is not None:
        raise Conflict(f"{retired} is not an active host and can't be changed.")
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
        raise NotFound("Maintenance window not found for this group.")
    if window.ended_at is not None:
        raise Conflict(f"the window {window.name} was ended")


def _check_ticket(session: Session, group: HostGroup, ticket: str) -> None:
    if ticket.strip():
        return
    above = ids_on(group.path)
    group_name = session.exec(select(HostGroup.name).where(col(HostGroup.id).in_(above), col(HostGroup.is_ticket_required))).first()
    if group_name is not None:
        raise BadInput(f"Group {group_name} requires a ticket.")


def submit_plan(session: Session, *, actor: Actor, plan_id: int, reason: str | None) -> Plan:
    """Submits a plan for approval. Raises `IllegalMove` unless it is planned, `Conflict` where it is another person's."""
    plan = lock_plan(session, plan_id)
    if plan.author_id != actor.person_id:
        raise Conflict("Only the author can submit a plan.")
    if reason is not None:
        plan.reason = reason
    if not plan.reason.strip():
        raise BadInput("Enter a reason.")
    set_plan_state(session, plan, PlanState.AWAITING_APPROVAL, "pending approval", actor=actor.audit_name)
    return plan


def withdraw_plan(session: Session, *, actor: Actor, plan_id: int, reason: str) -> Plan:
    """Withdraws a plan before any job runs; once approved, by cancelling its jobs. Raises `IllegalMove`."""
    plan = lock_plan(session, plan_id)
    if plan.state == PlanState.APPROVED:
        cancel_jobs(session, plan, actor=actor.audit_name, reason=reason)
        return plan
    set_plan_state(session, plan, PlanState.WITHDRAWN, reason or "withdrawn", actor=actor.audit_name)
    return plan
