"""J18: everything is restarted with a hundred jobs open, as an upgrade or a power cut does. All of them end, and none begins too late."""

import random
import signal
import time
from datetime import timedelta

from sqlmodel import text

from faults.crashes import kinds
from faults.fleet import FaultHost, Shape, make_job
from faults.journals import WELL, finish
from faults.processes import crash_database
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import get_engine, session_scope

OPEN_JOBS = 100
# The steps of a host allow seven jobs at once; some end while others are made.
_A_HOST, _MORE = 5, 20
STOPPED, KILLED, SHORT = "restart of all parts, asked to end", "restart of all parts, killed", "approval that ends while all is down"
# So many jobs on so few hosts take longer to end than one a host.
_LONGEST_SECONDS = 240.0
_BUSY = """
SELECT j.host_id, s.value ->> 'setting' FROM job j JOIN plan p ON p.id = j.plan_id
CROSS JOIN LATERAL jsonb_array_elements(CAST(p.document AS jsonb) -> 'hosts' -> 0 -> 'steps' -> 0 -> 'elements') s
WHERE j.finished_at IS NULL
"""
_LATE = """
SELECT id, state, EXTRACT(EPOCH FROM first_intent_at - not_after), EXTRACT(EPOCH FROM started_at - not_after) FROM job
WHERE id > :since AND (first_intent_at > not_after OR started_at > not_after)
"""


def restarted(rig: Rig, count: int, seed: int) -> FaultResult:
    """J18: `count` restarts of workers, scheduler, broker, API and database at once, each with a hundred jobs open, in turn by asking
    and by kill -9; each time a few approvals end while everything is down."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    asked = min(OPEN_JOBS, _A_HOST * len(rig.fleet))
    fewest, short = 10 * asked, set[int]()
    for number in range(count):
        _fill(rig, dice, asked + _MORE)
        short |= _short_lived(rig, dice)
        time.sleep(dice.uniform(0.0, 0.5))
        is_killed = number % 2 == 1
        fewest = min(fewest, len(rig.open_jobs()))
        _restart(rig, dice, signal.SIGKILL if is_killed else signal.SIGTERM)
        result.faults[KILLED if is_killed else STOPPED] += 1
    result.faults[SHORT] = len(short)
    result.notes.append(f"at least {fewest} jobs open at each restart")
    rig.settle(result, longest=_LONGEST_SECONDS)
    with session_scope() as session:
        late = session.execute(text(_LATE), {"since": since}).all()
        ended = dict(session.execute(text("SELECT id, state FROM job WHERE id = ANY(:ids)"), {"ids": list(short)}).all())
    result.wrong += [f"job {job_id} ({state}) began after its approval had ended" for job_id, state, _, _ in late]
    expired = sum(state == "EXPIRED" for state in ended.values())
    result.notes.append(f"{expired} of {len(short)} approvals that ended meanwhile expired, {len(late)} jobs begun later than they might")
    result.wrong += ["no approval ended while everything was down"] * (expired == 0)
    result.wrong += [f"only {fewest} jobs were open at a restart"] * (fewest < asked)
    finish(rig, result, since=since, may_end=(*WELL, "EXPIRED"))
    with session_scope() as session:
        others = session.execute(
            text("SELECT count(*) FROM job WHERE id > :since AND state = 'EXPIRED' AND NOT (id = ANY(:short))"),
            {"since": since, "short": list(short)},
        ).scalar_one()
    result.wrong += [f"{others} jobs expired though their approval held for hours"] * (others != 0)
    return result


def _shapes(host: FaultHost) -> list[Shape]:
    """Steps of one job each that touch nothing of one another: so many jobs of a host may be open at once."""
    made = kinds(host)
    return [*host.shapes, made["made or deleted"], made["an effect that waits"]]


def _fill(rig: Rig, dice: random.Random, wanted: int) -> None:
    """Makes jobs until that many are open: for each host and step at most one, for values are read when a plan is made."""
    with session_scope() as session:
        busy = {(row[0], row[1]) for row in session.execute(text(_BUSY))}
    free = [
        (host, shape) for host in rig.fleet for shape in _shapes(host) if not any((host.id, turn.setting) in busy for turn in shape.turns)
    ]
    dice.shuffle(free)
    for host, shape in free[: max(0, wanted - len(rig.open_jobs()))]:
        rig.new_job(host, [shape])


def _short_lived(rig: Rig, dice: random.Random) -> set[int]:
    """Jobs behind others of their host whose approval ends within seconds."""
    made = set()
    for host in dice.sample(rig.fleet, 3):
        with session_scope() as session:
            good_for = timedelta(seconds=dice.uniform(2.0, 4.0))
            made.add(make_job(session, host, rig.people, shapes=[host.shapes[0]], good_for=good_for))
    return made


def _restart(rig: Rig, dice: random.Random, how: signal.Signals) -> None:
    """Ends every part, waits as long as a slow start takes, and starts all of them again in any order."""
    workers, api = rig.workers, rig.api
    assert workers.beat is not None
    assert workers.broker is not None
    for number in range(len(workers.kinds)):
        workers.signal_worker(number, how)
    for process in (workers.beat, workers.broker):
        process.send_signal(how)
    if how == signal.SIGTERM:
        api.stop()
        workers.wait_for_end()
    else:
        api.kill()
    for process in (workers.beat, workers.broker):
        process.wait(60)
    crash_database(rig.cluster)
    get_engine().dispose()
    time.sleep(dice.uniform(2.0, 4.0))
    parts = [workers.start_broker, workers.keep_beat, api.start, *(lambda n=n: workers.start_worker(n) for n in range(len(workers.kinds)))]
    dice.shuffle(parts)
    for start in parts:
        start()
    for number in range(len(workers.kinds)):
        workers.wait_for_worker(number)
