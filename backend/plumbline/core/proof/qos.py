"""Whether a traffic class gives storage the share of bandwidth that it is configured for. Pure."""

from dataclasses import dataclass
from typing import Literal

from plumbline.core.proof.statistics import change_percent

# The Chelsio figures follow the configured share within 2.5 points (78 % of 80 %, 10.5 % of 10 %); twice that is allowed.
TOLERANCE_POINTS = 5.0

Conformance = Literal["within", "below", "above", "unmanaged", "unknown"]


@dataclass(frozen=True, slots=True)
class AchievedShare:
    """Storage throughput beside other traffic as a percentage of what it reaches alone, and how that compares with the configured share.

    `below` is the alarm: storage gets less than it was promised. `above` is none: a class may use what others leave. `unmanaged`: no share
    is configured, so nothing is promised.
    """

    achieved_percent: float | None
    configured_percent: float | None
    difference_points: float | None
    conformance: Conformance


def achieved_share(
    alone: float, contended: float, configured_percent: float | None, *, tolerance_points: float = TOLERANCE_POINTS
) -> AchievedShare:
    """The share of `alone` (bytes a second without other traffic) that `contended` (beside it) reaches."""
    change = change_percent(alone, contended)
    if change is None:
        return AchievedShare(None, configured_percent, None, "unknown")
    achieved = round(100 + change, 9)
    if configured_percent is None:
        return AchievedShare(achieved, None, None, "unmanaged")
    difference = round(achieved - configured_percent, 9)
    conformance: Conformance = "below" if difference < -tolerance_points else "above" if difference > tolerance_points else "within"
    return AchievedShare(achieved, configured_percent, difference, conformance)
