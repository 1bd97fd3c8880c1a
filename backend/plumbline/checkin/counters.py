"""The counters of a check-in: read once where they are new, and known again by everything but their values.

Most of line 1 are counters, and all of them but the values is what the host sent the last time. The mark of a text is the digest of what
is left without its values. Text that was accepted once is accepted with other plain values in the same places: nothing else of it differs.
"""

import hashlib
import re
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

MAX_SERIES = 4000

_At = Annotated[str, msgspec.Meta(max_length=128)]
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=2**53)]


class CounterReading(msgspec.Struct, frozen=True, gc=False):
    """One series' value now. A total past 2^63 travels as decimal text."""

    subject: Annotated[str, msgspec.Meta(max_length=256)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    kind: Literal["total", "gauge"]
    value: float | Annotated[str, msgspec.Meta(pattern=r"^-?\d{1,20}$")] | None


class Counters(msgspec.Struct, frozen=True, gc=False):
    """All counters of the host at one moment of its own clock."""

    series: Annotated[list[CounterReading], msgspec.Meta(max_length=MAX_SERIES)]
    uptime_s: _Seconds | UnsetType | None = UNSET
    at: _At | UnsetType = UNSET


class UnreadCounters(msgspec.Struct, frozen=True, gc=False):
    """As `Counters`, its series not looked at yet."""

    series: msgspec.Raw
    uptime_s: _Seconds | UnsetType | None = UNSET
    at: _At | UnsetType = UNSET


class Sampled(NamedTuple):
    """The counters of one check-in, as far as they are needed.

    `mark` is the same for the same series in the same order, written alike; empty without series. `values` are theirs as a JSON list of
    `size`, `text` the series as they came.
    """

    mark: bytes = b""
    values: bytes = b"[]"
    uptime_seconds: int = 0
    text: bytes = b"[]"
    size: int = 0

    def series(self) -> list[CounterReading]:
        """The series, read anew: seldom does anyone need their names."""
        return _decode_series(self.text)


_decode_series = msgspec.json.Decoder(list[CounterReading]).decode
# A value that may stand unread: an integer of 64 bits, a number that is finite and whose size nobody bounds, digits as text, or none.
_VALUE = re.compile(rb'"value": ?([1-9]\d{0,17}+|-?(?:0|[1-9]\d{0,17})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?|null|"-?\d{1,20}")(?=[,}])')
# Stands where a value was; no JSON holds it.
_HOLE = b"\0"


def sampled(counters: UnreadCounters) -> Sampled:
    """The counters without reading their series."""
    text = bytes(counters.series)
    parts = _VALUE.split(text)
    mark = hashlib.sha256(_HOLE.join(parts[::2])).digest()
    uptime = counters.uptime_s
    seconds = 0 if uptime is None or uptime is UNSET else int(uptime)
    return Sampled(mark, b"[%s]" % b",".join(parts[1::2]), seconds, text, len(parts) // 2)


def by_names(found: Sampled, read: list[CounterReading], values: bytes) -> Sampled:
    """Counters of which some value may not stand unread: they are read each time, and marked by their names."""
    names = msgspec.json.encode([(series.subject, series.name) for series in read])
    return found._replace(mark=b"names" + hashlib.sha256(names).digest(), values=values, size=len(read))
