"""Planning a draft: reads the facts of each host, calls the pure planner, and stores the result as the plan's document."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import structlog
from sqlmodel import Session, col, select, text

from plumbline.checkin.session_routes import read_routes
from plumbline.configurations.read import HostDocument, read_document
from plumbline.core.facts.configuration import HOST, SettingValue, Subject
from plumbline.core.freshness import LATE_AFTER_INTERVALS
from plumbline.core.planning.build import NoTargets, build_plan
from plumbline.core.planning.inputs import Chosen, ClusterState, HostFacts, Limits
from plumbline.core.planning.plan import Plan as PlannedPlan
from plumbline.core.planning.plan import canonical, digest, document
from plumbline.core.planning.refusals import Refused
from plumbline.core.rules.rule import FixSetting
from plumbline.core.texts import counted
from plumbline.infra.clock import iso
from plumbline.infra.database import now_of, session_scope
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import CheckInSource, FabricLabel, Host
from plumbline.models.jobs import DomainBudget
from plumbline.models.plans import Plan, PlanState
from plumbline.packs.in_force import NO_RULES, ActiveRules, read_active
from plumbline.packs.runner_settings import runner_settings
from plumbline.remediation.access import probes
from plumbline.remediation.access.reachability import access_blocker, sign_in_blocker
from plumbline.remediation.controls.checks import observe_only
from plumbline.remediation.failure_domains import default_slots, domains_of
from plumbline.remediation.host_load import busiest_percent
from plumbline.remediation.transitions import lock_plan, set_plan_state

log = structlog.get_logger()

LEASE = timedelta(seconds=180)


def build(plan_id: int) -> None:
    """Plans one draft. Safe to call any number of times: the first call takes the lease, the others do nothing."""
    with session_scope() as session:
        plan = lock_plan(session, plan_id)
        if plan.state != PlanState.PLANNING or (plan.lease_until is not None and plan.lease_until > now_of(session)):
            return
        plan.lease_until, plan.deliveries = now_of(session) + LEASE, plan.deliveries + 1
        session.add(plan)
    try:
        with session_scope() as session:
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            made = _plan(session, session.get_one(Plan, plan_id))
    except NoTargets as error:
        _fail(plan_id, str(error))
        return
    except Exception as error:  # a fault in the program must not leave a plan in PLANNING for ever
        log.error("plan not built", plan=plan_id, error=f"{type(error).__name__}: {error}"[:500])
        _fail(plan_id, f"internal error while planning: {type(error).__name__}")
        raise
    with session_scope() as session:
        plan = lock_plan(session, plan_id)
        if plan.state != PlanState.PLANNING:
            return
        plain = document(made)
        plan.document, plan.digest = canonical(plain).decode("ascii"), digest(plain)
        plan.title = plan.title or made.title
        if made.is_empty:
            words = (
                "All hosts are blocked; see the reasons" if made.refusals else "Manual work only; see the steps" if made.checklists else ""
            )
            set_plan_state(session, plan, PlanState.NO_CHANGE, words or "All values are already correct")
            return
        steps = sum(len(host.steps) for host in made.hosts)
        set_plan_state(
            session,
            plan,
            PlanState.PLANNED,
            f"{counted(steps, 'step')} on {counted(len(made.hosts), 'host')}, {len(made.refusals)} blocked",
        )


def _fail(plan_id: int, words: str) -> None:
    with session_scope() as session:
        plan = lock_plan(session, plan_id)
        if plan.state == PlanState.PLANNING:
            set_plan_state(session, plan, PlanState.PLAN_FAILED, words)


def _plan(session: Session, plan: Plan) -> PlannedPlan:
    findings, settings = plan.request["findings"], plan.request.get("settings", [])
    options = plan.request["options"]
    active = read_active(session)
    ids = {each["host_id"] for each in (*findings, *settings)}
    hosts = session.exec(select(Host).where(col(Host.id).in_(ids)).order_by(col(Host.id))).all()
    facts = [
        host_facts(
            session,
            host,
            [each for each in findings if each["host_id"] == host.id],
            active,
            settings=[each for each in settings if each["host_id"] == host.id],
        )
        for host in hosts
    ]
    sessions = read_routes(session, hosts)
    facts = [replace(each, sessions=sessions[each.host]) for each in facts]
    packs = {f"{name}@{version}" for host in hosts for name, version in _versions(session, active, host)}
    used = {chosen.pack for host in facts for chosen in host.chosen}
    domains = {domain for host in facts for domain in host.domains}
    return build_plan(
        facts,
        runner_settings(),
        _limits(session, options, domains),
        packs=[pack for pack in packs if pack.partition("@")[0] in used],
        proofs=probes.proofs(session),
        title=plan.title,
    )


def _versions(session: Session, active: ActiveRules, host: Host) -> list[tuple[str, str]]:
    ids = active.by_group.get(host.group_id, NO_RULES).version_ids
    rows = session.execute(text("SELECT pack, version FROM pack_version WHERE id = ANY(:ids)"), {"ids": list(ids.values())})
    return [(pack, version) for pack, version in rows]


def _limits(session: Session, options: dict[str, object], domains: set[str]) -> Limits:
    given = {row.domain: row.slots for row in session.exec(select(DomainBudget).where(col(DomainBudget.domain).in_(domains)))}
    slots = {domain: given.get(domain, default_slots(domain)) for domain in domains}
    chosen = {name: value for name, value in options.items() if value is not None}
    return Limits(domain_slots=slots, **chosen)  # type: ignore[arg-type]


def host_facts(
    session: Session, host: Host, findings: list[dict[str, str]], active: ActiveRules, *, settings: Sequence[dict[str, Any]] = ()
) -> HostFacts:
    """A host as it is now, for the planner: with the findings and settings that were chosen on it, and without its sessions.

    Raises `NoTargets` before its first check-in.
    """
    stored = read_document(session, host)
    if stored is None:
        raise NoTargets(f"{host.name} has not checked in yet")
    rules = active.by_group.get(host.group_id, NO_RULES).rules
    chosen = tuple(
        Chosen(rule, Subject(finding["subject_kind"], finding["subject_id"]))
        for finding in findings
        if (rule := rules.get(f"{finding['pack']}/{finding['rule']}")) is not None
    )
    chosen += tuple(
        Chosen(None, Subject(each["subject_kind"], each["subject_id"]), FixSetting(each["key"], _value_of(each["to"]))) for each in settings
    )
    labels = {row.adapter_id: row.fabric for row in session.exec(select(FabricLabel).where(col(FabricLabel.host_id) == host.id))}
    configuration = stored.document.configuration
    return HostFacts(
        host=host.id,
        name=host.name,
        configuration=configuration,
        path_map=stored.document.path_map,
        chosen=chosen,
        facts_at=iso(host.last_seen_at or stored.row.received_at),
        configuration_hash=_mark(stored),
        domains=tuple(domains_of(session, host)),
        fabrics=labels,
        cluster=_cluster(stored),
        load_percent=busiest_percent(session, host.id, configuration),
        stale=_stale(session, host),
        shut_out=sign_in_blocker(session, host),
        without_job=_no_job_because(session, host),
        reached_at=endpoint.address if (endpoint := session.get(RemediationEndpoint, host.id)) is not None else "",
    )


def _value_of(plain: Any) -> SettingValue:
    return tuple(plain) if isinstance(plain, list) else cast(SettingValue, plain)


def _no_job_because(session: Session, host: Host) -> Refused | None:
    """Why no job may carry out anything on the host. Said at planning, since an approved job would only wait for it."""
    observed = observe_only(session, host)
    if observed is not None:
        return Refused("remediation_on", HOST.address("remediation"), observed.words)
    missing = access_blocker(session, host)
    return Refused("reachable", HOST.address("remediation"), f"not ready for remediation: {missing}") if missing else None


def _mark(stored: HostDocument) -> str:
    """The identity of a configuration: the digests of the sections that it was read from."""
    return digest({"sections": dict(stored.row.sections)})


def _cluster(stored: HostDocument) -> ClusterState:
    configuration = stored.document.configuration
    node, others = configuration.value(HOST, "cluster_node"), configuration.value(HOST, "cluster_others_up")
    jobs = configuration.value(HOST, "storage_jobs")
    return ClusterState(
        node if isinstance(node, str) else None,
        others if isinstance(others, bool) else None,
        jobs if isinstance(jobs, int) and not isinstance(jobs, bool) else None,
    )


def _stale(session: Session, host: Host) -> str:
    if host.last_seen_at is None:
        return "no check-in yet"
    if host.source == CheckInSource.BUNDLE:
        return f"it is from a support bundle of {host.last_seen_at:%Y-%m-%d}. Enrol an agent first"
    age = (now_of(session) - host.last_seen_at).total_seconds()
    return f"last check-in was {age / 60:.0f} minutes ago" if age > LATE_AFTER_INTERVALS * host.interval_seconds else ""
