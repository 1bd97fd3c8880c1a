"""Parts of pages over groups with many hosts, prepared ahead of time (decision 0046)."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Integer, Text, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column, written_at_column


class PreparedPart(SQLModel, table=True):
    """What one page shows of a group with its subgroups, as JSON text."""

    __tablename__ = "prepared_part"

    group_id: int = Field(sa_column=Column(Integer, ForeignKey("host_group.id", ondelete="CASCADE"), primary_key=True))
    # "changes" of the drift page, or "worse" of the overview.
    kind: str = Field(primary_key=True)
    used_until: datetime = time_column()
    # A `pg_snapshot`: the transactions that it has seen.
    snapshot: str = Field(sa_type=Text)
    document: str = Field(sa_type=Text)


class PreparedPartChange(SQLModel, table=True):
    """A transaction after which a prepared part that has not seen it is not shown any more, since somebody would miss what they did or see
    a host that is not theirs: it moved hosts or groups, approved or retired hosts, marked changes, or sent a ticket. Added by triggers.
    """

    __tablename__ = "prepared_part_change"

    # An `xid8`.
    xid: str = Field(sa_column=Column(Text, primary_key=True, server_default=text("pg_current_xact_id()::text")))
    at: datetime = written_at_column()
