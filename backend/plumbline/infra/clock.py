"""The one place that asks what time it is.

Ages and leases are judged by the database's clock; this clock serves what never decides: logs,
screens, cache ages. Tests replace it by freezing time around the whole process, not by passing it about.
"""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC)


def iso(instant: datetime) -> str:
    """`2026-11-21T09:41:20Z`: seconds, UTC, the form of the wire, of exports and of the command line."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
