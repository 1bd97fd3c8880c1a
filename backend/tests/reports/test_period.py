"""Days of a period in somebody's zone, and when a schedule is due."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.period import Every, Period, Preset, next_due, period_of

TODAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("preset", "first", "last"),
    [
        ("this_quarter", "2026-10-01", "2026-11-25"),
        ("last_quarter", "2026-07-01", "2026-09-30"),
        ("this_month", "2026-11-01", "2026-11-25"),
        ("last_month", "2026-10-01", "2026-10-31"),
        ("last_week", "2026-11-16", "2026-11-22"),
        ("last_30_days", "2026-10-27", "2026-11-25"),
        ("last_90_days", "2026-08-28", "2026-11-25"),
        ("this_year", "2026-01-01", "2026-11-25"),
    ],
)
def test_presets(preset: Preset, first: str, last: str) -> None:
    period = period_of(preset, today=TODAY, zone="UTC")
    assert (period.first.isoformat(), period.last.isoformat()) == (first, last)


def test_the_quarter_before_the_first_one_is_last_years() -> None:
    period = period_of("last_quarter", today=date(2026, 2, 3), zone="UTC")
    assert (period.first, period.last) == (date(2025, 10, 1), date(2025, 12, 31))
    assert period_of("last_month", today=date(2026, 1, 31), zone="UTC").first == date(2025, 12, 1)


def test_days_begin_at_midnight_of_the_zone() -> None:
    period = Period(date(2026, 7, 1), date(2026, 10, 31), "Europe/Berlin")
    assert period.start == datetime(2026, 6, 30, 22, tzinfo=UTC)
    # Winter time by then.
    assert period.end == datetime(2026, 10, 31, 23, tzinfo=UTC)
    assert period.words == "1 Jul to 31 Oct 2026 (Europe/Berlin)"


@pytest.mark.parametrize(
    ("every", "on_day", "after", "due"),
    [
        ("week", 1, "2026-11-25T12:00:00Z", "2026-11-30T06:00:00Z"),
        ("week", 3, "2026-11-25T05:59:00Z", "2026-11-25T06:00:00Z"),
        ("week", 3, "2026-11-25T06:00:00Z", "2026-12-02T06:00:00Z"),
        ("month", 31, "2026-11-25T12:00:00Z", "2026-11-30T06:00:00Z"),
        ("month", 1, "2026-12-31T12:00:00Z", "2027-01-01T06:00:00Z"),
        ("quarter", 2, "2026-11-25T12:00:00Z", "2027-01-02T06:00:00Z"),
        # Summer time: the same hour on the clock is an hour earlier.
        ("month", 1, "2026-06-15T00:00:00Z", "2026-07-01T05:00:00Z"),
    ],
)
def test_when_a_schedule_is_due(every: Every, on_day: int, after: str, due: str) -> None:
    found = next_due(every, on_day=on_day, hour=7, zone="Europe/Berlin", after=datetime.fromisoformat(after))
    assert found == datetime.fromisoformat(due)


@given(
    every=st.sampled_from(["week", "month", "quarter"]),
    on_day=st.integers(1, 31),
    hour=st.integers(0, 23),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns", "Australia/Lord_Howe"]),
    minutes=st.integers(0, 15 * 365 * 24 * 60),
)
def test_it_is_always_due_again_and_never_at_once(every: Every, on_day: int, hour: int, zone: str, minutes: int) -> None:
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    due = next_due(every, on_day=min(on_day, 7) if every == "week" else on_day, hour=hour, zone=zone, after=at)
    assert 0 < (due - at).total_seconds() <= 94 * 86400
