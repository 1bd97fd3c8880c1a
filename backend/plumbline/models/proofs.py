"""Tables of benchmark runs, and of proofs that compare runs before and after a change."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, Date, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class Side(StrEnum):
    """Whether a run of a proof was made before or after the change."""

    BEFORE = "before"
    AFTER = "after"


class Decision(StrEnum):
    """What a person made of a proof; `OPEN` until somebody decided."""

    OPEN = "open"
    KEEP = "keep"
    REVERT = "revert"
    WAIVE = "waive"


class BenchmarkFile(SQLModel, table=True):
    """One uploaded output of a benchmark tool with the parameter file it belongs to, as they came."""

    __tablename__ = "benchmark_file"
    __table_args__ = (Index("uq_benchmark_file_host_id_sha256", "host_id", "sha256", unique=True),)

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    name: str
    tool: str
    # Of the output as it came; `content` is compressed.
    sha256: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    size_bytes: int
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    parameter_name: str = ""
    parameter_content: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    # `person:3 ana` or the account of the command line.
    uploaded_by: str
    uploaded_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class BenchmarkRunRow(SQLModel, table=True):
    """One finished run of a file. `load` and `results` are `core.benchmarks.run.Load` and `Results`."""

    __tablename__ = "benchmark_run"
    __table_args__ = (Index("ix_benchmark_run_host_id_measured_at", "host_id", "measured_at"),)

    id: int | None = Field(default=None, primary_key=True)
    file_id: int = Field(foreign_key="benchmark_file.id", index=True, ondelete="CASCADE")
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    no: int  # in the file, from 1
    line: int
    tool: str
    version: str = ""
    label: str = ""
    role: str = ""
    computer: str = ""
    started_text: str = ""
    # From the file or from whoever uploaded it; where neither knows, the time of the upload.
    measured_at: datetime = time_column()
    is_time_known: bool
    planned_seconds: float | None = None
    warm_up_seconds: float | None = None
    measured_seconds: float | None = None
    load: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    results: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    parameters: dict[str, str] = Field(sa_column=Column(JSONB, nullable=False))
    notes: list[str] = Field(sa_column=Column(JSONB, nullable=False))
    # The host's configuration when it ran; None if the time is not known or the host was not read by then.
    configuration_id: int | None = Field(default=None, sa_type=BigInteger, index=True)


class Proof(SQLModel, table=True):
    """Runs before and after one change on a host, and the verdict on them, frozen when it was made."""

    __tablename__ = "proof"

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text, index=True)
    title: str
    # What it is about: a rule on an item, a job that made the change; empty and None where neither is named.
    pack: str = ""
    rule: str = ""
    subject_kind: str = ""
    subject_id: str = ""
    job_id: int | None = Field(default=None, foreign_key="job.id", index=True)
    answers: dict[str, str] = Field(sa_column=Column(JSONB, nullable=False))
    # `core.proof.verdict.ProofVerdict`.
    verdict: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    grade: str
    outcome: str
    decision: str = Decision.OPEN
    decision_reason: str = ""
    test_again_on: date | None = Field(default=None, sa_column=Column(Date, nullable=True))
    plan_id: int | None = Field(default=None, foreign_key="plan.id")
    decided_by: int | None = None
    decided_at: datetime | None = time_column(default=None, nullable=True)
    made_by: int
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class ProofRun(SQLModel, table=True):
    """A run that a proof uses. A run in use is not deleted."""

    __tablename__ = "proof_run"

    proof_id: int = Field(foreign_key="proof.id", primary_key=True, ondelete="CASCADE")
    run_id: int = Field(foreign_key="benchmark_run.id", primary_key=True, index=True)
    side: str


BENCHMARK_FILE = columns_of(BenchmarkFile)
BENCHMARK_RUN = columns_of(BenchmarkRunRow)
PROOF = columns_of(Proof)
PROOF_RUN = columns_of(ProofRun)
