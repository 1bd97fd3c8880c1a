"""What counters say of a job: the host an hour and a day before and after, beside hosts that were not treated at that time."""

from datetime import datetime, timedelta

from sqlalchemy import select, text
from sqlmodel import Session, col

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.core.proof.job_effect import Effect, Window, effect
from plumbline.infra.database import now_of
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import COUNTED, HOST, HOST_GROUP, Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.proofs.host_counters import METRICS, HostMetrics, Metric, read_metrics
from plumbline.proofs.schemas import CounterEffect, EffectWindow, JobEffect

_SPANS_HOURS = (1, 24)
_MOST_CONTROLS = 8
_LEAST_IN_CLUSTER = 3
# Hosts that no job of ours touched from the first window to the last.
_UNTREATED = f"""
SELECT h.id, h.name FROM host h WHERE h.id <> :host AND h.platform = :platform AND {{condition}} AND h.{COUNTED}
  AND EXISTS (SELECT FROM host_group g WHERE g.id = h.group_id AND g.path LIKE ANY(:scopes))
  AND NOT EXISTS (
    SELECT FROM job j WHERE j.host_id = h.id AND j.started_at IS NOT NULL AND j.started_at < :until
      AND coalesce(j.finished_at, j.state_at) > :since)
ORDER BY h.id LIMIT :most
"""  # noqa: S608 (our own text)


def read_job_effect(session: Session, *, actor: Actor, job_id: int) -> JobEffect:
    """The effect of a job. Seven queries for any number of counters. Raises `NotFound`."""
    found = session.execute(
        select(Job, Host)
        .join(Host, HOST.id == Job.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(col(Job.id) == job_id, in_scope(actor))
    ).first()
    if found is None:
        raise NotFound("Job not found.")
    job, host = found
    empty = JobEffect(
        job_id=job_id,
        host=NamedHost(id=host.id, name=host.name),
        started_at=job.started_at,
        finished_at=job.finished_at,
        controls=[],
        controls_from="",
        windows=[],
        proof_ids=_proof_ids(session, job_id),
    )
    started = job.first_intent_at or job.started_at
    if started is None or job.finished_at is None:
        return empty
    longest = timedelta(hours=max(_SPANS_HOURS))
    since, until = started - longest, job.finished_at + longest
    controls, controls_from = _controls(session, actor, host, since, until)
    metrics = read_metrics(session, host_ids=[host.id, *(each.id for each in controls)], since=since, until=until)
    now = now_of(session)
    windows = [
        EffectWindow(
            hours=hours,
            is_over=now >= job.finished_at + timedelta(hours=hours),
            counters=_counters(metrics, host.id, [each.id for each in controls], started, job.finished_at, timedelta(hours=hours)),
        )
        for hours in _SPANS_HOURS
    ]
    return empty.model_copy(update={"controls": controls, "controls_from": controls_from if controls else "", "windows": windows})


def _proof_ids(session: Session, job_id: int) -> list[int]:
    return list(session.execute(text("SELECT id FROM proof WHERE job_id = :job ORDER BY id LIMIT 50"), {"job": job_id}).scalars())


def _controls(session: Session, actor: Actor, host: Host, since: datetime, until: datetime) -> tuple[list[NamedHost], str]:
    """Untreated hosts of the same cluster; where these are too few, of the same platform with the same adapters."""
    bound = {
        "host": host.id,
        "platform": host.platform,
        "cluster": host.cluster,
        "families": host.families,
        "since": since,
        "until": until,
        "most": _MOST_CONTROLS,
        "scopes": [f"{path}%" for path in actor.scopes],
    }
    if host.cluster:
        rows = session.execute(text(_UNTREATED.format(condition="h.cluster = :cluster")), bound).all()
        if len(rows) >= _LEAST_IN_CLUSTER:
            return [NamedHost(id=row.id, name=row.name) for row in rows], "cluster"
    rows = session.execute(text(_UNTREATED.format(condition="h.families = CAST(:families AS text[])")), bound).all()
    return [NamedHost(id=row.id, name=row.name) for row in rows], "model"


def _counters(
    metrics: dict[str, HostMetrics], host_id: str, control_ids: list[str], started: datetime, finished: datetime, span: timedelta
) -> list[CounterEffect]:
    found = []
    for metric in METRICS:
        own = _windows(metrics.get(host_id), metric, started, finished, span)
        if not own[0].values and not own[1].values:
            continue  # the host does not count it
        others = [_windows(metrics.get(each), metric, started, finished, span) for each in control_ids]
        found.append(_shown(metric, effect(*own, others, is_lower_better=metric.is_lower_better, needs_load=metric.needs_load)))
    return found


def _windows(metrics: HostMetrics | None, metric: Metric, started: datetime, finished: datetime, span: timedelta) -> tuple[Window, Window]:
    if metrics is None:
        return Window((), None), Window((), None)
    return (
        Window(metrics.between(metric.name, started - span, started), metrics.load_between(started - span, started)),
        # The first reading after the job still counts from before its end.
        Window(metrics.between(metric.name, finished, finished + span, skip=1), metrics.load_between(finished, finished + span, skip=1)),
    )


def _shown(metric: Metric, seen: Effect) -> CounterEffect:
    return CounterEffect(
        name=metric.name,
        label=metric.label,
        unit=metric.unit,
        is_lower_better=metric.is_lower_better,
        **{name: getattr(seen, name) for name in Effect.__dataclass_fields__},
    )
