"""Carrying out one job on one host, step by step: the brakes and gates before each, the intent before anything is sent.

Each write commits by itself, because the database cannot roll a host back. Whatever breaks, the next worker begins where the rows and the
host's own receipt say.
"""

import secrets

from plumbline.core.planning.plan import Step
from plumbline.infra.database import session_scope
from plumbline.models.remediation import JobStep
from plumbline.remediation.access.runner_client import Way
from plumbline.remediation.controls import checks as brakes
from plumbline.remediation.jobs import gates
from plumbline.remediation.jobs.claim import Claim, mine, note_progress
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.outcome import Boundary, Ended, between, effects, step_rows
from plumbline.remediation.jobs.step_operation import Operation
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.transitions import now_of, tell_job


def boundary(held: Claim) -> None:
    """What is looked at before each step: the signature, and every brake. Raises `Boundary`, `ClaimLost`, `SignatureInvalid`."""
    held.tick()
    with session_scope() as session:
        job = mine(session, held)
        read_signed(session, job.plan_id)
        brake = brakes.brake_on(session, job, held.signed.payload)
        if brake is None:
            return
        rows = step_rows(session, held.job_id)
        if effects(rows):
            raise Boundary(between(rows, brake.words))
        if brake.name in ("cancel", "stop", "standing", "retired", "expired"):
            raise Boundary(Ended("CANCELLED", brake.words))
        if job.first_intent_at is not None:
            raise Boundary(between(rows, brake.words))
        raise Boundary(Ended("WAITING", brake.words))


def carry_out(held: Claim, way: Way, step: Step, *, are_gates_open: bool = False) -> Ended | None:
    """One step to its end; None where it is done and the next may begin. `are_gates_open`: its gates were looked at just now.

    Raises `ClaimLost`, `Boundary`.
    """
    with session_scope() as session:
        row = step_rows(session, held.job_id).get(step.number)
    if row is not None and row.state == "DONE":
        return None
    if row is None or row.state == "PENDING":
        boundary(held)
        if not are_gates_open:
            gates.wait_open(held, way, step)
        crash_point("before_intent")
        row = _intend(held, step)
        crash_point("after_intent")
    return Operation(held, way, step, row).run()


def _intend(held: Claim, step: Step) -> JobStep:
    """Writes down, before anything is sent, what is about to be done and under which id."""
    with session_scope() as session:
        job = mine(session, held)
        row = JobStep(
            job_id=held.job_id,
            step_no=step.number,
            state="INTENT",
            op_id=secrets.token_hex(16),
            gen=held.gen,
            intent_at=now_of(session),
        )
        session.add(row)
        job.first_intent_at = job.first_intent_at or row.intent_at
        note_progress(job)
        values = [{"setting": e.setting, "seen": e.seen, "target": e.target, "inverse": e.inverse} for e in step.elements]
        tell_job(
            session, job, "intent", f"step {step.number}: {step.title}", step_no=step.number, state="INTENT",
            data={"op_id": row.op_id, "gen": held.gen, "values": values},
        )  # fmt: skip
        session.flush()
        session.expunge(row)
        return row
