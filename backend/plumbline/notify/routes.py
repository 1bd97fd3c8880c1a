"""Routes of notices: channels, notices and their deliveries."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute, shown_once
from plumbline.drift.ticket_reads import TicketOut
from plumbline.infra.schemas import RowId
from plumbline.notify import channels, tickets
from plumbline.notify import queries as queries
from plumbline.notify.schemas import (
    ChannelCreate,
    ChannelList,
    ChannelMade,
    ChannelOut,
    ChannelUpdate,
    NoticeOut,
    NoticePage,
    SecretRotate,
    TicketAbout,
    TicketCreate,
    TicketPreview,
)

router = APIRouter(route_class=IdempotentRoute)

ChannelAdmin = Annotated[Actor, May("notice.manage")]
TicketSender = Annotated[Actor, May("ticket.create")]
DeliveryId = Annotated[str, Path(pattern=r"^dlv_[0-9a-f]{24}$")]
NoticeId = Annotated[int, Query(ge=1, le=2**63 - 1)]


@router.get("/notices/channels")
def list_notice_channels(session: SessionDep, actor: ChannelAdmin) -> ChannelList:
    """The channels of the groups that the caller administers, with the state of each."""
    return queries.list_channels(session, actor=actor)


@router.post("/notices/channels", status_code=status.HTTP_201_CREATED)
@shown_once("look at the list of channels; where it was a webhook, rotate its secret")
def make_notice_channel(body: ChannelCreate, session: SessionDep, actor: ChannelAdmin) -> ChannelMade:
    """Sets a channel up. A webhook's signing secret is shown this once."""
    row, secret = channels.make_channel(session, actor=actor, request=body)
    return ChannelMade(**queries.read_channel(session, row=row).model_dump(), signing_secret=secret)


@router.patch("/notices/channels/{channel_id}")
def change_notice_channel(channel_id: RowId, body: ChannelUpdate, session: SessionDep, actor: ChannelAdmin) -> ChannelOut:
    """Changes a channel."""
    return queries.read_channel(session, row=channels.change_channel(session, actor=actor, channel_id=channel_id, request=body))


@router.post("/notices/channels/{channel_id}/secret", status_code=status.HTTP_201_CREATED)
@shown_once("the channel signs with a secret that was not shown: rotate it again")
def rotate_notice_channel_secret(channel_id: RowId, body: SecretRotate, session: SessionDep, actor: ChannelAdmin) -> ChannelMade:
    """A new signing secret for a webhook, shown this once."""
    row, secret = channels.rotate_secret(session, actor=actor, channel_id=channel_id, keeps_old=body.keeps_old)
    return ChannelMade(**queries.read_channel(session, row=row).model_dump(), signing_secret=secret)


@router.delete("/notices/channels/{channel_id}", status_code=status.HTTP_204_NO_CONTENT)
def remove_notice_channel(channel_id: RowId, session: SessionDep, actor: ChannelAdmin) -> None:
    """Removes a channel and its address."""
    channels.remove_channel(session, actor=actor, channel_id=channel_id)


@router.post("/notices/channels/{channel_id}/test", status_code=status.HTTP_202_ACCEPTED)
def try_notice_channel(channel_id: RowId, session: SessionDep, actor: ChannelAdmin) -> NoticeOut:
    """Sends a test through the channel, as any notice is sent; the outcome is on the notice."""
    notice = channels.try_channel(session, actor=actor, channel_id=channel_id)
    return queries.read_notice(session, actor=actor, notice_id=notice.id or 0)


@router.post("/notices/deliveries/{delivery_id}/replay", status_code=status.HTTP_202_ACCEPTED)
def replay_notice_delivery(delivery_id: DeliveryId, session: SessionDep, actor: ChannelAdmin) -> NoticeOut:
    """Sends a notification to one of its channels again, under a new delivery id; the outcome is on the notification."""
    notice = channels.replay_delivery(session, actor=actor, delivery_id=delivery_id)
    return queries.read_notice(session, actor=actor, notice_id=notice.id or 0)


@router.post("/tickets/preview")
def preview_ticket(body: TicketAbout, session: SessionDep, actor: TicketSender) -> TicketPreview:
    """The text that a ticket would begin with, and the ticket systems that it can be sent to. Nothing is sent."""
    return tickets.preview_ticket(session, actor=actor, about=body)


@router.post("/tickets", status_code=status.HTTP_202_ACCEPTED)
def create_ticket(body: TicketCreate, session: SessionDep, actor: TicketSender) -> TicketOut:
    """Sends a ticket. Its number stands on the changes or the problem as soon as the ticket system has answered."""
    return tickets.create_ticket(session, actor=actor, request=body)


@router.get("/notices")
def list_notices(
    session: SessionDep, actor: ChannelAdmin, before: NoticeId | None = None, limit: Annotated[int, Query(ge=1, le=100)] = 30
) -> NoticePage:
    """Notices, newest first, with the outcome of each delivery."""
    return queries.list_notices(session, actor=actor, before=before, limit=limit)


@router.get("/notices/{notice_id}")
def read_notice(notice_id: RowId, session: SessionDep, actor: ChannelAdmin) -> NoticeOut:
    """One notice."""
    return queries.read_notice(session, actor=actor, notice_id=notice_id)
