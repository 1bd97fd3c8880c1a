"""The reconciler: enqueues what may run, takes up what a lost worker left, ends what is over.

It never assumes that a task message arrived: it enqueues again until the row shows that a worker took it. One process runs it (beat,
under its advisory lock); a second would do no harm.
"""

import random
import time
from collections.abc import Callable
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, text

from plumbline.infra.database import is_past, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.infra.task_queue import enqueue_now
from plumbline.models.jobs import JobState
from plumbline.models.plans import PlanState
from plumbline.remediation.jobs import verify, waves
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.task_names import BUILD_PLAN, INSTALL_RUNNER, RAISE_FENCE, RUN_JOB
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_plan_event, lock_job, lock_plan, set_job_state, set_plan_state

log = structlog.get_logger()

BUILD_TRIES = 3
_next_runners = [0.0]
_next_fences = [0.0]

_MOVING = "SELECT id FROM plan WHERE state IN ('APPROVED', 'RUNNING', 'PAUSED') ORDER BY id"
_OVER = """
SELECT id FROM plan WHERE state IN ('DRAFT', 'PLANNED', 'AWAITING_APPROVAL') AND not_after <= clock_timestamp() ORDER BY id
"""
_BUILDING = f"SELECT id, lease_until IS NOT NULL, {is_past('lease_until')} FROM plan WHERE state = 'PLANNING' ORDER BY id"  # noqa: S608
_UNDO = "SELECT id, plan_id FROM job WHERE kind = 'undo' AND state = 'WAITING' ORDER BY id"
_VERIFYING = "SELECT id FROM job WHERE state = 'VERIFYING' ORDER BY id"
_EXPIRED = "SELECT id FROM job WHERE state IN ('WAITING', 'QUEUED') AND not_after <= clock_timestamp() ORDER BY id"
_RUNNERS = "SELECT host_id FROM remediation_endpoint WHERE runner_asked_by <> '' AND runner_installed_at IS NULL ORDER BY host_id"
# Resolved by a person, and the host's fence not raised yet.
_RESOLVING = "SELECT id FROM job WHERE state = 'NEEDS_HUMAN' AND resolved_by <> '' ORDER BY id"
RUNNERS_EVERY_SECONDS = 30.0
# Longer than two requests to a host that does not answer.
FENCES_EVERY_SECONDS = 300.0
# One statement marks jobs as enqueued, so that two reconcilers enqueue a job once. Claimed and just enqueued jobs are left out.
_DUE = f"""
UPDATE job SET enqueued_at = clock_timestamp() WHERE id IN (
  SELECT id FROM job
  WHERE (enqueued_at IS NULL OR {is_past("enqueued_at + make_interval(secs => :again)")})
    AND (state = 'QUEUED'
         OR (state IN ('RUNNING', 'VERIFYING') AND (lease_until IS NULL OR {is_past("lease_until")})
             AND (next_try_at IS NULL OR {is_past("next_try_at")})))
  ORDER BY queued_at, id FOR NO KEY UPDATE SKIP LOCKED
) RETURNING id, queue
"""  # noqa: S608 (constants)


def reconcile_once() -> int:
    """One round; returns how many jobs were enqueued. A row that fails is logged, and the others go on."""
    _each(_OVER, lambda session, row: _expire_plan(session, row[0]))
    _each(_BUILDING, lambda session, row: _watch_building(session, *row))
    _each(_EXPIRED, lambda session, row: _expire_job(session, row[0]))
    _each(_MOVING, lambda session, row: waves.advance(session, row[0]))
    _each(_UNDO, lambda session, row: _queue_undo(session, *row))
    _each(_VERIFYING, lambda session, row: verify.settle_due(session, row[0]))
    if time.monotonic() >= _next_runners[0]:
        _next_runners[0] = time.monotonic() + RUNNERS_EVERY_SECONDS
        _each(_RUNNERS, lambda _, row: enqueue_now(INSTALL_RUNNER, row[0], queue="remediation"))
    if time.monotonic() >= _next_fences[0]:
        _next_fences[0] = time.monotonic() + FENCES_EVERY_SECONDS
        _each(_RESOLVING, lambda _, row: enqueue_now(RAISE_FENCE, row[0], queue="remediation"))
    with session_scope() as session:
        due = session.execute(text(_DUE), {"again": job_timings().enqueue_again_seconds}).all()
    crash_point("reconcile_noted")
    for job_id, queue in due:
        enqueue_now(RUN_JOB, job_id, queue, queue=queue)
        crash_point("reconcile_enqueued")
    return len(due)


def _each(query: str, act: Callable[[Session, tuple[Any, ...]], object]) -> None:
    with session_scope() as session:
        rows = [tuple(row) for row in session.execute(text(query))]
    for row in rows:
        try:
            with session_scope() as session:
                act(session, row)
                crash_point("reconcile_changed")
        except (PlumblineError, SQLAlchemyError) as error:
            log.error("row not reconciled", row=row[0], error=str(error)[:300])


def _expire_plan(session: Session, plan_id: int) -> None:
    plan = lock_plan(session, plan_id)
    if plan.state in (PlanState.DRAFT, PlanState.PLANNED, PlanState.AWAITING_APPROVAL):
        set_plan_state(session, plan, PlanState.EXPIRED, "not approved in time")


def _expire_job(session: Session, job_id: int) -> None:
    job = lock_job(session, job_id)
    if job.state in (JobState.WAITING, JobState.QUEUED):
        set_job_state(session, job, JobState.EXPIRED, "approval expired; nothing was changed")


def _watch_building(session: Session, plan_id: int, is_claimed: bool, is_past: bool) -> None:
    if is_claimed and not is_past:
        return
    plan = lock_plan(session, plan_id)
    if plan.state != PlanState.PLANNING:
        return
    if is_past:
        set_plan_state(session, plan, PlanState.PLAN_FAILED, "Planning timed out. Create the plan again.")
        return
    enqueue_now(BUILD_PLAN, plan_id)
    if plan.deliveries > BUILD_TRIES:
        add_plan_event(session, plan, "note", "Planning hasn't started. Check that a background worker is running.")


def _queue_undo(session: Session, job_id: int, plan_id: int) -> None:
    try:
        signed = read_signed(session, plan_id)
    except SignatureInvalid as error:
        set_job_state(session, lock_job(session, job_id), JobState.CANCELLED, f"blocked: {error.message}")
        return
    waves.queue_job(session, job_id, signed.payload)


def reconcile_forever(is_over: Callable[[], bool] = lambda: False) -> None:
    """Runs rounds until `is_over`, at slightly random intervals, so that they do not synchronise with other periodic work."""
    while not is_over():
        try:
            reconcile_once()
        except Exception as error:  # the database is away: it is tried again until it is back
            log.error("reconciling failed", error=str(error)[:300])
        time.sleep(job_timings().reconcile_seconds * random.uniform(0.7, 1.3))  # noqa: S311 (no secret)
