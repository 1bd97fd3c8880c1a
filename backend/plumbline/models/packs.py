"""Tables of packs: published versions, rule numbers, activations, and decisions on conflicts between packs."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class DecisionState(StrEnum):
    """Of a decision on a conflict between two packs."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"


class PackVersion(SQLModel, table=True):
    """A published, immutable version of a pack with its content and hash."""

    __tablename__ = "pack_version"
    __table_args__ = (UniqueConstraint("pack", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    pack: str
    version: str
    content_hash: str
    # The whole pack as JSON: pack.yaml and its rules, as `rulesets.load` reads it back.
    document: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    published_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    published_by: int | None = None
    # The account and machine that published it on the command line; empty if a person did in the browser, or Plumbline itself.
    published_from: str = Field(default="", sa_column_kwargs={"server_default": ""})
    note: str = ""


class RuleNumber(SQLModel, table=True):
    """A small number for each (pack, rule) ever published; never reused."""

    __tablename__ = "rule_number"
    __table_args__ = (UniqueConstraint("pack", "rule"),)

    no: int | None = Field(default=None, primary_key=True, sa_type=SmallInteger)
    pack: str
    rule: str
    # Whether it compares hosts with their peers, in the version that lists show: counts of hosts ask it (`HostCount`).
    is_consistency: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})


class PackActivation(SQLModel, table=True):
    """Which version of a pack is active for a group and its subgroups; the newest activation of the nearest group counts."""

    __tablename__ = "pack_activation"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    pack: str
    # None: the pack is switched off here.
    pack_version_id: int | None = Field(default=None, foreign_key="pack_version.id")
    activated_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    activated_by: int | None = None
    grace_until: datetime | None = time_column(default=None, nullable=True)
    # When the background worker ended the grace period. Rules are in grace until this is set, whatever the clock: otherwise two processes
    # could evaluate differently under one rules epoch.
    grace_ended_at: datetime | None = time_column(default=None, nullable=True)
    # True: the group has no activation of its own any more and inherits again.
    is_inherited: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    reason: str = Field(default="", sa_column_kwargs={"server_default": ""})


class ConflictDecision(SQLModel, table=True):
    """Which of two conflicting demands holds for a group and its subgroups, unless a nearer group has a decision of its own.

    `contradiction` is the id from `core.rules.conflicts`; `holds` is the demand of the side that counts, empty: neither does.
    """

    __tablename__ = "conflict_decision"
    __table_args__ = (
        # Once per scope: one in force, and one under discussion.
        Index("uq_conflict_decision_active", "contradiction", "group_id", unique=True, postgresql_where=text("state = 'active'")),
        Index("uq_conflict_decision_proposed", "contradiction", "group_id", unique=True, postgresql_where=text("state = 'proposed'")),
    )

    id: int | None = Field(default=None, primary_key=True)
    contradiction: str
    group_id: int = Field(foreign_key="host_group.id", index=True)
    holds: str = ""
    state: str = DecisionState.PROPOSED
    reason: str
    # The requirement of each side when it was decided, as text: demand -> text.
    asked: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))
    proposed_by: int
    proposed_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    decided_by: int | None = None
    decided_at: datetime | None = time_column(default=None, nullable=True)
    decided_reason: str = ""
    ended_by: int | None = None
    ended_at: datetime | None = time_column(default=None, nullable=True)
    end_reason: str = ""


PACK_VERSION = columns_of(PackVersion)
PACK_ACTIVATION = columns_of(PackActivation)
CONFLICT_DECISION = columns_of(ConflictDecision)
RULE_NUMBER = columns_of(RuleNumber)
