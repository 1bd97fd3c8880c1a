"""API schemas of jobs."""

from datetime import datetime
from typing import Any, Literal

from plumbline.infra.schemas import NamedHost, Schema


class PendingEffect(Schema):
    """One change that waits: for what, since when, and by which job."""

    host: NamedHost
    job_id: int
    plan_id: int
    plan_title: str
    kind: Literal["change", "undo"]
    waits_for: Literal["new_session", "reboot"]
    settings: list[str]
    since: datetime
    # What a person does about it.
    words: str


class JobRow(Schema):
    """One job in a list."""

    id: int
    plan_id: int
    plan_title: str
    host: NamedHost
    kind: Literal["change", "undo"]
    undoes_id: int | None
    wave: int
    state: str
    state_label: str
    state_words: str
    state_at: datetime
    requested_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    not_after: datetime
    steps_done: int
    steps_total: int
    effect: str
    undo_until: datetime | None
    is_cancelling: bool
    last_event: int


class JobPage(Schema):
    """One page of jobs, newest first."""

    items: list[JobRow]
    next: str | None


class JobStepOut(Schema):
    """One step: what was signed, and what became of it."""

    number: int
    title: str
    state: str
    words: str
    applied_by: str
    attempt: int
    intent_at: datetime | None
    sent_at: datetime | None
    finished_at: datetime | None
    step: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    health_before: dict[str, Any]
    health_after: dict[str, Any]


class JobEventOut(Schema):
    """One thing that happened in a job. `number` is gapless within the job."""

    number: int
    at: datetime
    kind: str
    step_no: int | None
    state: str
    words: str
    data: dict[str, Any]


class VerifyingCheckIn(Schema):
    """The check-in whose word settled a job: the first that was collected wholly after the job's last operation."""

    epoch: int
    seq: int
    received_at: datetime
    digest: str


class JobDetail(JobRow):
    """One job, whole. `floor` is the number of healthy paths that every SAN volume keeps while a step takes others."""

    gen: int
    worker: str
    queue: str
    domains: list[str]
    lease_until: datetime | None
    # When it was first ready to run; None while a window, a freeze or its wave keeps it back.
    queued_at: datetime | None
    next_try_at: datetime | None
    verify_until: datetime | None
    cancel_by: str
    cancel_reason: str
    resolved_by: str
    resolution: str
    health_before: dict[str, Any]
    floor: int
    verified_by: VerifyingCheckIn | None
    steps: list[JobStepOut]
    may: list[str]


class JobEvents(Schema):
    """Events of a job after a number, and the job's state now: what a client polls where it cannot follow the stream."""

    items: list[JobEventOut]
    state: str
    is_over: bool
