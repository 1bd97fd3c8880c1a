"""Tables of jobs: their steps and events, and how much each failure domain bears at once."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Column, Index, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import json_column, time_column, written_at_column

HOLDING_SQL = "state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"
OPEN_SQL = "state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"


class JobState(StrEnum):
    """States of a job."""

    WAITING = "WAITING"
    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    VERIFYING = "VERIFYING"
    SUCCEEDED = "SUCCEEDED"
    NOT_EFFECTIVE = "NOT_EFFECTIVE"
    UNVERIFIED = "UNVERIFIED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    SKIPPED_STALE = "SKIPPED_STALE"
    FAILED = "FAILED"
    ROLLED_BACK = "ROLLED_BACK"
    PARTIAL = "PARTIAL"
    NEEDS_HUMAN = "NEEDS_HUMAN"
    RESOLVED = "RESOLVED"


class StepState(StrEnum):
    """States of one step of a job."""

    PENDING = "PENDING"
    INTENT = "INTENT"
    IN_FLIGHT = "IN_FLIGHT"
    APPLIED = "APPLIED"
    DONE = "DONE"
    UNKNOWN = "UNKNOWN"
    FAILED = "FAILED"
    CONFLICT = "CONFLICT"
    REVERTED = "REVERTED"
    CANCELLED = "CANCELLED"


class Job(SQLModel, table=True):
    """The execution of a plan on one host. The row is the queue: a task message only carries its id."""

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_one_a_host", "host_id", unique=True, postgresql_where=text(HOLDING_SQL)),
        Index("ix_job_open", "state", postgresql_where=text(OPEN_SQL)),
        Index("ix_job_plan_id_wave", "plan_id", "wave"),
        Index("ix_job_host_id_id", "host_id", "id"),
        Index("ix_job_undo_until", "undo_until", postgresql_where=text("kind = 'change'")),
        {"postgresql_with": {"fillfactor": 70}},
    )

    id: int | None = Field(default=None, primary_key=True)
    plan_id: int = Field(foreign_key="plan.id")
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    group_id: int = Field(foreign_key="host_group.id")
    # "change" or "undo"; an undo names the job whose steps it reverts.
    kind: str = "change"
    undoes_id: int | None = Field(default=None, foreign_key="job.id")
    requested_by: str = ""
    steps_total: int = 0
    wave: int = 0
    state: str = JobState.WAITING
    state_words: str = ""
    state_at: datetime = written_at_column()
    created_at: datetime = written_at_column()
    not_before: datetime | None = time_column(default=None, nullable=True)
    not_after: datetime = time_column()
    # Domains whose slots it needs, as of when it was last queued: used for fairness between jobs.
    domains: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default="{}"))
    queued_at: datetime | None = time_column(default=None, nullable=True)
    enqueued_at: datetime | None = time_column(default=None, nullable=True)
    next_try_at: datetime | None = time_column(default=None, nullable=True)
    # The claim: a number that only rises over the installation, and until when it holds by the database's clock.
    gen: int = Field(default=0, sa_type=BigInteger)
    lease_until: datetime | None = time_column(default=None, nullable=True)
    worker: str = ""
    queue: str = "remediation"
    # Claims since the last progress, in any queue and in `isolated`.
    deliveries: int = 0
    isolated_deliveries: int = 0
    cancel_at: datetime | None = time_column(default=None, nullable=True)
    cancel_by: str = ""
    cancel_reason: str = ""
    started_at: datetime | None = time_column(default=None, nullable=True)
    first_intent_at: datetime | None = time_column(default=None, nullable=True)
    finished_at: datetime | None = time_column(default=None, nullable=True)
    last_op_id: str = ""
    # Health of the host before the first step, from its runner: the end is compared with it.
    health_before: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    verify_until: datetime | None = time_column(default=None, nullable=True)
    # Since when a check-in counts, and when the host's agent was started last for it.
    verify_from: datetime | None = time_column(default=None, nullable=True)
    # "pending: new session", "pending: reboot", or empty.
    effect: str = ""
    undo_until: datetime | None = time_column(default=None, nullable=True)
    resolved_by: str = ""
    resolution: str = ""
    event_no: int = 0


class JobStep(SQLModel, table=True):
    """One step of a job. The signed payload holds what it does; this row holds its result."""

    __tablename__ = "job_step"
    __table_args__ = (UniqueConstraint("op_id", name="uq_job_step_op_id"),)

    job_id: int = Field(foreign_key="job.id", primary_key=True)
    step_no: int = Field(primary_key=True)
    state: str = StepState.PENDING
    # Named before the first command and kept for every further attempt; the runner's receipt on the host bears it.
    op_id: str | None = Field(default=None, nullable=True)
    gen: int = Field(default=0, sa_type=BigInteger)
    attempt: int = 0
    # "us", or "not us" where the host had the target before anything was sent: no inverse, skipped by an undo.
    applied_by: str = ""
    words: str = ""
    intent_at: datetime | None = time_column(default=None, nullable=True)
    sent_at: datetime | None = time_column(default=None, nullable=True)
    unknown_since: datetime | None = time_column(default=None, nullable=True)
    finished_at: datetime | None = time_column(default=None, nullable=True)
    before: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    after: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    health_before: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    health_after: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    boot_id: str = ""


class JobEvent(SQLModel, table=True):
    """One thing that happened in a job, gapless within it: given under the job's row lock, so no reader can miss one."""

    __tablename__ = "job_event"

    job_id: int = Field(foreign_key="job.id", primary_key=True)
    number: int = Field(primary_key=True)
    at: datetime = written_at_column()
    kind: str
    step_no: int | None = None
    state: str = ""
    words: str = ""
    gen: int = Field(default=0, sa_type=BigInteger)
    data: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())


class DomainBudget(SQLModel, table=True):
    """How many slots a person gave a fabric or a group; a cluster has one, always."""

    __tablename__ = "domain_budget"

    domain: str = Field(primary_key=True)
    slots: int
    changed_by: str = ""
    changed_at: datetime = written_at_column()


class DomainSlot(SQLModel, table=True):
    """One slot of one failure domain, free or held by a job."""

    __tablename__ = "domain_slot"
    __table_args__ = (Index("ix_domain_slot_domain_job", "domain", "job_id", unique=True, postgresql_where=text("job_id IS NOT NULL")),)

    domain: str = Field(primary_key=True)
    slot_no: int = Field(primary_key=True)
    job_id: int | None = Field(default=None, foreign_key="job.id", nullable=True, index=True)
