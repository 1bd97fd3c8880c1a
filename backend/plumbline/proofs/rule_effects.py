"""What fixing a rule did here: counters of the hosts whose jobs fixed it, a day before and a day after."""

import math
from datetime import timedelta

from sqlalchemy import func, select
from sqlmodel import Session, col

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.infra.database import now_of
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.models.jobs import Job, JobState
from plumbline.models.plans import Plan
from plumbline.proofs.host_counters import METRICS, read_metrics
from plumbline.proofs.schemas import RuleCounter, RuleEffect

# The newest jobs, and how far back: day chunks of more would be read for a page that asks for one line.
_MOST_JOBS = 40
_LAST_DAYS = 30
_SPAN = timedelta(hours=24)
_LEAST_READINGS = 3
_NAMES = frozenset({"tcp_retransmit_percent", "drops", "pauses", "throughput"})


def read_rule_effect(session: Session, *, actor: Actor, pack: str, rule: str) -> RuleEffect:
    """Means over the hosts that have readings on both sides. Five queries for any number of jobs; a rule without jobs has no counters."""
    since = now_of(session) - timedelta(days=_LAST_DAYS)
    jobs = session.execute(
        select(col(Job.host_id), func.coalesce(col(Job.first_intent_at), col(Job.started_at)).label("began"), col(Job.finished_at))
        .join(Plan, col(Plan.id) == col(Job.plan_id))
        .join(Host, HOST.id == col(Job.host_id))
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(
            in_scope(actor),
            col(Job.kind) == "change",
            col(Job.state) == JobState.SUCCEEDED,
            col(Job.started_at) >= since,
            col(Job.finished_at).is_not(None),
            col(Plan.request).contains({"findings": [{"pack": pack, "rule": rule}]}),
        )
        .order_by(col(Job.id).desc())
        .limit(_MOST_JOBS)
    ).all()
    if not jobs:
        return RuleEffect(jobs=0, days=_LAST_DAYS, counters=[])
    metrics = read_metrics(
        session,
        host_ids=sorted({job.host_id for job in jobs}),
        since=min(job.began for job in jobs) - _SPAN,
        until=max(job.finished_at for job in jobs) + _SPAN,
        wanted=_NAMES,
    )
    counters = []
    for metric in METRICS:
        pairs = []
        for job in jobs:
            of_host = metrics[job.host_id]
            before = of_host.between(metric.name, job.began - _SPAN, job.began)
            after = of_host.between(metric.name, job.finished_at, job.finished_at + _SPAN, skip=1)
            if min(len(before), len(after)) >= _LEAST_READINGS:
                pairs.append((math.fsum(before) / len(before), math.fsum(after) / len(after)))
        if pairs:
            counters.append(
                RuleCounter(
                    name=metric.name,
                    label=metric.label,
                    unit=metric.unit,
                    is_lower_better=metric.is_lower_better,
                    jobs=len(pairs),
                    before=math.fsum(before for before, _ in pairs) / len(pairs),
                    after=math.fsum(after for _, after in pairs) / len(pairs),
                )
            )
    return RuleEffect(jobs=len(jobs), days=_LAST_DAYS, counters=counters)
