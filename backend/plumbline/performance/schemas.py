"""API schemas of counters."""

from datetime import datetime

from pydantic import Field

from plumbline.infra.schemas import Schema


class SeriesChoice(Schema):
    """A series that can be requested."""

    id: str
    label: str
    name: str
    unit: str


class CounterLine(Schema):
    """One series: [milliseconds since 1970, value or null where nothing is known]."""

    id: str
    subject: str
    label: str
    name: str
    unit: str
    points: list[tuple[int, float | None]]


class CounterMark(Schema):
    """Something that happened to the host: a setting change, a restart."""

    at: datetime
    kind: str
    label: str


class HostCounters(Schema):
    """Counters of one host; at most 1,000 points for each series, `is_downsampled` if there were more."""

    from_: datetime = Field(alias="from")
    to: datetime
    is_downsampled: bool
    series: list[CounterLine]
    available: list[SeriesChoice]
    markers: list[CounterMark]
