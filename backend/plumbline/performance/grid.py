"""Readings at any times become values of equal steps, so that lines of several hosts share their times. Pure."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.performance.rates import MOST_POINTS, Floats

# Steps that people count in, in seconds.
_STEPS = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
# A step of which less is covered by readings is unknown, unless a reading ended in it.
_LEAST_COVERED = 0.25


@dataclass(frozen=True, slots=True)
class Grid:
    """Steps of equal length; `start_ms` is the beginning of the first one."""

    start_ms: int
    step_seconds: int
    count: int

    @property
    def edges(self) -> npt.NDArray[np.int64]:
        """Where the steps begin, and where the last one ends, in milliseconds."""
        return self.start_ms + np.arange(self.count + 1, dtype=np.int64) * self.step_seconds * 1000

    def shifted(self, seconds: int) -> "Grid":
        """The same steps so many seconds earlier."""
        return Grid(self.start_ms - seconds * 1000, self.step_seconds, self.count)


@dataclass(frozen=True, slots=True)
class Readings:
    """Values in rising order of time, each of which holds since the one before; NaN is unknown.

    `lows` and `highs` are the extremes behind a value that is a mean of several readings, else the value itself.
    """

    at: npt.NDArray[np.int64]
    values: Floats
    lows: Floats
    highs: Floats

    @classmethod
    def of(cls, at: npt.NDArray[np.int64], values: Floats) -> "Readings":
        """Readings that are no means of others."""
        return cls(at, values, values, values)


@dataclass(frozen=True, slots=True)
class Gridded:
    """One series on a grid: the time-weighted mean of each step and its extremes, NaN where nothing is known; and the figures of all."""

    means: Floats
    lows: Floats
    highs: Floats
    readings: int
    mean: float | None
    latest: float | None


def grid_for(from_ms: int, to_ms: int, reading_seconds: int) -> Grid:
    """The finest grid of at most a thousand steps over a span, no finer than a third of the time between readings."""
    span = max(1, to_ms - from_ms) / 1000
    least = max(span / (MOST_POINTS - 1), reading_seconds / 3)
    step = next((each for each in _STEPS if each >= least), int(-(-least // 86_400)) * 86_400)
    start = from_ms // 1000 // step * step
    return Grid(start * 1000, step, int(-(-(to_ms / 1000 - start) // step)))


def on_grid(readings: Readings, grid: Grid, longest_seconds: float) -> Gridded:
    """The readings on a grid. A reading speaks for the time since the one before it, and for no longer than `longest_seconds`."""
    edges = grid.edges
    at = readings.at
    nothing = np.full(grid.count, np.nan)
    if len(at) == 0:
        return Gridded(nothing, nothing, nothing, 0, None, None)
    # What came before the first one is not known: it speaks for as long as the others usually do.
    usual = float(np.median(np.diff(at))) if len(at) > 1 else longest_seconds * 1000 / 3
    before = np.concatenate(([at[0] - int(usual)], at[:-1]))
    begins = np.maximum(before, at - int(longest_seconds * 1000))
    known = np.isfinite(readings.values) & (at > begins) & (at > edges[0]) & (begins < edges[-1])
    ends, begins, values = at[known], begins[known], readings.values[known]
    if len(ends) == 0:
        return Gridded(nothing, nothing, nothing, 0, None, None)
    covered, amount = _integrals(begins, ends, values, edges)
    step_ms = grid.step_seconds * 1000
    place = (ends - 1 - edges[0]) // step_ms
    inside = (place >= 0) & (place < grid.count)
    has_reading = np.zeros(grid.count, dtype=bool)
    has_reading[place[inside]] = True
    lows, highs = np.full(grid.count, np.inf), np.full(grid.count, -np.inf)
    np.minimum.at(lows, place[inside], readings.lows[known][inside])
    np.maximum.at(highs, place[inside], readings.highs[known][inside])
    is_known = (covered > 0) & (has_reading | (covered >= _LEAST_COVERED * step_ms))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(is_known, amount / covered, np.nan)
    whole = covered.sum()
    return Gridded(
        means,
        np.where(is_known, np.fmin(lows, means), np.nan),
        np.where(is_known, np.fmax(highs, means), np.nan),
        int(inside.sum()),
        float(amount.sum() / whole) if whole > 0 else None,
        float(values[inside][-1]) if inside.any() else float(values[-1]),
    )


def ratio(part: Gridded, whole: Gridded, points: Gridded, factor: float, most: float = np.inf) -> Gridded:
    """factor x part / whole step by step; the extremes are those of `points`, the same ratio reading by reading."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = factor * part.means / whole.means
    means = np.where(np.isfinite(means) & (means <= most), means, np.nan)
    mean = factor * part.mean / whole.mean if part.mean is not None and whole.mean else None
    is_known = np.isfinite(means)
    lows = np.where(is_known, np.fmin(points.lows, means), np.nan)
    highs = np.where(is_known, np.fmax(points.highs, means), np.nan)
    return Gridded(means, lows, highs, points.readings, mean, points.latest)


def mean_of(lines: list[Gridded]) -> Gridded | None:
    """The mean of several lines step by step, over those that are known; the extremes are those of the lines' means."""
    if not lines:
        return None
    means = np.vstack([line.means for line in lines])
    known = np.isfinite(means)
    count = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        joined = np.where(count > 0, np.where(known, means, 0).sum(axis=0) / np.where(count > 0, count, 1), np.nan)
    of_each = [line.mean for line in lines if line.mean is not None]
    latest = [line.latest for line in lines if line.latest is not None]
    return Gridded(
        joined,
        np.where(count > 0, np.where(known, means, np.inf).min(axis=0), np.nan),
        np.where(count > 0, np.where(known, means, -np.inf).max(axis=0), np.nan),
        sum(line.readings for line in lines),
        sum(of_each) / len(of_each) if of_each else None,
        sum(latest) / len(latest) if latest else None,
    )


def _integrals(
    begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], values: Floats, edges: npt.NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """For each step the covered milliseconds, and the sum of value x milliseconds."""
    times = np.empty(2 * len(ends), dtype=np.float64)
    times[0::2], times[1::2] = begins, ends
    lengths = (ends - begins).astype(np.float64)
    time_sum, amount_sum = np.zeros(len(times)), np.zeros(len(times))
    time_sum[1::2], amount_sum[1::2] = np.cumsum(lengths), np.cumsum(lengths * values)
    time_sum[2::2], amount_sum[2::2] = time_sum[1:-1:2], amount_sum[1:-1:2]
    at = edges.astype(np.float64)
    return np.diff(np.interp(at, times, time_sum)), np.diff(np.interp(at, times, amount_sum))
