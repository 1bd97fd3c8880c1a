"""`/metrics` for Prometheus: the fleet by group, jobs, and the parts of the installation. There is no series per host or rule, so their
number does not grow with the fleet. Alert rules and a dashboard: docs/operating/prometheus/."""

from collections.abc import Iterator
from importlib import metadata
from typing import Annotated

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.models.hosts import REPORTS
from plumbline.ops.system_health import read_system_health

router = APIRouter()

# The value of plumbline_part_level for each level of a part.
LEVELS = {"ok": 0, "warning": 1, "unknown": 2, "failed": 3}
# Two groups may have one name under different parents: the id keeps their series apart.
_GROUP = ["group", "group_id"]
_HOSTS = f"""
SELECT g.name, g.id, h.state, count(*) AS hosts, avg(h.score) AS score, sum(n_pass) AS pass, sum(n_fail) AS fail,
  sum(n_unknown) AS unknown, sum(n_waived) AS waived, max(extract(epoch FROM now() - h.last_seen_at)) FILTER (WHERE h.{REPORTS}) AS age,
  count(*) FILTER (WHERE h.capped_by <> '') AS capped, count(*) FILTER (WHERE h.alarm <> '') AS alarms,
  count(*) FILTER (WHERE h.{REPORTS} AND (h.last_seen_at IS NULL
    OR h.last_seen_at < now() - make_interval(secs => :intervals * h.interval_seconds))) AS silent
FROM host h JOIN host_group g ON g.id = h.group_id GROUP BY g.id, g.name, h.state
"""  # noqa: S608 (a constant)


class FleetCollector:
    """Reads the figures at each scrape."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def collect(self) -> Iterator[Metric]:
        """The metric families."""
        yield from self._fleet()
        yield from self._work()
        yield from self._installation()

    def _fleet(self) -> Iterator[Metric]:
        hosts = GaugeMetricFamily("plumbline_hosts", "Hosts by group and state", labels=[*_GROUP, "state"])
        score = GaugeMetricFamily("plumbline_score_mean", "Average score of scored hosts", labels=_GROUP)
        findings = GaugeMetricFamily("plumbline_findings", "Findings by group and outcome", labels=[*_GROUP, "outcome"])
        age = GaugeMetricFamily("plumbline_oldest_check_in_seconds", "Longest silence of an active host", labels=_GROUP)
        silent = GaugeMetricFamily("plumbline_hosts_not_reporting", "Active hosts without a check-in for four intervals", labels=_GROUP)
        capped = GaugeMetricFamily("plumbline_hosts_capped", "Active hosts whose score is capped", labels=_GROUP)
        alarms = GaugeMetricFamily("plumbline_hosts_with_alarm", "Active hosts with an alarm", labels=_GROUP)
        for row in self.session.execute(text(_HOSTS), {"intervals": SILENT_AFTER_INTERVALS}):
            group = [row.name, str(row.id)]
            hosts.add_metric([*group, row.state], row.hosts)
            if row.state != "active":
                continue
            if row.score is not None:
                score.add_metric(group, float(row.score))
            if row.age is not None:
                age.add_metric(group, float(row.age))
            silent.add_metric(group, row.silent)
            capped.add_metric(group, row.capped)
            alarms.add_metric(group, row.alarms)
            for outcome in ("pass", "fail", "unknown", "waived"):
                findings.add_metric([*group, outcome], float(getattr(row, outcome) or 0))
        agents = GaugeMetricFamily("plumbline_agents", "Hosts by platform and agent version", labels=["platform", "version"])
        counted = "SELECT platform, agent_version, count(*) FROM host WHERE state = 'active' GROUP BY 1, 2"
        for platform, version, count in self.session.execute(text(counted)):
            agents.add_metric([platform, version], count)
        yield from (hosts, score, findings, age, silent, capped, alarms, agents)

    def _work(self) -> Iterator[Metric]:
        for name, words, statement in (
            ("plumbline_jobs", "Jobs by state", "SELECT state, count(*) FROM job GROUP BY 1"),
            ("plumbline_plans", "Plans by state", "SELECT state, count(*) FROM plan GROUP BY 1"),
            ("plumbline_waivers", "Waivers by state", "SELECT state, count(*) FROM waiver GROUP BY 1"),
        ):
            family = GaugeMetricFamily(name, words, labels=["state"])
            for state, count in self.session.execute(text(statement)):
                family.add_metric([state], count)
            yield family
        for name, words, statement in (
            ("plumbline_waivers_ending_soon", "Active waivers that end within 14 days",
             "SELECT count(*) FROM waiver WHERE state = 'active' AND expires_at < now() + interval '14 days'"),
            ("plumbline_emergency_stop", "1 while the emergency stop is on", "SELECT coalesce(max(is_stopped::int), 0) FROM stop_switch"),
            ("plumbline_audit_unchained", "Audit entries not chained yet", "SELECT count(*) FROM audit_entry WHERE number IS NULL"),
            ("plumbline_broken_glass", "Plans run without an approver not reviewed yet",
             "SELECT count(*) FROM approval WHERE kind = 'break_glass' AND reviewed_at IS NULL"),
        ):  # fmt: skip
            family = GaugeMetricFamily(name, words)
            family.add_metric([], self.session.execute(text(statement)).scalar_one())
            yield family

    def _installation(self) -> Iterator[Metric]:
        levels = GaugeMetricFamily("plumbline_part_level", "Parts: 0 ok, 1 warning, 2 unknown, 3 failed", labels=["part"])
        for part in read_system_health(self.session).parts:
            levels.add_metric([part.name], LEVELS[part.level])
        backup = GaugeMetricFamily("plumbline_last_backup_timestamp_seconds", "When `plumbline backup` was run last")
        newest = "SELECT extract(epoch FROM max(at)) FROM audit_entry WHERE action = 'installation.backed_up'"
        at = self.session.execute(text(newest)).scalar_one()
        if at is not None:
            backup.add_metric([], float(at))
        info = GaugeMetricFamily("plumbline_info", "The version of Plumbline", labels=["version"])
        info.add_metric([metadata.version("plumbline")], 1)
        yield from (levels, backup, info)


@router.get(
    "/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE_LATEST.split(";")[0]: {"schema": {"type": "string"}}}}}
)
def read_metrics(session: SessionDep, _: Annotated[Actor, May("metrics.read")]) -> Response:
    """The fleet's figures in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FleetCollector(session))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
