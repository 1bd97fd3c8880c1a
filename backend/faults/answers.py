"""J2 for the API: it dies after each statement of an act of a person, and after its commit. A repeated request finds the act done once."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlmodel import text

from faults.engine_threads import at_work
from faults.fleet import approve, job_of, plan_of
from faults.invariants import broken_promises
from faults.people import granted
from faults.processes import BACKEND
from faults.rig import FaultResult, Rig
from plumbline.infra.database import session_scope
from plumbline.models.plans import PlanState
from plumbline.remediation.jobs import cancel
from plumbline.remediation.transitions import lock_plan, set_plan_state

_KILLED = "-9"
_MOST_STATEMENTS = 400
# The entry is about the job that takes back, not about the one that is taken back.
_UNDOING = """
SELECT count(*) * 100 + (SELECT count(*) FROM audit_entry a WHERE a.action = 'job.made' AND a.object_id = min(j.id)::text)
FROM job j WHERE j.undoes_id = :id AND j.finished_at IS NULL
"""
_AUDITED = "SELECT action, count(*) FROM audit_entry WHERE object_kind = :kind AND object_id = :id GROUP BY action"


@dataclass(frozen=True)
class Ask:
    """One request of a person, and its effects, which must exist exactly once: rows by a query, and audit entries."""

    role: str
    method: str
    path: str
    body: dict[str, object]
    done: tuple[str, int]
    kind: str
    object_id: int
    audited: str


def died_in_answers(rig: Rig, count: int, seed: int, *, names: Sequence[str] = ()) -> FaultResult:
    """`count` is the most deaths of each act. After each the same request is sent again, until the API has answered without dying."""
    result = FaultResult(seed)
    with _asker(rig) as ask:
        for name, make in _acts(rig).items():
            if names and name not in names:
                continue
            deaths = 0
            for death in (*map(str, range(1, _MOST_STATEMENTS)), "commit"):
                if death != "commit" and deaths >= count:
                    continue
                asked = make()
                first = ask(asked, death)
                if first != _KILLED and death != "commit":
                    # Every statement of it has had its turn.
                    result.wrong += [f"{name}: answered {first} after {deaths} deaths"] * (first not in ("200", "201", "202"))
                    result.wrong += _not_once(name, death, asked)
                    deaths = count
                    continue
                result.faults[f"death of the API in {name}"] += 1
                result.wrong += [f"{name}: nobody died at {death}: {first}"] * (first != _KILLED)
                deaths += 1
                again = ask(asked, "-")
                # What was committed is not done again: the answer is a conflict, and the page shows that it was done.
                expected = ("409",) if death == "commit" else ("200", "201", "202")
                result.wrong += [f"{name}: dead at {death} and asked again, responding {again}"] * (again not in expected)
                result.wrong += _not_once(name, death, asked)
    _cancel_all(rig)
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


def _not_once(name: str, death: str, asked: Ask) -> list[str]:
    query, wanted = asked.done
    with session_scope() as session:
        found = session.execute(text(query), {"id": asked.object_id}).scalar_one()
        audited = dict(session.execute(text(_AUDITED), {"kind": asked.kind, "id": str(asked.object_id)}).all())
    wrong = [f"{name}, dead at {death}: {found} rows, and {wanted} are to be"] * (found != wanted)
    if asked.audited and audited.get(asked.audited) != 1:
        wrong.append(f"{name}, dead at {death}: {audited.get(asked.audited, 0)} audit entries {asked.audited}")
    return wrong


def _acts(rig: Rig) -> dict[str, Callable[[], Ask]]:
    host = rig.fleet[0]
    ended = rig.new_job(host)
    with at_work(1):
        rig.settle(FaultResult())

    def waiting(state: str) -> int:
        with session_scope() as session:
            plan, payload = plan_of(session, host, rig.people)
            if state == "PLANNED":
                plan.state, plan.reason = "PLANNED", "fault run"
            if state in ("APPROVED", "RUNNING"):
                approve(session, plan, payload, rig.people)
                job_of(session, host, plan, steps=len(host.shapes))
            if state == "RUNNING":
                set_plan_state(session, lock_plan(session, plan.id or 0), PlanState.RUNNING, "the fault run says so")
            session.add(plan)
            session.flush()
            return plan.id or 0

    def submit() -> Ask:
        plan = waiting("PLANNED")
        done = ("SELECT count(*) FROM plan_event WHERE plan_id = :id AND state = 'AWAITING_APPROVAL'", 1)
        return Ask("operator", "POST", f"/plans/{plan}/submit", {"reason": "again"}, done, "plan", plan, "plan.awaiting_approval")

    def signed() -> Ask:
        plan = waiting("AWAITING_APPROVAL")
        done = ("SELECT (SELECT count(*) FROM approval WHERE plan_id = :id) * 100 + (SELECT count(*) FROM job WHERE plan_id = :id)", 101)
        return Ask("approver", "POST", f"/plans/{plan}/approve", {"password": ""}, done, "plan", plan, "plan.approved")

    def stopped() -> Ask:
        plan = waiting("RUNNING")
        done = ("SELECT count(*) FROM job WHERE plan_id = :id AND state = 'CANCELLED'", 1)
        return Ask("operator", "POST", f"/plans/{plan}/stop", {"reason": "fault run"}, done, "plan", plan, "plan.stopped")

    def cancelled() -> Ask:
        plan = waiting("APPROVED")
        with session_scope() as session:
            job = session.execute(text("SELECT id FROM job WHERE plan_id = :id"), {"id": plan}).scalar_one()
        done = ("SELECT count(*) FROM job_event WHERE job_id = :id AND kind = 'state' AND state = 'CANCELLED'", 1)
        return Ask("operator", "POST", f"/jobs/{job}/cancel", {"reason": "fault run"}, done, "job", job, "job.cancelled")

    def undone() -> Ask:
        with session_scope() as session:
            for undo in session.execute(text("SELECT id FROM job WHERE undoes_id = :id AND finished_at IS NULL"), {"id": ended}).scalars():
                cancel.cancel_job(session, actor="person:1 olga", job_id=undo, reason="the next case")
        done = (_UNDOING, 101)
        return Ask("operator", "POST", f"/jobs/{ended}/undo", {}, done, "job", ended, "")

    return {"submitting": submit, "approving": signed, "stopping": stopped, "cancelling": cancelled, "undoing": undone}


def _cancel_all(rig: Rig) -> None:
    with session_scope() as session:
        for job_id, _, _ in rig.open_jobs():
            cancel.cancel_job(session, actor="person:1 olga", job_id=job_id, reason="the fault run is over")


@contextmanager
def _asker(rig: Rig) -> Iterator[Callable[[Ask, str], str]]:
    roles = {"operator": granted(rig.people[0], "operator"), "approver": granted(rig.people[1], "approver")}
    with (rig.home / "asker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "faults.api_fork_server"], cwd=BACKEND, env=dict(os.environ),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(asked: Ask, death: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        with session_scope() as session:
            # Signing requires a confirmed identity.
            session.execute(text("UPDATE web_session SET authenticated_at = clock_timestamp()"))
        process.stdin.write(f"{asked.method} {asked.path} {roles[asked.role]} {death} {json.dumps(asked.body)}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    try:
        yield ask
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()
