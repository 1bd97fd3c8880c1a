"""PURE: the time that a report is about, in a person's time zone, and when a schedule is due."""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Preset = Literal[
    "this_quarter", "last_quarter", "this_month", "last_month", "last_week", "last_30_days", "last_90_days", "this_year", "custom"
]
Every = Literal["week", "month", "quarter"]

# The period of a scheduled report is the whole one before the day on which it is made.
PRESET_OF: dict[Every, Preset] = {"week": "last_week", "month": "last_month", "quarter": "last_quarter"}


@dataclass(frozen=True, slots=True)
class Period:
    """From the first instant on, up to and without the end. `first` and `last` are days in the zone, both included."""

    first: date
    last: date
    zone: str
    preset: Preset = "custom"

    @property
    def start(self) -> datetime:
        """The first instant."""
        return _midnight(self.first, self.zone)

    @property
    def end(self) -> datetime:
        """The instant after the last day."""
        return _midnight(self.last + timedelta(days=1), self.zone)

    @property
    def words(self) -> str:
        """ "1 Jul to 30 Sep 2026 (Europe/Berlin)"."""
        first = f"{self.first:%-d %b}" if self.first.year == self.last.year else f"{self.first:%-d %b %Y}"
        return f"{first} to {self.last:%-d %b %Y} ({self.zone})"


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)


def period_of(preset: Preset, *, today: date, zone: str) -> Period:
    """The days of a preset. `today` is the day in the zone; "custom" has no days of its own."""
    quarter = date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
    month = today.replace(day=1)
    monday = today - timedelta(days=today.weekday())
    day = timedelta(days=1)
    first, last = {
        "this_quarter": (quarter, today),
        "last_quarter": (_months_before(quarter, 3), quarter - day),
        "this_month": (month, today),
        "last_month": (_months_before(month, 1), month - day),
        "last_week": (monday - timedelta(days=7), monday - day),
        "last_30_days": (today - timedelta(days=29), today),
        "last_90_days": (today - timedelta(days=89), today),
        "this_year": (date(today.year, 1, 1), today),
    }[preset]
    return Period(first, last, zone, preset)


def _months_before(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, 1)


def next_due(every: Every, *, on_day: int, hour: int, zone: str, after: datetime) -> datetime:
    """The first instant after `after` at which a schedule is due.

    `on_day` is the day of the week (1 for Monday) or the day of the month, of each month or of the first month of each quarter; a month
    that is shorter has it on its last day. An hour that the clock skips in spring is the hour after it.
    """
    local = after.astimezone(ZoneInfo(zone))
    day = local.date()
    for _ in range(2):
        for candidate in _days(every, on_day, day):
            due = datetime.combine(candidate, time(hour), ZoneInfo(zone)).astimezone(UTC)
            if due > after:
                return due
        day = max(_days(every, on_day, day)) + timedelta(days=1)
    raise AssertionError("two rounds of days always hold one that is later")


def _days(every: Every, on_day: int, day: date) -> list[date]:
    """Days in order on which it is due: of this week and the next, or of the months around this day."""
    if every == "week":
        monday = day - timedelta(days=day.weekday())
        return [monday + timedelta(days=on_day - 1 + 7 * week) for week in range(3)]
    step = 3 if every == "quarter" else 1
    first = date(day.year, (day.month - 1) // step * step + 1, 1)
    found = []
    for count in range(3):
        number = first.year * 12 + first.month - 1 + step * count
        year, month = number // 12, number % 12 + 1
        found.append(date(year, month, min(on_day, calendar.monthrange(year, month)[1])))
    return found
