"""API schemas of windows, freezes, holds, the stop switch, failure domains and workers."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, Moment, Name, RowId, Schema, Words


class WindowCreate(Input):
    """A maintenance window: weekly (`weekdays`, optionally `nth` of the month) or once (`on_date`), at a local time of its zone."""

    group_id: RowId
    name: Name
    time_zone: Annotated[str, Field(max_length=64)] = "UTC"
    weekdays: Annotated[list[Annotated[int, Field(ge=1, le=7)]], Field(max_length=7, default_factory=list)]
    nth: Annotated[list[Literal[1, 2, 3, 4, 5, -1]], Field(max_length=6, default_factory=list)]
    on_date: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    starts_at_time: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    lasts_minutes: Annotated[int, Field(ge=15, le=7 * 24 * 60)]


class MaintenanceWindowOut(Schema):
    """One maintenance window, and when it is open next."""

    id: int
    group_id: int
    group_name: str
    name: str
    time_zone: str
    weekdays: list[int]
    nth: list[int]
    on_date: str
    starts_at_time: str
    lasts_minutes: int
    ended_at: datetime | None
    open_until: datetime | None
    next_open: datetime | None


class FreezeCreate(Input):
    """A span in which nothing of a group is changed."""

    group_id: RowId
    reason: Annotated[Words, Field(min_length=1)]
    starts_at: Moment | None = None
    ends_at: Moment


class HoldCreate(Input):
    """Blocks jobs on a host and suppresses notices about it; the host is still evaluated."""

    reason: Annotated[Words, Field(min_length=1)]
    until: Moment | None = None


class SwitchSet(Input):
    """Turns the emergency stop on or off."""

    is_stopped: bool
    reason: Annotated[Words, Field(min_length=1)]


class StopSwitchOut(Schema):
    """The emergency stop. After a restore only an admin turns it off."""

    is_stopped: bool
    cause: str
    reason: str
    changed_by: str
    changed_at: datetime


class BudgetSet(Input):
    """How many hosts of a fabric or a group may be changed at a time."""

    domain: Annotated[str, Field(pattern=r"^(group:\d{1,9}|fabric:\d{1,9}/.{1,60})$")]
    slots: Annotated[int, Field(ge=1, le=100)]


class DomainOut(Schema):
    """One failure domain in use: its slots and the jobs that use them."""

    domain: str
    words: str
    slots: int
    held_by: list[int]


class WorkerOut(Schema):
    """When a worker last took a task."""

    worker: str
    queue: str
    heard_at: datetime


class FreezeOut(Schema):
    """One freeze."""

    id: int
    group_id: int
    group_name: str
    reason: str
    starts_at: datetime
    ends_at: datetime
    created_by: str
    ended_at: datetime | None
    is_on: bool
