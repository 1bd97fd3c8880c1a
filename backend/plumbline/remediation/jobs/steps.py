"""Executing one job on one host, step by step: blocks and gates before each, the intent before anything is sent.

Each write commits by itself, because the database cannot roll a host back. After any failure the next worker continues from the rows and
the receipt on the host.
"""

import math
import secrets
import time

from plumbline.core.planning.plan import Step
from plumbline.infra.database import now_of, session_scope
from plumbline.models.jobs import JobState, JobStep, StepState
from plumbline.remediation.access.runner_client import RunnerTarget
from plumbline.remediation.controls import checks
from plumbline.remediation.jobs import gates
from plumbline.remediation.jobs.claim import Claim, lock_own_job, note_progress
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.outcome import Boundary, Ended, between, effects
from plumbline.remediation.jobs.step_operation import Operation
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.transitions import add_job_event, step_rows


def boundary(claim: Claim) -> None:
    """The checks before each step: the signature and every block. Raises `Boundary`, `ClaimLost`, `SignatureInvalid`."""
    claim.tick()
    with session_scope() as session:
        job = lock_own_job(session, claim)
        read_signed(session, job.plan_id)
        block = checks.blocked_by(session, job, claim.signed.payload)
        if block is None:
            return
        rows = step_rows(session, claim.job_id)
        if effects(rows):
            raise Boundary(between(rows, block.words))
        if block.name in checks.ENDING or block.name == "stop":
            raise Boundary(Ended(JobState.CANCELLED, block.words))
        if job.first_intent_at is not None:
            raise Boundary(between(rows, block.words))
        raise Boundary(Ended(JobState.WAITING, block.words))


def carry_out(claim: Claim, target: RunnerTarget, step: Step, *, are_gates_open: bool = False) -> Ended | None:
    """One step to its end; None where it is done and the next may begin. `are_gates_open`: its gates were checked just now.

    Raises `ClaimLost`, `Boundary`.
    """
    with session_scope() as session:
        row = step_rows(session, claim.job_id).get(step.number)
    if row is not None and row.state == StepState.DONE:
        return None
    gates_read_at = -math.inf
    if row is None or row.state == StepState.PENDING:
        boundary(claim)
        if not are_gates_open:
            gates.wait_open(claim, target, step)
        gates_read_at = time.monotonic()
        crash_point("before_intent")
        row = _intend(claim, step)
        crash_point("after_intent")
    return Operation(claim, target, step, row, gates_read_at=gates_read_at).run()


def _intend(claim: Claim, step: Step) -> JobStep:
    """Stores, before anything is sent, what is about to be done and under which id."""
    with session_scope() as session:
        job = lock_own_job(session, claim)
        row = JobStep(
            job_id=claim.job_id,
            step_no=step.number,
            state=StepState.INTENT,
            op_id=secrets.token_hex(16),
            gen=claim.gen,
            intent_at=now_of(session),
        )
        session.add(row)
        job.first_intent_at = job.first_intent_at or row.intent_at
        note_progress(job)
        values = [{"setting": e.setting, "seen": e.seen, "target": e.target, "inverse": e.inverse} for e in step.elements]
        add_job_event(
            session, job, "intent", f"step {step.number}: {step.title}", step_no=step.number, state=StepState.INTENT,
            data={"op_id": row.op_id, "gen": claim.gen, "values": values},
        )  # fmt: skip
        session.flush()
        session.expunge(row)
        return row
