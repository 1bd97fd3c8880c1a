"""Readings of counters and finished jobs, as check-ins and workers leave them."""

from datetime import datetime, timedelta

from sqlmodel import Session, text

from plumbline.models.hosts import Host
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval
from tests.api.test_plan_and_job_pages import make_plan
from tests.api.world import World


def add_readings(session: Session, host_id: str, at: datetime, *, minutes: int, steps: int, percent: float, load: float) -> None:
    """Readings from an instant on: as many segments sent again as the percentage says, and a throughput in bytes a second."""
    for no, (subject, name) in enumerate(
        (("host/", "tcp_segments_sent"), ("host/", "tcp_segments_retransmitted"), ("adapter/a", "bytes_received"), ("host/", "cpu_percent"))
    ):
        kind = "gauge" if name == "cpu_percent" else "total"
        session.execute(
            text(
                "INSERT INTO counter_series (host_id, no, subject, name, kind) VALUES (:host, :no, :subject, :name, :kind)"
                " ON CONFLICT DO NOTHING"
            ),
            {"host": host_id, "no": no, "subject": subject, "name": name, "kind": kind},
        )
    last = session.execute(
        text("SELECT values, uptime_seconds FROM counter_sample WHERE host_id = :host ORDER BY at DESC LIMIT 1"), {"host": host_id}
    ).first()
    totals, uptime = (list(last[0]), int(last[1])) if last else ([0.0, 0.0, 0.0, 5.0], 1000)
    for step in range(1, steps + 1):
        seconds = minutes * 60
        totals = [totals[0] + 1000 * seconds, totals[1] + 1000 * seconds * percent / 100, totals[2] + load * seconds, 5.0]
        uptime += seconds
        session.execute(
            text("INSERT INTO counter_sample (host_id, at, uptime_seconds, values) VALUES (:host, :at, :uptime, :values)"),
            {"host": host_id, "at": at + timedelta(minutes=minutes * step), "uptime": uptime, "values": totals},
        )


def add_finished_job(session: Session, world: World, host: str, started: datetime, finished: datetime) -> int:
    """A finished job of a plan that fixed the rule `r` of the pack `p` on the host."""
    plan = make_plan(session, world, host, "FINISHED")
    author = world.people["operator"]
    session.add(Approval(plan_id=plan.id or 0, kind="person", payload="{}", signature=b"", key_id="k", author_id=author))
    session.flush()
    host_id = world.hosts[host]
    job = Job(
        plan_id=plan.id or 0, host_id=host_id, group_id=session.get_one(Host, host_id).group_id, state="SUCCEEDED",
        started_at=started, first_intent_at=started, finished_at=finished, not_after=finished,
    )  # fmt: skip
    session.add(job)
    session.flush()
    return job.id or 0
