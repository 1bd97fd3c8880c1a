"""Plans, jobs and decisions of a report's period: read by the lists of the screens, with who approved and how long it took."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import text

from plumbline.infra.clock import iso
from plumbline.remediation.jobs.queries import JobFilters, list_jobs
from plumbline.remediation.plans.queries import list_plans
from plumbline.remediation.states import JOB_FINAL, JOB_WORDS
from plumbline.reports.frozen.scope import Scope
from plumbline.reports.frozen.words import duration_words, median

_PAGE = 200
# Kinds of approvals, as `approval.kind` has them.
_APPROVED = "CASE a.kind WHEN 'person' THEN a.approver_id <> a.author_id WHEN 'standing' THEN s.signer_id <> a.author_id ELSE false END"
_APPROVALS = f"""
SELECT p.id, p.ticket, p.request, a.kind, a.signed_at, coalesce(nullif(author.display_name, ''), author.login, '') AS author,
  coalesce(nullif(approver.display_name, ''), approver.login, '') AS approver,
  coalesce(nullif(second.display_name, ''), second.login, '') AS second, s.name AS standing,
  coalesce({_APPROVED}, false) AS is_by_another
FROM plan p LEFT JOIN approval a ON a.plan_id = p.id LEFT JOIN standing_approval s ON s.id = a.standing_id
LEFT JOIN person author ON author.id = p.author_id LEFT JOIN person approver ON approver.id = coalesce(a.approver_id, s.signer_id)
LEFT JOIN person second ON second.id = a.second_id WHERE p.id = ANY(:ids)
"""  # noqa: S608
_WAIVERS = """
SELECT count(*) AS decided, count(*) FILTER (WHERE w.approved_by <> w.requested_by) AS by_another FROM waiver w
LEFT JOIN host h ON h.id = w.host_id
WHERE w.approved_at >= :from AND w.approved_at < :to AND coalesce(h.group_id, w.group_id) = ANY(:groups)
"""
_BASELINES = """
SELECT count(*) AS decided, count(*) FILTER (WHERE b.decided_by <> b.proposed_by) AS by_another FROM baseline b
WHERE b.state = 'accepted' AND b.decided_at >= :from AND b.decided_at < :to AND b.group_id = ANY(:groups)
"""


def read_plans(scope: Scope) -> list[dict[str, Any]]:
    """Plans that were made, approved or ended in the period, newest first."""
    rows = [
        plan
        for plan in _every(lambda after: list_plans(scope.session, actor=scope.reader, states=(), mine=False, after=after, limit=_PAGE))
        if plan.created_at < scope.as_of and plan.state_at >= scope.period.start
    ]
    more = {row.id: row for row in scope.session.execute(text(_APPROVALS), {"ids": [plan.id for plan in rows]})}
    plans = []
    for plan in rows:
        about = more[plan.id]
        hosts = {each["host_id"] for each in about.request.get("findings", ())}
        if scope.host_ids is not None and hosts.isdisjoint(scope.host_ids):
            continue
        done = {state: count for state, count in plan.jobs.items() if state in JOB_FINAL}
        has_ended = plan.state in ("FINISHED", "STOPPED")
        plans.append(
            {
                "id": plan.id,
                "title": plan.title,
                "state": plan.state,
                "state_label": plan.state_label.capitalize(),
                "state_words": plan.state_words,
                "group": plan.group_name,
                "author": about.author or plan.author,
                "approval": about.kind or "",
                "approver": about.approver,
                "approver_words": _approver_words(about),
                "is_by_another": about.is_by_another,
                "ticket": about.ticket,
                "created_at": iso(plan.created_at),
                "approved_at": iso(about.signed_at) if about.signed_at else None,
                "ended_at": iso(plan.state_at) if has_ended else None,
                "hosts": plan.hosts,
                "has_run": has_ended and bool(done),
                "result": ", ".join(f"{count} {JOB_WORDS[state]}" for state, count in sorted(done.items(), key=lambda each: -each[1])),
            }
        )
    return plans


def _approver_words(row: Any) -> str:
    if row.kind is None:
        return "–"
    if row.kind == "standing":
        return f"{row.approver} (standing approval)"
    return f"{row.approver} and {row.second} (break-glass)" if row.kind == "break_glass" else str(row.approver)


def read_jobs(scope: Scope) -> list[dict[str, Any]]:
    """Jobs of the period, newest first."""
    jobs = _every(lambda after: list_jobs(scope.session, actor=scope.reader, filters=JobFilters(), after=after, limit=_PAGE))
    return [
        {
            "id": job.id,
            "plan_id": job.plan_id,
            "plan": job.plan_title,
            "host": job.host.name,
            "host_id": job.host.id,
            "kind": job.kind,
            "state": job.state,
            "state_label": job.state_label.capitalize(),
            "state_words": job.state_words,
            "steps_done": job.steps_done,
            "steps_total": job.steps_total,
            "requested_by": job.requested_by,
            "created_at": iso(job.created_at),
            "started_at": iso(job.started_at) if job.started_at else None,
            "finished_at": iso(job.finished_at) if job.finished_at else None,
        }
        for job in jobs
        if job.created_at < scope.as_of
        and (job.finished_at is None or job.finished_at >= scope.period.start)
        and (scope.host_ids is None or job.host.id in scope.host_ids)
    ]


def _every(read: Callable[[int | None], Any]) -> Iterable[Any]:
    after: int | None = None
    while True:
        page = read(after)
        yield from page.items
        if page.next is None:
            return
        after = int(page.next)


def job_times(plans: Iterable[dict[str, Any]], jobs: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """From the request of a plan to the verified end of its jobs."""
    asked = {plan["id"]: datetime.fromisoformat(plan["created_at"]) for plan in plans}
    hours = [
        (datetime.fromisoformat(job["finished_at"]) - asked[job["plan_id"]]).total_seconds() / 3600
        for job in jobs
        if job["state"] == "SUCCEEDED" and job["kind"] == "change" and job["plan_id"] in asked and job["finished_at"]
    ]
    middle = median(hours)
    return {"done": len(hours), "median_hours": None if middle is None else round(middle, 1), "median_words": duration_words(middle)}


def read_approvals(scope: Scope, plans: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What was approved in the period, and how much of it by another person than the one who asked."""
    start, end = iso(scope.period.start), iso(scope.as_of)
    approved = [plan for plan in plans if plan["approved_at"] and start <= plan["approved_at"] < end]
    kinds = Counter(plan["approval"] for plan in approved)
    rows: list[dict[str, Any]] = [
        {
            "label": "Plans",
            "decided": len(approved),
            "by_another": sum(plan["is_by_another"] for plan in approved),
            "standing": kinds["standing"],
            "break_glass": kinds["break_glass"],
        }
    ]
    for label, statement in (("Waivers", _WAIVERS), ("Baselines", _BASELINES)):
        row = scope.session.execute(text(statement), scope.sql).one()
        rows.append({"label": label, "decided": row.decided, "by_another": row.by_another, "standing": 0, "break_glass": 0})
    total = {name: sum(row[name] for row in rows) for name in ("decided", "by_another", "standing", "break_glass")}
    counted: list[dict[str, Any]] = [*rows, {"label": "All", **total}]
    for line in counted:
        line["rate"] = round(line["by_another"] / line["decided"], 4) if line["decided"] else None
    return {**total, "rate": counted[-1]["rate"], "rows": counted}
