"""Tables of watches: counters of one host every few seconds, for some minutes, at the request of a person or of a job."""

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, Column, Float, ForeignKey, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class HostWatch(SQLModel, table=True):
    """A watch: waiting until an executor signed in to the host, running until it ended. A host has one that is not over at most."""

    __tablename__ = "host_watch"
    __table_args__ = (
        Index("ix_host_watch_open", "host_id", unique=True, postgresql_where=text("ended_at IS NULL")),
        Index("ix_host_watch_host_id_id", "host_id", "id"),
        Index("ix_host_watch_job_id", "job_id", unique=True, postgresql_where=text("job_id IS NOT NULL")),
    )

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    # Who started it; for a job, who requested that.
    requested_by: str
    # The job that started it.
    job_id: int | None = Field(default=None, foreign_key="job.id")
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    # How long it lasts from its start.
    seconds: int
    started_at: datetime | None = time_column(default=None, nullable=True)
    # The lease of the executor that runs it.
    claimed_until: datetime | None = time_column(default=None, nullable=True)
    ended_at: datetime | None = time_column(default=None, nullable=True)
    # Why it ended before its time, in words.
    end_words: str = ""
    readings: int = 0
    last_at: datetime | None = time_column(default=None, nullable=True)
    # Lists of series, each series as subject, name and kind; a reading names its list by place.
    series: list[list[list[str]]] = Field(default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]"))


class WatchReading(SQLModel, table=True):
    """One reading of all counters, in the order of its list of series. Goes with its watch."""

    __tablename__ = "watch_reading"

    watch_id: int = Field(sa_column=Column(ForeignKey("host_watch.id", ondelete="CASCADE"), primary_key=True))
    # When it came, by the database's clock; and how long the host had been up by its own.
    at: datetime = time_column(primary_key=True)
    uptime_ms: int = Field(sa_type=BigInteger)
    series_no: int = Field(sa_type=SmallInteger)
    values: list[float | None] = Field(sa_column=Column(ARRAY(Float(53)), nullable=False))
