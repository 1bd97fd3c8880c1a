"""One step on one host, from its intent to done, reverted or given up: unknown is read back, nothing is ever sent twice on a guess."""

import time
from typing import Any

from sqlmodel import text

from plumbline.channels import AuthenticationRejected, ChannelError, HostIdentityUnknown, HostIdentityWrong
from plumbline.core.planning.plan import PING_SECONDS, Step
from plumbline.infra.database import session_scope
from plumbline.models.remediation import JobStep
from plumbline.remediation.access.runner_client import Way, ask, note_reached
from plumbline.remediation.jobs import mtu_pings as pings
from plumbline.remediation.jobs.claim import Claim, ClaimLost, mine, note_progress
from plumbline.remediation.jobs.crash_points import crash_point
from plumbline.remediation.jobs.next_action import Answer, Decision, decide, under_floor, unknown_paths, worse
from plumbline.remediation.jobs.outcome import Ended, GivenUp, effects, standing_words, step_rows
from plumbline.remediation.states import STEP_FINAL, STEP_MOVES
from plumbline.remediation.timings import pace
from plumbline.remediation.transitions import now_of, tell_job

# Tries of one operation that ended without taking effect, until the step is given up.
MOST_ATTEMPTS = 3
# A dead-man that is this near is left to fire: a confirm would race it.
_DEADMAN_MARGIN_SECONDS = 5.0


class Operation:
    """One step under its own id, from intent to done, reverted or given up."""

    def __init__(self, held: Claim, way: Way, step: Step, row: JobStep) -> None:
        self.held, self.way, self.step, self.row = held, way, step, row
        # Something was sent under the number that the host's fence stands at: what is sent next has one of its own.
        self.is_sent = False
        self.wait_s = pace().poll

    # --- Asking ---------------------------------------------------------------------------------------------------------------------

    def ask(self, verb: str, **more: Any) -> Answer:
        self.held.tick()
        assert self.row.op_id is not None
        return ask(self.way, verb, op_id=self.row.op_id, gen=self.held.gen, attempt=self.held.attempt[0], **more)

    def read(self) -> Answer:
        return self.ask("read", settings=[element.setting for element in self.step.elements])

    # --- The circle: read, fence, decide, act, read -----------------------------------------------------------------------------------

    def run(self) -> Ended | None:
        """Goes round until the host's own word settles the step."""
        if self.row.gen != self.held.gen:
            self._adopt()
        try:
            while self.row.state not in STEP_FINAL:
                self.held.tick()
                try:
                    self._round()
                except ChannelError as error:
                    self._unreachable(error)
        except GivenUp as given_up:
            return given_up.ended
        return self._ended()

    def _round(self) -> None:
        read = self._fence(self.read())
        if read is None:
            return
        decision = decide(self.step.elements, read)
        if decision.act == "wait":
            self._pause()
        elif decision.act == "unreadable":
            self._miss(decision.words)
        elif decision.act in ("conflict", "reverted"):
            self._move(decision.act.upper(), decision.words, read)
        elif decision.act in ("applied", "confirmed"):
            self._applied(read, decision)
        elif self.is_sent:
            # That came to nothing: the next try is fenced off from it before anything is sent.
            self.held.attempt[0] += 1
            self.is_sent = False
        else:
            self._begin(read, decision)

    def _fence(self, read: Answer) -> Answer | None:
        """Raises the host's fence to this claim, and reads again, since whoever was older could act until now. None: try again."""
        crash_point("after_read")
        fence = read.fence or {}
        if (fence.get("gen", -1), fence.get("attempt", -1)) == (self.held.gen, self.held.attempt[0]):
            return read
        said = self.ask("fence", read=read)
        if said.state == "refused":
            if said.reason == "fenced":
                self._outrun(said)
            self._pause()
            return None
        crash_point("after_fence")
        return self.read()

    def _outrun(self, said: Answer) -> None:
        """The host has seen a higher number than ours: either we are not the one any more, or the database was restored without care."""
        with session_scope() as session:
            mine(session, self.held)
        raise GivenUp(Ended("NEEDS_HUMAN", f"the host's fence stands above this installation's numbers ({said.error}): was the database"
                                           " restored without `plumbline restore`?"))  # fmt: skip

    def _begin(self, read: Answer, decision: Decision) -> None:
        step = self.step
        if decision.act == "begin":
            why = self._why_not(read)
            if why:
                self._move("FAILED", why, read)
                return
        elif self.row.attempt >= MOST_ATTEMPTS * 2:
            self._revert(read, f"it could not be finished in {self.row.attempt} tries")
            return
        self._in_flight(read, decision)
        crash_point("before_begin")
        self.is_sent = True
        said = self.ask(
            "begin",
            read=read,
            elements=step.elements,
            restart=step.restart,
            deadman_s=step.deadman_s,
            floor={"least_paths": step.health_floor} if step.health_floor else None,
        )
        crash_point("after_begin")
        if said.state == "refused":
            self._refused(said)
        else:
            self._pause()

    def _why_not(self, read: Answer) -> str:
        """Why an operation of which nothing stands is not sent (again), in words."""
        if self.row.attempt >= MOST_ATTEMPTS:
            return f"after {self.row.attempt} tries every value is as it was: {self.row.words or 'the host gives no reason'}"
        if not self.step.takes_path:
            return ""
        with session_scope() as session:
            before = mine(session, self.held).health_before
        why = under_floor(self.step.health_floor, read.health) or unknown_paths(read.health) or worse(before, read.health)
        return f"not begun: {why}" if why else ""

    def _refused(self, said: Answer) -> None:
        """The runner did not do what was asked. What it says is kept; what holds is what the next read shows."""
        if said.reason == "fenced":
            self._outrun(said)
        if said.reason == "not_allowed":
            self._move("FAILED", said.error or "refused by the host", said)
            return
        self._note(said.error or f"refused: {said.reason}")
        self._pause()

    # --- Applied: healthy, confirmed, done -----------------------------------------------------------------------------------------------

    def _applied(self, read: Answer, decision: Decision) -> None:
        if self.row.state != "APPLIED":
            crash_point("before_applied")
            self._move(
                "APPLIED", decision.words, read, applied_by="us" if decision.is_ours else "not us",
                after={"values": dict(read.after or {}), "wrote": list(read.wrote)},
            )  # fmt: skip
            crash_point("after_applied")
        if self.row.applied_by == "not us" or decision.act == "confirmed":
            self._move("DONE", "done" if decision.is_ours else decision.words, read)
            crash_point("after_done")
            return
        health = self._healthy(read)
        crash_point("after_health")
        if isinstance(health, str):
            self._revert(self.read(), health)
            return
        if health.state == "reverted":
            return  # the next round reads what holds
        if self.step.pings:
            unproven = pings.unproven(self.way, self.step.pings, self.step.probe_bytes)
            if unproven:
                self._revert(self.read(), unproven)
                return
        crash_point("after_pings")
        if self.step.deadman_s:
            crash_point("before_confirm")
            # Over a connection of its own, begun after the health was seen to be good: what cut our path would have cut this too.
            said = self.ask("confirm", read=health)
            crash_point("after_confirm")
            if said.state == "refused" and said.reason == "fenced":
                self._outrun(said)
            if said.state != "confirmed":
                return  # reverted meanwhile, or busy: the next round reads what holds
            health = said
        self._move("DONE", "done, and healthy as before", health, health_after=dict(health.health or {}))
        crash_point("after_done")

    def _healthy(self, read: Answer) -> Answer | str:
        """Waits until the host is at least as healthy as before the step; a sentence where it is not in time."""
        kept_free = _DEADMAN_MARGIN_SECONDS + (PING_SECONDS if self.step.pings else 0)
        patience = self.step.deadman_s - kept_free if self.step.deadman_s else pace().settle
        deadline = time.monotonic() + max(patience, pace().poll)
        words = ""
        while True:
            words = worse(self.row.health_before, read.health)
            if not words:
                return read
            if time.monotonic() > deadline:
                return words
            self.held.tick()
            time.sleep(min(pace().poll, max(0.05, deadline - time.monotonic())))
            read = self.read()
            if read.state == "reverted":
                return read

    def _revert(self, read: Answer, why: str) -> None:
        if read.state == "reverted":
            self._move("REVERTED", f"{why}: the host has taken it back", read)
            return
        self._note(why)
        said = self.ask("revert", read=read)
        if said.state == "refused" and said.reason == "fenced":
            self._outrun(said)
        deadline = time.monotonic() + pace().settle
        while time.monotonic() < deadline:
            self.held.tick()
            said = self.read()
            if said.state == "reverted":
                self._move("REVERTED", f"{why}: taken back", said)
                return
            time.sleep(pace().poll)
        raise GivenUp(Ended("NEEDS_HUMAN", f"{why}, and it could not be taken back: {said.error or 'the host gives no reason'}"))

    # --- Rows -----------------------------------------------------------------------------------------------------------------------------

    def _adopt(self) -> None:
        """Writes down, before anything is sent, that this claim goes on with an operation of an earlier one."""
        with session_scope() as session:
            job = mine(session, self.held)
            row = step_rows(session, self.held.job_id)[self.step.number]
            row.gen = self.held.gen
            session.add(row)
            tell_job(session, job, "resumed", "taken up where the last worker left it", step_no=row.step_no, state=row.state,
                     data={"op_id": row.op_id, "gen": self.held.gen})  # fmt: skip
            session.flush()
            session.expunge(row)
            self.row = row

    def _in_flight(self, read: Answer, decision: Decision) -> None:
        before = {} if self.row.health_before else {"health_before": dict(read.health or {}), "before": dict(read.after or {})}
        self._move(
            "IN_FLIGHT",
            decision.words or f"sent, try {self.row.attempt + 1}",
            read,
            attempt=self.row.attempt + 1,
            boot_id=read.boot_id or "",
            **before,
        )

    def _move(self, to: str, words: str, answer: Answer, **changes: Any) -> None:
        with session_scope() as session:
            job = mine(session, self.held)
            row = step_rows(session, self.held.job_id)[self.step.number]
            if to not in STEP_MOVES[row.state]:
                raise ClaimLost(f"step {row.step_no} is {row.state}, not to become {to}")
            row.state, row.words, row.gen, row.unknown_since = to, words, self.held.gen, None
            for name, value in changes.items():
                setattr(row, name, value)
            if to == "IN_FLIGHT":
                row.sent_at = now_of(session)
                # The host's mark from now on; verification asks for a check-in that bears it.
                job.last_op_id = row.op_id or ""
            if to in STEP_FINAL:
                row.finished_at = now_of(session)
            if not job.health_before and row.health_before:
                job.health_before = row.health_before
            note_progress(job)
            session.add(row)
            note_reached(session, self.held.host_id)
            said = {"health": dict(answer.health or {}), "values": dict(answer.after or {}), "receipt": answer.state}
            tell_job(session, job, "step", words, step_no=row.step_no, state=to, data={**said, "attempt": row.attempt, "op_id": row.op_id})
            session.flush()
            session.expunge(row)
            self.row = row
        self.wait_s = pace().poll

    def _note(self, words: str) -> None:
        if self.row.words == words:
            return
        with session_scope() as session:
            job = mine(session, self.held)
            row = step_rows(session, self.held.job_id)[self.step.number]
            row.words = words
            session.add(row)
            tell_job(session, job, "note", words, step_no=row.step_no, state=row.state)
            session.flush()
            session.expunge(row)
            self.row = row

    # --- Unknown --------------------------------------------------------------------------------------------------------------------------

    def _pause(self) -> None:
        self.held.tick()
        time.sleep(pace().poll)

    def _miss(self, words: str) -> None:
        self._unknown(words)
        if self._is_past_unknown():
            raise GivenUp(Ended("NEEDS_HUMAN", f"step {self.step.number}: {words}"))
        self._back_off()

    def _unreachable(self, error: ChannelError) -> None:
        if isinstance(error, AuthenticationRejected | HostIdentityWrong | HostIdentityUnknown):
            raise GivenUp(Ended("NEEDS_HUMAN", f"step {self.step.number} was begun, and the host cannot be asked: {error.message}"))
        self._miss(error.message)

    def _unknown(self, words: str) -> None:
        with session_scope() as session:
            job = mine(session, self.held)
            row = step_rows(session, self.held.job_id)[self.step.number]
            if row.unknown_since is None:
                row.unknown_since = now_of(session)
                if "UNKNOWN" in STEP_MOVES[row.state]:
                    row.state = "UNKNOWN"
                row.words = words
                tell_job(session, job, "unknown", f"asked, and no answer: {words}. It is read back, never sent again on a guess",
                         step_no=row.step_no, state=row.state)  # fmt: skip
            session.add(row)
            session.flush()
            session.expunge(row)
            self.row = row

    def _is_past_unknown(self) -> bool:
        with session_scope() as session:
            return bool(
                session.execute(
                    text(
                        "SELECT unknown_since < clock_timestamp() - make_interval(secs => :s) FROM job_step"
                        " WHERE job_id = :job AND step_no = :step"
                    ),
                    {"s": pace().unknown, "job": self.held.job_id, "step": self.step.number},
                ).scalar_one()
            )

    def _back_off(self) -> None:
        self.held.tick()
        time.sleep(self.wait_s)
        self.wait_s = min(self.wait_s * 2, pace().back_off)

    def _ended(self) -> Ended | None:
        """What the step's own end means for the job."""
        if self.row.state == "DONE":
            return None
        with session_scope() as session:
            rows = step_rows(session, self.held.job_id)
        words = f"step {self.step.number}: {self.row.words}"
        stands = effects(rows)
        if self.row.state == "CONFLICT":
            return Ended("NEEDS_HUMAN", words)
        if self.row.state == "REVERTED":
            return Ended("PARTIAL", f"{words}; {standing_words(rows)}") if stands else Ended("ROLLED_BACK", words)
        return Ended("PARTIAL", f"{words}; {standing_words(rows)}") if stands else Ended("FAILED", words)
