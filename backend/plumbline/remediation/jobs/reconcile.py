"""The relay and reconciler, one loop: rings for what may run, takes up what was left lying, ends what is over.

Nothing here trusts that a bell was heard: it rings again until the row says that somebody took it. One process runs it (beat, under its
advisory lock); a second would do no harm.
"""

import random
import time
from collections.abc import Callable
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, text

from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.infra.task_queue import ring_now
from plumbline.remediation.jobs import verify, waves
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.resolve import FENCE_TASK
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import pace
from plumbline.remediation.transitions import lock_job, lock_plan, move_job, move_plan, tell_plan

log = structlog.get_logger()

RUN = "remediation.run"
BUILD = "remediation.build"
BUILD_TRIES = 3
INSTALL = "remediation.install_runner"
_next_runners = [0.0]
_next_fences = [0.0]

_MOVING = "SELECT id FROM plan WHERE state IN ('APPROVED', 'RUNNING', 'PAUSED') ORDER BY id"
_OVER = """
SELECT id FROM plan WHERE state IN ('DRAFT', 'PLANNED', 'AWAITING_APPROVAL') AND not_after <= clock_timestamp() ORDER BY id
"""
_BUILDING = "SELECT id, lease_until IS NOT NULL, lease_until <= clock_timestamp() FROM plan WHERE state = 'PLANNING' ORDER BY id"
_UNDO = "SELECT id, plan_id FROM job WHERE kind = 'undo' AND state = 'WAITING' ORDER BY id"
_VERIFYING = "SELECT id FROM job WHERE state = 'VERIFYING' ORDER BY id"
_EXPIRED = "SELECT id FROM job WHERE state IN ('WAITING', 'QUEUED') AND not_after <= clock_timestamp() ORDER BY id"
_RUNNERS = "SELECT host_id FROM remediation_endpoint WHERE runner_asked_by <> '' AND runner_installed_at IS NULL ORDER BY host_id"
# Settled by a person, and the host's fence not raised yet.
_RESOLVING = "SELECT id FROM job WHERE state = 'NEEDS_HUMAN' AND resolved_by <> '' ORDER BY id"
RUNNERS_EVERY_SECONDS = 30.0
# Longer than it takes to ask a host that does not answer, twice.
FENCES_EVERY_SECONDS = 300.0
# One statement notes that it rings, so that two sweepers ring once. What is claimed, or rung a moment ago, is left out.
_DUE = """
UPDATE job SET rung_at = clock_timestamp() WHERE id IN (
  SELECT id FROM job
  WHERE (rung_at IS NULL OR rung_at <= clock_timestamp() - make_interval(secs => :again))
    AND (state = 'QUEUED'
         OR (state IN ('RUNNING', 'VERIFYING') AND (lease_until IS NULL OR lease_until <= clock_timestamp())
             AND (next_try_at IS NULL OR next_try_at <= clock_timestamp())))
  ORDER BY queued_at, id FOR NO KEY UPDATE SKIP LOCKED
) RETURNING id, queue
"""


def sweep() -> int:
    """One round; answers how many bells were rung. A part that fails is noted, and the others go on."""
    _each(_OVER, lambda session, row: _expire_plan(session, row[0]))
    _each(_BUILDING, lambda session, row: _watch_building(session, *row))
    _each(_EXPIRED, lambda session, row: _expire_job(session, row[0]))
    _each(_MOVING, lambda session, row: waves.advance(session, row[0]))
    _each(_UNDO, lambda session, row: _queue_undo(session, *row))
    _each(_VERIFYING, lambda session, row: verify.settle_due(session, row[0]))
    if time.monotonic() >= _next_runners[0]:
        _next_runners[0] = time.monotonic() + RUNNERS_EVERY_SECONDS
        _each(_RUNNERS, lambda _, row: ring_now(INSTALL, row[0], queue="remediation"))
    if time.monotonic() >= _next_fences[0]:
        _next_fences[0] = time.monotonic() + FENCES_EVERY_SECONDS
        _each(_RESOLVING, lambda _, row: ring_now(FENCE_TASK, row[0], queue="remediation"))
    with session_scope() as session:
        due = session.execute(text(_DUE), {"again": pace().ring_again}).all()
    crash_point("sweep_noted")
    for job_id, queue in due:
        ring_now(RUN, job_id, queue, queue=queue)
        crash_point("sweep_rung")
    return len(due)


def _each(query: str, act: Callable[[Session, tuple[Any, ...]], object]) -> None:
    with session_scope() as session:
        rows = [tuple(row) for row in session.execute(text(query))]
    for row in rows:
        try:
            with session_scope() as session:
                act(session, row)
                crash_point("sweep_moved")
        except (PlumblineError, SQLAlchemyError) as error:
            log.error("the sweep could not move a row on", row=row[0], error=str(error)[:300])


def _expire_plan(session: Session, plan_id: int) -> None:
    plan = lock_plan(session, plan_id)
    if plan.state in ("DRAFT", "PLANNED", "AWAITING_APPROVAL"):
        move_plan(session, plan, "EXPIRED", "nobody approved it in time")


def _expire_job(session: Session, job_id: int) -> None:
    job = lock_job(session, job_id)
    if job.state in ("WAITING", "QUEUED"):
        move_job(session, job, "EXPIRED", "the approval's time is over; nothing was changed")


def _watch_building(session: Session, plan_id: int, is_claimed: bool, is_past: bool) -> None:
    if is_claimed and not is_past:
        return
    plan = lock_plan(session, plan_id)
    if plan.state != "PLANNING":
        return
    if is_past:
        move_plan(session, plan, "PLAN_FAILED", "planning did not end in time; draft it again")
        return
    ring_now(BUILD, plan_id)
    if plan.deliveries > BUILD_TRIES:
        tell_plan(session, plan, "note", "nobody takes up the planning: is a worker of kind desk running?")


def _queue_undo(session: Session, job_id: int, plan_id: int) -> None:
    try:
        signed = read_signed(session, plan_id)
    except SignatureInvalid as error:
        move_job(session, lock_job(session, job_id), "CANCELLED", f"refused: {error.message}")
        return
    waves.queue_job(session, job_id, signed.payload)


def sweep_for_ever(is_over: Callable[[], bool] = lambda: False) -> None:
    """The loop of the one process that sweeps, a little unevenly, so that it never beats in time with anything."""
    while not is_over():
        try:
            sweep()
        except Exception as error:  # the database is away: it is tried again until it is back
            log.error("a sweep failed", error=str(error)[:300])
        time.sleep(pace().sweep * random.uniform(0.7, 1.3))  # noqa: S311 (no secret)
