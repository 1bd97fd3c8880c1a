"""API schemas of notices."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, model_validator

from plumbline.infra.schemas import HostId, Input, LongText, Name, NamedHost, RowId, Schema, Words
from plumbline.notify.kinds import SENT_BY_PEOPLE, WITHOUT_KINDS, NoticeKind, Transport
from plumbline.oncall.problems import KINDS

DeliveryState = Literal["waiting", "sent", "given_up"]
ChannelState = Literal["off", "untried", "works", "fails"]
ChosenKind = Annotated[NoticeKind, Field(description="what is sent there")]
Kinds = Annotated[list[ChosenKind], Field(max_length=20)]
Secret = Annotated[str, Field(max_length=400)]
# Only excludes what would break a header or an argument; apprise checks mail addresses.
MailAddress = Annotated[str, Field(pattern=r"^[^\s\x00-\x1f@,;<>\"]+@[^\s\x00-\x1f@,;<>\"]+$", max_length=254)]


class MailTo(Input):
    """A mail server of the site, and the recipients."""

    server: Annotated[str, Field(pattern=r"^[A-Za-z0-9.:_-]{1,253}$")]
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    security: Literal["starttls", "ssl", "insecure"] = "starttls"
    account: Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f]*$")] = ""
    password: Secret = ""
    sender: MailAddress
    to: Annotated[list[MailAddress], Field(min_length=1, max_length=20)]


class TicketFormIn(Input):
    """What a ticket system is sent, where its answer has the ticket's number, and the page of a ticket (docs/notices.md#ticket-systems)."""

    body: Annotated[LongText, Field(min_length=2)]
    number: Annotated[Words, Field(max_length=200, pattern=r"^([^.\s]+(\.[^.\s]+)*)?$")] = ""
    link: Annotated[Words, Field(max_length=500)] = ""


class TicketLogin(Input):
    """How a ticket system is signed in to: an account with its password or token, or a bearer token alone."""

    account: Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f:]*$")] = ""
    password: Annotated[str, Field(max_length=4000, pattern=r"^[^\x00-\x1f]*$")] = ""

    @model_validator(mode="after")
    def _fits_a_header(self) -> "TicketLogin":
        if not self.account and not (self.password.isascii() and " " not in self.password):
            raise ValueError("a bearer token has letters, digits and signs of ASCII only; with a user name the password may have others")
        return self


class ChannelCreate(Input):
    """A new channel for the notices of a group, or a ticket system for what people send there.

    `mail` for mail, and `address` for every other; `ticket_form` and `ticket_login` for a ticket system.
    """

    group_id: RowId
    way: Transport
    name: Name
    kinds: Kinds = Field(default_factory=list)
    address: Annotated[str, Field(max_length=2000)] = ""
    mail: MailTo | None = None
    ticket_form: TicketFormIn | None = None
    ticket_login: TicketLogin | None = None

    @model_validator(mode="after")
    def _fits(self) -> "ChannelCreate":
        if (self.way == "mail") != (self.mail is not None) or (self.way == "mail") == bool(self.address):
            raise ValueError("mail for the way “mail”, and address for every other")
        if (self.way in WITHOUT_KINDS) == bool(self.kinds):
            raise ValueError("choose at least one kind; a heartbeat and a ticket system have none")
        if SENT_BY_PEOPLE.keys() & set(self.kinds):
            raise ValueError("tests and tickets are sent manually")
        if (self.way == "ticket") != (self.ticket_form is not None) or (self.ticket_login is not None and self.way != "ticket"):
            raise ValueError("ticket_form for the way “ticket” only, and needed there; ticket_login there only")
        return self


class ChannelUpdate(Input):
    """Only the fields that are sent are changed."""

    name: Name | None = None
    kinds: Kinds | None = None
    is_enabled: bool | None = None
    address: Annotated[str, Field(max_length=2000)] | None = None
    mail: MailTo | None = None
    ticket_form: TicketFormIn | None = None
    # With the address only: it is sealed together with it.
    ticket_login: TicketLogin | None = None


class ChannelOut(Schema):
    """A channel. `shown` is as much of its address as may be shown."""

    id: int
    group_id: int
    group_name: str
    way: Transport
    name: str
    kinds: list[NoticeKind]
    shown: str
    state: ChannelState
    words: str
    ok_at: datetime | None
    failing_since: datetime | None
    waiting: int
    # Of a ticket system.
    ticket_form: TicketFormIn | None
    # Until when the previous secret signs too; null where only one secret signs.
    old_secret_until: datetime | None
    changed_at: datetime
    changed_by: str


class SecretRotate(Input):
    """Requests a new signing secret. `keeps_old`: the old one signs too for 24 hours, so that the receiver can change over."""

    keeps_old: bool = True


class ChannelMade(ChannelOut):
    """A channel, with the new secret that signs a webhook's messages, shown this once; empty for other transports."""

    signing_secret: str


class KindOut(Schema):
    """A kind of notice."""

    kind: NoticeKind
    words: str


class ChannelList(Schema):
    """The channels that the caller administers, the kinds of notices, and the chat services.

    `has_heartbeat`: a service outside would notice if all of Plumbline stopped.
    """

    channels: list[ChannelOut]
    kinds: list[KindOut]
    chats: list[str]
    has_heartbeat: bool


class DeliveryOut(Schema):
    """The delivery of one notice to one channel."""

    id: str
    channel_id: int
    channel_name: str
    state: DeliveryState
    tries: int
    due_at: datetime
    ended_at: datetime | None
    words: str
    # The ticket that it created, and its page, where the receiver is a ticket system and said so.
    ticket_number: str
    ticket_url: str


class TicketAbout(Input):
    """What a ticket is about: changes of settings by their ids, an open problem by its key, or what fails on some hosts."""

    change_ids: Annotated[list[Annotated[int, Field(ge=1, lt=2**63)]], Field(max_length=5000)] = Field(default_factory=list)
    problem: Annotated[str, Field(pattern=rf"^(({'|'.join(KINDS)})-[0-9a-f]{{32}})?$")] = ""
    host_ids: Annotated[list[HostId], Field(max_length=500)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_one(self) -> "TicketAbout":
        if sum(map(bool, (self.change_ids, self.problem, self.host_ids))) != 1:
            raise ValueError("send one of change_ids, problem and host_ids")
        return self


class TicketCreate(TicketAbout):
    """A ticket to send. `description` is sent line by line, with the link to Plumbline below it."""

    system_id: RowId
    title: Annotated[Words, Field(min_length=3, max_length=250)]
    description: LongText


class TicketSystem(Schema):
    """A ticket system that a ticket about these hosts can be sent to."""

    id: int
    name: str
    shown: str


class TicketPreview(Schema):
    """The text that a ticket would begin with. No systems: an admin has to add one for the group of these hosts."""

    title: str
    description: str
    hosts: list[NamedHost]
    systems: list[TicketSystem]


class NoticeOut(Schema):
    """One notice; `kept_back` is why it was not sent, empty where it was."""

    id: int
    at: datetime
    kind: NoticeKind
    kind_words: str
    group_id: int
    group_name: str
    title: str
    lines: list[str]
    hosts: list[NamedHost]
    page: str
    kept_back: str
    deliveries: list[DeliveryOut]


class NoticePage(Schema):
    """Notices, newest first. `next` continues below."""

    items: list[NoticeOut]
    next: int | None
