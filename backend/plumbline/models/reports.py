"""Tables of reports: each one is kept with its frozen data and checksum; and of what makes and mails them."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, Column, Date, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class ReportState(StrEnum):
    QUEUED = "queued"
    READY = "ready"
    FAILED = "failed"


class MailState(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given_up"


class Report(SQLModel, table=True):
    """One report: a pinned instant, a scope, a period, and the frozen data set that every format renders from."""

    __tablename__ = "report"

    id: int | None = Field(default=None, primary_key=True)
    template: str = "executive"
    # Rights are decided on this group. With `filters`, the report is about the hosts in it that match them, as a saved view did.
    group_id: int = Field(foreign_key="host_group.id")
    filters: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    view_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    # The period: days in the time zone, both included.
    preset: str = Field(default="custom", sa_column_kwargs={"server_default": "custom"})
    first_day: date = Field(sa_column=Column(Date, nullable=False))
    last_day: date = Field(sa_column=Column(Date, nullable=False))
    time_zone: str = Field(default="UTC", sa_column_kwargs={"server_default": "UTC"})
    as_of: datetime = time_column()
    requested_by: int
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    schedule_id: int | None = Field(default=None, foreign_key="report_schedule.id", index=True)
    state: str = ReportState.QUEUED
    error: str = ""
    data: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    data_sha256: str = ""
    finished_at: datetime | None = time_column(default=None, nullable=True)


class ReportFile(SQLModel, table=True):
    """One rendered format of a report."""

    __tablename__ = "report_file"

    report_id: int = Field(foreign_key="report.id", primary_key=True)
    format: str = Field(primary_key=True)  # pdf, xlsx, csv, json
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    sha256: str
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class ReportSchedule(SQLModel, table=True):
    """A report that is made every week, month or quarter about the one before, and mailed to some people."""

    __tablename__ = "report_schedule"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    template: str
    group_id: int = Field(foreign_key="host_group.id", index=True)
    filters: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    view_name: str = ""
    # week, month or quarter; the day of the week (1 for Monday) or of the month; the hour of the day in the time zone.
    every: str
    on_day: int
    hour: int
    time_zone: str
    # Mailed by the server and sender of this channel; without one, the report is only made.
    channel_id: int | None = Field(default=None, foreign_key="notice_channel.id")
    recipients: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    # attachment or link; the formats that are attached.
    form: str
    formats: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    is_enabled: bool = True
    # Why it was switched off by itself; empty otherwise.
    off_words: str = ""
    next_due_at: datetime = time_column(index=True)
    # Its reports are made with this person's rights.
    owner_id: int
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    removed_at: datetime | None = time_column(default=None, nullable=True)


class ReportMail(SQLModel, table=True):
    """A report to be mailed, and what came of it."""

    __tablename__ = "report_mail"
    __table_args__ = (Index("ix_report_mail_due", "due_at", postgresql_where=text("state = 'waiting'")),)

    id: int | None = Field(default=None, primary_key=True)
    report_id: int = Field(foreign_key="report.id", index=True)
    channel_id: int = Field(foreign_key="notice_channel.id")
    recipients: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    form: str
    formats: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    # None: by its schedule.
    requested_by: int | None = None
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    state: str = MailState.WAITING
    tries: int = 0
    due_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    ended_at: datetime | None = time_column(default=None, nullable=True)
    # What came of the last try, in words.
    words: str = ""


REPORT = columns_of(Report)
REPORT_FILE = columns_of(ReportFile)
REPORT_SCHEDULE = columns_of(ReportSchedule)
REPORT_MAIL = columns_of(ReportMail)
