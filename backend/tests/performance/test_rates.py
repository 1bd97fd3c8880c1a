"""Rates from totals, and lines of at most a thousand points. Figures worked out by hand."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.performance.rates import MOST_POINTS, Line, gauge, percent, points, rates

MINUTE = 60_000


def values(line: Line) -> list[float | None]:
    return [None if math.isnan(value) else float(value) for value in line.values]


def test_rate_is_the_difference_over_the_seconds_between() -> None:
    line = rates([0, MINUTE, 3 * MINUTE], [100, 160, 280], [1000.0, 1600.0, 1600.0])
    assert list(line.at) == [MINUTE, 3 * MINUTE]
    assert values(line) == [10.0, 0.0]


def test_a_reset_is_a_gap_and_not_a_negative_rate() -> None:
    assert values(rates([0, MINUTE, 2 * MINUTE], [100, 160, 220], [1000.0, 10.0, 70.0])) == [None, 1.0]


def test_a_restart_is_a_gap_even_if_the_total_has_passed_the_old_one() -> None:
    assert values(rates([0, MINUTE, 2 * MINUTE], [10_000, 30, 90], [1000.0, 5000.0, 5600.0])) == [None, 10.0]


def test_missing_readings_and_long_silences_are_gaps() -> None:
    assert values(rates([0, MINUTE, 2 * MINUTE], [1, 61, 121], [0.0, None, 60.0])) == [None, None]
    assert values(rates([0, 4 * 3600_000], [1, 14_401], [0.0, 1.0])) == [None]
    assert len(rates([0], [1], [1.0]).at) == 0
    assert len(rates([], [], []).at) == 0


def test_percent_is_of_the_same_time_and_of_something() -> None:
    again = Line(np.array([1, 2, 3]), np.array([0.4, 1.0, 0.0]))
    sent = Line(np.array([1, 2, 4]), np.array([100.0, 0.0, 50.0]))
    assert values(percent(again, sent)) == [0.4, None]


def test_short_lines_are_drawn_as_they_are() -> None:
    assert points(gauge([1, 2, 3], [1.0, None, 3.0])) == ([(1, 1.0), (2, None), (3, 3.0)], False)


@settings(max_examples=60, deadline=None)
@given(st.integers(MOST_POINTS + 1, 6000), st.integers(0, 2**32 - 1), st.floats(0, 0.6))
def test_long_lines_keep_their_extremes_and_their_limit(count: int, seed: int, missing: float) -> None:
    random = np.random.default_rng(seed)
    line = Line(np.arange(count, dtype=np.int64) * MINUTE, np.where(random.random(count) < missing, np.nan, random.random(count)))
    drawn, was_cut = points(line)
    assert was_cut
    assert len(drawn) <= MOST_POINTS
    times = [at for at, _ in drawn]
    assert times == sorted(set(times))
    known = dict(zip(line.at.tolist(), values(line), strict=True))
    assert all(known[at] == value for at, value in drawn)
    if missing == 0:
        shown = [value for _, value in drawn if value is not None]
        assert max(shown) == np.nanmax(line.values)
        assert min(shown) == np.nanmin(line.values)


def test_a_gap_in_a_long_line_stays_a_gap() -> None:
    series = np.ones(5000)
    series[2000:2500] = np.nan
    drawn, _ = points(Line(np.arange(5000, dtype=np.int64), series))
    assert [at for at, value in drawn if value is None] == [2000]


def test_a_line_of_nothing_is_nothing() -> None:
    drawn, _ = points(Line(np.arange(5000, dtype=np.int64), np.full(5000, np.nan)))
    assert drawn == [(0, None)]
