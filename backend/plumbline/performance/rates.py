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
# The time of a boot, as two readings give it, differs by no more than this unless the host was restarted or suspended in between.
_BOOT_TOLERANCE_MS = 30_000
# An agent's first reading after a boot is made within this time.
_FIRST_READING_MS = 3_600_000

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """A series in time. `at` is milliseconds since 1970, rising; `values` holds NaN where nothing is known."""

    at: npt.NDArray[np.int64]
    values: Floats


@dataclass(frozen=True, slots=True)
class Steps:
    """From each reading to the next: when the later one was made, the seconds by the host's own clock, whether totals may be compared."""

    at: npt.NDArray[np.int64]
    seconds: Floats
    is_comparable: npt.NDArray[np.bool_]


def place(at_ms: Sequence[int], uptimes: Sequence[float]) -> npt.NDArray[np.int64]:
    """When each reading was made, from when it came and how long the host had been up.

    A reading that came late, because its agent could not send, is put back to where its uptime says that it belongs. Neither a step of the
    host's clock nor one of the server's moves a reading against the others of the same boot.
    """
    at = np.asarray(at_ms, dtype=np.int64)
    uptime = _milliseconds(uptimes)
    return uptime + _boots(at, uptime)


def steps(at_ms: Sequence[int], uptimes: Sequence[float]) -> Steps:
    """The steps between readings, one fewer than readings. Readings of two boots, or more than three hours apart, do not compare.

    Whether two readings are of one boot is known where they came as far apart as they were made. Of those that came late, the second may be
    the first one of another boot, unless the host had been up for longer than that takes.
    """
    at = np.asarray(at_ms, dtype=np.int64)
    uptime = _milliseconds(uptimes)
    boots = _boots(at, uptime)
    passed = np.diff(uptime)
    came_as_made = np.abs(np.diff(at) - passed) <= np.minimum(_BOOT_TOLERANCE_MS, passed / 3)
    is_one_boot = (passed > 0) & (np.diff(boots) <= _BOOT_TOLERANCE_MS) & (came_as_made | (uptime[1:] > _FIRST_READING_MS))
    return Steps((uptime + boots)[1:], passed / 1000, is_one_boot & (passed <= LONGEST_STEP_SECONDS * 1000))


def _milliseconds(uptimes: Sequence[float]) -> npt.NDArray[np.int64]:
    """Uptimes in seconds, whole ones from check-ins and finer ones from watches."""
    return np.rint(np.asarray(uptimes, dtype=np.float64) * 1000).astype(np.int64)


def _boots(at: npt.NDArray[np.int64], uptime: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """When the host started, as of each reading. Delays only make it later: the earliest of a reading and all after it is nearest."""
    return np.minimum.accumulate((at - uptime)[::-1])[::-1]


def rates(at_ms: Sequence[int], uptimes: Sequence[float], totals: Sequence[float | None]) -> Line:
    """Rate per second between each reading and the one before, at the time of the later one.

    The seconds are those of the host's uptime, which no step of a clock and no late delivery changes. Unknown (NaN) if either reading is
    missing, if the total went down (the counter was reset or started again from 0), if the host was restarted in between, and after a gap
    of more than three hours. The first reading has no rate and yields no point.
    """
    if len(at_ms) < 2:
        return Line(np.empty(0, dtype=np.int64), np.empty(0))
    between = steps(at_ms, uptimes)
    total = np.asarray([np.nan if value is None else value for value in totals], dtype=np.float64)
    grown = np.diff(total)
    with np.errstate(invalid="ignore", divide="ignore"):
        is_known = between.is_comparable & (grown >= 0)
        values = np.where(is_known, grown / np.where(between.seconds > 0, between.seconds, 1), np.nan)
    return rising(Line(between.at, values))


def rising(line: Line) -> Line:
    """The same points in order of time."""
    if len(line.at) < 2 or bool(np.all(np.diff(line.at) >= 0)):
        return line
    order = np.argsort(line.at, kind="stable")
    return Line(line.at[order], line.values[order])


def gauge(at_ms: Sequence[int], values: Sequence[float | None]) -> Line:
    """A gauge as it was read."""
    return Line(np.asarray(at_ms, dtype=np.int64), np.asarray([np.nan if value is None else value for value in values], dtype=np.float64))


def percent(part: Line, whole: Line) -> Line:
    """100 x part / whole where both are known at the same time; unknown where the whole is zero, or smaller than its part."""
    at, own, other = np.intersect1d(part.at, whole.at, return_indices=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = 100 * part.values[own] / whole.values[other]
    return Line(at, np.where(np.isfinite(shares) & (shares <= 100), shares, np.nan))


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
