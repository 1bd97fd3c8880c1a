"""The one place that reads this machine's clock.

Ages and leases are decided by the database's clock; this one serves logs, screens and cache ages, which decide nothing. Tests freeze it
for the whole process instead of passing it as an argument.
"""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC)


def iso(instant: datetime) -> str:
    """`2026-11-21T09:41:20Z`: seconds, UTC, the form in check-ins, in exports and on the command line."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
