"""Tables of reports: each one is kept with its frozen data and checksum."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, LargeBinary, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class ReportState(StrEnum):
    QUEUED = "queued"
    READY = "ready"
    FAILED = "failed"


class Report(SQLModel, table=True):
    """One report: a pinned instant, a scope, and the frozen data set that every format renders from."""

    __tablename__ = "report"

    id: int | None = Field(default=None, primary_key=True)
    template: str = "executive"
    group_id: int = Field(foreign_key="host_group.id")
    as_of: datetime = time_column()
    requested_by: int
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    state: str = ReportState.QUEUED
    error: str = ""
    data: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    data_sha256: str = ""
    finished_at: datetime | None = time_column(default=None, nullable=True)


class ReportFile(SQLModel, table=True):
    """One rendered format of a report."""

    __tablename__ = "report_file"

    report_id: int = Field(foreign_key="report.id", primary_key=True)
    format: str = Field(primary_key=True)  # pdf, csv, json
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    sha256: str
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
