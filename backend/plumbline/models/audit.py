"""The audit trail: one entry an act, written in the act's transaction, chained by hash within a second."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Identity, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class AuditEntry(SQLModel, table=True):
    """One act. `number` and `hash` are given by the chainer; everything else is written with the act and never changed."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_unchained", "id", postgresql_where=text("number IS NULL")),
        Index("ix_audit_entry_at", "at"),
        Index("ix_audit_entry_object", "object_kind", "object_id"),
    )

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    actor: str  # "person:3 ana", "host:…", "system"
    action: str  # "host.approved", "report.exported"
    object_kind: str = ""
    object_id: str = Field(default="", sa_type=Text)
    group_id: int | None = None
    before: Any = Field(default=None, sa_column=Column(JSONB, nullable=True))
    after: Any = Field(default=None, sa_column=Column(JSONB, nullable=True))
    reason: str = ""
    request_id: str = ""
    number: int | None = Field(default=None, sa_type=BigInteger, unique=True, nullable=True)
    hash: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))


class AuditHead(SQLModel, table=True):
    """Signed heads of the chain, exported so that a rewrite of the whole chain is detected."""

    __tablename__ = "audit_head"

    number: int = Field(primary_key=True, sa_type=BigInteger)
    hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    signature: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


AUDIT_ENTRY = columns_of(AuditEntry)
