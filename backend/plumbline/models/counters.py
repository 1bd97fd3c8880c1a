"""Tables of counters: wide rows for 48 h, day chunks after that."""

from datetime import date, datetime

from sqlalchemy import ARRAY, BigInteger, Column, Date, Float, Index, LargeBinary, SmallInteger, Text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class CounterSeries(SQLModel, table=True):
    """The series of one host, in the order of the arrays of its samples. Numbers are never reused."""

    __tablename__ = "counter_series"
    __table_args__ = (
        Index("uq_counter_series", "host_id", "subject", "name", unique=True),
        # Finds the host that has an adapter.
        Index("ix_counter_series_subject", "subject"),
    )

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(sa_type=Text)
    no: int = Field(sa_type=SmallInteger)
    subject: str  # "adapter/<mac>", "host", "volume/<id>"
    name: str  # "bytes_received" ...
    kind: str  # "total" is a counter from which a rate is computed, "gauge" is used as it is


class CounterSample(SQLModel, table=True):
    """All series of one host at one check-in. Partitioned by day of `at`, kept 48 h."""

    __tablename__ = "counter_sample"
    __table_args__ = ({"postgresql_partition_by": "RANGE (at)"},)

    host_id: str = Field(primary_key=True, sa_type=Text)
    at: datetime = time_column(primary_key=True)  # received_at: the database's clock
    uptime_seconds: int = Field(sa_type=BigInteger)
    values: list[float | None] = Field(sa_column=Column(ARRAY(Float(53)), nullable=False))


class CounterDay(SQLModel, table=True):
    """A day of one series, five-minute steps packed: n, minimum, maximum, sum a step."""

    __tablename__ = "counter_day"
    # Days are written one after the other, so that a few pages of the index are enough to find the old ones.
    __table_args__ = (Index("ix_counter_day_day", "day", postgresql_using="brin"),)

    host_id: str = Field(primary_key=True, sa_type=Text)
    no: int = Field(primary_key=True, sa_type=SmallInteger)
    day: date = Field(sa_column=Column(Date, primary_key=True))
    chunk: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class CounterHour(SQLModel, table=True):
    """Amounts of one host in one hour, from which the charts of the fleet are drawn. Kept 31 days.

    Packets, drops, errors, pause frames and bytes of adapters are those of SAN adapters, or of all where no adapter has that role. NULL:
    the host does not report it.
    """

    __tablename__ = "counter_hour"
    __table_args__ = (Index("ix_counter_hour_host_id_hour", "host_id", "hour"),)

    hour: datetime = time_column(primary_key=True)
    host_id: str = Field(primary_key=True, sa_type=Text)
    folded_at: datetime = time_column()
    # Seconds of the hour that readings cover.
    seconds: float = 0.0
    segments: float | None = None
    retransmitted: float | None = None
    packets: float | None = None
    drops: float | None = None
    errors: float | None = None
    pauses: float | None = None
    adapter_bytes: float | None = None
    volume_bytes: float | None = None
    operations: float | None = None
    # Of the slowest volume, the mean of its reads and writes.
    latency_us: float | None = None
    cpu_percent: float | None = None
    # The last restart of the host in this hour.
    restarted_at: datetime | None = time_column(default=None, nullable=True)


class CounterGroupHour(SQLModel, table=True):
    """The sums of `counter_hour` over the hosts of one cluster in one group, as they were grouped then. Kept as long as day chunks."""

    __tablename__ = "counter_group_hour"

    hour: datetime = time_column(primary_key=True)
    group_id: int = Field(primary_key=True)
    cluster: str = Field(primary_key=True, sa_type=Text)
    hosts: int = 0
    seconds: float = 0.0
    segments: float | None = None
    retransmitted: float | None = None
    packets: float | None = None
    drops: float | None = None
    errors: float | None = None
    pauses: float | None = None
    adapter_bytes: float | None = None
    volume_bytes: float | None = None
    operations: float | None = None
    # Of the slowest volume of the slowest host.
    latency_us: float | None = None
    # The mean over hosts.
    cpu_percent: float | None = None
