"""Tables of drafts, and of runs that evaluate hosts without changing anything: previews and past states."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class RunKind(StrEnum):
    """`PREVIEW` compares what would be with what is; `PAST` evaluates what was stored at an instant."""

    PREVIEW = "preview"
    PAST = "past"


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


OPEN_RUN_STATES = (RunState.QUEUED, RunState.RUNNING)
FINISHED_RUN_STATES = (RunState.READY, RunState.FAILED)


class PackDraft(SQLModel, table=True):
    """An uploaded pack: checked, and published only on request. Only previews evaluate with it."""

    __tablename__ = "pack_draft"

    id: int | None = Field(default=None, primary_key=True)
    pack: str
    version: str
    content_hash: str
    # As `pack_version.document`.
    document: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    source: str = ""  # what the file was called
    cases: int = 0
    made_by: int
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    published_version_id: int | None = Field(default=None, foreign_key="pack_version.id")


class PreviewRun(SQLModel, table=True):
    """One run over the hosts of a group; `kind` is a `RunKind`."""

    __tablename__ = "preview_run"
    __table_args__ = (Index("ix_preview_run_open", "id", postgresql_where=text("state IN ('queued', 'running')")),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    group_id: int = Field(foreign_key="host_group.id", index=True)
    # The instant of a past state; for a preview, when it was requested.
    as_of: datetime = time_column()
    # [{"pack", "version_id", "draft_id", "in_grace"}]: used instead of the rules in force; version and draft null: switched off.
    choices: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSONB, nullable=False))
    state: str = RunState.QUEUED
    error: str = ""
    # The installation's rules epoch when the run started: if it has changed since, the figures belong to other rules.
    rules_epoch: int = Field(default=0, sa_type=BigInteger)
    # Host ids up to this one are done: each chunk is committed with it, so a crash repeats nothing and loses nothing.
    cursor: str = Field(default="", sa_type=Text)
    hosts_total: int = 0
    hosts_done: int = 0
    # Sums over the chunks so far, then the finished figures.
    sums: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False))
    requested_by: int
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    finished_at: datetime | None = time_column(default=None, nullable=True)


class PreviewRunHost(SQLModel, table=True):
    """The result of a run for one host. A preview has only hosts that would change; a past state has all."""

    __tablename__ = "preview_run_host"

    run_id: int = Field(foreign_key="preview_run.id", primary_key=True, ondelete="CASCADE")
    host_id: str = Field(primary_key=True, sa_type=Text)
    name: str
    # Of the host at that instant.
    group_id: int
    score_before: int | None = None
    score_after: int | None = None
    capped_before: str = ""
    capped_after: str = ""
    newly_failing: int = 0
    no_longer_failing: int = 0
    # Why the host was not evaluated; empty if it was.
    absent: str = ""
    # word -> findings of rules that weigh
    counts: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False))
    # [rule, subject kind, subject id, word before, word after], at most 500.
    changes: list[list[str]] = Field(default_factory=list, sa_column=Column(JSONB, nullable=False))


PACK_DRAFT = columns_of(PackDraft)
PREVIEW_RUN = columns_of(PreviewRun)
PREVIEW_RUN_HOST = columns_of(PreviewRunHost)
