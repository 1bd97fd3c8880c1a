"""How long ago a host checked in, in words: fresh, late, silent or never."""

from datetime import datetime
from typing import Literal

# `bundle`: known from a support bundle only, and not expected to check in.
Freshness = Literal["fresh", "late", "silent", "never", "bundle"]

# Hosts that are late or will be so soon are noted ahead of time; that is used for a shorter time: all others are up to date.
LATE_NOTED_AHEAD_SECONDS = 90
LATE_NOTED_FOR_SECONDS = 60
LATE_AFTER_INTERVALS = 2
SILENT_AFTER_INTERVALS = 4
# Check-in status of a host, as people read it.
FRESHNESS_LABELS = {
    "fresh": "Up to date",
    "late": "Late",
    "silent": "Not reporting",
    "never": "Never checked in",
    "bundle": "From a support bundle",
}


def freshness_of(last_seen_at: datetime | None, interval_seconds: int, now: datetime, source: str) -> Freshness:
    """The freshness of a host whose check-ins come every `interval_seconds`; `hosts.filter_conditions` has the same decision in SQL."""
    if source == "bundle":
        return "bundle"
    if last_seen_at is None:
        return "never"
    age = (now - last_seen_at).total_seconds()
    if age > SILENT_AFTER_INTERVALS * interval_seconds:
        return "silent"
    return "late" if age > LATE_AFTER_INTERVALS * interval_seconds else "fresh"
