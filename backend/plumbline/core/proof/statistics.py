"""Mean, deviation and difference of a few measurements. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

# Measurements are printed with four to seven digits. A bound that is met exactly must not be missed by the last bit of a float.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Spread:
    """Several measurements of the same: their number, mean, sample standard deviation, and that deviation as a percentage of the mean."""

    count: int
    mean: float
    deviation: float | None
    relative_deviation_percent: float | None


def spread(values: Sequence[float]) -> Spread:
    """The spread of at least one finite measurement. With one there is no deviation, with a mean of zero no relative one.

    Raises ValueError for none, or for a value that is not finite or negative.
    """
    if not values:
        raise ValueError("no measurement")
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise ValueError("a measurement is negative or not finite")
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Spread(count, mean, None, None)
    # The sample deviation divides by one less than the number: three runs are a sample of all that could have been made.
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
    return Spread(count, mean, deviation, round(100 * deviation / mean, _DIGITS) if mean > 0 else None)


def change_percent(before: float, after: float) -> float | None:
    """The difference as a percentage of the value before; None where that is zero."""
    return round(100 * (after - before) / before, _DIGITS) if before > 0 else None
