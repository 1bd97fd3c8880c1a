"""The table of evidence bundles."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, LargeBinary, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class BundleState(StrEnum):
    QUEUED = "queued"
    READY = "ready"
    FAILED = "failed"


class EvidenceBundle(SQLModel, table=True):
    """One evidence bundle: a group with its subgroups as of an instant, in one signed file."""

    __tablename__ = "evidence_bundle"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id")
    # With `filters`, only the hosts in the group that match them, as a saved view did.
    filters: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    view_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    as_of: datetime = time_column()
    # Plans, jobs, ended waivers and audit entries go back to here.
    since: datetime = time_column()
    requested_by: int = Field(foreign_key="person.id")
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    state: str = BundleState.QUEUED
    error: str = ""
    content: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    sha256: str = ""
    size_bytes: int = 0
    # The key that signed it; people compare it with the one that the checking program prints.
    key_id: str = ""
    hosts: int = 0
    findings: int = 0
    finished_at: datetime | None = time_column(default=None, nullable=True)


EVIDENCE_BUNDLE = columns_of(EvidenceBundle)
