"""`/metrics` for Prometheus: the fleet by group and state. There is no series per host or rule, so their number does not grow with it."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep

router = APIRouter()


class FleetCollector:
    """Reads the figures at each scrape."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def collect(self) -> Iterator[Metric]:
        """The metric families."""
        hosts = GaugeMetricFamily("plumbline_hosts", "Hosts by group and state", labels=["group", "state"])
        score = GaugeMetricFamily("plumbline_score_mean", "Average score of scored hosts", labels=["group"])
        findings = GaugeMetricFamily("plumbline_findings", "Findings by group and outcome", labels=["group", "outcome"])
        age = GaugeMetricFamily("plumbline_oldest_check_in_seconds", "Longest silence of an active host", labels=["group"])
        for row in self.session.execute(
            text(
                "SELECT g.name, h.state, count(*) AS hosts, avg(h.score) AS score, sum(n_pass) AS pass, sum(n_fail) AS fail,"
                " sum(n_unknown) AS unknown, sum(n_waived) AS waived, max(extract(epoch FROM now() - h.last_seen_at)) AS age"
                " FROM host h JOIN host_group g ON g.id = h.group_id GROUP BY g.id, g.name, h.state"
            )
        ):
            hosts.add_metric([row.name, row.state], row.hosts)
            if row.state != "active":
                continue
            if row.score is not None:
                score.add_metric([row.name], float(row.score))
            if row.age is not None:
                age.add_metric([row.name], float(row.age))
            for outcome in ("pass", "fail", "unknown", "waived"):
                findings.add_metric([row.name, outcome], float(getattr(row, outcome) or 0))
        unchained = GaugeMetricFamily("plumbline_audit_unchained", "Audit entries not chained yet")
        unchained.add_metric([], self.session.execute(text("SELECT count(*) FROM audit_entry WHERE number IS NULL")).scalar_one())
        unreviewed = GaugeMetricFamily("plumbline_broken_glass", "Plans run without an approver and not reviewed")
        waiting = "SELECT count(*) FROM approval WHERE kind = 'break_glass' AND reviewed_at IS NULL"
        unreviewed.add_metric([], self.session.execute(text(waiting)).scalar_one())
        return iter((hosts, score, findings, age, unchained, unreviewed))


@router.get(
    "/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE_LATEST.split(";")[0]: {"schema": {"type": "string"}}}}}
)
def read_metrics(session: SessionDep, _: Annotated[Actor, May("metrics.read")]) -> Response:
    """The fleet's figures in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FleetCollector(session))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
