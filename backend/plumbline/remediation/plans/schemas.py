"""API schemas of plans, approvals and standing approvals."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from plumbline.core.planning.plan import Plan as PlannedPlan
from plumbline.infra.schemas import HostId, Input, Moment, Name, RowId, Schema, Words
from plumbline.remediation.controls.schemas import FreezeOut
from plumbline.remediation.jobs.schemas import JobRow
from plumbline.remediation.schemas import Confirmed, Impact


class FindingChoice(Input):
    """One failing finding that is to be put right."""

    host_id: HostId
    pack: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
    subject_kind: Annotated[str, Field(pattern=r"^[a-z_]+$", max_length=40)]
    subject_id: Annotated[str, Field(max_length=400)] = ""


class SettingChoice(Input):
    """One setting that is to get a value: that of its baseline, of another date, of its peers or of another host.

    `key` with its kind (`adapter.mtu`); `reference` says in words whose value it is.
    """

    host_id: HostId
    key: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z0-9_.]+$", max_length=160)]
    subject_id: Annotated[str, Field(max_length=400)] = ""
    to: bool | int | Annotated[str, Field(max_length=1000)] | Annotated[list[bool | int | str], Field(max_length=200)]
    reference: Annotated[Words, Field(max_length=200)] = ""


class RuleChoice(Input):
    """Every failing finding of one rule on these hosts."""

    pack: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
    host_ids: Annotated[list[HostId], Field(min_length=1, max_length=500)]


class PlanOptions(Input):
    """How carefully it runs; what is left out is decided by the planner."""

    canary: HostId | None = None
    canary_bake_s: Annotated[int, Field(ge=0, le=7 * 86400)] | None = None
    wave_size: Annotated[int, Field(ge=1, le=500)] | None = None
    wave_bake_s: Annotated[int, Field(ge=0, le=7 * 86400)] | None = None
    failure_budget: Annotated[int, Field(ge=1, le=500)] | None = None
    deadman_s: Annotated[int, Field(ge=30, le=3600)] | None = None
    frame_attested_by: Annotated[Words, Field(max_length=200)] | None = None


class PlanCreate(Input):
    """What is wanted. At least one finding, one rule with hosts on which it fails, or one setting with its value."""

    findings: Annotated[list[FindingChoice], Field(max_length=5000, default_factory=list)]
    settings: Annotated[list[SettingChoice], Field(max_length=5000, default_factory=list)]
    rules: Annotated[list[RuleChoice], Field(max_length=50, default_factory=list)]
    title: Annotated[Words, Field(max_length=200)] = ""
    reason: Words = ""
    ticket: Annotated[Words, Field(max_length=200)] = ""
    window_id: RowId | None = None
    not_before: Moment | None = None
    not_after: Moment | None = None
    options: PlanOptions = Field(default_factory=PlanOptions)


class PlanSubmit(Input):
    """Asks for approval, with the reason if it was not given before."""

    reason: Words | None = None


class RunUnderStanding(Input):
    """Runs a plan under a standing approval."""

    standing_id: RowId


class PlanRow(Schema):
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


class PlanPage(Schema):
    """One page of plans, newest first."""

    items: list[PlanRow]
    next: str | None


class ApprovalOut(Schema):
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


class PlanEventOut(Schema):
    """One thing that happened to a plan."""

    number: int
    at: datetime
    kind: str
    state: str
    words: str
    actor: str
    data: dict[str, Any]


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
    approval: ApprovalOut | None
    break_glass_by: str
    # Freezes of its hosts' groups that are on now, or will be before the plan expires: no job of it begins during one.
    freezes: list[FreezeOut]
    job_rows: list[JobRow]
    events: list[PlanEventOut]
    # Host id -> the switch port of each storage adapter, as announced: "vmnic4 on sw-san-2, Eth1/17, MTU 9216".
    switch_ports: dict[str, list[str]]
    # What this person may do with it now.
    may: list[str]


class StandingItem(Input):
    """What may be run: the fixes of a rule, or one setting at one value."""

    rule: Annotated[str, Field(pattern=r"^[a-z0-9-]+/[a-z0-9_.-]+$", max_length=240)] | None = None
    setting: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z0-9_.]+$", max_length=160)] | None = None
    value: Annotated[str, Field(max_length=120)] | None = None


class StandingCreate(Confirmed):
    """A new standing approval; the person who signs it never runs under it."""

    name: Name
    group_ids: Annotated[list[RowId], Field(min_length=1, max_length=50)]
    items: Annotated[list[StandingItem], Field(min_length=1, max_length=200)]
    largest_impact: Impact
    expires_at: Moment


class StandingApprovalOut(Schema):
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


class BrokenGlass(Schema):
    """A plan that two admins run, or are about to run, without an approver.

    `asked`: the first admin requested it, nothing runs yet. `broken`: it was signed, and somebody who had no part in it has to review it.
    """

    plan_id: int
    title: str
    state: Literal["asked", "broken"]
    at: datetime
    review_by: datetime | None
    is_overdue: bool
    first: str
    second: str
    reason: str
    # What the person who reads this may do about it now: review it, or join as the second admin.
    may: Literal["review", "join", ""]


class RuleRemediation(Schema):
    """A plan that was to fix a rule. `hosts` were chosen for it; `pass_now`, `fail_now`: on how many of them it passes or fails now."""

    plan_id: int
    title: str
    state: str
    state_label: str
    author: str
    created_at: datetime
    hosts: int
    pass_now: int
    fail_now: int
    jobs: dict[str, int]


class RuleRemediations(Schema):
    """The newest plans first; `has_more` where there are older ones than are listed."""

    items: list[RuleRemediation]
    has_more: bool
