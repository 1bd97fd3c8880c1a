"""Downloads of the screens' tables as CSV, with the screen's filters. Each download is audited."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.core.rules.finding_status import FindingStatus
from plumbline.drift.baseline_schemas import BaselineState
from plumbline.fleet.routes import MatrixFilters
from plumbline.hosts.comparison_schemas import Reference
from plumbline.hosts.filters import HostListing
from plumbline.infra.schemas import HostId, Moment, RowId
from plumbline.performance.routes import ChartFilters
from plumbline.remediation.jobs.queries import JobFilters
from plumbline.reports import host_tables, tables
from plumbline.reports.export import Exported, export
from plumbline.waivers.routes import Filters

router = APIRouter(prefix="/exports")

PackId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
Values = Annotated[list[str], Query(max_length=50)]
Outcomes = Annotated[list[FindingStatus], Query(max_length=7)]
Hours = Annotated[int, Query(ge=1, le=24 * 366)]
Exporter = Annotated[Actor, May("table.export")]
MEDIA = "text/csv; charset=utf-8"
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string", "format": "binary"}}}}}


def _sent_filters(request: Request) -> list[tuple[str, str]]:
    return list(request.query_params.multi_items())


# The filters as they were sent, for the audit trail.
SentFilters = Annotated[list[tuple[str, str]], Depends(_sent_filters)]


def _file(exported: Exported) -> Response:
    return Response(exported.content, media_type=MEDIA, headers={"Content-Disposition": f'attachment; filename="{exported.name}"'})


@router.get("/hosts.csv", response_class=Response, responses=_FILE)
def export_hosts(listing: Annotated[HostListing, Query()], session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """The hosts that match, in the requested order."""
    whole = listing.model_copy(update={"limit": tables.PAGE})
    return _file(export(session, actor=actor, what="hosts", filters=sent, read=partial(tables.hosts, session, listing=whole)))


@router.get("/hosts/{host_id}/findings.csv", response_class=Response, responses=_FILE)
def export_host_findings(host_id: HostId, session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """All findings of one host."""
    read = partial(host_tables.findings, session, host_id=host_id)
    return _file(export(session, actor=actor, what="findings", filters=sent, host_id=host_id, read=read))


@router.get("/hosts/{host_id}/settings.csv", response_class=Response, responses=_FILE)
def export_host_settings(host_id: HostId, session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """Every setting of one host's newest configuration."""
    read = partial(host_tables.settings, session, host_id=host_id)
    return _file(export(session, actor=actor, what="settings", filters=sent, host_id=host_id, read=read))


@router.get("/hosts/{host_id}/comparison.csv", response_class=Response, responses=_FILE)
def export_host_comparison(
    host_id: HostId,
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    reference: Reference = "peers",
    other: HostId | None = None,
    at: Moment | None = None,
    assessed: RowId | None = None,
    same: bool = False,
) -> Response:
    """One host beside another host, its baseline, its peers, another date or a support bundle."""
    read = partial(
        host_tables.comparison,
        session,
        host_id=host_id,
        reference=reference,
        other_id=other,
        at=at,
        assessed_id=assessed,
        with_same=same,
    )
    return _file(export(session, actor=actor, what="comparison", filters=sent, host_id=host_id, read=read))


@router.get("/hosts/{host_id}/changes.csv", response_class=Response, responses=_FILE)
def export_host_changes(host_id: HostId, session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """Changes of one host's settings."""
    read = partial(host_tables.changes, session, host_id=host_id)
    return _file(export(session, actor=actor, what="changes", filters=sent, host_id=host_id, read=read))


@router.get("/hosts/{host_id}/score.csv", response_class=Response, responses=_FILE)
def export_host_score(host_id: HostId, session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """One host's score, rule by rule."""
    read = partial(host_tables.score, session, host_id=host_id)
    return _file(export(session, actor=actor, what="score", filters=sent, host_id=host_id, read=read))


@router.get("/hosts/{host_id}/counters.csv", response_class=Response, responses=_FILE)
def export_host_counters(
    host_id: HostId,
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    hours: Hours = 48,
    series: Annotated[str, Query(max_length=4000)] = "",
) -> Response:
    """The points of one host's charts."""
    names = [name for name in series.split(",") if name]
    read = partial(host_tables.counters, session, host_id=host_id, hours=hours, wanted=names)
    return _file(export(session, actor=actor, what="counters", filters=sent, host_id=host_id, read=read))


@router.get("/performance/charts.csv", response_class=Response, responses=_FILE)
def export_charts(filters: Annotated[ChartFilters, Query()], session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """The figures of the charts of one or more hosts, a row for each step of each series."""
    read = partial(host_tables.charts, session, request=filters.request())
    return _file(export(session, actor=actor, what="charts", filters=sent, read=read))


@router.get("/rules.csv", response_class=Response, responses=_FILE)
def export_rules(
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    q: Annotated[str, Query(max_length=200)] = "",
    pack: Values = [],  # noqa: B006 - FastAPI copies it
    kind: Values = [],  # noqa: B006
    outcome: Outcomes = [],  # noqa: B006
) -> Response:
    """The rules of the active packs with their hosts by outcome."""
    read = partial(tables.rule_list, session, q=q, packs=pack, kinds=kind, outcomes=outcome)
    return _file(export(session, actor=actor, what="rules", filters=sent, read=read))


@router.get("/rules/{pack}/{rule}/hosts.csv", response_class=Response, responses=_FILE)
def export_rule_hosts(
    pack: PackId,
    rule: RuleId,
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    outcome: Outcomes = [],  # noqa: B006
) -> Response:
    """The findings of one rule."""
    read = partial(tables.rule_hosts, session, pack=pack, rule=rule, outcomes=outcome)
    return _file(export(session, actor=actor, what=f"rule-{rule}", filters=sent, read=read))


@router.get("/matrix.csv", response_class=Response, responses=_FILE)
def export_matrix(
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    query: MatrixFilters,
) -> Response:
    """The whole matrix with the filters of the page."""
    read = partial(tables.matrix, session, query=query)
    return _file(export(session, actor=actor, what="matrix", filters=sent, group_id=query.group_id, read=read))


@router.get("/score.csv", response_class=Response, responses=_FILE)
def export_fleet_score(session: SessionDep, actor: Exporter, sent: SentFilters, group: RowId | None = None) -> Response:
    """The fleet's score, rule by rule."""
    read = partial(tables.score, session, group_id=group)
    return _file(export(session, actor=actor, what="score", filters=sent, group_id=group, read=read))


@router.get("/drift.csv", response_class=Response, responses=_FILE)
def export_drift(
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    group: RowId | None = None,
    hours: Hours = 24 * 7,
    cause: Annotated[list[Annotated[str, Query(pattern=r"^[a-z_]{1,40}$")]], Query(max_length=20)] = [],  # noqa: B006
    host: Annotated[list[HostId], Query(max_length=100)] = [],  # noqa: B006
    unread: bool = False,
) -> Response:
    """Changes of settings; equal changes of several hosts are one row."""
    read = partial(tables.drift, session, group_id=group, hours=hours, causes=cause, host_ids=host, with_unread=unread)
    return _file(export(session, actor=actor, what="drift", filters=sent, group_id=group, read=read))


@router.get("/baselines.csv", response_class=Response, responses=_FILE)
def export_baselines(session: SessionDep, actor: Exporter, sent: SentFilters, state: BaselineState | None = None) -> Response:
    """Proposed baselines with their decisions."""
    read = partial(tables.baselines, session, state=state)
    return _file(export(session, actor=actor, what="baselines", filters=sent, read=read))


@router.get("/waivers.csv", response_class=Response, responses=_FILE)
def export_waivers(session: SessionDep, actor: Exporter, sent: SentFilters, filters: Filters) -> Response:
    """The waivers that match."""
    read = partial(tables.waivers, session, filters=filters)
    return _file(export(session, actor=actor, what="waivers", filters=sent, group_id=filters.group, read=read))


@router.get("/attestations.csv", response_class=Response, responses=_FILE)
def export_attestations(session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """Attestations."""
    return _file(export(session, actor=actor, what="attestations", filters=sent, read=partial(tables.attestations, session)))


@router.get("/plans.csv", response_class=Response, responses=_FILE)
def export_plans(session: SessionDep, actor: Exporter, sent: SentFilters, state: Values = [], mine: bool = False) -> Response:  # noqa: B006
    """Plans, newest first."""
    read = partial(tables.plans, session, states=state, mine=mine)
    return _file(export(session, actor=actor, what="plans", filters=sent, read=read))


@router.get("/jobs.csv", response_class=Response, responses=_FILE)
def export_jobs(
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    state: Values = [],  # noqa: B006
    host: HostId | None = None,
    plan: RowId | None = None,
    is_open: bool | None = None,
) -> Response:
    """Jobs, newest first."""
    read = partial(tables.jobs, session, filters=JobFilters(states=state, host_id=host, plan_id=plan, is_open=is_open))
    return _file(export(session, actor=actor, what="jobs", filters=sent, host_id=host, read=read))


@router.get("/judging-runs/{run_id}/hosts.csv", response_class=Response, responses=_FILE)
def export_run_hosts(run_id: RowId, session: SessionDep, actor: Exporter, sent: SentFilters) -> Response:
    """The hosts of a preview or of a past state."""
    read = partial(tables.run_hosts, session, run_id=run_id)
    return _file(export(session, actor=actor, what=f"run-{run_id}", filters=sent, read=read))


@router.get("/audit.csv", response_class=Response, responses=_FILE)
def export_audit(
    session: SessionDep,
    actor: Exporter,
    sent: SentFilters,
    action: Annotated[str, Query(max_length=100)] = "",
    by: Annotated[str, Query(max_length=100, alias="actor")] = "",
    about: Annotated[str, Query(max_length=200, alias="object")] = "",
) -> Response:
    """The audit trail."""
    read = partial(tables.audit_trail, session, action=action, by=by, about=about)
    return _file(export(session, actor=actor, what="audit", filters=sent, read=read))
