"""Recurring tasks are sent at their intervals whatever the machine's date is, and a queue that no worker reads is not filled."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from celery import Celery
from celery.beat import SchedulingError
from celery.schedules import schedule

from plumbline.infra import task_queue
from plumbline.infra.settings import get_settings
from plumbline.ops import beat_scheduler, embedded_servers
from plumbline.ops.beat_scheduler import MOST_WAITING, QUEUE, SteadyEntry, SteadyScheduler
from plumbline.ops.worker import SCHEDULE, celery


class _Clock:
    """A monotonic clock that tests set forward."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    clock = _Clock()
    monkeypatch.setattr(beat_scheduler, "time", clock)
    return clock


def _entry(last_run: timedelta) -> SteadyEntry:
    """A task of every minute that by the date last ran so long ago, or will have run in the future where that is negative."""
    return SteadyEntry(
        name="chain", task="audit.chain", schedule=schedule(60, app=celery), last_run_at=datetime.now(UTC) - last_run, app=celery
    )


def test_a_last_run_in_the_future_keeps_nothing_from_running() -> None:
    assert _entry(timedelta(days=-1)).is_due().is_due


def test_each_is_due_at_the_start_and_then_waits_for_the_rest_of_its_interval(clock: _Clock) -> None:
    entry = _entry(timedelta(days=1))
    assert entry.is_due().is_due
    following = next(entry)
    clock.now += 20
    waits = following.is_due()
    assert (waits.is_due, 30 < waits.next <= 40) == (False, True)
    clock.now += 40
    assert following.is_due().is_due


def test_a_date_set_back_while_it_runs_changes_nothing(clock: _Clock) -> None:
    following = next(_entry(timedelta(days=1)))
    assert not following.is_due().is_due
    following.last_run_at = datetime.now(UTC) + timedelta(days=1)
    clock.now += 61
    assert following.is_due().is_due


class _Recorder(SteadyScheduler):
    """Keeps the names of the tasks instead of sending them."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.sent: list[str] = []
        super().__init__(*arguments, **named)

    producer = None

    def apply_async(self, entry: SteadyEntry, *_: Any, **__: Any) -> None:
        self.sent.append(entry.task)


def _drain(scheduler: _Recorder) -> list[str]:
    """What is sent until the scheduler wants to sleep."""
    scheduler.sent.clear()
    while scheduler.tick() == 0:
        pass
    return sorted(scheduler.sent)


def test_every_task_of_the_schedule_is_sent_in_its_own_interval(clock: _Clock) -> None:
    scheduler = _Recorder(Celery("none", broker="memory://"), lazy=True)
    scheduler.merge_inplace(celery.conf.beat_schedule)
    assert _drain(scheduler) == sorted(task for task, _ in SCHEDULE.values())
    assert _drain(scheduler) == []
    clock.now += 5
    assert _drain(scheduler) == sorted(task for task, seconds in SCHEDULE.values() if seconds <= 5)
    clock.now += 86400
    assert _drain(scheduler) == sorted(task for task, _ in SCHEDULE.values())


def test_a_queue_that_nobody_empties_is_filled_no_further() -> None:
    app = Celery("full", broker="memory://full")
    app.conf.task_default_queue = QUEUE
    entry = _entry(timedelta(0))
    scheduler = SteadyScheduler(app, lazy=True)
    with app.connection_for_write() as connection, app.amqp.Producer(connection, auto_declare=False) as producer:
        for _ in range(MOST_WAITING):
            assert scheduler.apply_async(entry, producer=producer, advance=False) is not None
        assert beat_scheduler._waiting(producer) == MOST_WAITING
        assert scheduler.apply_async(entry, producer=producer, advance=False) is None
        assert beat_scheduler._waiting(producer) == MOST_WAITING


@pytest.fixture
def broker() -> Iterator[tuple[str, "redis.Redis[bytes]"]]:
    """A broker of this test alone, its URL, and a connection to it."""
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "v.sock"
        process = subprocess.Popen(embedded_servers.valkey_command(Path(folder), socket), stdout=subprocess.DEVNULL)
        client = redis.Redis(unix_socket_path=str(socket))
        try:
            limit = time.monotonic() + 30
            while time.monotonic() < limit:
                with suppress(redis.RedisError):
                    client.ping()
                    break
                time.sleep(0.05)
            yield f"redis+socket://{socket}", client
        finally:
            client.close()
            process.terminate()
            process.wait(20)


def test_a_broker_that_could_not_write_for_a_while_is_used_again(
    broker: tuple[str, "redis.Redis[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk, where it answers all writes with an error; here it is out of memory, which it tells by the same kind of answer."""
    url, client = broker
    app = Celery("refused", broker=url)
    app.conf.task_default_queue = QUEUE
    scheduler = SteadyScheduler(app, lazy=True)
    monkeypatch.setenv("PLUMBLINE_REDIS_URL", url)
    get_settings.cache_clear()
    task_queue._sender.cache_clear()

    def send() -> Any:
        return scheduler.apply_async(_entry(timedelta(0)), producer=scheduler.producer, advance=False)

    try:
        assert send() is not None
        assert task_queue.enqueue_now("audit.chain")
        client.config_set("maxmemory", 1)
        for _ in range(3):
            with pytest.raises(SchedulingError, match="maxmemory"):
                send()
            assert not task_queue.enqueue_now("audit.chain")
        client.config_set("maxmemory", 0)
        for _ in range(3):
            assert send() is not None
            assert task_queue.enqueue_now("audit.chain")
        assert client.llen(QUEUE) == 2 + 6
    finally:
        get_settings.cache_clear()
        task_queue._sender.cache_clear()
