"""What counters say of a job: the treated host before and after, beside hosts that were not treated at the same time. Pure.

The difference of differences: what changed on the host, less what changed on the others. It is an observation and never a proof, since
nobody chose by lot which host was treated.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

# Of each window: fewer samples than this tell nothing, and with less load than this share of what there was before, nothing is compared.
LEAST_SAMPLES = 3
LEAST_CONTROLS = 3
LEAST_LOAD_RATIO = 0.5
LARGEST_LOAD_RATIO = 2.0
_NOTHING = 1e-6
# Two-sided 95 % of Student's t by degrees of freedom; beyond 30 the normal distribution is near enough.
_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip

Answer = Literal["better", "worse", "no_effect", "too_few_samples", "too_little_load", "load_differs", "no_controls"]


@dataclass(frozen=True, slots=True)
class Window:
    """The samples of one counter of one host in one span of time, and the mean load (bytes a second) beside them."""

    values: Sequence[float]
    load: float | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What one counter says. `difference` is the difference of differences in the counter's unit, `low` and `high` its 95 % interval."""

    before: float | None
    after: float | None
    controls_before: float | None
    controls_after: float | None
    controls: int
    load_before: float | None
    load_after: float | None
    difference: float | None
    low: float | None
    high: float | None
    answer: Answer


def effect(
    before: Window, after: Window, controls: Sequence[tuple[Window, Window]], *, is_lower_better: bool, needs_load: bool = True
) -> Effect:
    """The effect on one counter. Controls with too few samples are left out; with fewer than three left there is no comparison."""
    usable = [each for each in controls if min(len(each[0].values), len(each[1].values)) >= LEAST_SAMPLES]
    changes = [_mean(late.values) - _mean(early.values) for early, late in usable]
    seen = Effect(
        before=_mean(before.values) if before.values else None,
        after=_mean(after.values) if after.values else None,
        controls_before=_mean([_mean(early.values) for early, _ in usable]) if usable else None,
        controls_after=_mean([_mean(late.values) for _, late in usable]) if usable else None,
        controls=len(usable),
        load_before=before.load,
        load_after=after.load,
        difference=None,
        low=None,
        high=None,
        answer="too_few_samples",
    )
    if min(len(before.values), len(after.values)) < LEAST_SAMPLES:
        return seen
    if needs_load and (blocked := _load_answer(before.load, after.load)):
        return replace(seen, answer=blocked)
    if len(usable) < LEAST_CONTROLS:
        return replace(seen, answer="no_controls")
    own = _mean(after.values) - _mean(before.values)
    difference = own - _mean(changes)
    # Two sources of chance: how the host's samples scatter within each window, and how the untreated hosts' changes scatter among
    # themselves. The second is how far a single host moves by itself, so it counts once for the treated host and once for the mean.
    within = _variance(before.values) / len(before.values) + _variance(after.values) / len(after.values)
    between = _variance(changes) * (1 + 1 / len(changes))
    error = math.sqrt(max(within, between))
    margin = _T95[min(len(changes) - 1, len(_T95)) - 1] * error
    low, high = difference - margin, difference + margin
    # Figures that are equal but for the last bits of a float did not change.
    is_nothing = abs(difference) <= _NOTHING * max(abs(_mean(before.values)), abs(_mean(after.values)))
    if is_nothing or low <= 0 <= high:
        answer: Answer = "no_effect"
    else:
        answer = "better" if (difference < 0) == is_lower_better else "worse"
    return replace(seen, difference=difference, low=low, high=high, answer=answer)


def _load_answer(before: float | None, after: float | None) -> Answer | None:
    """Why the load forbids a comparison: a quiet hour is not called a gain."""
    if before is None or after is None or before <= 0 or after <= 0:
        return "too_little_load"
    ratio = after / before
    return None if LEAST_LOAD_RATIO <= ratio <= LARGEST_LOAD_RATIO else "load_differs"


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
