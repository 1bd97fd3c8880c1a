"""Tables of plans: what a plan will change, who approved it, and what is approved beforehand."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, Column, Index, Integer, LargeBinary, Text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import json_column, time_column, written_at_column


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
    created_at: datetime = written_at_column()
    state: str = PlanState.DRAFT
    # Why it is in this state, as shown to people.
    state_words: str = ""
    state_at: datetime = written_at_column()
    # The request: host ids, findings or settings with targets, options of waves.
    request: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    # Canonical JSON of the planned document and its SHA-256; empty until it is planned.
    document: str = Field(default="", sa_type=Text)
    digest: str = ""
    # Refusals of hosts that the planner left out, and the checklist of what only a person can do: shown, not signed.
    notes: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
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
    at: datetime = written_at_column()
    kind: str
    state: str = ""
    words: str = ""
    actor: str = ""
    data: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())


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
    signed_at: datetime = written_at_column()
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
    asked_at: datetime = written_at_column()


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
    signed_at: datetime = written_at_column()
    expires_at: datetime = time_column()
    withdrawn_at: datetime | None = time_column(default=None, nullable=True)
    withdrawn_by: str = ""
    withdrawn_reason: str = ""
