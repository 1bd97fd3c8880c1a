"""Tables of packs: published versions, rule numbers, activations, and what people decided where two packs contradict each other."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class DecisionState(StrEnum):
    """Of a decision between two packs that contradict each other."""

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
    # The account and machine of whoever published it on the command line; empty where a person did in the browser, or Plumbline itself.
    published_from: str = Field(default="", sa_column_kwargs={"server_default": ""})
    note: str = ""


class RuleNumber(SQLModel, table=True):
    """A small number for each (pack, rule) ever published; never reused."""

    __tablename__ = "rule_number"
    __table_args__ = (UniqueConstraint("pack", "rule"),)

    no: int | None = Field(default=None, primary_key=True, sa_type=SmallInteger)
    pack: str
    rule: str


class PackActivation(SQLModel, table=True):
    """Which version of a pack judges a group and what lies below it; the newest activation of the nearest group counts."""

    __tablename__ = "pack_activation"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    pack: str
    # None: the pack is switched off here.
    pack_version_id: int | None = Field(default=None, foreign_key="pack_version.id")
    activated_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    activated_by: int | None = None
    grace_until: datetime | None = time_column(default=None, nullable=True)
    # When the background worker ended the time of grace. Rules are in grace until this is set, not until the clock says so: otherwise
    # two processes
    # could judge differently under one judging epoch.
    grace_ended_at: datetime | None = time_column(default=None, nullable=True)
    # True: the group says nothing of its own any more and follows the group above.
    is_inherited: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    reason: str = Field(default="", sa_column_kwargs={"server_default": ""})


class ConflictDecision(SQLModel, table=True):
    """Which of two contradicting demands holds for a group and all below it, unless a nearer group says otherwise.

    `contradiction` is the id that `scoring.conflicts` gives; `holds` is the demand of the side that counts, empty: neither does.
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
    # What each side asked for when it was decided, in words: demand -> words.
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
