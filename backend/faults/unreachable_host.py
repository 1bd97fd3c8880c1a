"""J13: the host goes dark in a step that cuts its own path. J14: a path is lost with the set. J16: a value that somebody else set."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import text

from faults.engine_threads import at_work
from faults.fleet import FaultHost, Shape, Turn, cutting_shape
from faults.journals import finish
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import resolve

# Shells that Plumbline may have open on a host at once.
MOST_SHELLS = 2
_THIRD = {"host//mpio.policy": "FOO"}


def went_dark(rig: Rig, count: int, seed: int, *, deadman_s: int = 20) -> FaultResult:
    """J13: `count` restarts of an adapter during which nothing reaches the host for up to four and a half times the quarter of the
    dead-man's time. A host that is dark for longer reverts by itself; one that was confirmed never does; the journals decide."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    dark: dict[int, float] = {}
    over, most = threading.Event(), [0]

    def watch() -> None:
        while not over.wait(0.02):
            most[0] = max(most[0], *(len(host.endpoint.shells) for host in rig.fleet))

    watcher = threading.Thread(target=watch)
    watcher.start()
    with at_work(len(rig.fleet)):
        while len(dark) < count:
            for host in rig.fleet[: count - len(dark)]:
                seconds = dice.uniform(deadman_s / 8, deadman_s * 2.2)
                host.fault("dark_on_set_seconds", 0)
                host.lab.faults()["dark_on_set_seconds"] = seconds
                dark[rig.new_job(host, [cutting_shape(host.lab, deadman_s=deadman_s)])] = seconds
            rig.settle(result, longest=deadman_s * 2.2 + 90)
    over.set()
    watcher.join()
    struck = sum(row.get("fault") == "dark" for host in rig.fleet for row in host.lab.read_journal())
    result.faults["host dark in the middle of a step"] = struck
    if struck < count:
        result.wrong.append(f"only {struck} of {count} hosts went dark")
    _verdicts(rig, result, since, dark, deadman_s)
    result.notes.append(f"at most {most[0]} shells open on a host")
    result.wrong += [f"{most[0]} shells were open on a host"] * (most[0] > MOST_SHELLS)
    return finish(rig, result, since=since, may_end=("SUCCEEDED", "ROLLED_BACK"))


def _verdicts(rig: Rig, result: FaultResult, since: int, dark: dict[int, float], deadman_s: int) -> None:
    with session_scope() as session:
        states = dict(session.execute(text("SELECT id, state FROM job WHERE id > :since"), {"since": since}).all())
    reverted = {int(row["job_id"], 16) for host in rig.fleet for row in host.effects() if row["reverting"]}
    past = {job_id for job_id, seconds in dark.items() if seconds > deadman_s}
    result.wrong += [f"job {job} was dark for {dark[job]:.0f} s, and nothing took it back" for job in sorted(past - reverted)]
    for job_id, state in states.items():
        if (state == "ROLLED_BACK") != (job_id in reverted):
            result.wrong.append(f"job {job_id} is {state}, and its host {'went' if job_id in reverted else 'did not go'} back")
    confirmed = {job_id for job_id, state in states.items() if state == "SUCCEEDED"}
    result.wrong += [f"job {job_id} was confirmed and went back" for job_id in sorted(confirmed & reverted)]
    result.notes.append(f"dark past the automatic rollback {len(past)}, gone back {len(reverted & set(dark))}, confirmed {len(confirmed)}")
    if not past or not confirmed:
        result.wrong.append("the run met only one of the two ends")


def health_dropped(rig: Rig, count: int, seed: int) -> FaultResult:
    """J14: with the set one of the host's paths is lost. All of it goes back, and the value is read back."""
    result = FaultResult(seed)
    since = rig.last_job()
    left = count
    with at_work(len(rig.fleet)):
        while left:
            some = rig.fleet[:left]
            for host in some:
                host.fault("cut_on_set", 1)
                turn = host.shapes[0].turns[0]
                rig.new_job(host, [Shape((turn,), deadman_s=8, health_floor=2)])
            rig.settle(result)
            for host in some:
                struck = host.lab.faults()["cut_on_set"] == 0
                result.faults["path lost with the set"] += struck
                for path in list(host.lab.state["cut"]):
                    host.lab.set(f"path.{path}", "healthy", cause="person")
            left -= len(some)
    if result.faults["path lost with the set"] < count:
        result.wrong.append("not every set lost a path")
    return finish(rig, result, since=since, may_end=("ROLLED_BACK",))


def third_value(rig: Rig, count: int, seed: int) -> FaultResult:
    """J16: `count` times somebody sets another value, half before the first intent, half between two steps; that step is never sent."""
    result = FaultResult(seed)
    since = rig.last_job()
    policy = next(shape for host in rig.fleet[:1] for shape in host.shapes if shape.turns[0].setting in _THIRD)
    turn = policy.turns[0]
    for start in range(0, count, len(rig.fleet)):
        hosts = rig.fleet[: count - start]
        half = len(hosts) // 2
        _before_the_first_intent(rig, result, hosts[:half], turn, policy)
        _between_two_steps(rig, result, hosts[half:], turn, policy)
    sets = [row for host in rig.fleet for row in host.effects() if int(row["job_id"], 16) > since and row["setting"] == turn.setting]
    result.wrong += [f"{turn.setting} was set over somebody else's value"] * bool(sets)
    if len(result.faults) < 2:
        result.wrong.append("not both kinds of third values were met")
    return finish(rig, result, since=since, may_end=("SKIPPED_STALE", "RESOLVED"))


def _before_the_first_intent(rig: Rig, result: FaultResult, hosts: Sequence[FaultHost], turn: Turn, policy: Shape) -> None:
    jobs = [rig.new_job(host, [policy]) for host in hosts]
    before = {host.id: host.read(turn.setting) for host in hosts}
    for host in hosts:
        _set(host, turn.setting, _THIRD[turn.setting])
    with at_work(max(1, len(hosts))):
        rig.settle(result)
    for host in hosts:
        _set(host, turn.setting, before[host.id])
    result.faults["another value before the first intent"] += len(jobs)
    result.wrong += [f"job {job} found another value and is {state}" for job, state in _states(jobs).items() if state != "SKIPPED_STALE"]


def _between_two_steps(rig: Rig, result: FaultResult, hosts: Sequence[FaultHost], turn: Turn, policy: Shape) -> None:
    def one(host: FaultHost) -> int:
        before, effects = host.read(turn.setting), len(host.effects())
        job_id = rig.new_job(host, [host.shapes[0], policy])
        limit = time.monotonic() + 60
        while len(host.effects()) == effects and time.monotonic() < limit:
            time.sleep(0.01)
        _set(host, turn.setting, _THIRD[turn.setting])
        while _states([job_id])[job_id] in ("WAITING", "QUEUED", "RUNNING", "VERIFYING") and time.monotonic() < limit:
            time.sleep(0.1)
        _set(host, turn.setting, before)
        return job_id

    with at_work(max(1, len(hosts))), ThreadPoolExecutor(max(1, len(hosts))) as pool:
        jobs = list(pool.map(one, hosts))
    result.faults["another value between two steps"] += len(jobs)
    for job_id, state in _states(jobs).items():
        if state != "NEEDS_HUMAN":
            result.wrong.append(f"job {job_id} found another value after its first step and is {state}")
            continue
        with session_scope() as session:
            resolve.request_resolution(session, actor="person:1 olga", job_id=job_id, words="looked at it, it stays")
        resolve.raise_fence_and_resolve(job_id)


def _set(host: FaultHost, setting: str, value: str) -> None:
    """As a person at the host's own console."""
    with host.lab.lock:
        host.lab.state["host"][setting.rpartition("/")[2]] = value
        host.lab.journal(cause="person", address=setting, new=value)
        host.lab.save()


def _states(jobs: Sequence[int]) -> dict[int, str]:
    with session_scope() as session:
        rows = session.execute(text("SELECT id, state FROM job WHERE id = ANY(:ids)"), {"ids": list(jobs)}).all()
    return {row[0]: row[1] for row in rows}
