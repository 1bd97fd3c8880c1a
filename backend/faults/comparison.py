"""The yardstick: what plain Celery does to the same lab hosts under the same faults."""

import hashlib
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from faults import plain_celery
from faults.fleet import FaultHost
from faults.journals import finish
from faults.kills_and_outages import KILL, WIPE
from faults.lost_answers import LOST, lose, losing
from faults.rig import FaultResult, Rig, dice_of
from lab.host import LabHost
from lab.windows import values
from lab.windows.servers import client_of, server_of
from lab.windows.wsman import Script

LOST_SHARE = 0.25
JOBS_A_KILL = 4
KILLS_A_WIPE = 5
WORKERS = 3
# A job whose message is gone would hold its host for ever.
_GIVEN_UP_SECONDS = 20.0
# Several visibility timeouts and retries after the last fault whatever still lives has run.
_SETTLE_SECONDS = 90.0


def beside(rig: Rig, count: int, seed: int) -> FaultResult:
    """`count` jobs by Plumbline and as many by plain Celery: a worker killed for each four, the broker wiped with the first and each fifth
    of these, a quarter of the answers lost after the act. Ours may do nothing twice and lose nothing; the other has to do both, or this
    proved nothing."""
    result = FaultResult(seed)
    dice = dice_of(result)
    _ours(rig, result, dice, count)
    before = {host.id: host.values() for host in rig.fleet}
    other = _Ordinary(rig, result, dice)
    try:
        other.run(count)
    finally:
        other.stop()
        for host in rig.fleet:
            _put_back(host, before[host.id])
    twice, steps, lost = other.verdict()
    result.notes.append(f"plain Celery set {twice} of {steps} steps twice or more and lost {lost} of {count} jobs")
    result.wrong += ["plain Celery set nothing twice: the faults were too mild to prove anything"] * (twice == 0)
    result.wrong += ["the ordinary way lost no job: the faults were too mild to prove anything"] * (lost == 0)
    result.wrong += [f"{name} never happened" for name in (KILL, WIPE, LOST) if not result.faults[name]]
    return result


def _ours(rig: Rig, result: FaultResult, dice: random.Random, count: int) -> None:
    since = rig.last_job()
    made, kills = rig.keep_busy(), 0
    with losing(rig.fleet, dice, answers=LOST_SHARE) as lost:
        while made < count or kills < count // JOBS_A_KILL:
            if made < count:
                made += rig.keep_busy()
            if kills < min(count, made) // JOBS_A_KILL:
                rig.workers.kill_worker(rig.workers.ready_worker(dice))
                kills += 1
                _wipe(rig, result, kills)
            time.sleep(dice.uniform(0.1, 0.6))
        rig.settle(result)
    result.faults[KILL] += kills
    result.faults[LOST] += lost[LOST]
    finish(rig, result, since=since)
    mine = [row for host in rig.fleet for row in host.effects() if int(row["job_id"], 16) > since]
    times = Counter((row["op_id"], row["setting"], row["reverting"]) for row in mine)
    twice = sum(each > 1 for each in times.values())
    result.notes.append(f"Plumbline set {twice} of {len(times)} steps twice and lost {len(rig.open_jobs())} of {result.jobs} jobs")


def _wipe(rig: Rig, result: FaultResult, kills: int) -> None:
    if kills % KILLS_A_WIPE == 0 or kills == 1:
        rig.workers.wipe_broker()
        result.faults[WIPE] += 1


def _put_back(host: FaultHost, before: dict[str, str]) -> None:
    """Restores what plain Celery wrote, since later parts are checked by the runners' journals."""
    with host.lab.lock:
        for setting, value in before.items():
            values.write(host.lab, setting, value)
        host.lab.faults()["lose_answer"] = 0
        host.lab.save()


def _set_plainly(host: LabHost, stdin: bytes) -> tuple[bytes, bytes, int]:
    asked = json.loads(stdin)
    with host.lock:
        values.write(host, asked["setting"], asked["value"])
        host.journal(cause="ordinary", job=asked["job"], setting=asked["setting"], new=asked["value"])
        host.save()
    return b"{}\n", b"", 0


@dataclass
class _Ordinary:
    """Workers of plain Celery, and the jobs that they were sent."""

    rig: Rig
    result: FaultResult
    dice: random.Random
    workers: list[int] = field(default_factory=list)
    # Job -> its host and the settings that it is to set.
    jobs: dict[int, tuple[FaultHost, list[str]]] = field(default_factory=dict)
    sent_at: dict[str, tuple[int, float]] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)

    def run(self, count: int) -> None:
        """Sends `count` jobs, one at a time to a host, kills and wipes meanwhile, and waits until nothing moves any more."""
        known = hashlib.sha256(plain_celery.SCRIPT.encode()).hexdigest()
        for host in self.rig.fleet:
            host.endpoint.scripts[known] = Script(lose(_set_plainly, self.dice, LOST_SHARE, lambda _: True, self.lost, LOST))
        processes, since = self.rig.workers, self.rig.last_job()
        self.workers = [processes.start_other("ordinary") for _ in range(WORKERS)]
        processes.wait_for_others()
        plain_celery.app.conf.broker_url = processes.redis_url
        kills = 0
        while len(self.jobs) < count or kills < count // JOBS_A_KILL:
            self._feed(count)
            if kills < len(self.jobs) // JOBS_A_KILL:
                number = self.dice.randrange(WORKERS)
                self.workers[number] = processes.kill_other(self.workers[number], "ordinary")
                kills += 1
                _wipe(self.rig, self.result, kills)
            time.sleep(self.dice.uniform(0.1, 0.6))
        assert self.rig.last_job() == since
        self.result.faults[KILL] += kills
        self._settle()
        self.result.faults[LOST] += self.lost.total()

    def _feed(self, count: int) -> None:
        done = self._done()
        for host in self.rig.fleet:
            job, at = self.sent_at.get(host.id, (0, 0.0))
            if len(self.jobs) < count and (job in done or time.monotonic() - at > _GIVEN_UP_SECONDS):
                self._send(host)

    def _send(self, host: FaultHost) -> None:
        job = len(self.jobs) + 1
        now, folder = host.values(), self.rig.home / "lab"
        steps = []
        for shape in host.shapes:
            for turn in shape.turns:
                steps.append([turn.setting, turn.texts[1 - turn.texts.index(now[turn.setting])]])
        client = client_of(folder)
        place = {"address": host.endpoint.server.server_address[0], "port": host.endpoint.port, "sha256": server_of(folder).sha256}
        place |= {"certificate": str(client.certificate), "private_key": str(client.private_key)}
        plain_celery.change.apply_async(args=[job, place, steps], queue=plain_celery.QUEUE)
        self.jobs[job] = (host, [step[0] for step in steps])
        self.sent_at[host.id] = (job, time.monotonic())

    def _sets(self) -> Counter[tuple[int, str]]:
        """How often each setting was set for each job, by the hosts' journals."""
        rows = [row for host in self.rig.fleet for row in host.lab.read_journal() if row.get("cause") == "ordinary"]
        return Counter((row["job"], row["setting"]) for row in rows)

    def _done(self) -> set[int]:
        sets = self._sets()
        return {job for job, (_, settings) in self.jobs.items() if all(sets[(job, setting)] for setting in settings)}

    def _settle(self) -> None:
        """Until all jobs are done, or nothing is left on the broker that could do them."""
        began, client = time.monotonic(), self.rig.workers.client()
        while time.monotonic() - began < _SETTLE_SECONDS and len(self._done()) < len(self.jobs):
            waiting = client.llen(plain_celery.PREFIX + plain_celery.QUEUE) or client.hlen(plain_celery.PREFIX + "unacked")
            if not waiting and time.monotonic() - began > 2 * plain_celery.VISIBILITY_SECONDS:
                return
            time.sleep(0.5)

    def verdict(self) -> tuple[int, int, int]:
        """Steps set twice or more, all steps, and jobs lost on the way."""
        steps = sum(len(settings) for _, settings in self.jobs.values())
        return sum(times > 1 for times in self._sets().values()), steps, len(self.jobs) - len(self._done())

    def stop(self) -> None:
        """Ends its workers."""
        for worker in self.workers:
            self.rig.workers.end_other(worker)
