"""What recurs goes on recurring whatever day its machine takes it to be, and fills no queue that nobody empties."""

from datetime import UTC, datetime, timedelta

import pytest
from celery import Celery
from sqlalchemy_celery_beat.models import IntervalSchedule, Period, PeriodicTask

from plumbline.ops import beat_scheduler as schedule
from plumbline.ops.beat_scheduler import MOST_WAITING, QUEUE, SteadyEntry, SteadyScheduler
from plumbline.ops.worker import celery


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    SteadyEntry.ran.clear()


def _entry(last_run: timedelta) -> SteadyEntry:
    """A task of every minute that last ran so long ago, or will have run in the future where that is negative."""
    last_run_at = datetime.now(UTC) - last_run
    model = PeriodicTask(name="chain", task="audit.chain", enabled=True, one_off=False, total_run_count=1, last_run_at=last_run_at)
    model.schedule_model = IntervalSchedule(every=60, period=Period.SECONDS)
    return SteadyEntry(model, Session=None, app=celery)


def test_a_last_run_in_the_future_keeps_nothing_from_running() -> None:
    assert _entry(timedelta(days=-1)).is_due().is_due


def test_a_last_run_long_ago_is_due_and_one_of_a_moment_ago_waits_for_the_rest_of_its_interval() -> None:
    assert _entry(timedelta(days=1)).is_due().is_due
    SteadyEntry.ran.clear()
    waits = _entry(timedelta(seconds=20)).is_due()
    assert (waits.is_due, 30 < waits.next <= 40) == (False, True)


def test_a_date_set_back_while_it_runs_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = _entry(timedelta(days=1))
    assert entry.is_due().is_due
    following = next(entry)
    assert not following.is_due().is_due
    monkeypatch.setattr(schedule, "utc_now", lambda: datetime.now(UTC) - timedelta(days=1))
    following.last_run_at = datetime.now(UTC)
    SteadyEntry.ran["chain"] -= 61
    assert following.is_due().is_due


def test_a_queue_that_nobody_empties_is_filled_no_further() -> None:
    app = Celery("full", broker="memory://full")
    app.conf.task_default_queue = QUEUE
    entry = _entry(timedelta(0))
    scheduler = SteadyScheduler.__new__(SteadyScheduler)
    # Its schedule lies in the database, which sending does not need.
    scheduler.app, scheduler._dirty, scheduler.sync_every_tasks = app, set(), None
    with app.connection_for_write() as connection, app.amqp.Producer(connection, auto_declare=False) as producer:
        for _ in range(MOST_WAITING):
            assert scheduler.apply_async(entry, producer=producer, advance=False) is not None
        assert schedule._waiting(producer) == MOST_WAITING
        assert scheduler.apply_async(entry, producer=producer, advance=False) is None
        assert schedule._waiting(producer) == MOST_WAITING
