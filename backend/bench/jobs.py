"""`python -m bench.jobs` (from `backend/`): how fast task messages become work, compared with a bare ThreadPoolExecutor.

The product's Celery application with its threads pool takes 5,000 tasks of 50 ms over 50 threads; then 300 messages are sent one by
one to an idle worker. Rounds are interleaved, so that a busy machine slows both alike. Writes `docs/measured/jobs-speed.md`.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import redis

from plumbline.infra.resources import CHECKOUT
from plumbline.ops import embedded_servers
from plumbline.ops.worker import celery

THREADS = 50
TASK_SECONDS = 0.05
MESSAGES = 300
GOAL_RATIO, GOAL_P99_MS = 0.92, 10.0
_QUEUE, _TASK = "bench", "bench.pause"
_LONGEST_SECONDS = 300.0


def serve(folder: Path) -> None:
    """The worker: tasks of the bench in the product's application. Each batch, once whole, is written to a file named for it."""
    lock, batches = threading.Lock(), dict[str, list[tuple[float, float]]]()

    @celery.task(name=_TASK)  # type: ignore[untyped-decorator]
    def pause(batch: str, size: int, seconds: float) -> None:
        began = time.time()
        time.sleep(seconds)
        with lock:
            times = batches.setdefault(batch, [])
            times.append((began, time.time()))
            is_whole = len(times) == size
        if is_whole:
            waiting = folder / f"{batch}.tmp"
            waiting.write_text(json.dumps(times))
            waiting.rename(folder / f"{batch}.json")

    celery.worker_main(
        [
            *("worker", "--loglevel=error", "--pool=threads", f"--concurrency={THREADS}", f"--queues={_QUEUE}"),
            *("--hostname=bench@%h", "--without-gossip", "--without-mingle"),
        ]
    )


@contextlib.contextmanager
def _worker(folder: Path) -> Iterator[None]:
    """Broker and worker, up and warm."""
    socket = folder / "valkey.sock"
    (folder / "valkey").mkdir()
    broker = subprocess.Popen(embedded_servers.valkey_command(folder, socket), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    env = {**os.environ, "PLUMBLINE_REDIS_URL": f"redis+socket://{socket}"}
    celery.conf.broker_url = env["PLUMBLINE_REDIS_URL"]
    worker = subprocess.Popen([sys.executable, "-m", "bench.jobs", "--serve", str(folder)], env=env)
    try:
        _answer(redis.Redis(unix_socket_path=str(socket)))
        celery.send_task(_TASK, args=["warm", 1, 0.0], queue=_QUEUE)
        _times(folder, "warm")
        yield
    finally:
        for process in (worker, broker):
            process.terminate()
            process.wait(30)


def _answer(client: redis.Redis) -> None:
    for _ in range(100):
        with contextlib.suppress(redis.RedisError):
            client.ping()
            return
        time.sleep(0.1)
    raise SystemExit("the broker did not start")


def _times(folder: Path, batch: str) -> list[tuple[float, float]]:
    file, limit = folder / f"{batch}.json", time.monotonic() + _LONGEST_SECONDS
    while not file.exists():
        if time.monotonic() > limit:
            raise SystemExit(f"batch {batch} did not end: a task was lost")
        time.sleep(0.01)
    return [(began, ended) for began, ended in json.loads(file.read_text())]


def ours(folder: Path, number: int, tasks: int) -> float:
    """Tasks a second from the first start to the last end. All are in the queue before the first is looked at by more than one thread."""
    batch = f"round-{number}"
    with celery.connection_for_write() as connection, celery.amqp.Producer(connection) as producer:
        for _ in range(tasks):
            celery.send_task(_TASK, args=[batch, tasks, TASK_SECONDS], queue=_QUEUE, producer=producer)
    times = _times(folder, batch)
    # The first tenth ran while the queue was still being filled: the rate is that of the rest.
    ends = sorted(ended for _, ended in times)
    rest = ends[tasks // 10 :]
    return (len(rest) - 1) / (rest[-1] - rest[0])


def bare(tasks: int) -> float:
    """The same of a bare pool, over the same part of the run."""
    with ThreadPoolExecutor(THREADS) as pool:
        ends = sorted(each.result() for each in [pool.submit(_pause) for _ in range(tasks)])
    rest = ends[tasks // 10 :]
    return (len(rest) - 1) / (rest[-1] - rest[0])


def _pause() -> float:
    time.sleep(TASK_SECONDS)
    return time.time()


def delays_ms(folder: Path, messages: int) -> list[float]:
    """From `send_task` to the start in an idle worker, one message after the other, sorted."""
    found = []
    with celery.connection_for_write() as connection, celery.amqp.Producer(connection) as producer:
        for number in range(messages):
            sent = time.time()
            celery.send_task(_TASK, args=[f"message-{number}", 1, 0.0], queue=_QUEUE, producer=producer)
            found.append(1000 * (_times(folder, f"message-{number}")[0][0] - sent))
    return sorted(found)


def page_of(rates: list[tuple[float, float]], delays: list[float], tasks: int, command: str) -> str:
    """The page: a row for each round, and whether the goals are met."""
    ratio = statistics.median(mine / other for mine, other in rates)
    p99 = delays[min(len(delays) - 1, int(len(delays) * 0.99))]
    return "\n".join(
        [
            "# Speed of task messages",
            "",
            f"Command: `{command}` from `backend/`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()},",
            f"{os.cpu_count()} shared cores, load {os.getloadavg()[0]:.1f} at the end. {tasks} tasks of 50 ms over {THREADS} threads,",
            "in the product's Celery application on Valkey and in a bare ThreadPoolExecutor, in turn. The rate counts from the",
            "end of the first tenth on.",
            "",
            "| round | Celery, threads pool | bare ThreadPoolExecutor | ratio |",
            "|---|---|---|---|",
            *(f"| {n} | {mine:.0f}/s | {other:.0f}/s | {mine / other:.2f} |" for n, (mine, other) in enumerate(rates, 1)),
            "",
            f"- Median ratio {ratio:.2f}; goal at least {GOAL_RATIO}: {'met' if ratio >= GOAL_RATIO else '**not met**'}.",
            f"- From `send_task` to the start in an idle worker, {len(delays)} times: median {statistics.median(delays):.1f} ms,"
            f" p99 {p99:.1f} ms; goal at most {GOAL_P99_MS:.0f} ms: {'met' if p99 <= GOAL_P99_MS else '**not met**'}.",
            "- That none is lost or run twice when a worker or the broker dies is shown by `make faults PART=jobs`, J1 and J4.",
            "",
        ]
    )


def main() -> None:
    """Measures and writes the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve", type=Path)
    parser.add_argument("--tasks", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--write", action="store_true", help="write docs/measured/jobs-speed.md")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    folder = Path(tempfile.mkdtemp(prefix="plumbline-messages-"))
    try:
        with _worker(folder):
            rates = [(ours(folder, number, options.tasks), bare(options.tasks)) for number in range(options.rounds)]
            delays = delays_ms(folder, options.messages)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    page = page_of(rates, delays, options.tasks, f"python -m bench.jobs {' '.join(sys.argv[1:])}".strip())
    print(page)
    if options.write:
        (CHECKOUT / "docs" / "measured" / "jobs-speed.md").write_text(page)


if __name__ == "__main__":
    main()
