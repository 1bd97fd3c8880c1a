"""What the agent's `-Watch` prints on a Windows lab host."""

import json
import time
from collections.abc import Iterator
from typing import Any

from lab import uptime
from lab.checkin import counters
from lab.host import LabHost

_EVERY_SECONDS = 5.0


def lines(host: LabHost, seconds: float) -> Iterator[bytes]:
    """The counters every few seconds, a line each."""
    until = time.monotonic() + seconds
    before: list[list[Any]] = []
    while True:
        host.tick()
        found = counters(host)["series"]
        series = [[each["subject"], each["name"], each["kind"]] for each in found]
        line: dict[str, Any] = {"uptime_ms": int(uptime.seconds() * 1000), "values": [each["value"] for each in found]}
        if series != before:
            line["series"] = before = series
        yield json.dumps(line, separators=(",", ":")).encode() + b"\n"
        if time.monotonic() + _EVERY_SECONDS >= until:
            return
        time.sleep(_EVERY_SECONDS)
