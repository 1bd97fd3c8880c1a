"""Tables of packs: published versions, rule numbers, activations."""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, SmallInteger, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.database import UtcDateTime


def _time(**kwargs: Any) -> Any:
    return Field(sa_type=UtcDateTime, **kwargs)


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
    published_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    published_by: int | None = None
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
    activated_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    activated_by: int | None = None
    grace_until: datetime | None = _time(default=None, nullable=True)
