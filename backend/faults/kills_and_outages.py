"""J1, J3, J4, J6, J7: workers killed and paused, the broker wiped, killed, away and black-holed, the database crashed, answers lost.

While jobs turn settings of every host of the rig. What must hold: no step set twice, no job left open, every host where its last job left
it, every promise of the doctor.
"""

import itertools
import random
import signal
import time
from collections.abc import Sequence

import psycopg
from sqlmodel import text

from faults.fleet import FaultHost
from faults.journals import finish, refuses_stale
from faults.lost_answers import LOST, UNRECEIPTED, losing
from faults.processes import crash_database
from faults.rig import LEASE_SECONDS, FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers

KILL, PAUSE = "kill -9 of a worker", "pause past the lease"
# The first kills meet each of the other faults once, however slow the machine is.
FEWEST_KILLS = 8
WIPE, CRASH = "broker wiped", "crash of the database"


def mixed(rig: Rig, *, kills: int, seed: int = 1, until: float = float("inf")) -> FaultResult:
    """The short form: `kills` workers killed, and among the first eight of them, and again after each four, one of the other faults in
    turn. After `until` (monotonic) nothing is done but the first eight and theirs."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    others = itertools.cycle((LOST, PAUSE, WIPE, CRASH))
    while result.faults[KILL] < FEWEST_KILLS or (result.faults[KILL] < kills and time.monotonic() < until):
        rig.keep_busy()
        time.sleep(dice.uniform(0.05, 0.4))
        _kill(rig, result, dice)
        if result.faults[KILL] % (2 if result.faults[KILL] <= FEWEST_KILLS else 4):
            continue
        kind = next(others)
        if kind == PAUSE:
            pause(rig, dice, LEASE_SECONDS + 1)
        elif kind == WIPE:
            rig.workers.wipe_broker()
        elif kind == LOST:
            dice.choice(rig.fleet).fault("lose_answer", 1)
        else:
            crash_database(rig.cluster)
            rig.workers.keep_beat()
        result.faults[kind] += 1
    return _finished(rig, result, since)


def _kill(rig: Rig, result: FaultResult, dice: random.Random) -> None:
    rig.workers.kill_worker(rig.workers.ready_worker(dice))
    result.faults[KILL] += 1


def pause(rig: Rig, dice: random.Random, seconds: float) -> None:
    """SIGSTOP past the lease, then SIGCONT: what slept wakes up in the middle of what it did."""
    number = rig.workers.ready_worker(dice)
    rig.workers.signal_worker(number, signal.SIGSTOP)
    time.sleep(seconds)
    rig.workers.signal_worker(number, signal.SIGCONT)


def killed(rig: Rig, count: int, seed: int) -> FaultResult:
    """J1: `count` workers killed at random moments, while at least five jobs a kill run."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    made = rig.keep_busy()
    while result.faults[KILL] < count or made < count * 5:
        made += rig.keep_busy()
        if result.faults[KILL] < min(count, made / 5 + 1):
            time.sleep(dice.uniform(0.1, 1.0))
            _kill(rig, result, dice)
        else:
            time.sleep(0.2)
    return _finished(rig, result, since)


def paused(rig: Rig, count: int, seed: int) -> FaultResult:
    """J3: `count` pauses past the lease; at least one command of a worker that slept has to be seen refused by a host."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    stale = sum(host.refused_as_stale() for host in rig.fleet)
    for _ in range(count):
        rig.keep_busy()
        time.sleep(dice.uniform(0.3, 1.2))
        pause(rig, dice, LEASE_SECONDS + dice.uniform(0.5, 2))
        result.faults[PAUSE] += 1
    rig.settle(result)
    result.notes.append(f"{sum(host.refused_as_stale() for host in rig.fleet) - stale} commands of woken workers refused by hosts")
    return _finished(rig, result, since)


def broker(rig: Rig, count: int, seed: int) -> FaultResult:
    """J4: `count` wipes, 0.4 times as many kills, once away and once black-holed for 2.4 s a wipe (120 s in full); a job that is new when
    it is back starts within 20 s. One host is kept free for that job, so that it waits for no other."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    away = max(6.0, 2.4 * count)
    *others, free = rig.fleet

    def back(what: str) -> None:
        result.faults[what] += 1
        took = _start_of_new_job(rig, free)
        if took > 20:
            result.wrong.append(f"{what}: a new job began {took:.0f} s after the broker was back, and 20 are allowed")
        result.notes.append(f"{what}: a new job began {took:.1f} s after")

    for _ in range(count):
        rig.keep_busy()
        time.sleep(dice.uniform(0.1, 0.6))
        rig.workers.wipe_broker()
        result.faults[WIPE] += 1
    for _ in range(max(1, count * 2 // 5)):
        rig.keep_busy()
        time.sleep(dice.uniform(0.2, 1.0))
        rig.workers.kill_broker()
        time.sleep(dice.uniform(0.0, 1.0))
        rig.workers.start_broker()
        result.faults["broker killed"] += 1
    _wait_until_free(free)
    rig.workers.kill_broker()
    _busy_for(rig, others, away)
    rig.workers.start_broker()
    back(f"broker away for {away:.0f} s")
    _wait_until_free(free)
    rig.workers.hold_broker(is_held=True)
    _busy_for(rig, others, away)
    rig.workers.hold_broker(is_held=False)
    back(f"broker silent for {away:.0f} s")
    return _finished(rig, result, since)


def _busy_for(rig: Rig, hosts: Sequence[FaultHost], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        rig.keep_busy(hosts)
        time.sleep(0.5)


def _wait_until_free(host: FaultHost) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with session_scope() as session:
            waiting = session.execute(text("SELECT count(*) FROM job WHERE host_id = :host AND finished_at IS NULL"), {"host": host.id})
            if not waiting.scalar_one():
                return
        time.sleep(0.2)
    raise RuntimeError(f"{host.lab.spec.name} was to be free for a new job, and its last one has not ended in two minutes")


def _start_of_new_job(rig: Rig, host: FaultHost) -> float:
    """Seconds until a job that is created now on a free host has begun; 60 where it has not by then."""
    began = time.monotonic()
    job_id = rig.last_job() + 1
    while not rig.keep_busy([host]) and time.monotonic() - began < 60:
        time.sleep(0.1)
    while time.monotonic() - began < 60:
        with session_scope() as session:
            started = session.execute(text("SELECT started_at IS NOT NULL FROM job WHERE id = :id"), {"id": job_id}).scalar_one_or_none()
        if started:
            break
        time.sleep(0.1)
    return time.monotonic() - began


def database(rig: Rig, count: int, seed: int) -> FaultResult:
    """J6: `count` crashes of the database, and ten times as many connections of workers cut at the moment they wait for a COMMIT."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    for _ in range(count):
        rig.keep_busy()
        cut = 0
        until = time.monotonic() + 20
        while cut < 10 and time.monotonic() < until:
            cut += _cut_committing(rig)
            rig.keep_busy()
        result.faults["connection cut at its COMMIT"] += cut
        time.sleep(dice.uniform(0.0, 0.5))
        crash_database(rig.cluster)
        rig.workers.keep_beat()
        result.faults[CRASH] += 1
    return _finished(rig, result, since)


def _cut_committing(rig: Rig) -> int:
    """Ends the backends of workers that are in, or just after, a COMMIT: the worker cannot know what became of it."""
    url = rig.cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", "")
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            until = time.monotonic() + 1
            while time.monotonic() < until:
                found = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'plumbline_executor' AND query = 'COMMIT'"
                    " AND (state = 'active' OR state_change > clock_timestamp() - interval '3 milliseconds') LIMIT 1"
                ).fetchall()
                if found:
                    return 1
    except psycopg.Error:
        time.sleep(0.2)
    return 0


def lost_answers(rig: Rig, count: int, seed: int) -> FaultResult:
    """J7: in `count` steps a quarter of the answers is lost after the act, and three in a hundred act without leaving a receipt."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    jobs = 0
    with losing(rig.fleet, dice, answers=0.25, receipts=0.03) as lost:
        while jobs * len(rig.fleet[0].shapes) < count:
            jobs += rig.keep_busy()
            time.sleep(0.2)
        rig.settle(result)
    for name in (LOST, UNRECEIPTED):
        result.faults[name] += lost[name]
    return _finished(rig, result, since)


def _finished(rig: Rig, result: FaultResult, since: int) -> FaultResult:
    finish(rig, result, since=since)
    result.stale_refused = sum(refuses_stale(host) for host in rig.fleet) + sum(host.refused_as_stale() for host in rig.fleet)
    if not result.stale_refused:
        result.wrong.append("no stale command was seen refused: the run proved nothing about them")
    if not result.jobs:
        result.wrong.append("no job ran")
    result.wrong += [f"{name} never happened" for name, count in result.faults.items() if not count]
    return result
