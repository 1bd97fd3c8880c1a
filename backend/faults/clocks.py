"""J17: the API, the workers and the scheduler each have another date. Only the database's clock may decide anything."""

import contextlib
import os
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import text

from faults.fleet import FaultHost, plan_of
from faults.journals import WELL, finish
from faults.people import served_api, signed_in
from faults.processes import SHIFT
from faults.rig import LEASE_SECONDS, FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope
from plumbline.models.controls import MaintenanceWindow
from plumbline.remediation.controls import checks

DAY = 86_400.0
KILL, SHORT = "kill -9 of a worker", "approval that ends while its job waits"
# The longest time from the end of an approval to its stored state, and from an audit entry to its number.
_LATE_SECONDS = 30.0
_UNCHAINED_SECONDS = 60.0
_SOURCE = Path(__file__).with_name("shifted_clock.c")
_LEASES = """
SELECT max(EXTRACT(EPOCH FROM lease_until - clock_timestamp())) FROM job WHERE state IN ('RUNNING', 'VERIFYING') AND lease_until IS NOT NULL
"""
_ENDS = """
SELECT id, state, EXTRACT(EPOCH FROM finished_at - not_after),
  (SELECT max(EXTRACT(EPOCH FROM intent_at - not_after)) FROM job_step WHERE job_id = job.id) FROM job WHERE id > :since
"""
_UNCHAINED = """
SELECT count(*), coalesce(max(EXTRACT(EPOCH FROM clock_timestamp() - at)), 0) FROM audit_entry WHERE number IS NULL
"""


def clocks_wrong(rig: Rig, count: int, seed: int) -> FaultResult:
    """J17: `count` workers killed, while the clocks of workers, scheduler and API are a day ahead or behind; half-way the
    scheduler's is set back by two days. Plans are approved over that API, every third within a maintenance window of today."""
    result = FaultResult(seed)
    shim = built(rig.home)
    if shim is None:
        result.notes.append("SKIPPED: no C compiler here, and without one no process can be given another clock")
        return result
    dice, since = dice_of(result), rig.last_job()
    leases: list[float] = []
    with _other_days(rig, shim) as api, _watched(leases):
        client = signed_in(api, rig.people[1], "approver")
        short: set[int] = set()
        made = 0
        while result.faults[KILL] < count or made < count * 2:
            for host in rig.fleet:
                made += _approved_over_http(rig, result, client, host, made, short)
            time.sleep(dice.uniform(0.1, 0.8))
            if result.faults[KILL] < count:
                rig.workers.kill_worker(rig.workers.ready_worker(dice))
                result.faults[KILL] += 1
            if result.faults[KILL] == count // 2 and rig.workers.shifts["beat"] > 0:
                rig.workers.kill_beat()
                rig.workers.shifts["beat"] = -DAY
                rig.workers.keep_beat()
                result.faults["scheduler's clock set back by two days"] += 1
        rig.settle(result)
        _check_days(result, since, short, leases)
        _check_chain(result)
        client.close()
    return finish(rig, result, since=since, may_end=(*WELL, "EXPIRED", "PARTIAL"))


def built(folder: Path) -> Path | None:
    """The library that shifts a process's clock; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    library = folder / "shifted_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(_SOURCE), "-ldl"], check=True)
    return library


def set_shift(file: Path, seconds: int) -> None:
    """From now on the date is wrong by so many seconds for every process that was started with FAULTS_CLOCK_SHIFT_FILE on this file."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    os.pwrite(descriptor, struct.pack("=q", seconds), 0)
    os.close(descriptor)


def shifted_by(file: Path, shim: Path) -> dict[str, str]:
    """What a process is started with, so that its date follows this file."""
    return {"LD_PRELOAD": str(shim), "FAULTS_CLOCK_SHIFT_FILE": str(file)}


@contextlib.contextmanager
def _other_days(rig: Rig, shim: Path) -> Iterator[str]:
    """Every process but the database and the broker lives in another day; answers the API's address."""
    workers, api = rig.workers, rig.api
    shifts = {str(number): (DAY, -DAY)[number % 2] for number in range(len(workers.kinds))}
    workers.stop()
    workers.shim, workers.shifts = shim, {**shifts, "beat": DAY, "background": -DAY}
    before = {name: os.environ.get(name) for name in ("LD_PRELOAD", SHIFT)}
    try:
        workers.start()
        workers.start_desk()
        with _environment({"LD_PRELOAD": str(shim), SHIFT: str(int(DAY))}):
            api.stop()
            api.start()
        _make_sure(rig, shim)
        with served_api({"LD_PRELOAD": str(shim), SHIFT: str(int(-DAY)), "PLUMBLINE_REDIS_URL": workers.redis_url}) as url:
            yield url
    finally:
        assert before == {name: os.environ.get(name) for name in before}
        workers.stop()
        workers.shim, workers.shifts = None, {}
        api.stop()
        api.start()
        workers.start()


@contextlib.contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    os.environ.update(more)
    try:
        yield
    finally:
        for name in more:
            del os.environ[name]


def _make_sure(rig: Rig, shim: Path) -> None:
    """Raises RuntimeError unless every process was really given another clock."""
    assert rig.workers.beat is not None
    assert rig.workers.background is not None
    for process in (*rig.workers.workers, rig.workers.beat.pid, rig.workers.background.pid, rig.api.pid):
        if shim.name not in Path(f"/proc/{process}/maps").read_text():
            raise RuntimeError(f"process {process} has the machine's clock")


@contextlib.contextmanager
def _watched(leases: list[float]) -> Iterator[None]:
    """Notes how long the longest lease still runs by the database's clock, ten times a second."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            with contextlib.suppress(SQLAlchemyError), session_scope() as session:
                longest = session.execute(text(_LEASES)).scalar_one()
                if longest is not None:
                    leases.append(float(longest))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _approved_over_http(rig: Rig, result: FaultResult, client: "object", host: FaultHost, made: int, short: set[int]) -> int:
    """A job for a host that has none; for every eighth busy one, another whose approval ends while it waits. Answers how many were made."""
    with session_scope() as session:
        busy = session.execute(
            text("SELECT count(*) FROM job WHERE host_id = :host AND finished_at IS NULL"), {"host": host.id}
        ).scalar_one()
        is_short = busy == 1 and made % 8 == 7
        if busy and not is_short:
            return 0
        good_for = timedelta(seconds=2) if is_short else timedelta(minutes=15)
        plan, _ = plan_of(session, host, rig.people, good_for=good_for)
        if made % 3 == 0:
            plan.window_id = _window_of_today(session)
        session.add(plan)
        plan_id = plan.id
    answer = client.post(f"/plans/{plan_id}/approve", json={"password": ""})  # type: ignore[attr-defined]
    with session_scope() as session:
        session.execute(text("UPDATE web_session SET authenticated_at = clock_timestamp()"))
        job = session.execute(text("SELECT id FROM job WHERE plan_id = :plan"), {"plan": plan_id}).scalar_one_or_none()
    if answer.status_code != 200 or job is None:
        result.wrong.append(f"an approval was answered {answer.status_code}: {answer.text[:200]}")
        return 1
    if is_short:
        short.add(job)
        result.faults[SHORT] += 1
    return 1


def _window_of_today(session: "object") -> int:
    """A window that is open now by the database's clock and no other: from an hour ago for two hours."""
    row = session.execute(  # type: ignore[attr-defined]
        text("SELECT to_char(at, 'YYYY-MM-DD'), to_char(at, 'HH24:MI') FROM (SELECT clock_timestamp() - interval '1 hour' AS at) AS ago")
    ).one()
    window = MaintenanceWindow(group_id=1, name="today", starts_at_time=row[1], on_date=row[0], lasts_minutes=120, created_by="faults")
    session.add(window)  # type: ignore[attr-defined]
    session.flush()  # type: ignore[attr-defined]
    assert checks.window_document(window)["on_date"]
    return window.id or 0


def _check_days(result: FaultResult, since: int, short: set[int], leases: list[float]) -> None:
    with session_scope() as session:
        rows = session.execute(text(_ENDS), {"since": since}).all()
        reclaimed = session.execute(
            text("SELECT count(*) FROM job_event WHERE kind = 'claimed' AND words LIKE 'taken over%' AND job_id > :since"), {"since": since}
        ).scalar_one()
    for job_id, state, after, last_intent in rows:
        # PARTIAL: the host was free in time, and the approval ended between two steps.
        if state in ("EXPIRED", "PARTIAL") and job_id not in short:
            result.wrong.append(f"job {job_id} ended as {state}, and its approval still held for minutes")
        if state == "EXPIRED" and not 0 <= after <= _LATE_SECONDS:
            result.wrong.append(f"job {job_id} expired {after:.1f} s after its approval's end")
        if last_intent is not None and last_intent > 0:
            result.wrong.append(f"job {job_id} began a step {last_intent:.1f} s after its approval's end")
    longest = max(leases, default=0.0)
    ended = [state for job_id, state, _, _ in rows if job_id in short]
    result.notes.append(
        f"{reclaimed} jobs taken over from dead workers, the longest lease seen {longest:.1f} s (of {LEASE_SECONDS:.0f}),"
        f" {ended.count('EXPIRED')} of {len(short)} short approvals expired at their end, {ended.count('PARTIAL')} ended between two steps"
    )
    if not leases or longest > LEASE_SECONDS + 0.5:
        result.wrong.append(f"a lease of {longest:.0f} s was seen, and {LEASE_SECONDS:.0f} s are asked for")
    result.wrong += ["no job was taken over from a dead worker"] * (reclaimed == 0)


def _check_chain(result: FaultResult) -> None:
    """The audit trail is still numbered, although the scheduler and the worker that does it have different dates."""
    with session_scope() as session:
        waiting, oldest = session.execute(text(_UNCHAINED)).one()
    result.notes.append(f"{waiting} audit entries without a number, the oldest of {oldest:.0f} s")
    if oldest > _UNCHAINED_SECONDS:
        result.wrong.append(f"an audit entry is without a number for {oldest:.0f} s: the schedule stands still")
