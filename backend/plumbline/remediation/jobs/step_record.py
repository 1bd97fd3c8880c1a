"""What a worker stores of one step while it carries it out. Each write is a transaction of its own and fails once the claim is lost."""

from typing import Any

from sqlmodel import text

from plumbline.infra.database import now_of, session_scope
from plumbline.models.jobs import JobStep, StepState
from plumbline.remediation.access.runner_client import RunnerAnswer, note_reached
from plumbline.remediation.jobs.claim import Claim, ClaimLost, lock_own_job, note_progress
from plumbline.remediation.jobs.next_action import NextAction
from plumbline.remediation.states import STEP_FINAL, STEP_MOVES
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_job_event, step_rows


class StepRecord:
    """The row of one step, as this claim last wrote or read it."""

    def __init__(self, claim: Claim, row: JobStep) -> None:
        self._claim, self.row = claim, row
        self._number = row.step_no

    def adopt(self) -> None:
        """Writes down, before anything is sent, that this claim goes on with an operation of an earlier one."""
        with session_scope() as session:
            job = lock_own_job(session, self._claim)
            row = step_rows(session, self._claim.job_id)[self._number]
            row.gen = self._claim.gen
            session.add(row)
            add_job_event(session, job, "resumed", "resumed from previous worker", step_no=row.step_no, state=row.state,
                     data={"op_id": row.op_id, "gen": self._claim.gen})  # fmt: skip
            session.flush()
            session.expunge(row)
            self.row = row

    def note_sending(self, read: RunnerAnswer, action: NextAction) -> None:
        """Stores that the step is about to be sent, with the host's state just before the first time."""
        before = {} if self.row.health_before else {"health_before": dict(read.health or {}), "before": dict(read.after or {})}
        self.move(
            StepState.IN_FLIGHT,
            action.words or f"sent, attempt {self.row.attempt + 1}",
            read,
            attempt=self.row.attempt + 1,
            boot_id=read.boot_id or "",
            **before,
        )

    def move(self, to: StepState, words: str, answer: RunnerAnswer, **changes: Any) -> None:
        """Moves the step to a state, with the answer that is the evidence for it. Raises `ClaimLost`."""
        with session_scope() as session:
            job = lock_own_job(session, self._claim)
            row = step_rows(session, self._claim.job_id)[self._number]
            if to not in STEP_MOVES[row.state]:
                raise ClaimLost(f"step {row.step_no} is {row.state}, not to become {to}")
            row.state, row.words, row.gen, row.unknown_since = to, words, self._claim.gen, None
            for name, value in changes.items():
                setattr(row, name, value)
            if to == StepState.IN_FLIGHT:
                row.sent_at = now_of(session)
                # The host reports this id from now on; verification needs a check-in that carries it.
                job.last_op_id = row.op_id or ""
            if to in STEP_FINAL:
                row.finished_at = now_of(session)
            if not job.health_before and row.health_before:
                job.health_before = row.health_before
            note_progress(job)
            session.add(row)
            note_reached(session, self._claim.host_id)
            evidence = {"health": dict(answer.health or {}), "values": dict(answer.after or {}), "receipt": answer.state}
            add_job_event(
                session, job, "step", words, step_no=row.step_no, state=to, data={**evidence, "attempt": row.attempt, "op_id": row.op_id}
            )
            session.flush()
            session.expunge(row)
            self.row = row

    def note(self, words: str) -> None:
        """Stores why the step is where it is, once for the same words."""
        if self.row.words == words:
            return
        with session_scope() as session:
            job = lock_own_job(session, self._claim)
            row = step_rows(session, self._claim.job_id)[self._number]
            row.words = words
            session.add(row)
            add_job_event(session, job, "note", words, step_no=row.step_no, state=row.state)
            session.flush()
            session.expunge(row)
            self.row = row

    def note_unknown(self, words: str) -> None:
        """Stores that the host did not answer; the time of the first such miss is kept until the step moves."""
        with session_scope() as session:
            job = lock_own_job(session, self._claim)
            row = step_rows(session, self._claim.job_id)[self._number]
            if row.unknown_since is None:
                row.unknown_since = now_of(session)
                if StepState.UNKNOWN in STEP_MOVES[row.state]:
                    row.state = StepState.UNKNOWN
                row.words = words
                add_job_event(session, job, "unknown", f"no response: {words}. Reading the result back instead of resending",
                         step_no=row.step_no, state=row.state)  # fmt: skip
            session.add(row)
            session.flush()
            session.expunge(row)
            self.row = row

    def is_past_unknown(self) -> bool:
        """The outcome has been unknown for longer than a step may wait."""
        with session_scope() as session:
            return bool(
                session.execute(
                    text(
                        "SELECT unknown_since < clock_timestamp() - make_interval(secs => :s) FROM job_step"
                        " WHERE job_id = :job AND step_no = :step"
                    ),
                    {"s": job_timings().unknown_seconds, "job": self._claim.job_id, "step": self._number},
                ).scalar_one()
            )
