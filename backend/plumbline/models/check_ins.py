"""Tables of accepted check-ins, and of the times without them. What they brought is in `plumbline.models.configurations`."""

from datetime import datetime

from sqlalchemy import BigInteger, Column, Index, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class CheckIn(SQLModel, table=True):
    """An accepted check-in. Partitioned by month of `received_at`, kept 90 days."""

    __tablename__ = "check_in"
    __table_args__ = ({"postgresql_partition_by": "RANGE (received_at)"},)

    host_id: str = Field(primary_key=True, sa_type=Text)
    epoch: int = Field(primary_key=True)
    seq: int = Field(primary_key=True, sa_type=BigInteger)
    received_at: datetime = time_column(primary_key=True)
    digest: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    made_at: str = ""
    is_changed: bool
    size_bytes: int
    rejected: int = 0
    thinned: int = 0
    runner_before: str = ""
    runner_after: str = ""


class CheckInGap(SQLModel, table=True):
    """A time without a check-in of a host, from its last one on; recorded once it is late (`core.freshness.LATE_AFTER_INTERVALS`).

    `ended_at` is its next check-in, or when it was no longer expected to check in; None while it lasts.
    """

    __tablename__ = "check_in_gap"
    __table_args__ = (Index("ix_check_in_gap_open", "host_id", unique=True, postgresql_where=text("ended_at IS NULL")),)

    host_id: str = Field(primary_key=True, foreign_key="host.id", sa_type=Text)
    began_at: datetime = time_column(primary_key=True)
    # How often the host was to check in then.
    interval_seconds: int
    noticed_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    ended_at: datetime | None = time_column(default=None, nullable=True)
