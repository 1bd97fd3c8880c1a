"""Approving: the whole plan is signed, and its jobs are made, in one transaction. The approver is never the author."""

import json
from datetime import timedelta
from typing import Any, Literal

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth import sessions
from plumbline.auth.actor import Actor
from plumbline.channels import runner
from plumbline.core.planning.plan import Plan as PlannedPlan
from plumbline.core.planning.plan import digest, read_plan
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotAllowed
from plumbline.models.auth import Person, WebSession
from plumbline.models.controls import MaintenanceWindow
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job, JobState
from plumbline.models.plans import Approval, BreakGlass, Plan, PlanState, StandingApproval
from plumbline.remediation import rights_on_hosts, signed_payload, signing_keys
from plumbline.remediation.controls import checks
from plumbline.remediation.plans import standing_approvals
from plumbline.remediation.signed_payload import Signing, payload_of, payload_text
from plumbline.remediation.states import check_plan_move
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_job_event, add_plan_event, lock_plan, set_plan_state

REAUTHENTICATED_WITHIN = timedelta(minutes=5)


class WrongPassword(NotAllowed):
    """Signing needs the password again, and this one is wrong."""

    code = "wrong_password"


class ConfirmAtProvider(NotAllowed):
    """Signing needs the person to confirm their identity at the identity provider again."""

    code = "confirm_at_provider"


class OwnPlan(NotAllowed):
    """Nobody approves their own plan."""

    code = "own_plan"


def confirm_person(session: Session, *, actor: Actor, password: str) -> None:
    """Confirms that it is this person who acts: by password, or, within the last five minutes, by a sign-in at the identity provider or
    by a second factor (`/session/reauthenticate`).

    Raises `WrongPassword`, `ConfirmAtProvider`, `TooManyRequests`.
    """
    person = session.get_one(Person, actor.person_id)
    web = session.exec(select(WebSession).where(col(WebSession.id_hash) == actor.session_hash)).first()
    if person.password_hash is not None:
        if not password and web is not None and web.confirmed_at and now_of(session) - web.confirmed_at <= REAUTHENTICATED_WITHIN:
            return
        try:
            sessions.reauthenticate(session, actor=actor, password=password)
        except sessions.SignInRefused as error:
            raise WrongPassword("Wrong password.") from error
        return
    if web is None or now_of(session) - web.authenticated_at > REAUTHENTICATED_WITHIN:
        raise ConfirmAtProvider("Confirm your identity first; the last confirmation is older than 5 minutes.")


def approve_plan(session: Session, *, actor: Actor, plan_id: int) -> Plan:
    """Signs a plan that waits for approval and makes its jobs. Raises `OwnPlan`, `IllegalMove`, `Conflict`.

    The approver, and the author, need their right where each host is now: `NotAllowed`, `Conflict`.
    """
    plan = lock_plan(session, plan_id)
    if plan.author_id == actor.person_id:
        raise OwnPlan("You requested this plan. Another person must approve it.")
    rights_on_hosts.require_everywhere(session, actor, "plan.approve", rights_on_hosts.hosts_of(plan))
    rights_on_hosts.require_still_held(session, plan, [(plan.author_id, "plan.draft")])
    _sign(session, plan, actor=actor, kind="person")
    return plan


def refuse_plan(session: Session, *, actor: Actor, plan_id: int, reason: str) -> Plan:
    """Refuses a plan for good."""
    plan = lock_plan(session, plan_id)
    if plan.author_id == actor.person_id:
        raise OwnPlan("You requested this plan. Withdraw it instead.")
    set_plan_state(session, plan, PlanState.REJECTED, reason, actor=actor.audit_name)
    return plan


def run_under_standing(session: Session, *, actor: Actor, plan_id: int, standing_id: int) -> Plan:
    """Signs one's own plan under a standing approval and makes its job. Raises `Conflict` naming what it does not cover."""
    row = standing_approvals.usable(session, actor=actor, standing_id=standing_id)
    plan = lock_plan(session, plan_id)
    if plan.author_id != actor.person_id:
        raise Conflict("A standing approval can only be used for your own plan.")
    if plan.state != PlanState.PLANNED:
        raise Conflict("Only a planned, unsubmitted plan can use a standing approval.")
    rights_on_hosts.require_everywhere(session, actor, "plan.run_standing", rights_on_hosts.hosts_of(plan))
    rights_on_hosts.require_still_held(session, plan, [(row.signer_id, "standing.sign")])
    planned = read_plan(json.loads(plan.document))
    wrong = signed_payload.outside(json.loads(row.payload), planned, list(_host_groups(session, planned).values()))
    if wrong:
        raise Conflict(f"Not covered by standing approval “{row.name}”: {wrong[0]}. Request approval instead.")
    plan.standing_id = row.id
    session.add(plan)
    session.flush()
    _sign(session, plan, actor=actor, kind="standing", under=row)
    return plan


def break_glass(session: Session, *, actor: Actor, plan_id: int, reason: str) -> Plan:
    """The first admin requests, the second signs: two people, an alarm, and a review that is due afterwards."""
    plan = lock_plan(session, plan_id)
    if plan.author_id == actor.person_id:
        raise OwnPlan("You requested this plan. Break-glass needs two other admins.")
    if plan.state not in (PlanState.PLANNED, PlanState.AWAITING_APPROVAL):
        raise Conflict("only a plan that is planned and not decided can be run this way")
    rights_on_hosts.require_everywhere(session, actor, "plan.break_glass", rights_on_hosts.hosts_of(plan))
    request = session.get(BreakGlass, plan_id)
    if request is None or request.digest != plan.digest:
        row = request or BreakGlass(plan_id=plan_id, digest=plan.digest, first_id=actor.person_id)
        row.digest, row.first_id, row.first, row.reason = plan.digest, actor.person_id, actor.audit_name, reason
        session.add(row)
        add_plan_event(session, plan, "break_glass", f"break-glass requested: {reason}", actor=actor.audit_name)
        _audit_alarm(session, plan, actor, "plan.break_glass_asked", reason)
        return plan
    if request.first_id == actor.person_id:
        raise Conflict("A second admin must confirm.")
    # Two people at the time of use: the first may have lost the right, or the account, since the request.
    rights_on_hosts.require_still_held(session, plan, [(plan.author_id, "plan.draft"), (request.first_id, "plan.break_glass")])
    if plan.state == PlanState.PLANNED:
        set_plan_state(session, plan, PlanState.AWAITING_APPROVAL, "break-glass already requested", actor=actor.audit_name)
    _sign(session, plan, actor=actor, kind="break_glass", first=request)
    _audit_alarm(session, plan, actor, "plan.glass_broken", reason)
    return plan


def review_break_glass(session: Session, *, actor: Actor, plan_id: int, words: str) -> Plan:
    """A person who took no part reviews what was run without an approver."""
    plan = lock_plan(session, plan_id)
    approval = session.exec(select(Approval).where(col(Approval.plan_id) == plan_id).with_for_update()).first()
    if approval is None or approval.kind != "break_glass":
        raise Conflict("Break-glass was not used for this plan.")
    if actor.person_id in (approval.approver_id, approval.second_id, approval.author_id):
        raise OwnPlan("Someone not involved must review it.")
    if approval.reviewed_at is not None:
        raise Conflict("Already reviewed.")
    approval.reviewed_at, approval.reviewed_by, approval.review_words = now_of(session), actor.audit_name, words
    session.add(approval)
    add_plan_event(session, plan, "reviewed", words, actor=actor.audit_name)
    _audit_alarm(session, plan, actor, "plan.break_glass_reviewed", words)
    return plan


def _audit_alarm(session: Session, plan: Plan, actor: Actor, action: str, reason: str) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        about=audit.Object("plan", str(plan.id), plan.group_id),
        after={"digest": plan.digest},
        reason=reason,
    )


def _sign(
    session: Session,
    plan: Plan,
    *,
    actor: Actor,
    kind: Literal["person", "standing", "break_glass"],
    under: StandingApproval | None = None,
    first: BreakGlass | None = None,
) -> None:
    # A request that is repeated because its answer was lost gets the state of the plan.
    check_plan_move(plan.state, PlanState.APPROVED)
    now = now_of(session)
    if plan.not_after is None or now >= plan.not_after:
        raise Conflict("The plan has expired. Create a new one.")
    planned = read_plan(json.loads(plan.document))
    signing = Signing(
        kind=kind,
        approver=(actor.person_id, actor.audit_name),
        second=(first.first_id, first.first) if first else None,
        standing={"id": under.id, "digest": digest(json.loads(under.payload))} if under else None,
        host_groups=_host_groups(session, planned),
        window=_window(session, plan),
        runners={platform: runner.digest(platform, runner.shipped(platform)) for platform in ("esxi", "windows")},
        signed_at=now,
    )
    text = payload_text(payload_of(plan, signing))
    signature, key_id = signing_keys.sign("plan", text)
    session.add(
        Approval(
            plan_id=plan.id or 0,
            kind=kind,
            payload=text,
            signature=signature,
            key_id=key_id,
            author_id=plan.author_id,
            approver_id=actor.person_id,
            approver=actor.audit_name,
            second_id=first.first_id if first else None,
            standing_id=under.id if under else None,
            review_by=now + timedelta(hours=job_timings().review_hours) if kind == "break_glass" else None,
        )
    )
    session.flush()
    words = {
        "person": "approved",
        "standing": "runs under a standing approval",
        "break_glass": "approved by two admins (break-glass)",
    }
    plan.wave = min((wave.number for wave in planned.waves), default=0)
    set_plan_state(session, plan, PlanState.APPROVED, words[kind], actor=actor.audit_name, data={"key_id": key_id, "kind": kind})
    _make_jobs(session, plan, planned, actor)


def _window(session: Session, plan: Plan) -> dict[str, Any] | None:
    if plan.window_id is None:
        return None
    row = session.get_one(MaintenanceWindow, plan.window_id)
    if row.ended_at is not None:
        raise Conflict(f"the window {row.name} was ended meanwhile")
    return checks.window_document(row)


def _host_groups(session: Session, planned: PlannedPlan) -> dict[str, str]:
    return rights_on_hosts.paths_of(session, [host.host for host in planned.hosts])


def _make_jobs(session: Session, plan: Plan, planned: PlannedPlan, actor: Actor) -> None:
    """One job a host with steps, in the order of the waves, so that older means earlier."""
    waves = {host: wave.number for wave in planned.waves for host in wave.hosts}
    groups = dict(session.exec(select(Host.id, Host.group_id).where(col(Host.id).in_(list(waves)))).all())
    assert plan.id is not None
    assert plan.not_after is not None
    for host_id in sorted(waves, key=lambda each: (waves[each], each)):
        part = planned.host(host_id)
        if part is None or not part.steps:
            continue
        job = Job(
            plan_id=plan.id,
            host_id=host_id,
            group_id=groups[host_id],
            wave=waves[host_id],
            requested_by=plan.author,
            steps_total=len(part.steps),
            not_before=plan.not_before,
            not_after=plan.not_after,
            domains=list(part.domains),
        )
        session.add(job)
        session.flush()
        add_job_event(session, job, "made", f"{counted(len(part.steps), 'step')}, wave {job.wave}")
        audit.record(
            session,
            actor=actor.audit_name,
            action="job.made",
            about=audit.Object("job", str(job.id), job.group_id),
            after={"state": JobState.WAITING, "plan": plan.id, "host": host_id},
        )
    session.flush()
