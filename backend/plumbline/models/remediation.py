"""Tables of remediation: plans with their signed document, approvals, jobs with their steps and events, slots, and the brakes."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, Column, Index, Integer, LargeBinary, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column

HOLDING_SQL = "state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"
OPEN_SQL = "state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"


class PlanState(StrEnum):
    """States of a plan; `remediation.states` has the allowed transitions."""

    DRAFT = "DRAFT"
    PLANNING = "PLANNING"
    PLAN_FAILED = "PLAN_FAILED"
    NO_CHANGE = "NO_CHANGE"
    PLANNED = "PLANNED"
    AWAITING_APPROVAL = "AWAITING_APPROVAL"
    REJECTED = "REJECTED"
    APPROVED = "APPROVED"
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    FINISHED = "FINISHED"
    STOPPED = "STOPPED"
    WITHDRAWN = "WITHDRAWN"
    EXPIRED = "EXPIRED"
    STALE = "STALE"


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


def _now() -> Any:
    return time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})


def _json(default: str = "{}") -> Any:
    return Column(JSONB, nullable=False, server_default=text(f"'{default}'::jsonb"))


class Plan(SQLModel, table=True):
    """One wish, planned: what to change on which hosts, in which order. Immutable from the approval on but for its progress."""

    __tablename__ = "plan"
    __table_args__ = (
        Index("ix_plan_state", "state"),
        Index("ix_plan_group_id_id", "group_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    # The lowest group that holds every target: rights on the plan are decided there.
    group_id: int = Field(foreign_key="host_group.id")
    title: str
    reason: str = ""
    ticket: str = ""
    author_id: int = Field(foreign_key="person.id")
    author: str = ""
    created_at: datetime = _now()
    state: str = PlanState.DRAFT
    # Why it is in this state, as shown to people.
    state_words: str = ""
    state_at: datetime = _now()
    # The request: host ids, findings or settings with targets, options of waves.
    request: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    # Canonical JSON of the planned document and its SHA-256; empty until it is planned.
    document: str = Field(default="", sa_type=Text)
    digest: str = ""
    # Refusals of hosts that the planner left out, and the checklist of what only a person can do: shown, not signed.
    notes: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    lease_until: datetime | None = time_column(default=None, nullable=True)
    deliveries: int = 0
    window_id: int | None = Field(default=None, foreign_key="maintenance_window.id")
    not_before: datetime | None = time_column(default=None, nullable=True)
    not_after: datetime | None = time_column(default=None, nullable=True)
    standing_id: int | None = Field(default=None, foreign_key="standing_approval.id")
    # Progress: the wave that may run, when its bake ends, and how many failures a person has accepted by resuming.
    wave: int = 0
    bake_until: datetime | None = time_column(default=None, nullable=True)
    accepted_failures: int = 0
    event_no: int = 0


class PlanEvent(SQLModel, table=True):
    """One thing that happened to a plan. `number` is gapless within the plan and serves as the id of the live stream."""

    __tablename__ = "plan_event"

    plan_id: int = Field(foreign_key="plan.id", primary_key=True)
    number: int = Field(primary_key=True)
    at: datetime = _now()
    kind: str
    state: str = ""
    words: str = ""
    actor: str = ""
    data: dict[str, Any] = Field(default_factory=dict, sa_column=_json())


class Approval(SQLModel, table=True):
    """The signature over a whole plan. Workers act on `payload` only, never on what is only in other rows."""

    __tablename__ = "approval"

    id: int | None = Field(default=None, primary_key=True)
    plan_id: int = Field(foreign_key="plan.id", unique=True)
    # "person", "standing" or "break_glass".
    kind: str
    # Canonical JSON: what was signed, byte for byte.
    payload: str = Field(sa_column=Column(Text, nullable=False))
    signature: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    key_id: str
    author_id: int = Field(foreign_key="person.id")
    approver_id: int | None = Field(default=None, foreign_key="person.id")
    approver: str = ""
    second_id: int | None = Field(default=None, foreign_key="person.id")
    standing_id: int | None = Field(default=None, foreign_key="standing_approval.id")
    signed_at: datetime = _now()
    # Break-glass only: until when another person has to review it, and who did.
    review_by: datetime | None = time_column(default=None, nullable=True)
    reviewed_at: datetime | None = time_column(default=None, nullable=True)
    reviewed_by: str = ""
    review_words: str = ""


class BreakGlass(SQLModel, table=True):
    """The first of two admins who request to run a plan without an approver. The second signs; both are named in the approval."""

    __tablename__ = "break_glass"

    plan_id: int = Field(foreign_key="plan.id", primary_key=True)
    digest: str
    first_id: int = Field(foreign_key="person.id")
    first: str = ""
    reason: str = ""
    asked_at: datetime = _now()


class StandingApproval(SQLModel, table=True):
    """What operators may run without approval of each plan: a signed list of rules or settings with values, groups, a largest impact."""

    __tablename__ = "standing_approval"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    group_ids: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False))
    payload: str = Field(sa_column=Column(Text, nullable=False))
    signature: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    key_id: str
    signer_id: int = Field(foreign_key="person.id")
    signer: str = ""
    signed_at: datetime = _now()
    expires_at: datetime = time_column()
    withdrawn_at: datetime | None = time_column(default=None, nullable=True)
    withdrawn_by: str = ""
    withdrawn_reason: str = ""


class MaintenanceWindow(SQLModel, table=True):
    """When plans of a group may run: once, or on days of the week, in the site's own time zone."""

    __tablename__ = "maintenance_window"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    name: str
    time_zone: str = "UTC"
    # Weekly: ISO days (1 Monday .. 7 Sunday), optionally only the nth such day of the month (1..5, -1 the last).
    weekdays: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False, server_default="{}"))
    nth: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False, server_default="{}"))
    # Local wall time "22:00"; for a single window, `on_date` is its first local day "2026-12-05".
    starts_at_time: str
    on_date: str = ""
    lasts_minutes: int
    created_by: str = ""
    created_at: datetime = _now()
    ended_at: datetime | None = time_column(default=None, nullable=True)


class Freeze(SQLModel, table=True):
    """A time in which nothing of a group is changed, overriding its windows."""

    __tablename__ = "change_freeze"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    reason: str
    starts_at: datetime = time_column()
    ends_at: datetime = time_column()
    created_by: str = ""
    created_at: datetime = _now()
    ended_at: datetime | None = time_column(default=None, nullable=True)
    ended_by: str = ""


class StopSwitch(SQLModel, table=True):
    """The single row that stops every job at its next step boundary. Set by people, and by a restore."""

    __tablename__ = "stop_switch"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: int = Field(default=1, primary_key=True)
    is_stopped: bool = False
    # "person" or "restore": after a restore only an admin may lift it.
    cause: str = ""
    reason: str = ""
    changed_by: str = ""
    changed_at: datetime = _now()


class RemediationEndpoint(SQLModel, table=True):
    """How the workers reach a host to change it: a credential of its own, and the same proofs of identity as for collection."""

    __tablename__ = "remediation_endpoint"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    channel: str
    address: str
    port: int
    credential_id: int = Field(foreign_key="vault_secret.id")
    pins: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default="{}"))
    ca_certificate: str = ""
    # Path of the runner on an ESXi host; on Windows its installer decides. Installing it is a separate step.
    runner_folder: str = ""
    runner_sha256: str = ""
    runner_installed_at: datetime | None = time_column(default=None, nullable=True)
    runner_asked_by: str = ""
    changed_by: str = ""
    changed_at: datetime = _now()
    last_ok_at: datetime | None = time_column(default=None, nullable=True)
    last_error: str = ""


class Job(SQLModel, table=True):
    """The execution of a plan on one host. The row is the queue: a task message only carries its id."""

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_one_a_host", "host_id", unique=True, postgresql_where=text(HOLDING_SQL)),
        Index("ix_job_open", "state", postgresql_where=text(OPEN_SQL)),
        Index("ix_job_plan_id_wave", "plan_id", "wave"),
        Index("ix_job_host_id_id", "host_id", "id"),
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
    state_at: datetime = _now()
    created_at: datetime = _now()
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
    health_before: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
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
    before: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    after: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    health_before: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    health_after: dict[str, Any] = Field(default_factory=dict, sa_column=_json())
    boot_id: str = ""


class JobEvent(SQLModel, table=True):
    """One thing that happened in a job, gapless within it: given under the job's row lock, so no reader can miss one."""

    __tablename__ = "job_event"

    job_id: int = Field(foreign_key="job.id", primary_key=True)
    number: int = Field(primary_key=True)
    at: datetime = _now()
    kind: str
    step_no: int | None = None
    state: str = ""
    words: str = ""
    gen: int = Field(default=0, sa_type=BigInteger)
    data: dict[str, Any] = Field(default_factory=dict, sa_column=_json())


class ProbeRun(SQLModel, table=True):
    """Do-not-fragment pings from one host that a person requested: created by the API, run by the executor, read by planning as proof."""

    __tablename__ = "probe_run"
    __table_args__ = (
        Index("ix_probe_run_host_id_id", "host_id", "id"),
        Index("ix_probe_run_open", "host_id", unique=True, postgresql_where=text("state IN ('waiting', 'running')")),
        Index("ix_probe_run_finished_at", "finished_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    # The L3 size of every ping.
    size_bytes: int
    asked_by: str
    asked_at: datetime = _now()
    # "waiting", "running", "done", or "failed" if the result is unknown.
    state: str = "waiting"
    words: str = ""
    finished_at: datetime | None = time_column(default=None, nullable=True)
    # Each {source, address, portal, to, adapter, fabric, outcome}; `to` is the portal as paths name it, `outcome` empty until it is known.
    pings: list[dict[str, Any]] = Field(default_factory=list, sa_column=_json("[]"))


class DomainBudget(SQLModel, table=True):
    """How many slots a person gave a fabric or a group; a cluster has one, always."""

    __tablename__ = "domain_budget"

    domain: str = Field(primary_key=True)
    slots: int
    changed_by: str = ""
    changed_at: datetime = _now()


class DomainSlot(SQLModel, table=True):
    """One slot of one failure domain, free or held by a job."""

    __tablename__ = "domain_slot"
    __table_args__ = (Index("ix_domain_slot_domain_job", "domain", "job_id", unique=True, postgresql_where=text("job_id IS NOT NULL")),)

    domain: str = Field(primary_key=True)
    slot_no: int = Field(primary_key=True)
    job_id: int | None = Field(default=None, foreign_key="job.id", nullable=True, index=True)


class WorkerHeartbeat(SQLModel, table=True):
    """When a worker last took a task message: a connected worker that takes none turns red."""

    __tablename__ = "worker_heartbeat"

    worker: str = Field(primary_key=True)
    queue: str = Field(primary_key=True)
    heard_at: datetime = _now()
