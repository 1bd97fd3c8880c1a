"""API schemas of reports, their schedules and their mails."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, model_validator

from plumbline.infra.schemas import Input, Name, RowId, Schema
from plumbline.notify.schemas import MailAddress
from plumbline.reports.formats import Format
from plumbline.reports.period import Every, Preset
from plumbline.reports.templates import TemplateName

Form = Literal["attachment", "link"]
MailStateOut = Literal["waiting", "sent", "given_up"]


def _known_zone(name: str) -> str:
    if name != "UTC" and name not in available_timezones():
        raise ValueError("not an IANA time zone such as Europe/Berlin")
    return name


TimeZone = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]
Recipients = Annotated[list[MailAddress], Field(min_length=1, max_length=20)]
Formats = Annotated[list[Format], Field(max_length=4)]


class ReportFileOut(Schema):
    """One rendered format with its checksum."""

    format: str
    sha256: str
    bytes: int


class ReportMailOut(Schema):
    """A mail of a report, and what came of it."""

    id: int
    recipients: list[str]
    form: Form
    formats: list[str]
    channel_id: int
    requested_by: str
    requested_at: datetime
    state: MailStateOut
    ended_at: datetime | None
    words: str


class ReportOut(Schema):
    """One report and its state. `view_name` is empty for a report about a whole group; `pictures` are those of the PDF's first pages."""

    id: int
    template: str
    title: str
    group_id: int
    group_name: str
    view_name: str
    preset: str
    first_day: date
    last_day: date
    time_zone: str
    as_of: datetime
    requested_by: str
    requested_at: datetime
    schedule_id: int | None
    schedule_name: str
    state: Literal["queued", "ready", "failed"]
    error: str
    data_sha256: str
    files: list[ReportFileOut]
    pictures: int
    mails: list[ReportMailOut]
    may_export: bool
    may_mail: bool


class ReportDetail(ReportOut):
    """A report with its frozen figures."""

    data: dict[str, Any] | None


class PeriodInput(Input):
    """A period: a preset, or with "custom" its first and last day. The default is the last 90 days."""

    preset: Preset = "last_90_days"
    first_day: date | None = None
    last_day: date | None = None
    time_zone: TimeZone = "UTC"

    @model_validator(mode="after")
    def _is_whole(self) -> "PeriodInput":
        given = (self.first_day is not None, self.last_day is not None)
        if given != ((True, True) if self.preset == "custom" else (False, False)):
            raise ValueError("first_day and last_day go with the preset “custom”, and only with it")
        if self.first_day is not None and self.last_day is not None and self.first_day > self.last_day:
            raise ValueError("first_day is after last_day")
        return self


class ReportCreate(Input):
    """Requests a report about a group and its subgroups, or about the hosts in it that match a saved view of the hosts page."""

    template: TemplateName = "executive"
    group_id: RowId
    view_id: RowId | None = None
    period: PeriodInput = Field(default_factory=PeriodInput)


class MailCreate(Input):
    """Mails a report: by a mail channel, to people in the domains that the channel writes to."""

    channel_id: RowId
    recipients: Recipients
    form: Form = "attachment"
    formats: Formats = ["pdf"]  # noqa: RUF012 - pydantic copies it

    @model_validator(mode="after")
    def _has_files(self) -> "MailCreate":
        if self.form == "attachment" and not self.formats:
            raise ValueError("formats: choose at least one to attach")
        return self


class ScheduleInput(Input):
    """A schedule as a whole. `on_day` is the day of the week (1 for Monday) or of the month; without a channel nothing is mailed."""

    name: Name
    template: TemplateName = "executive"
    group_id: RowId
    view_id: RowId | None = None
    every: Every
    on_day: Annotated[int, Field(ge=1, le=31)] = 1
    hour: Annotated[int, Field(ge=0, le=23)] = 7
    time_zone: TimeZone = "UTC"
    mail: MailCreate | None = None
    is_enabled: bool = True

    @model_validator(mode="after")
    def _has_day(self) -> "ScheduleInput":
        if self.every == "week" and self.on_day > 7:
            raise ValueError("on_day: a week has the days 1 (Monday) to 7")
        return self


class ScheduleOut(Schema):
    """A schedule, when it is due next, and its newest report."""

    id: int
    name: str
    template: str
    group_id: int
    group_name: str
    view_name: str
    every: Every
    on_day: int
    hour: int
    time_zone: str
    channel_id: int | None
    channel_name: str
    recipients: list[str]
    form: Form
    formats: list[str]
    is_enabled: bool
    off_words: str
    next_due_at: datetime
    owner: str
    last_report_id: int | None
    may_change: bool


class MailChannel(Schema):
    """A mail channel by which reports of a group can be mailed, and the domains of the people that it writes to."""

    id: int
    name: str
    domains: list[str]
