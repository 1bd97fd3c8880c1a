"""Readings on equal steps. Figures worked out by hand."""

import numpy as np
import pytest

from plumbline.performance.grid import Grid, Gridded, Readings, grid_for, mean_of, on_grid, ratio

MINUTE = 60_000
HOUR = 60 * MINUTE


def figures(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 6) for value in values]


def readings(*points: tuple[int, float | None]) -> Readings:
    return Readings.of(
        np.array([at for at, _ in points], dtype=np.int64), np.array([np.nan if value is None else value for _, value in points])
    )


@pytest.mark.parametrize(
    ("hours", "interval", "step"), [(6, 900, 300), (48, 900, 300), (48, 60, 300), (168, 900, 900), (720, 900, 3600), (17_544, 900, 86_400)]
)
def test_a_grid_has_at_most_a_thousand_steps_that_people_count_in(hours: int, interval: int, step: int) -> None:
    end = 1_764_000_123_456
    grid = grid_for(end - hours * HOUR, end, interval)
    assert grid.step_seconds == step
    assert grid.count <= 1000
    assert grid.edges[0] <= end - hours * HOUR < grid.edges[1]
    assert grid.edges[-2] < end <= grid.edges[-1]


def test_a_step_is_the_mean_of_what_it_covers() -> None:
    # 10 for the first 15 minutes, 40 for the second, on steps of 10 minutes.
    found = on_grid(readings((0, None), (15 * MINUTE, 10.0), (30 * MINUTE, 40.0)), Grid(0, 600, 4), 3600)
    assert figures(found.means) == [10.0, 25.0, 40.0, None]
    assert figures(found.highs) == [10.0, 25.0, 40.0, None]
    assert (found.readings, found.mean, found.latest) == (2, 25.0, 40.0)


def test_extremes_are_those_of_the_readings() -> None:
    found = on_grid(readings((0, None), (20 * MINUTE, 1.0), (40 * MINUTE, 9.0), (60 * MINUTE, 2.0)), Grid(0, 3600, 1), 3600)
    assert (figures(found.lows), figures(found.means), figures(found.highs)) == ([1.0], [4.0], [9.0])


def test_a_gap_stays_a_gap() -> None:
    # Silent from 30 minutes on; the reading after it speaks for 15 minutes only.
    found = on_grid(readings((15 * MINUTE, 1.0), (30 * MINUTE, 1.0), (120 * MINUTE, 5.0)), Grid(0, 900, 8), 900)
    assert figures(found.means) == [1.0, 1.0, None, None, None, None, None, 5.0]


def test_an_unknown_reading_is_a_gap_and_no_zero() -> None:
    found = on_grid(readings((0, 1.0), (15 * MINUTE, None), (30 * MINUTE, 3.0)), Grid(0, 900, 2), 900)
    assert figures(found.means) == [None, 3.0]


def test_nothing_is_nothing() -> None:
    found = on_grid(readings(), Grid(0, 900, 3), 900)
    assert figures(found.means) == [None, None, None]
    assert (found.readings, found.mean, found.latest) == (0, None, None)


def test_a_ratio_weighs_by_its_whole() -> None:
    grid = Grid(0, 1800, 1)
    part = on_grid(readings((0, None), (15 * MINUTE, 1.0), (30 * MINUTE, 0.0)), grid, 3600)
    whole = on_grid(readings((0, None), (15 * MINUTE, 10.0), (30 * MINUTE, 990.0)), grid, 3600)
    points = on_grid(readings((0, None), (15 * MINUTE, 10.0), (30 * MINUTE, 0.0)), grid, 3600)
    share = ratio(part, whole, points, 100.0, 100.0)
    # 1 of 1,000 segments, although it was a tenth of the few segments of the first quarter.
    assert (figures(share.means), figures(share.highs)) == ([0.1], [10.0])
    assert share.mean == pytest.approx(0.1)


def test_peers_are_the_mean_of_those_that_are_known() -> None:
    def line(*values: float) -> Gridded:
        array = np.array(values)
        return Gridded(array, array, array, 2, float(np.nanmean(array)), values[-1])

    found = mean_of([line(1.0, np.nan), line(3.0, np.nan), line(5.0, 7.0)])
    assert found is not None
    assert (figures(found.lows), figures(found.means), figures(found.highs)) == ([1.0, 7.0], [3.0, 7.0], [5.0, 7.0])
    assert mean_of([]) is None
