"""What people and jobs did in the lab's past: each through the function behind a button, by the demo's own people."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlalchemy import text
from sqlmodel import Session, col, select

from plumbline.auth import sessions
from plumbline.auth.actor import Actor
from plumbline.drift import baselines
from plumbline.drift.baseline_schemas import BaselineProposal
from plumbline.infra.clock import utc_now
from plumbline.infra.database import session_scope
from plumbline.models.auth import Person
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan, PlanState
from plumbline.models.proofs import BenchmarkRunRow
from plumbline.ops.lab_past.benchmarks import diskspd_output
from plumbline.packs import activation, drafts
from plumbline.packs.schemas import Activation
from plumbline.proofs import actions as proofs
from plumbline.proofs import run_import
from plumbline.proofs.schemas import ProofCreate
from plumbline.remediation.jobs import run as job_run
from plumbline.remediation.jobs.reconcile import reconcile_once
from plumbline.remediation.plans import approve, draft, standing_approvals
from plumbline.remediation.plans.build import build
from plumbline.remediation.plans.schemas import PlanCreate, PlanOptions, RuleChoice, StandingCreate, StandingItem
from plumbline.reports import actions as report_actions
from plumbline.reports.build import build_report
from plumbline.reports.schemas import PeriodInput, ReportCreate
from plumbline.waivers import lifecycle, request
from plumbline.waivers.schemas import WaiverCreate

_OVER = (PlanState.FINISHED, PlanState.STOPPED, PlanState.NO_CHANGE, PlanState.PLAN_FAILED, PlanState.EXPIRED, PlanState.STALE)
# A job on one lab host takes a few seconds; more means that something is wrong.
_LONGEST_SECONDS = 60.0
_FAILING = """
SELECT DISTINCT r.pack, r.rule FROM finding f JOIN rule_number r ON r.no = f.rule_no
WHERE f.host_id = ANY(:hosts) AND f.outcome = 'fail' AND r.rule LIKE :rule ORDER BY 1, 2
"""
_QUEUED = "SELECT id, queue FROM job WHERE plan_id = :plan AND state IN ('QUEUED', 'RUNNING', 'VERIFYING') ORDER BY id"


class NotInThePast(Exception):
    """What the story tells did not come about; the message says what."""


def actor(session: Session, login: str) -> Actor:
    """One of the demo's people, with the rights that they have."""
    person = session.exec(select(Person).where(col(Person.login) == login)).one()
    return Actor(person.id or 0, person.login, person.display_name, grants=sessions.grants_of(session, person.id or 0))


def host_ids(session: Session, names: Sequence[str]) -> list[str]:
    """Ids of lab hosts by name."""
    return list(session.exec(select(Host.id).where(col(Host.name).in_(names)).order_by(col(Host.name))))


def failing_rules(session: Session, hosts: Sequence[str], like: str) -> list[tuple[str, str]]:
    """(pack, rule) that fail on these hosts, by a pattern of SQL."""
    return [(pack, rule) for pack, rule in session.execute(text(_FAILING), {"hosts": list(hosts), "rule": like})]


def accept_baseline(group: str, reason: str) -> None:
    """The operator proposes the present configuration of a group's hosts, the approver accepts it."""
    with session_scope() as session:
        found = session.exec(select(HostGroup).where(col(HostGroup.name) == group)).one()
        proposed = baselines.propose(
            session, actor=actor(session, "operator"), request=BaselineProposal(group_id=found.id, change_ids=[], reason=reason)
        )
    with session_scope() as session:
        baselines.accept(session, actor=actor(session, "approver"), baseline_id=proposed.id or 0)


def waive(names: Sequence[str], like: str, reason: str, *, days: float, ticket: str = "", is_approved: bool = True) -> None:
    """The operator asks for a waiver of the first failing rule like this one; the approver grants it."""
    with session_scope() as session:
        hosts = host_ids(session, names)
        rules = failing_rules(session, hosts, like)
        if not rules:
            raise NotInThePast(f"no rule like {like} fails on {', '.join(names)}")
        asked = WaiverCreate(
            pack=rules[0][0], rule=rules[0][1], host_ids=hosts, reason=reason, expires_at=utc_now() + timedelta(days=days), ticket=ticket
        )
        waiver = request.request_waiver(session, actor=actor(session, "operator"), request=asked)
    if is_approved:
        with session_scope() as session:
            by = actor(session, "approver")
            lifecycle.approve_waiver(session, actor=by.audit_name, waiver_id=waiver.id or 0, approved_by=by.person_id)


def plan(names: Sequence[str], like: str, reason: str, *, ticket: str = "") -> int:
    """The operator plans fixes of every failing rule like this one and asks for approval. Returns the plan's id."""
    with session_scope() as session:
        hosts = host_ids(session, names)
        rules = failing_rules(session, hosts, like)
        if not rules:
            raise NotInThePast(f"no rule like {like} fails on {', '.join(names)}")
        asked = PlanCreate(
            findings=[],
            settings=[],
            rules=[RuleChoice(pack=pack, rule=rule, host_ids=hosts) for pack, rule in rules],
            reason=reason,
            ticket=ticket,
            options=PlanOptions(canary_bake_s=0, wave_bake_s=0),
        )
        plan_id = draft.draft_plan(session, actor=actor(session, "operator"), request=asked).id or 0
    build(plan_id)
    with session_scope() as session:
        drafted = session.get_one(Plan, plan_id)
        if drafted.state != PlanState.PLANNED:
            raise NotInThePast(
                f"plan {plan_id} for {', '.join(names)}: {drafted.state} {drafted.state_words} {(drafted.document or '')[:1500]}"
            )
        draft.submit_plan(session, actor=actor(session, "operator"), plan_id=plan_id, reason=None)
    return plan_id


def carry_out(plan_id: int, some_minutes_later: Callable[[], None]) -> None:
    """The approver signs, and the jobs run to their end. `some_minutes_later` lets time pass, and the hosts check in."""
    with session_scope() as session:
        approve.approve_plan(session, actor=actor(session, "approver"), plan_id=plan_id)
    limit = time.monotonic() + _LONGEST_SECONDS
    while True:
        reconcile_once()
        with session_scope() as session:
            now = session.get_one(Plan, plan_id)
            if now.state in _OVER:
                break
            waiting = [tuple(row) for row in session.execute(text(_QUEUED), {"plan": plan_id})]
        for job_id, queue in waiting:
            job_run.run(job_id, worker="lab", queue=queue)
        some_minutes_later()
        if time.monotonic() > limit:
            with session_scope() as session:
                jobs = [
                    tuple(row)
                    for row in session.execute(text("SELECT state, state_words FROM job WHERE plan_id = :plan"), {"plan": plan_id})
                ]
            raise NotInThePast(f"plan {plan_id} did not end: {now.state} {now.state_words}; jobs {jobs}")
    if now.state != PlanState.FINISHED:
        raise NotInThePast(f"plan {plan_id}: {now.state} {now.state_words}")


def sign_standing(name: str, group: str, items: Sequence[StandingItem], *, days: float) -> None:
    """The approver allows operators beforehand to run these fixes."""
    with session_scope() as session:
        found = session.exec(select(HostGroup).where(col(HostGroup.name) == group)).one()
        asked = StandingCreate(
            password="-",  # noqa: S106 (asked for by the route, which is not used here)
            name=name,
            group_ids=[found.id or 0],
            items=list(items),
            largest_impact="adapter_restart",
            expires_at=utc_now() + timedelta(days=days),
        )
        standing_approvals.make_standing(session, actor=actor(session, "approver"), request=asked)


def make_report(login: str) -> None:
    """A manager has an executive report made of all hosts, over the last 90 days."""
    with session_scope() as session:
        asked = ReportCreate(template="executive", group_id=1, view_id=None, period=PeriodInput())
        report_id = report_actions.request_report(session, actor=actor(session, login), request=asked).id
    with session_scope() as session:
        build_report(session, report_id)


def run_benchmark(name: str, rates: Sequence[float]) -> None:
    """The operator runs DiskSpd on a host, once for each of these requests a second, and imports what it prints."""
    with session_scope() as session:
        host_id = host_ids(session, [name])[0]
        by = actor(session, "operator")
        began = utc_now() - timedelta(minutes=3 * len(rates))
        for number, rate in enumerate(rates):
            at = began + timedelta(minutes=3 * number)
            asked = run_import.request_of(f"diskspd-{at:%m%d-%H%M}.txt", diskspd_output(name, at, rate), "", None, at)
            run_import.import_benchmark(session, actor=by, host_id=host_id, request=asked)


def prove(name: str, rule: str, title: str) -> None:
    """The operator has the runs before the host's last job compared with those after it. `rule` is its address, as "pack/rule"."""
    with session_scope() as session:
        host_id = host_ids(session, [name])[0]
        job = session.exec(select(Job).where(col(Job.host_id) == host_id).order_by(col(Job.id).desc())).first()
        if job is None:
            raise NotInThePast(f"no job ran on {name}")
        pack, _, name_of_rule = rule.partition("/")
        runs = session.exec(select(BenchmarkRunRow).where(col(BenchmarkRunRow.host_id) == host_id)).all()
        asked = ProofCreate(
            host_id=host_id,
            title=title,
            before=[run.id or 0 for run in runs if run.measured_at < job.created_at],
            after=[run.id or 0 for run in runs if run.measured_at > job.created_at],
            pack=pack,
            rule=name_of_rule,
            job_id=job.id,
        )
        proofs.make_proof(session, actor=actor(session, "operator"), request=asked)


def publish_pack(files: dict[str, str], group: str, note: str) -> None:
    """An admin uploads a version of the team's own pack, publishes it, and makes it active in a group."""
    with session_scope() as session:
        by = actor(session, "admin")
        uploaded = drafts.upload_files(session, actor=by, files=files, source="acme-san.zip")
        if uploaded.draft is None:
            raise NotInThePast(f"the pack has mistakes: {uploaded.mistakes}")
        published = drafts.publish_draft(session, actor=by, draft_id=uploaded.draft.id, note=note)
        found = session.exec(select(HostGroup).where(col(HostGroup.name) == group)).one()
        asked = Activation(group_id=found.id or 0, what="version", version_id=published.published_version_id, reason=note)
        activation.activate(session, actor=by, pack=published.pack, request=asked)
