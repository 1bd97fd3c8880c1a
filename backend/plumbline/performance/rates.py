"""Counters as rates: totals that count up become rates a second, resets become gaps, long lines become at most a thousand points. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tsdownsample import MinMaxLTTBDownsampler

MOST_POINTS = 1000
# Where a line has gaps, so many of the points are kept for them.
_MOST_GAPS = 200
# No rate is computed across a longer gap: an average over a day would hide everything.
LONGEST_STEP_SECONDS = 3 * 3600

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """A series in time. `at` is milliseconds since 1970, rising; `values` holds NaN where nothing is known."""

    at: npt.NDArray[np.int64]
    values: Floats


def rates(at_ms: Sequence[int], uptimes: Sequence[int], totals: Sequence[float | None]) -> Line:
    """Rate per second between each reading and the one before, at the time of the later one.

    Unknown (NaN) if either reading is missing, if the total or the uptime went down (the counter was reset), if no time passed, and after a
    gap of more than three hours. The first reading has no rate and yields no point.
    """
    at = np.asarray(at_ms, dtype=np.int64)
    if len(at) < 2:
        return Line(at[:0], np.empty(0))
    total = np.asarray([np.nan if value is None else value for value in totals], dtype=np.float64)
    uptime = np.asarray(uptimes, dtype=np.int64)
    seconds = np.diff(at) / 1000
    step = np.diff(total)
    is_known = (step >= 0) & (np.diff(uptime) > 0) & (seconds > 0) & (seconds <= LONGEST_STEP_SECONDS)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(is_known, step / np.where(seconds > 0, seconds, 1), np.nan)
    return Line(at[1:], values)


def gauge(at_ms: Sequence[int], values: Sequence[float | None]) -> Line:
    """A gauge as it was read."""
    return Line(np.asarray(at_ms, dtype=np.int64), np.asarray([np.nan if value is None else value for value in values], dtype=np.float64))


def percent(part: Line, whole: Line) -> Line:
    """100 x part / whole where both are known at the same time; unknown where the whole is zero."""
    at, own, other = np.intersect1d(part.at, whole.at, return_indices=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = 100 * part.values[own] / whole.values[other]
    return Line(at, np.where(np.isfinite(shares), shares, np.nan))


def join(lines: Sequence[Line]) -> Line:
    """Lines one after the other; they must not overlap."""
    if not lines:
        return Line(np.empty(0, dtype=np.int64), np.empty(0))
    return Line(np.concatenate([line.at for line in lines]), np.concatenate([line.values for line in lines]))


def points(line: Line) -> tuple[list[tuple[int, float | None]], bool]:
    """At most a thousand points that keep the curve's form (MinMaxLTTB), gaps as null; and whether there were more."""
    is_gap = ~np.isfinite(line.values)
    if len(line.at) <= MOST_POINTS:
        return [(int(at), None if gap else float(value)) for at, value, gap in zip(line.at, line.values, is_gap, strict=True)], False
    known = np.flatnonzero(~is_gap)
    # One mark for each run of gaps is enough to break the drawn line.
    starts = np.flatnonzero(is_gap & ~np.concatenate(([False], is_gap[:-1])))
    if len(starts) > _MOST_GAPS:
        ends = np.searchsorted(known, starts)
        longest = np.argsort(-np.diff(np.concatenate((known[np.minimum(ends, len(known) - 1)], [len(line.at)]))))[:_MOST_GAPS]
        starts = np.sort(starts[longest])
    # Two places are kept for the extremes, which the downsampler may pass over.
    room = MOST_POINTS - len(starts) - 2
    if len(known) > room:
        chosen = MinMaxLTTBDownsampler().downsample(  # type: ignore[no-untyped-call]
            np.ascontiguousarray(line.at[known]), np.ascontiguousarray(line.values[known]), n_out=max(3, room)
        )
        extremes = [int(line.values[known].argmin()), int(line.values[known].argmax())]
        known = known[np.union1d(chosen.astype(np.int64), extremes)]
    kept = np.union1d(known, starts)
    return [(int(line.at[index]), None if is_gap[index] else float(line.values[index])) for index in kept], True
