"""The scheduler of what recurs, by a clock that nobody can set: how long ago something ran in this process decides, not what day it is.

Celery's own goes by the date: set back by a day, it would send nothing for a day, and a last run that a wrong date put into the
future would keep a task from running until then. The date counts once, at the start, for a last run that lies in the past.
"""

import time
from typing import Any, ClassVar

import structlog
from celery import schedules
from kombu.exceptions import OperationalError
from sqlalchemy_celery_beat.schedulers import DatabaseScheduler, ModelEntry

from plumbline.infra.clock import utc_now

log = structlog.get_logger()

QUEUE = "background"
# While nobody empties the queue it is filled no further: each of these tasks does all that has waited.
MOST_WAITING = 200


class SteadyEntry(ModelEntry):  # type: ignore[misc]
    """One recurring task. `ran` holds when each last ran, by the monotonic clock of this process."""

    ran: ClassVar[dict[str, float]] = {}

    def is_due(self) -> schedules.schedstate:
        """Whether it runs now, and in how many seconds to ask again."""
        if not isinstance(self.schedule, schedules.schedule):
            return super().is_due()
        every = self.schedule.run_every.total_seconds()
        now = time.monotonic()
        left = every - (now - self.ran.setdefault(self.name, now - self._ago(every)))
        return schedules.schedstate(is_due=left <= 0, next=every if left <= 0 else left)

    def _ago(self, every: float) -> float:
        """Seconds since the last run that the database knows of, at most one interval; a last run in the future is none."""
        passed = (utc_now() - self.last_run_at).total_seconds()
        return min(passed, every) if passed >= 0 else every

    def __next__(self) -> "SteadyEntry":
        self.ran[self.name] = time.monotonic()
        following: SteadyEntry = super().__next__()
        return following


class SteadyScheduler(DatabaseScheduler):  # type: ignore[misc]
    """Sends recurring tasks in an order that a change of the date does not disturb."""

    Entry = SteadyEntry

    def _when(self, entry: SteadyEntry, next_time_to_run: float, mktime: Any = None) -> float:  # noqa: ARG002
        return time.monotonic() + (self.adjust(next_time_to_run) or 0)

    def apply_async(self, entry: SteadyEntry, producer: Any = None, advance: bool = True, **kwargs: Any) -> Any:
        """Sends it, unless more wait already than anybody empties; the next interval tries again."""
        if producer is not None and _waiting(producer) >= MOST_WAITING:
            log.warning("not scheduled: nobody empties the queue, is a worker of kind desk running?", task=entry.task, queue=QUEUE)
            return None
        return super().apply_async(entry, producer=producer, advance=advance, **kwargs)


def _waiting(producer: Any) -> int:
    """How many messages wait in the queue; 0 where there is none yet, or the broker is away."""
    try:
        return int(producer.channel.queue_declare(QUEUE, passive=True).message_count)
    except (*producer.connection.channel_errors, *producer.connection.connection_errors, OperationalError):
        return 0
