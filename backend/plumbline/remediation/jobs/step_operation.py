"""One step on one host, from its intent to done, reverted or given up: unknown is read back, nothing is ever sent twice on suspicion."""

import math
import time
from typing import Any

from plumbline.channels import AuthenticationRejected, ChannelError, HostIdentityUnknown, HostIdentityWrong
from plumbline.core.planning.plan import PING_SECONDS, Step
from plumbline.infra.database import session_scope
from plumbline.models.jobs import JobState, JobStep, StepState
from plumbline.remediation.access.runner_client import RunnerAnswer, RunnerRequest, RunnerTarget, call_runner
from plumbline.remediation.jobs import gates, mtu_pings, path_gate
from plumbline.remediation.jobs.claim import Claim, lock_own_job
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.next_action import NextAction, next_action, under_floor, unknown_paths, worse
from plumbline.remediation.jobs.outcome import Ended, GivenUp, effect_text, effects
from plumbline.remediation.jobs.receipt_watch import ReceiptWatch
from plumbline.remediation.jobs.step_record import StepRecord
from plumbline.remediation.states import STEP_FINAL
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import step_rows

# Attempts of one operation without effect after which the step is given up: by one worker, and by all. The request of a worker that was
# killed may never have reached the host, so it says little about what the host does with one.
MOST_ATTEMPTS, MOST_ATTEMPTS_OF_ALL = 3, 6
# A dead-man that fires within this time is not confirmed any more: the confirmation could come too late.
_DEADMAN_MARGIN_SECONDS = 5.0
# Gates that were found open longer ago than this are read again before anything is sent: a path may be lost at any moment.
_GATES_HOLD_SECONDS = 5.0


class Operation:
    """One step under its own id, from intent to done, reverted or given up."""

    def __init__(self, claim: Claim, target: RunnerTarget, step: Step, row: JobStep, *, gates_read_at: float = -math.inf) -> None:
        """`gates_read_at`: when the gates of this step were found open, by the monotonic clock; by default they have to be read."""
        self.claim, self.target, self.step, self.record = claim, target, step, StepRecord(claim, row)
        # Something was sent under the present fence of the host: the next command needs a higher attempt.
        self.is_sent = False
        self.attempts = 0
        self.wait_s = job_timings().poll_seconds
        self.gates_read_at = gates_read_at
        self.watch = ReceiptWatch(step.deadman_s)

    # --- Requests -------------------------------------------------------------------------------------------------------------------

    def call(self, verb: str, *, read: RunnerAnswer | None = None, **fields: Any) -> RunnerAnswer:
        self.claim.tick()
        assert self.record.row.op_id is not None
        return call_runner(
            self.target, RunnerRequest(verb, self.record.row.op_id, self.claim.gen, self.claim.attempt[0], **fields), read=read
        )

    def read(self) -> RunnerAnswer:
        return self.call("read", settings=[element.setting for element in self.step.elements])

    # --- The loop: read, fence, decide, act, read  - -----------------------------------------------------------------------------------

    def run(self) -> Ended | None:
        """Repeats until the state that the host reports ends the step."""
        if self.record.row.gen != self.claim.gen:
            self.record.adopt()
        try:
            while self.record.row.state not in STEP_FINAL:
                self.claim.tick()
                try:
                    self._round()
                except ChannelError as error:
                    self._unreachable(error)
        except GivenUp as given_up:
            return given_up.ended
        return self._ended()

    def _round(self) -> None:
        first = self.read()
        if self.watch.is_stuck(first):
            self._give_up_stuck(first)
        read = self._fence(first)
        if read is None:
            return
        action = next_action(self.step.elements, read)
        if action.kind == "wait":
            self._pause()
        elif action.kind == "unreadable":
            self._miss(action.words)
        elif action.kind == "conflict":
            self._move(StepState.CONFLICT, action.words, read)
        elif action.kind == "reverted":
            self._reverted(read, action.words)
        elif action.kind in ("applied", "confirmed"):
            self._applied(read, action)
        elif self.is_sent:
            # That had no effect: the fence separates the next try from it before anything is sent.
            self.claim.attempt[0] += 1
            self.is_sent = False
        else:
            self._begin(read, action)

    def _fence(self, read: RunnerAnswer) -> RunnerAnswer | None:
        """Raises the host's fence to this claim, and reads again, since an older claim could act until now. None: try again."""
        crash_point("after_read")
        fence = read.fence or {}
        if (fence.get("gen", -1), fence.get("attempt", -1)) == (self.claim.gen, self.claim.attempt[0]):
            return read
        answer = self.call("fence", read=read)
        if answer.state == "refused":
            if answer.reason == "fenced":
                self._fenced_off(answer)
            self._pause()
            return None
        crash_point("after_fence")
        return self.read()

    def _fenced_off(self, answer: RunnerAnswer) -> None:
        """The host has seen a higher number: either this claim is lost, or the database was restored without raising the sequence."""
        with session_scope() as session:
            lock_own_job(session, self.claim)
        words = (
            f"the host has seen newer commands than this server issued ({answer.error}). Was the database restored without `plumbline "
            "restore`?"
        )
        raise GivenUp(Ended(JobState.NEEDS_HUMAN, words))

    def _begin(self, read: RunnerAnswer, action: NextAction) -> None:
        step = self.step
        if action.kind == "begin":
            why = self._why_not(read)
            if why:
                self._move(StepState.FAILED, why, read)
                return
        elif self.record.row.attempt >= MOST_ATTEMPTS_OF_ALL:
            self._revert(read, f"not completed after {self.record.row.attempt} attempts")
            return
        elif why := gates.shut_to_go_on(self.claim, self.target, step):
            # Values stand, or a restart is owed: it waits for the path. The watch ends a wait that is too long, or the host undoes it.
            self.record.note(f"started, not continued yet: {why}")
            self._back_off()
            return
        self.record.note_sending(read, action)
        self.attempts += 1
        crash_point("before_begin")
        self.is_sent = True
        answer = self.call(
            "begin",
            read=read,
            elements=step.elements,
            restart=step.restart,
            deadman_s=step.deadman_s,
            floor={"least_paths": step.health_floor} if step.health_floor else None,
        )
        crash_point("after_begin")
        self.gates_read_at = -math.inf
        if answer.state == "refused":
            self._refused(answer, action)
        else:
            self._pause()

    def _why_not(self, read: RunnerAnswer) -> str:
        """Why an operation without effect so far is not sent (again); empty where it may be."""
        if self.attempts >= MOST_ATTEMPTS or self.record.row.attempt >= MOST_ATTEMPTS_OF_ALL:
            return f"{self.record.row.attempt} attempts changed nothing: {self.record.row.words or 'the host gives no reason'}"
        if not path_gate.interrupts(self.step):
            return ""
        with session_scope() as session:
            before = lock_own_job(session, self.claim).health_before
        why = under_floor(self.step.health_floor, read.health) or unknown_paths(read.health) or worse(before, read.health)
        if not why and time.monotonic() - self.gates_read_at > _GATES_HOLD_SECONDS:
            why = gates.first_shut(self.claim, self.target, (self.step,))
            self.gates_read_at = time.monotonic()
        return f"not started: {why}" if why else ""

    def _refused(self, answer: RunnerAnswer, action: NextAction) -> None:
        """The runner refused. Its reason is stored; the next read shows the state."""
        if answer.reason == "fenced":
            self._fenced_off(answer)
        if answer.reason == "bad_request" and action.kind == "resume":
            # It is being taken back, by the host itself or by an earlier worker: that goes on, nothing else does.
            self._revert(self.read(), answer.error or "the host rolls it back")
            return
        if answer.reason == "not_allowed":
            self._move(StepState.FAILED, answer.error or "rejected by the host", answer)
            return
        self.record.note(answer.error or f"refused: {answer.reason}")
        self._pause()

    # --- Applied: healthy, confirmed, done -----------------------------------------------------------------------------------------------

    def _applied(self, read: RunnerAnswer, action: NextAction) -> None:
        if self.record.row.state != StepState.APPLIED:
            crash_point("before_applied")
            self._move(
                StepState.APPLIED, action.words, read, applied_by="us" if action.is_ours else "not us",
                after={"values": dict(read.after or {}), "wrote": list(read.wrote)},
            )  # fmt: skip
            crash_point("after_applied")
        if self.record.row.applied_by == "not us" or action.kind == "confirmed":
            self._move(StepState.DONE, "done" if action.is_ours else action.words, read)
            crash_point("after_done")
            return
        health = self._healthy(read)
        crash_point("after_health")
        if isinstance(health, str):
            self._revert(self.read(), health)
            return
        if health.state == "reverted":
            return  # the next round reads the state
        if self.step.pings:
            unproven = mtu_pings.unproven(self.target, self.step.pings, self.step.probe_bytes)
            if unproven:
                self._revert(self.read(), unproven)
                return
        crash_point("after_pings")
        if self.step.deadman_s:
            crash_point("before_confirm")
            # Over a new connection, opened after the health was good: a change that cut the management path would cut this one too.
            answer = self.call("confirm", read=health)
            crash_point("after_confirm")
            if answer.state == "refused" and answer.reason == "fenced":
                self._fenced_off(answer)
            if answer.state != "confirmed":
                return  # reverted meanwhile, or busy: the next round reads the state
            health = answer
        self._move(StepState.DONE, "done, host still healthy", health, health_after=dict(health.health or {}))
        crash_point("after_done")

    def _healthy(self, read: RunnerAnswer) -> RunnerAnswer | str:
        """Waits until the host is at least as healthy as before the step; the reason where it is not in time."""
        kept_free = _DEADMAN_MARGIN_SECONDS + (PING_SECONDS if self.step.pings else 0)
        patience = self.step.deadman_s - kept_free if self.step.deadman_s else job_timings().settle_seconds
        deadline = time.monotonic() + max(patience, job_timings().poll_seconds)
        words = ""
        while True:
            words = worse(self.record.row.health_before, read.health)
            if not words:
                return read
            if time.monotonic() > deadline:
                return words
            self.claim.tick()
            time.sleep(min(job_timings().poll_seconds, max(0.05, deadline - time.monotonic())))
            read = self.read()
            if read.state == "reverted":
                return read

    def _revert(self, read: RunnerAnswer, why: str) -> None:
        """Has the host take the step back, and waits until it has. Its adapter may be restarted for that, so a last path is a reason to
        wait; a taking back that stays open is asked for again."""
        self.record.note(why)
        deadline = time.monotonic() + job_timings().settle_seconds
        shut = ""
        while read.state != "reverted":
            if read.reason != "busy":
                shut = gates.shut_to_take_back(self.claim, self.target, self.step)
                if shut:
                    self.record.note(f"{why}; not rolled back yet: {shut}")
                else:
                    answer = self.call("revert", read=read)
                    if answer.state == "refused" and answer.reason == "fenced":
                        self._fenced_off(answer)
            self.claim.tick()
            read = self.read()
            if read.state != "reverted":
                if time.monotonic() > deadline:
                    reason = shut or self._receipt_error() or "the host gives no reason"
                    raise GivenUp(Ended(JobState.NEEDS_HUMAN, f"{why}; rollback failed: {reason}"))
                self._back_off()
        self._reverted(read, f"{why}: rolled back")

    def _reverted(self, read: RunnerAnswer, words: str) -> None:
        """The host has taken the step back. What its receipt adds, such as a write that landed late, is shown."""
        error = self._receipt_error()
        self._move(StepState.REVERTED, f"{words}; {error}" if error else words, read)

    def _receipt_error(self) -> str:
        """The error in the operation's receipt: a read answers with the faults of reading. Empty for nothing, or no answer."""
        try:
            return self.call("receipt").error or ""
        except ChannelError:
            return ""

    def _give_up_stuck(self, read: RunnerAnswer) -> None:
        words = "is at work on it" if read.reason == "busy" else f"reports {read.state}"
        error = self._receipt_error() or self.record.row.words
        seconds = round(self.watch.patience_seconds)
        text = f"step {self.step.number}: the host {words}, and nothing of it has changed for {seconds} s{': ' + error if error else ''}"
        raise GivenUp(Ended(JobState.NEEDS_HUMAN, text))

    def _move(self, to: StepState, words: str, answer: RunnerAnswer, **changes: Any) -> None:
        self.record.move(to, words, answer, **changes)
        self.wait_s = job_timings().poll_seconds

    # --- Unknown --------------------------------------------------------------------------------------------------------------------------

    def _pause(self) -> None:
        self.claim.tick()
        time.sleep(job_timings().poll_seconds)

    def _miss(self, words: str) -> None:
        self.record.note_unknown(words)
        if self.record.is_past_unknown():
            raise GivenUp(Ended(JobState.NEEDS_HUMAN, f"step {self.step.number}: {words}"))
        self._back_off()

    def _unreachable(self, error: ChannelError) -> None:
        if isinstance(error, AuthenticationRejected | HostIdentityWrong | HostIdentityUnknown):
            raise GivenUp(
                Ended(JobState.NEEDS_HUMAN, f"step {self.step.number} started, but the host can't be reached to confirm: {error.message}")
            )
        self._miss(error.message)

    def _back_off(self) -> None:
        self.claim.tick()
        time.sleep(self.wait_s)
        self.wait_s = min(self.wait_s * 2, job_timings().back_off_seconds)

    def _ended(self) -> Ended | None:
        """What the step's own end means for the job."""
        if self.record.row.state == StepState.DONE:
            return None
        with session_scope() as session:
            rows = step_rows(session, self.claim.job_id)
        words = f"step {self.step.number}: {self.record.row.words}"
        in_effect = effects(rows)
        if self.record.row.state == StepState.CONFLICT:
            return Ended(JobState.NEEDS_HUMAN, words)
        if self.record.row.state == StepState.REVERTED:
            return Ended(JobState.PARTIAL, f"{words}; {effect_text(rows)}") if in_effect else Ended(JobState.ROLLED_BACK, words)
        return Ended(JobState.PARTIAL, f"{words}; {effect_text(rows)}") if in_effect else Ended(JobState.FAILED, words)
