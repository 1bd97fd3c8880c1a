"""The counters of a check-in: read in full where their series are new, else recognised by everything but their values.

Most of line 1 is counters, and all but their values is what the host sent the last time. The mark of counters is the digest of their text
without the values. A text that was accepted once is accepted with other plain values in the same places, since nothing else differs.
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
    """As `Counters`, with its series not read yet."""

    series: msgspec.Raw
    uptime_s: _Seconds | UnsetType | None = UNSET
    at: _At | UnsetType = UNSET


class CounterValues(NamedTuple):
    """The counters of one check-in, as far as they are needed.

    `mark` is the same for the same series in the same order and notation; empty without series. `values` is a JSON list of `size` values,
    `text` the series as they were sent.
    """

    mark: bytes = b""
    values: bytes = b"[]"
    uptime_seconds: int = 0
    text: bytes = b"[]"
    size: int = 0

    def series(self) -> list[CounterReading]:
        """The series, read from the text; their names are seldom needed."""
        return _decode_series(self.text)


_decode_series = msgspec.json.Decoder(list[CounterReading]).decode
# A value that needs no check: an integer of 64 bits, a finite number, digits as text, or null.
_VALUE = re.compile(rb'"value": ?([1-9]\d{0,17}+|-?(?:0|[1-9]\d{0,17})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?|null|"-?\d{1,20}")(?=[,}])')
# Replaces each value; it cannot occur in JSON.
_HOLE = b"\0"


def counter_values(counters: UnreadCounters) -> CounterValues:
    """The values and the mark of counters whose series are not read."""
    text = bytes(counters.series)
    parts = _VALUE.split(text)
    mark = hashlib.sha256(_HOLE.join(parts[::2])).digest()
    uptime = counters.uptime_s
    seconds = 0 if uptime is None or uptime is UNSET else int(uptime)
    return CounterValues(mark, b"[%s]" % b",".join(parts[1::2]), seconds, text, len(parts) // 2)


def marked_by_names(found: CounterValues, read: list[CounterReading], values: bytes) -> CounterValues:
    """Counters with a value that needs a check: they are read in full each time, and their mark is made from their names."""
    names = msgspec.json.encode([(series.subject, series.name) for series in read])
    return found._replace(mark=b"names" + hashlib.sha256(names).digest(), values=values, size=len(read))
