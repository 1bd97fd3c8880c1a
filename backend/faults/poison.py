"""J15: a job whose worker dies each time, before it gets anywhere. It ends as needing a person, and other jobs are hardly delayed."""

import os
import signal
import time

from sqlmodel import text

from faults.fleet import FaultHost
from faults.journals import finish
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import resolve
from plumbline.remediation.jobs.claim import ISOLATED_CLAIMS

# So late does each command reach the poisoned host: its worker dies before the first intent.
_DELAY_SECONDS = 3
_LONGEST_SECONDS = 120.0
_WAITS = """
SELECT EXTRACT(EPOCH FROM started_at - queued_at) FROM job WHERE id > :since AND id <= :until AND started_at IS NOT NULL
  AND NOT (id = ANY(:poison)) ORDER BY 1
"""


def poisoned(rig: Rig, count: int, seed: int) -> FaultResult:
    """J15: `count` jobs, one after the other, whose worker is killed whenever it has claimed them. After one claim beside others and three
    in a queue of its own each needs a person; how long other jobs wait is compared with as long a time without poison."""
    result = FaultResult(seed)
    dice, since, poison = dice_of(result), rig.last_job(), []
    began = time.monotonic()
    for number in range(count):
        host = rig.fleet[dice.randrange(len(rig.fleet))]
        others = [other for other in rig.fleet if other is not host]
        rig.settle(result)
        host.fault("delay_seconds", _DELAY_SECONDS)
        if number == 0:
            began = time.monotonic()
        job_id = rig.new_job(host)
        poison.append(job_id)
        deaths = _until_it_needs_a_person(rig, result, job_id, others)
        result.faults["death of the poisoned job's worker"] += deaths
        if deaths != 1 + ISOLATED_CLAIMS:
            result.wrong.append(f"job {job_id} took {deaths} workers with it, and {1 + ISOLATED_CLAIMS} were to be")
        host.fault("delay_seconds", 0)
        _resolve(result, job_id)
        rig.settle(result)
    took, last = time.monotonic() - began, rig.last_job()
    until = time.monotonic() + took
    while time.monotonic() < until:
        rig.keep_busy()
        time.sleep(0.2)
    rig.settle(result)
    _compare_waits(rig, result, since, last, poison)
    return finish(rig, result, since=since, may_end=("SUCCEEDED", "RESOLVED"))


def _until_it_needs_a_person(rig: Rig, result: FaultResult, job_id: int, others: list[FaultHost]) -> int:
    """Kills the worker that has the job, while others are at work; returns how many died."""
    limit, deaths, killed = time.monotonic() + _LONGEST_SECONDS, 0, set[int]()
    while time.monotonic() < limit:
        rig.keep_busy(others)
        with session_scope() as session:
            state, words, gen, worker, queue, intent = session.execute(
                text("SELECT state, state_words, gen, worker, queue, first_intent_at FROM job WHERE id = :id"), {"id": job_id}
            ).one()
        if state == "NEEDS_HUMAN":
            if intent is not None or queue != "isolated":
                result.wrong.append(f"job {job_id} needs a person because: {words}")
            return deaths
        if state == "RUNNING" and gen not in killed:
            process = int(worker.rpartition(":")[2])
            number = rig.workers.workers.index(process)
            if (rig.workers.kinds[number] == "isolated") != (queue == "isolated"):
                result.wrong.append(f"queue {queue} was served by a worker of kind {rig.workers.kinds[number]}")
            os.kill(process, signal.SIGKILL)
            rig.workers.start_worker(number)
            killed.add(gen)
            deaths += 1
        time.sleep(0.1)
    result.wrong.append(f"job {job_id} killed {deaths} workers and is {state}: {words}")
    return deaths


def _resolve(result: FaultResult, job_id: int) -> None:
    with session_scope() as session:
        resolve.request_resolution(session, actor="person:1 olga", job_id=job_id, words="looked at it, nothing was sent")
    resolve.raise_fence_and_resolve(job_id)
    with session_scope() as session:
        state = session.execute(text("SELECT state FROM job WHERE id = :id"), {"id": job_id}).scalar_one()
    if state != "RESOLVED":
        result.wrong.append(f"job {job_id} was resolved by a person and is {state}")


def _compare_waits(rig: Rig, result: FaultResult, since: int, last: int, poison: list[int]) -> None:
    def p99(first: int, until: int) -> tuple[float, int]:
        with session_scope() as session:
            rows = session.execute(text(_WAITS), {"since": first, "until": until, "poison": poison}).scalars().all()
        return (float(rows[min(len(rows) - 1, int(len(rows) * 0.99))]), len(rows)) if rows else (0.0, 0)

    beside, many = p99(since, last)
    alone, few = p99(last, rig.last_job())
    result.notes.append(
        f"p99 from queue to begin: {beside:.1f} s of {many} jobs beside poison, {alone:.1f} s of {few} without (goal: below 2x)"
    )
    if not many or not few:
        result.wrong.append("no job ran beside the poison, or none without it")
    elif beside >= 2 * alone:
        result.wrong.append(f"other jobs waited {beside / alone:.1f} times as long (p99)")
