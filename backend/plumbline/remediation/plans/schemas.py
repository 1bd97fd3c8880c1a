"""API shapes of plans, approvals and jobs."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from plumbline.collection.vcenter_schemas import VCenterFacts
from plumbline.core.planning.plan import Plan as PlannedPlan
from plumbline.infra.schemas import Input, NamedHost, RowId, Shape, Words

HostIdText = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Impact = Literal["none", "new_sessions", "adapter_restart", "path_loss", "maintenance", "reboot"]
Password = Annotated[str, Field(max_length=1000)]


class FindingChoice(Input):
    """One failing finding that is to be put right."""

    host_id: HostIdText
    pack: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
    subject_kind: Annotated[str, Field(pattern=r"^[a-z_]+$", max_length=40)]
    subject_id: Annotated[str, Field(max_length=400)] = ""


class RuleChoice(Input):
    """Every failing finding of one rule on these hosts."""

    pack: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
    host_ids: Annotated[list[HostIdText], Field(min_length=1, max_length=500)]


class PlanOptions(Input):
    """How carefully it runs; what is left out is decided by the planner."""

    canary: HostIdText | None = None
    canary_bake_s: Annotated[int, Field(ge=0, le=7 * 86400)] | None = None
    wave_size: Annotated[int, Field(ge=1, le=500)] | None = None
    wave_bake_s: Annotated[int, Field(ge=0, le=7 * 86400)] | None = None
    failure_budget: Annotated[int, Field(ge=1, le=500)] | None = None
    deadman_s: Annotated[int, Field(ge=30, le=3600)] | None = None
    frame_attested_by: Annotated[Words, Field(max_length=200)] | None = None


class PlanCreate(Input):
    """What is wanted. At least one finding, or one rule with hosts on which it fails."""

    findings: Annotated[list[FindingChoice], Field(max_length=5000, default_factory=list)]
    rules: Annotated[list[RuleChoice], Field(max_length=50, default_factory=list)]
    title: Annotated[Words, Field(max_length=200)] = ""
    reason: Words = ""
    ticket: Annotated[Words, Field(max_length=200)] = ""
    window_id: RowId | None = None
    not_before: AwareDatetime | None = None
    not_after: AwareDatetime | None = None
    options: PlanOptions = Field(default_factory=PlanOptions)


class PlanSubmit(Input):
    """Asks for approval, with the reason if it was not given before."""

    reason: Words | None = None


class Reason(Input):
    """Why."""

    reason: Annotated[Words, Field(min_length=1)]


class Confirmed(Input):
    """An act for which the person signs in once more. The password is left out by people of an identity provider, who sign in there."""

    password: Password = ""


class ConfirmedReason(Confirmed):
    """The same, with a reason."""

    reason: Annotated[Words, Field(min_length=1)]


class RunUnderStanding(Input):
    """Runs a plan under a standing approval."""

    standing_id: RowId


class PlanRow(Shape):
    """One plan in a list."""

    id: int
    title: str
    state: str
    state_label: str
    state_words: str
    state_at: datetime
    author: str
    author_id: int
    group_id: int
    group_name: str
    created_at: datetime
    not_after: datetime | None
    hosts: int
    jobs: dict[str, int]
    digest: str


class PlanPage(Shape):
    """One page of plans, newest first."""

    items: list[PlanRow]
    next: str | None


class ApprovalShape(Shape):
    """Who approved a plan, and how."""

    kind: Literal["person", "standing", "break_glass"]
    approver: str
    second: str
    standing_id: int | None
    signed_at: datetime
    key_id: str
    review_by: datetime | None
    reviewed_at: datetime | None
    reviewed_by: str


class PlanEventShape(Shape):
    """One thing that happened to a plan."""

    number: int
    at: datetime
    kind: str
    state: str
    words: str
    actor: str
    data: dict[str, Any]


class FreezeShape(Shape):
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


class PlanDetail(PlanRow):
    """One plan, whole. `document` is the planner's own: hosts with steps, waves, refusals, checklists (see `planning/plan.py`)."""

    reason: str
    ticket: str
    window_id: int | None
    not_before: datetime | None
    wave: int
    bake_until: datetime | None
    request: dict[str, Any]
    document: PlannedPlan | None
    approval: ApprovalShape | None
    break_glass_by: str
    # Freezes of its hosts' groups that hold now, or will before the plan's time is over: nothing of it begins while one does.
    freezes: list[FreezeShape]
    job_rows: list["JobRow"]
    events: list[PlanEventShape]
    # What the asking person may do with it now.
    may: list[str]


class JobRow(Shape):
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


class JobPage(Shape):
    """One page of jobs, newest first."""

    items: list[JobRow]
    next: str | None


class JobStepShape(Shape):
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


class JobEventShape(Shape):
    """One thing that happened in a job. `number` is gapless within the job."""

    number: int
    at: datetime
    kind: str
    step_no: int | None
    state: str
    words: str
    data: dict[str, Any]


class VerifyingCheckIn(Shape):
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
    next_try_at: datetime | None
    verify_until: datetime | None
    cancel_by: str
    cancel_reason: str
    resolved_by: str
    resolution: str
    health_before: dict[str, Any]
    floor: int
    verified_by: VerifyingCheckIn | None
    steps: list[JobStepShape]
    may: list[str]


class JobEvents(Shape):
    """Events of a job after a number, and the job's state now: what a client polls where it cannot follow the stream."""

    items: list[JobEventShape]
    state: str
    is_over: bool


class ReachReason(Shape):
    """One thing that lets us in, keeps us out, or may: `note` is worth knowing and shuts nothing."""

    state: Literal["yes", "no", "unknown", "note"]
    about: Literal["way", "identity", "credential", "runner", "last_try", "lockdown", "ssh", "shell_timeout", "connection"]
    words: str


class HostReach(Shape):
    """Whether a host can be reached for changes, and why; with what its vCenter tells, where one does."""

    answer: Literal["yes", "no", "unknown"]
    reasons: list[ReachReason]
    vcenter: VCenterFacts | None


class Resolve(Input):
    """How a person settled a job that needed one."""

    words: Annotated[Words, Field(min_length=10)]


PlanDetail.model_rebuild()
