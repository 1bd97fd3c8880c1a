"""Table of accepted check-ins. What they brought is in `plumbline.models.configurations`."""

from datetime import datetime

from sqlalchemy import BigInteger, Column, LargeBinary, Text
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
