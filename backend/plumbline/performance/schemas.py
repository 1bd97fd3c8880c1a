"""API schemas of counters."""

from datetime import datetime
from typing import Literal

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


class ChartHost(Schema):
    """A host in the charts, and what can be drawn of it."""

    id: str
    name: str
    platform: str
    cluster: str
    group_name: str
    choices: list[SeriesChoice]
    # What the platform does not give, in words.
    not_given: list[str]


class Statistics(Schema):
    """Figures of a series over the whole range, from all readings, not from the points drawn."""

    readings: int
    minimum: float | None
    mean: float | None
    maximum: float | None
    latest: float | None


class ChartLine(Schema):
    """One series on the common steps: a mean for each step, null where nothing is known; extremes where a step has several readings."""

    id: str  # "<host>~<subject>:<name>"
    host_id: str
    host_name: str
    subject: str
    label: str
    name: str
    unit: str
    values: list[float | None]
    lows: list[float | None] | None
    highs: list[float | None] | None
    statistics: Statistics


class ChartReference(Schema):
    """A figure to compare a counter with. `is_limit`: to exceed it is a symptom."""

    name: str
    unit: str
    value: float
    label: str
    source: str
    is_limit: bool


class ChartMark(Schema):
    """Something that happened to a host, or to the rules, with the address of its page."""

    at: datetime
    kind: Literal["change", "driver", "restart", "job", "pack", "event"]
    label: str
    host_id: str | None = None
    href: str = ""


class ChartComparison(Schema):
    """What the lines are compared with: the same series earlier, or the mean of the cluster peers."""

    kind: Literal["week", "peers", "job"]
    label: str
    # How much earlier the compared time is.
    shift_seconds: int
    note: str
    lines: list[ChartLine]


class Charts(Schema):
    """Series of one or more hosts on common steps, at most 1,000 of them."""

    from_: datetime = Field(alias="from")
    to: datetime
    starts_at: datetime
    step_seconds: int
    # How often the hosts report; a step that is longer stands for several readings.
    reading_seconds: int
    is_downsampled: bool
    hosts: list[ChartHost]
    series: list[ChartLine]
    comparison: ChartComparison | None
    references: list[ChartReference]
    marks: list[ChartMark]


class FleetFigure(Schema):
    """One symptom of a cluster, group or host over the range. `values` has one figure an hour, null where nothing came."""

    name: Literal["retransmits", "drops", "errors", "pauses", "latency", "throughput", "operations", "cpu"]
    label: str
    unit: str
    values: list[float | None]
    mean: float | None
    highest: float | None
    limit: float | None
    is_over: bool


class FleetCell(Schema):
    """A cluster, a group or a host with its symptoms."""

    key: str
    label: str
    kind: Literal["cluster", "group", "host"]
    # Parent in words: the group of a cluster or of a host.
    where: str
    hosts: int
    hosts_reporting: int
    symptoms: list[str]
    figures: list[FleetFigure]


class FleetCharts(Schema):
    """Small charts of the fleet, worst first."""

    from_: datetime = Field(alias="from")
    to: datetime
    by: Literal["cluster", "group", "host"]
    sort: str
    total: int
    cells: list[FleetCell]
    limits: list[ChartReference]
