"""Tables of drift: baselines proposed and accepted, how each host compares with its own, and changes that people marked as expected."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


def _list_column() -> Any:
    return Column(JSONB, nullable=False, server_default=text("'[]'::jsonb"))


class BaselineState(StrEnum):
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class Baseline(SQLModel, table=True):
    """One proposal that the configurations of a host, or of all hosts of a group, become their baselines, and what came of it.

    With `settings` (host, kind, id, key of each) only these are accepted, beside the baseline that each host has.
    """

    __tablename__ = "baseline"
    __table_args__ = (
        # At most one open proposal for a host and for a group.
        Index("uq_baseline_open_host", "host_id", unique=True, postgresql_where=text("state = 'proposed' AND host_id IS NOT NULL")),
        Index(
            "uq_baseline_open_group",
            "group_id",
            unique=True,
            postgresql_where=text("state = 'proposed' AND host_id IS NULL AND settings = '[]'::jsonb"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    state: str = BaselineState.PROPOSED
    # The host, where it is for one; `group_id` is then the host's group as it was.
    host_id: str | None = Field(default=None, foreign_key="host.id", sa_type=Text)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    reason: str
    ticket: str = ""
    n_hosts: int = 0
    settings: list[dict[str, str]] = Field(default_factory=list, sa_column=_list_column())
    proposed_by: int = Field(foreign_key="person.id")
    proposed_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    decided_by: int | None = Field(default=None, foreign_key="person.id")
    decided_at: datetime | None = time_column(default=None, nullable=True)
    decided_reason: str = ""


class BaselineHost(SQLModel, table=True):
    """One host of a proposal, with the configuration that it had then: exactly that one is accepted."""

    __tablename__ = "baseline_host"

    baseline_id: int = Field(foreign_key="baseline.id", primary_key=True)
    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text, index=True)
    configuration_id: int = Field(sa_type=BigInteger)


class HostBaseline(SQLModel, table=True):
    """The accepted baseline of one host, and the result of its newest comparison.

    `compared_configuration_id` is the configuration that was compared: if it is not the host's newest, the result is unknown until the
    background worker has compared again. `differs` None: one of the two could not be read.
    """

    __tablename__ = "host_baseline"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    baseline_id: int = Field(foreign_key="baseline.id", index=True)
    configuration_id: int = Field(sa_type=BigInteger)
    accepted_at: datetime = time_column()
    compared_configuration_id: int | None = Field(default=None, sa_type=BigInteger)
    differs: int | None = None
    unread: int = 0
    # Settings that were accepted one by one since: kind, id, key, value, and the proposal that did it.
    settings: list[dict[str, Any]] = Field(default_factory=list, sa_column=_list_column())
    # When the host began to differ; None while it does not.
    differs_since: datetime | None = time_column(default=None, nullable=True)


class ChangeMark(SQLModel, table=True):
    """A person's statement that some changes were expected, until it is ended. The changes stay in the log, apart from the others."""

    __tablename__ = "change_mark"

    id: int | None = Field(default=None, primary_key=True)
    reason: str
    ticket: str = ""
    marked_by: int = Field(foreign_key="person.id")
    marked_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    ended_by: int | None = Field(default=None, foreign_key="person.id")
    ended_at: datetime | None = time_column(default=None, nullable=True)


class MarkedChange(SQLModel, table=True):
    """One change of a setting (`setting_change.id`) under the newest mark that it got."""

    __tablename__ = "marked_change"

    change_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    mark_id: int = Field(foreign_key="change_mark.id", index=True)
    host_id: str = Field(foreign_key="host.id", index=True, sa_type=Text)


BASELINE = columns_of(Baseline)
BASELINE_HOST = columns_of(BaselineHost)
HOST_BASELINE = columns_of(HostBaseline)
CHANGE_MARK = columns_of(ChangeMark)
MARKED_CHANGE = columns_of(MarkedChange)
