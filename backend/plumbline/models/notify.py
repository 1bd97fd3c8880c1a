"""Tables of notices: where they go, what was notified, and the result of each delivery."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, Column, ForeignKey, Identity, Index, Integer, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class Transport(StrEnum):
    """How a notice is sent. `HEARTBEAT` only calls an external monitor while Plumbline runs; `TICKET` gets what a person sends there."""

    WEBHOOK = "webhook"
    MAIL = "mail"
    CHAT = "chat"
    HEARTBEAT = "heartbeat"
    TICKET = "ticket"


class DeliveryState(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given_up"


class NoticeChannel(SQLModel, table=True):
    """Where notices of a group and its subgroups are sent. Its address and secrets are sealed for the background worker."""

    __tablename__ = "notice_channel"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    way: str  # a `Transport`
    name: str
    # The kinds of notices that it gets; a heartbeat and a ticket system get none.
    kinds: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    # What may be shown of the address: a host, a service, the people it is mailed to.
    shown: str
    sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    key_id: str = ""
    version: int = 0
    # A webhook whose secret was rotated: the secret that signs, and the one before with the time until which it signs too. None: the one
    # stored with the address.
    secret_sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    secret_key_id: str = Field(default="", sa_column_kwargs={"server_default": ""})
    secret_version: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    old_secret_sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    old_secret_key_id: str = Field(default="", sa_column_kwargs={"server_default": ""})
    old_secret_until: datetime | None = time_column(default=None, nullable=True)
    # Of a ticket system, how it is asked and answers: the fields of `notify.ticket_form.TicketForm`.
    ticket_form: dict[str, str] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    is_enabled: bool = True
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    changed_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    changed_by: str = ""
    removed_at: datetime | None = time_column(default=None, nullable=True)
    # How the last try went; failing since the first of those that went wrong in a row.
    ok_at: datetime | None = time_column(default=None, nullable=True)
    failing_since: datetime | None = time_column(default=None, nullable=True)
    last_words: str = ""


class Notice(SQLModel, table=True):
    """A notice about a group, sent or suppressed."""

    __tablename__ = "notice"
    __table_args__ = (
        Index("ix_notice_group_id_id", "group_id", "id"),
        Index("ix_notice_ticket_hosts", "hosts", postgresql_using="gin", postgresql_where=text("kind = 'ticket'")),
    )

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    # The group whose channels get it.
    group_id: int = Field(foreign_key="host_group.id")
    kind: str
    title: str
    lines: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    # The hosts it is about, by id; and the page that shows it, below the base address.
    hosts: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    page: str = ""
    at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")}, index=True)
    # Why it was suppressed: a hold, or a problem that was acknowledged or snoozed.
    kept_back: str = ""


class NoticeDelivery(SQLModel, table=True):
    """One notice to be delivered to one channel. The receiver may get it twice, always with the same id."""

    __tablename__ = "notice_delivery"
    __table_args__ = (
        Index("ix_notice_delivery_due", "due_at", postgresql_where=text("state = 'waiting'")),
        CheckConstraint("state IN ('waiting', 'sent', 'given_up')", name="ck_notice_delivery_state"),
    )

    id: str = Field(primary_key=True)
    notice_id: int = Field(sa_column=Column(BigInteger, ForeignKey("notice.id", ondelete="CASCADE"), nullable=False, index=True))
    channel_id: int = Field(sa_column=Column(Integer, ForeignKey("notice_channel.id"), nullable=False, index=True))
    state: str = DeliveryState.WAITING
    tries: int = 0
    due_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    ended_at: datetime | None = time_column(default=None, nullable=True)
    # What came of the last try, in words.
    words: str = ""
    # The ticket that was created, and its page; empty where the answer did not say.
    ticket_number: str = Field(default="", sa_column_kwargs={"server_default": ""})
    ticket_url: str = Field(default="", sa_column_kwargs={"server_default": ""})


class Ticket(SQLModel, table=True):
    """A ticket that a person sent to a ticket system: the changes of settings or the problem that it is about. Its text and its hosts are
    those of its notice; without changes and a problem it is about what failed on these hosts.
    """

    __tablename__ = "ticket"
    __table_args__ = (Index("ix_ticket_changes", "changes", postgresql_using="gin"),)

    notice_id: int = Field(sa_column=Column(BigInteger, ForeignKey("notice.id", ondelete="CASCADE"), primary_key=True))
    # Ids of `setting_change`.
    changes: list[int] = Field(sa_column=Column(ARRAY(BigInteger), nullable=False))
    problem: str = Field(default="", index=True)
    made_by: str
    made_by_id: int | None = None


class NoticeState(SQLModel, table=True):
    """The last notification of an open problem to a group's channels, so that it is not repeated with every scan."""

    __tablename__ = "notice_state"

    group_id: int = Field(foreign_key="host_group.id", primary_key=True)
    problem: str = Field(primary_key=True)
    parts: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    rank: int
    told_at: datetime = time_column()
    # When the problem was last open. One that closes and opens again soon is not notified again.
    seen_at: datetime = time_column()
    is_kept_back: bool = False


class NoticeCursor(SQLModel, table=True):
    """How far the audit trail, and the changes of settings, were read for what to notify. One row."""

    __tablename__ = "notice_cursor"
    __table_args__ = (CheckConstraint("id = 1", name="ck_notice_cursor_one"),)

    id: int = Field(default=1, primary_key=True)
    number: int = Field(sa_type=BigInteger)
    changes_until: datetime | None = time_column(default=None, nullable=True)
