"""PURE: when a maintenance window is open, from its recurrence and the site's own time zone.

A window starts at a local wall time on some days of the week (all, or the nth of the month) or on a single day, and lasts some minutes. It
may reach past midnight. The hour that is skipped or repeated when clocks change follows the zone's rules: an hour that does not exist
starts when it would have, a repeated one at its first occurrence.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

LONGEST_MINUTES = 7 * 24 * 60
_LOOK_AHEAD_DAYS = 400


@dataclass(frozen=True, slots=True)
class Window:
    """One maintenance window. `weekdays` are ISO days (1 Monday), `nth` which of them in the month (1..5, -1 the last; empty: each)."""

    time_zone: str
    starts_at_time: str
    lasts_minutes: int
    weekdays: tuple[int, ...] = ()
    nth: tuple[int, ...] = ()
    on_date: str = ""

    def spans_around(self, now: datetime, *, days: int) -> list[tuple[datetime, datetime]]:
        """Its spans that may touch now and the coming `days`, in order, in UTC."""
        zone = ZoneInfo(self.time_zone)
        first = now.astimezone(zone).date() - timedelta(days=self.lasts_minutes // 1440 + 1)
        starts = [self._start(first + timedelta(days=after), zone) for after in range(days + self.lasts_minutes // 1440 + 3)]
        return [(start, start + timedelta(minutes=self.lasts_minutes)) for start in starts if start is not None]

    def _start(self, day: date, zone: ZoneInfo) -> datetime | None:
        is_day = day.isoformat() == self.on_date if self.on_date else day.isoweekday() in self.weekdays
        if not is_day or not (self.on_date or self._is_nth(day)):
            return None
        return datetime.combine(day, time.fromisoformat(self.starts_at_time), tzinfo=zone).astimezone(UTC)

    def _is_nth(self, day: date) -> bool:
        if not self.nth:
            return True
        is_last = (day + timedelta(days=7)).month != day.month
        return (day.day - 1) // 7 + 1 in self.nth or (is_last and -1 in self.nth)


def open_until(window: Window, now: datetime) -> datetime | None:
    """The end of the span that is open now, None while it is closed."""
    return max((end for start, end in window.spans_around(now, days=0) if start <= now < end), default=None)


def next_open(window: Window, now: datetime) -> datetime | None:
    """When it opens next, or opened if it is open now; None where it never does again (within 400 days)."""
    days = _LOOK_AHEAD_DAYS
    if window.on_date:
        days = max(0, (date.fromisoformat(window.on_date) - now.date()).days) + 2
    return min((start for start, end in window.spans_around(now, days=days) if end > now), default=None)
