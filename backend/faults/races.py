"""J10: many executors claim the same jobs. J11: a cancellation at any moment. J12: the emergency stop while all are busy."""

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import text

from faults.engine_threads import at_work
from faults.invariants import broken_promises
from faults.journals import finish
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.jobs import DomainBudget, JobState
from plumbline.remediation.controls import checks
from plumbline.remediation.jobs import cancel
from plumbline.remediation.jobs.claim import claim_job
from plumbline.remediation.transitions import lock_job, set_job_state

# The longest time from the cancellation to the last step that begins.
LONGEST_SECONDS = 2.0
_EXECUTORS = 8

_TOO_MANY = """
SELECT 'two jobs at host ' || host_id FROM job WHERE state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN') GROUP BY host_id HAVING count(*) > 1
UNION ALL
SELECT s.domain || ': ' || count(*) FROM domain_slot s LEFT JOIN domain_budget b ON b.domain = s.domain
WHERE s.job_id IS NOT NULL GROUP BY s.domain, b.slots
HAVING count(*) > CASE WHEN s.domain LIKE 'cluster:%' THEN 1
                        WHEN s.domain LIKE 'group:%' THEN coalesce(b.slots, 10) ELSE coalesce(b.slots, 1) END
"""


def raced(rig: Rig, count: int, seed: int) -> FaultResult:
    """J10: `count` times eight executors claim two jobs of one host, or jobs of the two nodes of a cluster, twenty claims each time."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    pair = rig.fleet[:2]
    with session_scope() as session:
        session.execute(text("UPDATE host SET cluster = 'a pair' WHERE id = ANY(:ids)"), {"ids": [host.id for host in pair]})
        # One of the pair at a time, by the cluster and by the fabric's own number as well.
        session.get_one(DomainBudget, "fabric:1/shared").slots = 1
    doubled, claimed, over = 0, 0, threading.Event()
    broken: list[str] = []

    def watch() -> None:
        while not over.is_set():
            with session_scope() as session:
                broken.extend(row[0] for row in session.execute(text(_TOO_MANY)))

    def reach(job_id: int) -> int:
        with session_scope() as session:
            return 1 if claim_job(session, job_id, worker="racer", queue="remediation") is not None else 0

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with ThreadPoolExecutor(_EXECUTORS) as pool:
            for turn in range(count):
                # The first half of the races: two jobs of one host; the other: one of each node.
                hosts = (pair[0], pair[0]) if turn % 2 else (pair[0], pair[1])
                jobs = [rig.new_job(host) for host in hosts]
                with session_scope() as session:
                    session.execute(
                        text("UPDATE plan SET state = 'RUNNING' WHERE id IN (SELECT plan_id FROM job WHERE id = ANY(:ids))"), {"ids": jobs}
                    )
                    for job_id in jobs:
                        job = lock_job(session, job_id)
                        job.queued_at = now_of(session)
                        set_job_state(session, job, JobState.QUEUED, "for a race")
                order = [dice.choice(jobs) for _ in range(20)]
                won = sum(pool.map(reach, order))
                claimed += won
                doubled += won > 1
                for job_id in jobs:
                    with session_scope() as session, contextlib.suppress(PlumblineError):
                        set_job_state(session, lock_job(session, job_id), JobState.CANCELLED, "the race is over")
    finally:
        over.set()
        watcher.join(30)
        with session_scope() as session:
            session.get_one(DomainBudget, "fabric:1/shared").slots = len(rig.fleet)
            session.execute(
                text("UPDATE host SET cluster = 'cluster of ' || name WHERE id = ANY(:ids)"), {"ids": [host.id for host in pair]}
            )
    result.faults["race of eight executors"] = count
    result.faults["claim tried"] = count * 20
    result.notes.append(f"{claimed} claims won, {doubled} races with two winners, {len(broken)} sightings of more jobs than slots")
    result.wrong += [f"{doubled} races had two winners"] * (doubled != 0)
    result.wrong += sorted(set(broken))
    if claimed < count * 0.8:
        result.wrong.append(f"only {claimed} of {count} races were won by anybody")
    with at_work(1):
        rig.settle(result)
    result.jobs = rig.last_job() - since
    result.states["CANCELLED"] = result.jobs
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


def cancelled(rig: Rig, count: int, seed: int) -> FaultResult:
    """J11: a cancellation at `count` random moments of a job; no step begins more than two seconds after it."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    begun: list[float] = []

    def one(host_number: int, wait: float) -> None:
        host = rig.fleet[host_number]
        job_id = rig.new_job(host)
        time.sleep(wait)
        with contextlib.suppress(PlumblineError), session_scope() as session:
            # After its last step there is nothing left to cancel, and the request is refused.
            cancel.cancel_job(session, actor="person:1 olga", job_id=job_id, reason="as the fault run wants")
            result.faults["cancel"] += 1
        begun.append(_wait_for_end(job_id))

    with at_work(len(rig.fleet)), ThreadPoolExecutor(len(rig.fleet)) as pool:
        longest = 4.0
        for start in range(0, count, len(rig.fleet)):
            batch = range(min(len(rig.fleet), count - start))
            began = time.monotonic()
            list(pool.map(one, batch, [dice.uniform(0, longest) for _ in batch]))
            # Moments are spread over the time that a job takes on this machine, learnt as it goes.
            longest = min(30.0, max(2.0, time.monotonic() - began))
        rig.settle(result)
    late = _begun_after(since, "j.cancel_at")
    result.notes.append(f"{late} steps begun more than {LONGEST_SECONDS:.0f} s after the wish")
    result.wrong += [f"{late} steps began too late"] * (late != 0)
    finish(rig, result, since=since, may_end=("CANCELLED", "PARTIAL", "SUCCEEDED", "ROLLED_BACK"))
    result.wrong += _unlisted(since)
    if not result.states["PARTIAL"] + result.states["CANCELLED"]:
        result.wrong.append("no cancel met a job before its end")
    return result


def stopped(rig: Rig, count: int, seed: int) -> FaultResult:
    """J12: the emergency stop while all executors are busy, `count` times; no step begins more than two seconds later."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    with at_work(len(rig.fleet)):
        for _ in range(count):
            rig.keep_busy()
            time.sleep(dice.uniform(1.5, 3.0))
            with session_scope() as session:
                busy = session.execute(text("SELECT count(*) FROM job WHERE state = 'RUNNING'")).scalar_one()
                row = checks.stop_switch(session)
                row.is_stopped, row.cause, row.reason, row.changed_by = True, "person", "fault run", "person:1 olga"
                row.changed_at = now_of(session)
                at = row.changed_at
            time.sleep(LONGEST_SECONDS + 2)
            with session_scope() as session:
                late = session.execute(
                    text(
                        "SELECT count(*) FROM job_event WHERE kind = 'intent' AND at > CAST(:at AS timestamptz) + make_interval(secs => :s)"
                    ),
                    {"at": at, "s": LONGEST_SECONDS},
                ).scalar_one()
                checks.stop_switch(session).is_stopped = False
            result.faults["everything stopped"] += 1
            result.notes.append(f"{busy} at work when it was stopped, {late} steps begun more than {LONGEST_SECONDS:.0f} s later")
            result.wrong += [f"{late} steps began after everything was stopped"] * (late != 0)
            result.wrong += ["nobody was at work when everything was stopped"] * (busy == 0)
        rig.settle(result)
    return finish(rig, result, since=since, may_end=("CANCELLED", "PARTIAL", "SUCCEEDED"))


def _wait_for_end(job_id: int) -> float:
    began = time.monotonic()
    while time.monotonic() - began < 120:
        with session_scope() as session:
            if session.execute(text("SELECT finished_at IS NOT NULL FROM job WHERE id = :id"), {"id": job_id}).scalar_one():
                break
        time.sleep(0.1)
    return time.monotonic() - began


def _begun_after(since: int, wish: str) -> int:
    with session_scope() as session:
        return int(
            session.execute(
                text(
                    f"SELECT count(*) FROM job j JOIN job_event e ON e.job_id = j.id WHERE j.id > :since AND e.kind = 'intent'"
                    f" AND {wish} IS NOT NULL AND e.at > {wish} + make_interval(secs => :s)"
                ),
                {"since": since, "s": LONGEST_SECONDS},
            ).scalar_one()
        )


def _unlisted(since: int) -> list[str]:
    """Jobs that ended part-way without naming the steps in effect, or as cancelled although one is."""
    with session_scope() as session:
        rows = session.execute(
            text(
                "SELECT j.id, j.state, j.state_words, count(s.*) FILTER (WHERE s.state = 'DONE'), j.steps_total FROM job j"
                " LEFT JOIN job_step s ON s.job_id = j.id WHERE j.id > :since GROUP BY j.id"
            ),
            {"since": since},
        ).all()
    wrong = [f"job {row[0]} is PARTIAL and names no step: {row[2]}" for row in rows if row[1] == "PARTIAL" and "stand" not in row[2]]
    wrong += [f"job {row[0]} is CANCELLED with {row[3]} steps done" for row in rows if row[1] == "CANCELLED" and row[3]]
    return wrong + [f"job {row[0]} succeeded with {row[3]} of {row[4]} steps" for row in rows if row[1] == "SUCCEEDED" and row[3] != row[4]]
