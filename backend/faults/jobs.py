"""Faults of the jobs' side: workers killed and paused, the broker wiped, the database restarted, answers lost; the hosts' journals judge.

Real parts: PostgreSQL, Valkey, Celery worker processes of both kinds, the scheduler with its sweep, the door, lab hosts over SSH with the
real runner. What must hold: no step set twice, no job left open, every host where its last job left it, every promise of the doctor.
"""

import contextlib
import itertools
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import redis
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import text

from faults.agents import served_door
from faults.fleet import FaultHost, make_fleet, make_job, make_people, targets_of
from faults.promises import broken_promises
from plumbline import servers
from plumbline.channels import ChannelError
from plumbline.collection.collect import collect
from plumbline.database import get_engine, session_scope
from plumbline.hosts.service import make_token
from plumbline.remediation.models import DomainBudget
from plumbline.remediation.remote import ask, find_way
from plumbline.rulesets.active import install_builtin
from plumbline.settings import get_settings
from plumbline.vault import seal

BACKEND = Path(__file__).resolve().parents[1]
HOSTS = ("esx-b10", "esx-t01", "esx-b08", "esx-a03")
LEASE_SECONDS = 4.0
# From the last fault to the last job's end (reliability.md, J1).
LONGEST_SECONDS = 60.0
# The engine's times, shortened as a whole; `retry` is what a job waits that could not begin.
PACE = {"POLL": "0.2", "BACK_OFF": "1", "RETRY": "1", "VERIFY_AGAIN": "1", "SWEEP": "0.5", "RING_AGAIN": "1", "LEASE": str(LEASE_SECONDS)}


@dataclass
class Seen:
    """What a run did and saw."""

    faults: Counter[str] = field(default_factory=Counter)
    jobs: int = 0
    steps: int = 0
    states: Counter[str] = field(default_factory=Counter)
    stale_refused: int = 0
    settled_seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def words(self) -> str:
        """One line for the page."""
        ended = ", ".join(f"{count} {state}" for state, count in sorted(self.states.items()))
        return (
            f"{self.jobs} jobs ({ended}), {self.steps} effects in the journals; all ended {self.settled_seconds:.0f} s after the last"
            f" fault; {self.stale_refused} stale commands refused by hosts"
        )


class Processes:
    """Two worker groups, each with a worker of kind hands and one of kind alone; the scheduler; the broker."""

    def __init__(self, home: Path, place: servers.PostgresPlace, database: str) -> None:
        self.home, self.place, self.database = home, place, database
        self.socket = place.socket / "faults-valkey.sock"
        self.redis_url = f"redis+socket://{self.socket}"
        # Process ids of the workers of each group, and where each of them says that it is ready.
        self.groups: list[list[int]] = [[], []]
        self.started = 0
        self.zygote: subprocess.Popen[str] | None = None
        self.beat: subprocess.Popen[bytes] | None = None
        self.broker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts all of them."""
        (self.home / "valkey").mkdir(parents=True, exist_ok=True)
        self.broker = subprocess.Popen(servers.valkey_command(self.home, self.socket), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with contextlib.suppress(redis.RedisError):
                redis.Redis(unix_socket_path=str(self.socket)).ping()
                break
            time.sleep(0.1)
        self.keep_beat()
        way = self._way("plumbline_hands", "zygote") | {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.zygote = subprocess.Popen([sys.executable, "-m", "faults.zygote"], **way)
        for number in range(len(self.groups)):
            self.start_group(number)

    def keep_beat(self) -> None:
        """The scheduler ends when it loses its lock, as in a crash of the database; whoever supervises it starts it again."""
        if self.beat is None or self.beat.poll() is not None:
            self.beat = subprocess.Popen([sys.executable, "-m", "plumbline.cli", "beat"], **self._way("plumbline_desk", "beat"))

    def start_group(self, number: int) -> None:
        """Starts one worker group and waits until it takes bells: a worker that is not up yet cannot be killed at work."""
        logs = [self.home / f"{kind}-{self.started}.log" for kind in ("hands", "alone")]
        self.started += 1
        self.groups[number] = [self._fork(log.name.partition("-")[0], log) for log in logs]
        limit = time.monotonic() + 120
        while not all(log.exists() and b"worker ready" in log.read_bytes() for log in logs):
            if time.monotonic() > limit:
                raise RuntimeError(f"the workers did not start: {logs[0].read_text()[-500:]}")
            time.sleep(0.05)

    def _fork(self, kind: str, log: Path) -> int:
        assert self.zygote is not None
        assert self.zygote.stdin is not None
        assert self.zygote.stdout is not None
        self.zygote.stdin.write(f"{kind} {log}\n")
        self.zygote.stdin.flush()
        return int(self.zygote.stdout.readline())

    def _way(self, role: str, name: str) -> dict[str, Any]:
        """Environment, folder and log of a process with the rights of a role."""
        env = {**os.environ, "PLUMBLINE_DATABASE_URL": self.place.url(role, self.database), "PLUMBLINE_REDIS_URL": self.redis_url}
        log = (self.home / f"{name}.log").open("ab")
        return {"cwd": BACKEND, "env": env, "stdout": log, "stderr": log}

    def signal_group(self, number: int, what: signal.Signals) -> None:
        """Sends a signal to every process of a group."""
        for process in self.groups[number]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, what)

    def kill_group(self, number: int) -> None:
        """kill -9, and starts it again."""
        self.signal_group(number, signal.SIGKILL)
        self.start_group(number)

    def wipe_broker(self) -> None:
        """FLUSHALL: every bell is gone."""
        with contextlib.suppress(redis.RedisError):
            redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2).flushall()

    def stop(self) -> None:
        """Ends all of them."""
        for number in range(len(self.groups)):
            self.signal_group(number, signal.SIGKILL)
        if self.zygote is not None:
            assert self.zygote.stdin is not None
            assert self.zygote.stdout is not None
            self.zygote.stdin.close()
            self.zygote.wait(20)
            self.zygote.stdout.close()
        for process in (self.beat, self.broker):
            if process is not None:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def restart_database(place: servers.PostgresPlace) -> None:
    """`pg_ctl restart -m immediate` without leaving our own server process: every backend dies as in a crash, and recovery runs."""
    with (
        contextlib.suppress(psycopg.Error),
        psycopg.connect(place.url(servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection,
    ):
        victims = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid LIMIT 1"
        ).fetchall()
        for (pid,) in victims:
            # A backend that dies by SIGKILL makes the server end all others and recover, as after a power cut.
            os.kill(pid, signal.SIGKILL)
    time.sleep(1.0)


def set_up(home: Path, place: servers.PostgresPlace, database: str) -> None:
    """Keys, packs and times; the environment of every process that is started from now on."""
    keys = home / "keys"
    keys.mkdir(parents=True, exist_ok=True)
    if seal.newest_public(keys) is None:
        seal.make_keys(keys)
    os.environ |= {
        "PLUMBLINE_HOME": str(home),
        "PLUMBLINE_KEYS_FOLDER": str(keys),
        "PLUMBLINE_DATABASE_URL": place.url("plumbline_api", database),
        "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
        "PLUMBLINE_ADMISSION_BURST": "100000",
        **{f"PLUMBLINE_PACE_{name}": value for name, value in PACE.items()},
    }
    get_settings.cache_clear()
    get_engine.cache_clear()
    with session_scope() as session:
        install_builtin(session)
        # The hosts share one fabric and one group here: four at a time, so that faults meet several jobs at once.
        session.add(DomainBudget(domain="fabric:1/shared", slots=len(HOSTS), changed_by="faults"))


def killed_and_paused(
    home: Path,
    place: servers.PostgresPlace,
    database: str,
    *,
    kills: int,
    hosts: int = 2,
    between: int = 5,
    seed: int = 1,
    until: float = float("inf"),
) -> Seen:
    """J1, J3, J4, J6, J7 in one run: `kills` worker groups killed, and after each `between` of them one pause past the lease, wiped broker,
    lost answer or crash of the database, in turn. `until` (monotonic) ends it early; the counts tell what was done."""
    dice = random.Random(seed)
    seen = Seen()
    set_up(home, place, database)
    people = make_people()
    with session_scope() as session:
        token = make_token(session, name="faults", group_id=1, is_auto_approved=True, uses=100).token
    with served_door() as door:
        os.environ["PLUMBLINE_PUBLIC_URL"] = door.url
        get_settings.cache_clear()
        with httpx.Client(base_url=door.url, timeout=30, trust_env=False) as client:
            fleet = make_fleet(home / "lab", client, token, list(HOSTS[:hosts]))
        for host in fleet:
            done = collect(host.id)
            assert done is not None
            assert done.receipt, done.error
            host.learn()
        processes = Processes(home, place, database)
        processes.start()
        try:
            _faults(processes, place, fleet, people, dice, kills, between, until, seen)
            _settle(processes, seen)
            seen.stale_refused = sum(_refuses_stale(host) for host in fleet)
        finally:
            processes.stop()
            for host in fleet:
                host.server.stop()
    _judge(fleet, seen)
    seen.wrong += broken_promises(place.url("plumbline_desk", database))
    if not seen.stale_refused:
        seen.wrong.append("no stale command was seen refused: the run proved nothing about them")
    return seen


def _faults(
    processes: Processes,
    place: servers.PostgresPlace,
    fleet: list[FaultHost],
    people: tuple[int, int],
    dice: random.Random,
    kills: int,
    between: int,
    until: float,
    seen: Seen,
) -> None:
    others = itertools.cycle(("lose", "pause", "wipe", "crash"))
    while seen.faults["kill -9 of a worker group"] < kills and time.monotonic() < until:
        processes.keep_beat()
        _keep_busy(fleet, people)
        time.sleep(dice.uniform(0.9, 1.9))
        processes.kill_group(dice.randrange(2))
        seen.faults["kill -9 of a worker group"] += 1
        if seen.faults["kill -9 of a worker group"] % between:
            continue
        # In turn, so that a short run meets each of them.
        kind = next(others)
        if kind == "pause":
            group = dice.randrange(2)
            processes.signal_group(group, signal.SIGSTOP)
            time.sleep(LEASE_SECONDS + 1.5)
            processes.signal_group(group, signal.SIGCONT)
            seen.faults["pause past the lease"] += 1
        elif kind == "wipe":
            processes.wipe_broker()
            seen.faults["broker wiped"] += 1
        elif kind == "lose":
            dice.choice(fleet).server.machine.host.set("fault.lose_answer", 1, cause="faults")
            seen.faults["answer lost after the act"] += 1
        else:
            restart_database(place)
            seen.faults["crash of the database"] += 1


def _keep_busy(fleet: list[FaultHost], people: tuple[int, int]) -> None:
    """Every host without an open job gets one. The database may be recovering: then the next round does it."""
    for host in fleet:
        with contextlib.suppress(SQLAlchemyError), session_scope() as session:
            is_open = session.execute(
                text(
                    "SELECT EXISTS (SELECT 1 FROM job WHERE host_id = :host AND state IN"
                    " ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN'))"
                ),
                {"host": host.id},
            ).scalar_one()
            if not is_open:
                make_job(session, host, people)


def _open_jobs() -> list[tuple[int, str, str]]:
    with session_scope() as session:
        rows = session.execute(
            text("SELECT id, state, state_words FROM job WHERE state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING') ORDER BY id")
        )
        return [(row[0], row[1], row[2]) for row in rows]


def _settle(processes: Processes, seen: Seen) -> None:
    """Waits until no job is open; more than a minute after the last fault is wrong."""
    began = time.monotonic()
    left: list[tuple[int, str, str]] = [(0, "", "")]
    while left and time.monotonic() - began < LONGEST_SECONDS * 4:
        with contextlib.suppress(SQLAlchemyError):
            left = _open_jobs()
        processes.keep_beat()
        time.sleep(0.3)
    seen.settled_seconds = time.monotonic() - began
    seen.wrong += [f"job {job_id} is still {state}: {words}" for job_id, state, words in left]


def _refuses_stale(host: FaultHost) -> bool:
    """A command under a number that the host has passed changes nothing: as a worker would send that slept through a claim."""
    try:
        with session_scope() as session:
            way = find_way(session, host_id=host.id, job_id=1, runner_hash=_runner_hash())
        read = ask(way, "read", op_id=secrets.token_hex(16), gen=0, attempt=0)
        before = len(host.effects())
        said = ask(way, "fence", op_id=secrets.token_hex(16), gen=0, attempt=0, read=read)
        return said.state == "refused" and said.reason == "fenced" and len(host.effects()) == before
    except ChannelError:
        return False


def _runner_hash() -> str:
    from plumbline.channels import runner

    return runner.digest("esxi", runner.shipped("esxi"))


def _judge(fleet: list[FaultHost], seen: Seen) -> None:
    """The hosts' own journals: every effect once, and every host where its last job left it."""
    with session_scope() as session:
        for job_id, host_id, state, words in session.execute(text("SELECT id, host_id, state, state_words FROM job ORDER BY id")).all():
            seen.jobs += 1
            seen.states[state] += 1
            if state not in ("SUCCEEDED", "SKIPPED_STALE", "CANCELLED"):
                seen.wrong.append(f"job {job_id} ended as {state}: {words}")
            host = next(one for one in fleet if one.id == host_id)
            if state == "SUCCEEDED":
                targets = targets_of(session, job_id)
                mine = [row for row in host.effects() if int(row["job_id"], 16) == job_id and not row["reverting"]]
                if {row["setting"]: row["new"] for row in mine} != targets:
                    seen.wrong.append(f"job {job_id}: the journal has {[(row['setting'], row['new']) for row in mine]}")
        ops = {row[0] for row in session.execute(text("SELECT op_id FROM job_step"))}
        told = {
            (row[0], row[1])
            for row in session.execute(
                text("SELECT data ->> 'op_id', (data ->> 'gen')::bigint FROM job_event WHERE kind IN ('intent', 'resumed')")
            )
        }
    for host in fleet:
        effects = host.effects()
        seen.steps += len(effects)
        twice = [key for key, count in Counter((row["op_id"], row["setting"], row["reverting"]) for row in effects).items() if count > 1]
        seen.wrong += [f"{setting} was set twice by operation {op}" for op, setting, _ in twice]
        seen.wrong += [f"{row['setting']}: an operation that nobody wrote down" for row in effects if row["op_id"] not in ops]
        seen.wrong += [f"{row['setting']}: acted without an intent" for row in effects if (row["op_id"], row["gen"]) not in told]
