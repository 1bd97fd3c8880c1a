"""When a bundle was collected, by what the collector wrote: ESXi keeps UTC."""

import re
from datetime import UTC, datetime

_README = re.compile(r"^Captured on: (\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)", re.MULTILINE)
_DATE = re.compile(r"^\w{3} (\w{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) UTC (\d{4})\s*$", re.MULTILINE)
_NAME = re.compile(r"(\d{4})-(\d\d)-(\d\d)--(\d\d)\.(\d\d)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def captured_at(readme: str, date: str, top: str) -> str:
    """The newest of the README and the host's clock, else the time in the name of the top folder; empty where none is told."""
    found: list[datetime] = []
    try:
        if match := _README.search(readme):
            found.append(datetime.fromisoformat(match.group(1)).replace(tzinfo=UTC))
        if (match := _DATE.search(date)) and match.group(1) in _MONTHS:
            day, hour, minute, second, year = (int(match.group(at)) for at in (2, 3, 4, 5, 6))
            found.append(datetime(year, _MONTHS.index(match.group(1)) + 1, day, hour, minute, second, tzinfo=UTC))
        if not found and (match := _NAME.search(top)):
            found.append(datetime(*(int(part) for part in match.groups()), tzinfo=UTC))  # type: ignore[misc, arg-type]
    except ValueError:
        return ""
    return max(found).strftime("%Y-%m-%dT%H:%M:%SZ") if found else ""
