"""The processes that carry jobs out, each of which may be killed, paused or restarted at any moment: workers, the scheduler, the broker."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import redis

from plumbline.ops import embedded_servers

BACKEND = Path(__file__).resolve().parents[1]
_START_SECONDS = 120.0
_END_SECONDS = 30.0
_SHARE_OF_EXECUTORS = 0.9
# How many seconds a process's clock is wrong by; `shifted_clock.c` reads it.
SHIFT = "FAULTS_CLOCK_SHIFT_SECONDS"


class Processes:
    """Executor workers (`groups` of them) and an isolated one, the last; the scheduler with its sweep; the broker."""

    def __init__(self, home: Path, cluster: embedded_servers.PostgresCluster, database: str, *, groups: int = 2) -> None:
        self.home, self.cluster, self.database = home, cluster, database
        self.socket = cluster.socket / "faults-valkey.sock"
        self.redis_url = f"redis+socket://{self.socket}"
        self.kinds = ["executor"] * groups + ["isolated"]
        # Process id of each worker, and the file that shows that it is ready.
        self.workers: list[int] = [0] * len(self.kinds)
        self.logs: list[Path] = [home] * len(self.kinds)
        self.started = 0
        self.others: dict[int, Path] = {}
        self.fork_server: subprocess.Popen[str] | None = None
        self.beat: subprocess.Popen[bytes] | None = None
        self.background: subprocess.Popen[bytes] | None = None
        # The library that gives processes another clock, and by how many seconds whose is wrong: a worker's number, `beat`, `background`.
        self.shim: Path | None = None
        self.shifts: dict[str, float] = {}
        self.broker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts all of them."""
        (self.home / "valkey").mkdir(parents=True, exist_ok=True)
        self.start_broker()
        self.keep_beat()
        way = self._way("plumbline_executor", "fork-server") | {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.fork_server = subprocess.Popen([sys.executable, "-m", "faults.celery_fork_server"], **way)
        for number in range(len(self.kinds)):
            self.start_worker(number)
        for number in range(len(self.kinds)):
            self.wait_for_worker(number)

    # --- The broker -------------------------------------------------------------------------------------------------------------------

    def start_broker(self) -> None:
        """Starts it and waits until it answers."""
        self.broker = subprocess.Popen(
            embedded_servers.valkey_command(self.home, self.socket), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            with contextlib.suppress(redis.RedisError):
                self.client().ping()
                return
            time.sleep(0.1)
        raise RuntimeError("the broker did not start")

    def client(self) -> redis.Redis:
        """A connection to it."""
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2)

    def wipe_broker(self) -> None:
        """FLUSHALL: every task message is lost."""
        with contextlib.suppress(redis.RedisError):
            self.client().flushall()

    def kill_broker(self) -> None:
        """kill -9; `start_broker` brings it back."""
        assert self.broker is not None
        self.broker.kill()
        self.broker.wait()

    def hold_broker(self, *, is_held: bool) -> None:
        """Connections to it stay open and nothing is received, as behind a link that drops packets."""
        assert self.broker is not None
        self.broker.send_signal(signal.SIGSTOP if is_held else signal.SIGCONT)

    # --- The scheduler ----------------------------------------------------------------------------------------------------------------

    def keep_beat(self) -> None:
        """The scheduler ends when it loses its lock, as in a crash of the database; its supervisor starts it again."""
        if self.beat is None or self.beat.poll() is not None:
            self.beat = subprocess.Popen([sys.executable, "-m", "plumbline.cli", "beat"], **self._way("plumbline_background", "beat"))

    def kill_beat(self) -> None:
        """kill -9; `keep_beat` starts it again."""
        if self.beat is not None:
            self.beat.kill()
            self.beat.wait()

    def start_desk(self) -> None:
        """Starts the worker that numbers the audit trail and folds rollups; most parts do without."""
        self.background = subprocess.Popen(
            [sys.executable, "-m", "plumbline.cli", "worker", "background"], **self._way("plumbline_background", "background")
        )

    # --- Workers ----------------------------------------------------------------------------------------------------------------------

    def start_worker(self, number: int) -> None:
        """Starts one worker; it takes tasks a moment later."""
        kind = self.kinds[number]
        self.logs[number] = self.home / f"{kind}-{self.started}.log"
        self.started += 1
        self.workers[number] = self._fork(kind, self.logs[number], self.shifts.get(str(number), 0.0))

    def is_ready(self, number: int) -> bool:
        """Whether it takes tasks: one that is not up yet cannot be killed at work."""
        return self.logs[number].exists() and b"worker ready" in self.logs[number].read_bytes()

    def wait_for_worker(self, number: int) -> None:
        """Waits until it takes tasks."""
        limit = time.monotonic() + _START_SECONDS
        while not self.is_ready(number):
            if time.monotonic() > limit:
                raise RuntimeError(f"a worker did not start: {self.logs[number].read_text()[-500:]}")
            time.sleep(0.05)

    def ready_worker(self, dice: random.Random) -> int:
        """A random one of those that take tasks: an executor nine times out of ten."""
        while True:
            found = [number for number in range(len(self.kinds)) if self.is_ready(number)]
            executors = [number for number in found if self.kinds[number] == "executor"]
            if executors and (dice.random() < _SHARE_OF_EXECUTORS or len(executors) == len(found)):
                return dice.choice(executors)
            if found and not executors:
                time.sleep(0.05)
            elif found:
                return found[-1]
            time.sleep(0.05)

    def _fork(self, kind: str, log: Path, shift: float = 0.0) -> int:
        assert self.fork_server is not None
        assert self.fork_server.stdin is not None
        assert self.fork_server.stdout is not None
        self.fork_server.stdin.write(f"{kind} {log} {shift:.0f}\n")
        self.fork_server.stdin.flush()
        return int(self.fork_server.stdout.readline())

    def signal_worker(self, number: int, what: signal.Signals) -> None:
        """Sends a signal to one worker."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.workers[number], what)

    def wait_for_end(self) -> None:
        """Waits until every worker that was told to end has ended; one that takes too long is killed, as a supervisor does."""
        limit = time.monotonic() + _END_SECONDS
        for number, process in enumerate(self.workers):
            while Path(f"/proc/{process}").exists():
                if time.monotonic() > limit:
                    self.signal_worker(number, signal.SIGKILL)
                time.sleep(0.05)

    def kill_worker(self, number: int) -> None:
        """kill -9, and starts it again without waiting for it."""
        self.signal_worker(number, signal.SIGKILL)
        self.start_worker(number)

    # --- Workers of another kind than the product's -------------------------------------------------------------------------------------

    def start_other(self, kind: str) -> int:
        """Starts a worker of the yardstick; answers its process."""
        log = self.home / f"{kind}-{self.started}.log"
        self.started += 1
        process = self._fork(kind, log)
        self.others[process] = log
        return process

    def wait_for_others(self) -> None:
        """Waits until all of them take messages."""
        limit = time.monotonic() + _START_SECONDS
        while not all(log.exists() and b"worker ready" in log.read_bytes() for log in self.others.values()):
            if time.monotonic() > limit:
                raise RuntimeError("a worker of the yardstick did not start")
            time.sleep(0.05)

    def end_other(self, process: int) -> None:
        """kill -9."""
        del self.others[process]
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    def kill_other(self, process: int, kind: str) -> int:
        """kill -9, and starts another in its place."""
        self.end_other(process)
        return self.start_other(kind)

    def logged(self, *words: str) -> list[str]:
        """Lines of the workers' and the scheduler's logs that hold one of these words."""
        found = []
        for log in sorted(self.home.glob("*.log")):
            if log.name.startswith(("executor-", "isolated-", "beat", "fork-server")):
                found += [line for line in log.read_text("utf-8", "replace").splitlines() if any(word in line for word in words)]
        return found

    def _way(self, role: str, name: str) -> dict[str, Any]:
        """Environment, folder and log of a process with the rights of a role."""
        env = {**os.environ, "PLUMBLINE_DATABASE_URL": self.cluster.url(role, self.database), "PLUMBLINE_REDIS_URL": self.redis_url}
        if self.shim is not None:
            env |= {"LD_PRELOAD": str(self.shim), SHIFT: f"{self.shifts.get(name, 0.0):.0f}"}
        log = (self.home / f"{name}.log").open("ab")
        return {"cwd": BACKEND, "env": env, "stdout": log, "stderr": log}

    def stop(self) -> None:
        """Ends all of them."""
        for number in range(len(self.kinds)):
            if self.workers[number]:
                self.signal_worker(number, signal.SIGKILL)
        if self.fork_server is not None:
            assert self.fork_server.stdin is not None
            assert self.fork_server.stdout is not None
            self.fork_server.stdin.close()
            self.fork_server.stdout.close()
            # It forks and does nothing else: nothing of it has to end in peace.
            self.fork_server.kill()
            self.fork_server.wait()
            self.fork_server = None
        for process in (self.beat, self.background, self.broker):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def crash_database(cluster: embedded_servers.PostgresCluster) -> None:
    """`pg_ctl restart -m immediate` without ending the server process: every backend dies as in a crash, and recovery runs."""
    with (
        contextlib.suppress(psycopg.Error),
        psycopg.connect(cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection,
    ):
        victims = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid LIMIT 1"
        ).fetchall()
        for (pid,) in victims:
            # A backend that dies by SIGKILL makes the server end all others and recover, as after a power cut.
            os.kill(pid, signal.SIGKILL)
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        with contextlib.suppress(psycopg.Error), psycopg.connect(cluster.url(embedded_servers.OWNER, "postgres").replace("+psycopg", "")):
            return
        time.sleep(0.1)
    raise RuntimeError("the database did not come back")
