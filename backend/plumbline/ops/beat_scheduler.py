"""The scheduler of recurring tasks, by the monotonic clock: it measures how long ago a task was sent.

Celery's own goes by the date: if that were set back by a day, it would send nothing for a day. Nothing is stored across restarts: every
task is due once when the scheduler starts, which is safe, since each does only the work that is waiting.
"""

import time
from typing import Any

import structlog
from celery import schedules
from celery.beat import ScheduleEntry, Scheduler
from kombu.exceptions import OperationalError

log = structlog.get_logger()

QUEUE = "background"
# While no worker reads the queue, it is not filled further: one run of each task does all the work that is waiting.
MOST_WAITING = 200


class SteadyEntry(ScheduleEntry):  # type: ignore[misc]
    """One recurring task. `sent_at` is when it was last sent, by the monotonic clock; None: not since the start."""

    def __init__(self, *args: Any, sent_at: float | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.sent_at = sent_at

    def is_due(self) -> schedules.schedstate:
        """Whether it is to be sent now, and after how many seconds to check again."""
        every = self.schedule.run_every.total_seconds()
        left = 0.0 if self.sent_at is None else every - (time.monotonic() - self.sent_at)
        return schedules.schedstate(is_due=left <= 0, next=every if left <= 0 else left)

    def __next__(self) -> "SteadyEntry":
        following: SteadyEntry = super().__next__()
        following.sent_at = time.monotonic()
        return following


class SteadyScheduler(Scheduler):  # type: ignore[misc]
    """Sends recurring tasks at intervals that a change of the date does not disturb."""

    Entry = SteadyEntry

    def _when(self, entry: SteadyEntry, next_time_to_run: float, mktime: Any = None) -> float:  # noqa: ARG002
        return time.monotonic() + (self.adjust(next_time_to_run) or 0)

    def apply_async(self, entry: SteadyEntry, producer: Any = None, advance: bool = True, **kwargs: Any) -> Any:
        """Sends it, unless the queue is full already; the next interval tries again."""
        if producer is not None and _is_closed(producer):
            self._forget_connection()
            producer = self.producer
        if producer is not None and _waiting(producer) >= MOST_WAITING:
            log.warning("task not scheduled, queue full: is a background worker running?", task=entry.task, queue=QUEUE)
            return None
        return super().apply_async(entry, producer=producer, advance=advance, **kwargs)

    def _forget_connection(self) -> None:
        """Has the next use make a connection and a producer of its own; both are kept otherwise."""
        self.__dict__.pop("producer", None)
        connection = self.__dict__.pop("connection", None)
        if connection is not None:
            connection.release()


def _is_closed(producer: Any) -> bool:
    """Whether the producer's channel was closed under it, as kombu does where the broker answers that it cannot write (a full disk, no
    memory left). Such a channel is never opened again."""
    return producer.channel.connection is None


def _waiting(producer: Any) -> int:
    """How many messages wait in the queue; 0 where there is no queue yet, or the broker is unavailable."""
    try:
        return int(producer.channel.queue_declare(QUEUE, passive=True).message_count)
    except (*producer.connection.channel_errors, *producer.connection.connection_errors, OperationalError):
        return 0
