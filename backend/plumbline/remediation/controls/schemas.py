"""API shapes of the brakes, of standing approvals and of the way to a host."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from plumbline.infra.schemas import Input, Name, RowId, Shape, Words
from plumbline.remediation.plans.schemas import Confirmed, Impact


class StandingItem(Input):
    """What may be run: the fixes of a rule, or one setting at one value."""

    rule: Annotated[str, Field(pattern=r"^[a-z0-9-]+/[a-z0-9_.-]+$", max_length=240)] | None = None
    setting: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z0-9_.]+$", max_length=160)] | None = None
    value: Annotated[str, Field(max_length=120)] | None = None


class StandingCreate(Confirmed):
    """A new standing approval; whoever signs it never runs under it."""

    name: Name
    group_ids: Annotated[list[RowId], Field(min_length=1, max_length=50)]
    items: Annotated[list[StandingItem], Field(min_length=1, max_length=200)]
    largest_impact: Impact
    expires_at: AwareDatetime


class StandingShape(Shape):
    """One standing approval."""

    id: int
    name: str
    group_ids: list[int]
    group_names: list[str]
    items: list[dict[str, Any]]
    largest_impact: str
    signer: str
    signer_id: int
    signed_at: datetime
    expires_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: str
    withdrawn_reason: str
    is_in_force: bool
    times_used: int


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


class WindowShape(Shape):
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
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime


class HoldCreate(Input):
    """Blocks jobs on a host and mutes notices about it, while judging goes on."""

    reason: Annotated[Words, Field(min_length=1)]
    until: AwareDatetime | None = None


class SwitchSet(Input):
    """Stops everything, or lets it go on."""

    is_stopped: bool
    reason: Annotated[Words, Field(min_length=1)]


class SwitchShape(Shape):
    """The stop switch. After a restore only an admin lifts it."""

    is_stopped: bool
    cause: str
    reason: str
    changed_by: str
    changed_at: datetime


class BudgetSet(Input):
    """How many hosts of a fabric or a group may be changed at a time."""

    domain: Annotated[str, Field(pattern=r"^(group:\d{1,9}|fabric:\d{1,9}/.{1,60})$")]
    slots: Annotated[int, Field(ge=1, le=100)]


class DomainShape(Shape):
    """One failure domain in use: its slots and who holds them."""

    domain: str
    words: str
    slots: int
    held_by: list[int]


class WayToHost(Shape):
    """How Plumbline reaches a host to change it, without any secret."""

    host_id: str
    channel: str
    address: str
    port: int
    credential_id: int
    credential_name: str
    is_identity_known: bool
    runner_folder: str
    runner_sha256: str
    runner_wanted: str
    is_runner_current: bool
    runner_installed_at: datetime | None
    last_ok_at: datetime | None
    last_error: str


class WaySet(Input):
    """The address and credential for changes. What proves the host's identity is taken over from collection or from its agent."""

    address: Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9_.:-]+$")] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    credential_id: RowId


class WorkerShape(Shape):
    """When a worker last took a bell."""

    worker: str
    queue: str
    heard_at: datetime
