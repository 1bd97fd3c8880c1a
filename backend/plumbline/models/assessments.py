"""Tables of assessments: hosts evaluated from support bundles that a person uploaded. The uploaded file is never in the database."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class AssessmentState(StrEnum):
    RECEIVING = "receiving"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"


class Assessment(SQLModel, table=True):
    """One uploaded bundle and what became of it. It belongs to the person who uploaded it."""

    __tablename__ = "assessment"

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    # The file's name as the person's machine has it, for people only.
    name: str
    size_bytes: int = Field(sa_type=BigInteger)
    # How far it was read; of a zip, the place in the file.
    read_bytes: int = Field(default=0, sa_type=BigInteger)
    state: str = AssessmentState.RECEIVING
    error: str = ""
    sha256: str = ""
    # Notes, unused and refused members.
    about: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default=text("'{}'")))
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    changed_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class AssessmentHost(SQLModel, table=True):
    """One host of an assessment: the figures that lists show, and everything else as the command prints it."""

    __tablename__ = "assessment_host"

    id: int | None = Field(default=None, primary_key=True)
    assessment_id: int = Field(sa_column=Column(Integer, ForeignKey("assessment.id", ondelete="CASCADE"), nullable=False, index=True))
    name: str
    platform: str
    kind_label: str
    os: str
    # As the bundle tells it; empty where it does not.
    captured_at: str
    score: int | None
    failing: int
    unknown: int
    passing: int
    answered: int
    applicable: int
    told: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    # The configuration, to compare and to plan with: the bytes of `core.facts.bundles.kept`. NULL: assessed before it was kept.
    kept: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))


class AssessmentHostSections(SQLModel, table=True):
    """The section bodies of an assessed host, for the day on which somebody adds it to the fleet: the bytes of `pack_sections`."""

    __tablename__ = "assessment_host_sections"

    assessed_id: int = Field(sa_column=Column(Integer, ForeignKey("assessment_host.id", ondelete="CASCADE"), primary_key=True))
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


ASSESSMENT = columns_of(Assessment)
ASSESSMENT_HOST = columns_of(AssessmentHost)
