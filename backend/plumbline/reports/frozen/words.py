"""PURE: words and small figures of a report's frozen data."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

# How long a finding has failed, or a waiver stood: the end of each band in days, and its label.
_BAND_ENDS = (7, 30, 90)
AGE_BANDS = ("under 7 days", "7 to 30 days", "31 to 90 days", "over 90 days")


def age_band(age: timedelta) -> int:
    """The place of the band in `AGE_BANDS`."""
    days = age / timedelta(days=1)
    return 0 if days < _BAND_ENDS[0] else 1 if days <= _BAND_ENDS[1] else 2 if days <= _BAND_ENDS[2] else 3


def duration_words(hours: float | None) -> str:
    """How long, as people say it: "40 minutes", "20 hours", "2.9 days"."""
    if hours is None:
        return "–"
    if hours < 1 / 60:
        return "under a minute"
    if hours < 1:
        return f"{round(hours * 60)} minutes"
    return f"{round(hours)} hours" if hours < 48 else f"{hours / 24:.1f} days"


def median(values: Sequence[float]) -> float | None:
    """The middle value; None of nothing."""
    if not values:
        return None
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def minute_words(at: datetime) -> str:
    """ "20 Nov 2026 09:41 UTC"."""
    return f"{at.astimezone(UTC):%-d %b %Y %H:%M} UTC"


def plural(count: int, word: str, many: str = "") -> str:
    """ "1 host", "1,200 hosts"."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def count_words(count: int, words: str) -> str:
    """ "5 better"; nothing of none."""
    return f"{count:,} {words}" if count else ""
