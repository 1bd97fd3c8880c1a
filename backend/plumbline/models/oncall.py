"""The table of what people noted about open problems. Problems themselves are never stored: they are computed from current data."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ARRAY, Column, Index, Text, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class NoteKind(StrEnum):
    """`ACKNOWLEDGED`: a person works on the problem. `SNOOZED`: it is known and can wait."""

    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"


class ProblemNote(SQLModel, table=True):
    """A person acknowledged a problem, or snoozed it, until a time. It holds until the problem gets a part that it did not have then."""

    __tablename__ = "problem_note"
    __table_args__ = (
        Index("ix_problem_note_open", "problem", unique=True, postgresql_where=text("ended_at IS NULL")),
        Index("ix_problem_note_host_id", "host_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    # Kind and host: "silent-<host id>".
    problem: str
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    kind: str  # a `NoteKind`
    parts: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    reason: str = ""
    by_id: int = Field(foreign_key="person.id")
    by: str
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    until: datetime = time_column()
    # Taken back, or followed by another note on the same problem.
    ended_at: datetime | None = time_column(default=None, nullable=True)
    ended_by: str = ""
