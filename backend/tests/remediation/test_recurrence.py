"""Maintenance windows in the site's own time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from plumbline.remediation.controls.recurrence import Window, next_open, open_until

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


def test_a_night_window_reaches_past_midnight() -> None:
    night = Window("Europe/Berlin", "22:00", 480, weekdays=(5,))
    assert open_until(night, at("2026-11-20T21:59")) is None
    assert open_until(night, at("2026-11-20T22:00")) == at("2026-11-21T06:00")
    assert open_until(night, at("2026-11-21T05:59")) == at("2026-11-21T06:00")
    assert open_until(night, at("2026-11-21T06:00")) is None
    assert next_open(night, at("2026-11-21T06:00")) == at("2026-11-27T22:00")


def test_the_second_and_the_last_saturday() -> None:
    second = Window("Europe/Berlin", "01:00", 60, weekdays=(6,), nth=(2,))
    assert next_open(second, at("2026-11-21T00:00")) == at("2026-12-12T01:00")
    last = Window("Europe/Berlin", "01:00", 60, weekdays=(6,), nth=(-1,))
    assert next_open(last, at("2026-11-21T00:00")) == at("2026-11-28T01:00")


def test_a_single_window_opens_once() -> None:
    once = Window("Europe/Berlin", "20:00", 3 * 1440, on_date="2026-12-05")
    assert next_open(once, at("2026-11-21T00:00")) == at("2026-12-05T20:00")
    assert open_until(once, at("2026-12-08T19:00")) == at("2026-12-08T20:00")
    assert next_open(once, at("2026-12-08T20:00")) is None


def test_clocks_that_change_move_the_window_with_the_wall() -> None:
    early = Window("Europe/Berlin", "05:00", 60, weekdays=(7,))
    # The clocks go forward on 2026-03-29 and back on 2026-10-25.
    assert open_until(early, datetime(2026, 3, 22, 4, 30, tzinfo=UTC)) is not None
    assert open_until(early, datetime(2026, 3, 29, 3, 30, tzinfo=UTC)) is not None
    assert open_until(early, datetime(2026, 10, 25, 4, 30, tzinfo=UTC)) is not None


@given(
    st.sampled_from(("UTC", "Europe/Berlin", "America/St_Johns", "Asia/Tokyo", "Pacific/Auckland")),
    st.integers(0, 23),
    st.integers(15, 7 * 1440),
    st.sets(st.integers(1, 7), min_size=1),
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001 (hypothesis wants them naive)
)
def test_it_is_open_exactly_inside_one_of_its_spans(zone: str, hour: int, minutes: int, days: set[int], moment: datetime) -> None:
    window = Window(zone, f"{hour:02d}:00", minutes, weekdays=tuple(sorted(days)))
    now = moment.replace(tzinfo=UTC)
    until, following = open_until(window, now), next_open(window, now)
    assert following is not None
    if until is None:
        assert following > now
        assert open_until(window, following) is not None
    else:
        assert now < until <= now + timedelta(minutes=minutes)
        assert following <= now
