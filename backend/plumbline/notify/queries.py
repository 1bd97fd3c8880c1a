"""Channels and notices, as their admins see them."""

from typing import Any

from sqlmodel import Session, select, text

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import read_groups
from plumbline.infra.clock import utc_now
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.columns import columns_of
from plumbline.models.hosts import HostGroup
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery
from plumbline.notify.address import CHATS
from plumbline.notify.channels import RIGHT
from plumbline.notify.kinds import KIND_WORDS, SENT_BY_PEOPLE
from plumbline.notify.schemas import ChannelList, ChannelOut, ChannelState, DeliveryOut, KindOut, NoticeOut, NoticePage, TicketFormIn

NOTICE_CHANNEL = columns_of(NoticeChannel)
NOTICE = columns_of(Notice)
NOTICE_DELIVERY = columns_of(NoticeDelivery)
_WAITING = "SELECT channel_id, count(*) FROM notice_delivery WHERE state = 'waiting' GROUP BY channel_id"
_HOSTS = "SELECT id, name FROM host WHERE id = ANY(:ids)"
_HEARTBEAT = "SELECT EXISTS (SELECT 1 FROM notice_channel WHERE way = 'heartbeat' AND is_enabled AND removed_at IS NULL)"


def _administered_groups(session: Session, actor: Actor) -> dict[int, str]:
    """Ids and names of the groups whose channels the actor administers."""
    return {node.id: node.name for node in read_groups(session).values() if allow(actor, RIGHT, node.path)}


def list_channels(session: Session, *, actor: Actor) -> ChannelList:
    """The channels of the actor's groups, by group and name. Four queries."""
    groups = _administered_groups(session, actor)
    rows = session.exec(
        select(NoticeChannel)
        .where(NOTICE_CHANNEL.removed_at.is_(None), NOTICE_CHANNEL.group_id.in_(groups))
        .order_by(NOTICE_CHANNEL.name, NOTICE_CHANNEL.id)
    ).all()
    waiting: dict[int, int] = {row[0]: row[1] for row in session.execute(text(_WAITING))}
    return ChannelList(
        channels=[channel_out(row, groups[row.group_id], waiting.get(row.id or 0, 0)) for row in rows],
        kinds=[KindOut(kind=kind, words=words) for kind, words in KIND_WORDS.items()],
        chats=[service.words for service in CHATS],
        has_heartbeat=session.execute(text(_HEARTBEAT)).scalar_one(),
    )


def read_channel(session: Session, *, row: NoticeChannel) -> ChannelOut:
    """One channel; the caller has checked that the actor administers it."""
    return channel_out(row, session.get_one(HostGroup, row.group_id).name, 0)


def channel_out(row: NoticeChannel, group_name: str, waiting: int) -> ChannelOut:
    """A channel with its state."""
    return ChannelOut(
        id=row.id or 0,
        group_id=row.group_id,
        group_name=group_name,
        way=row.way,
        name=row.name,
        kinds=row.kinds,
        shown=row.shown,
        state=_state(row),
        words=row.last_words,
        ok_at=row.ok_at,
        failing_since=row.failing_since,
        waiting=waiting,
        ticket_form=TicketFormIn.model_validate(row.ticket_form) if row.ticket_form else None,
        old_secret_until=row.old_secret_until if row.old_secret_until and row.old_secret_until > utc_now() else None,
        changed_at=row.changed_at,
        changed_by=row.changed_by.partition(" ")[2] or row.changed_by,
    )


def _state(row: NoticeChannel) -> ChannelState:
    if not row.is_enabled:
        return "off"
    if row.failing_since is not None:
        return "fails"
    return "works" if row.ok_at is not None else "untried"


def list_notices(session: Session, *, actor: Actor, before: int | None, limit: int) -> NoticePage:
    """Notices of the actor's groups, newest first, with their deliveries. Four queries."""
    groups = _administered_groups(session, actor)
    query = select(Notice).where(NOTICE.group_id.in_(groups)).order_by(NOTICE.id.desc()).limit(limit + 1)
    rows = session.exec(query if before is None else query.where(NOTICE.id < before)).all()
    shown = rows[:limit]
    return NoticePage(items=_notices_out(session, shown, groups), next=shown[-1].id if len(rows) > limit else None)


def read_notice(session: Session, *, actor: Actor, notice_id: int) -> NoticeOut:
    """One notice. Raises `NotFound`."""
    groups = _administered_groups(session, actor)
    row = session.get(Notice, notice_id)
    if row is None or row.group_id not in groups:
        raise NotFound("Notification not found.")
    return _notices_out(session, [row], groups)[0]


def _notices_out(session: Session, rows: Any, groups: dict[int, str]) -> list[NoticeOut]:
    ids = [row.id for row in rows]
    deliveries: dict[int, list[DeliveryOut]] = {}
    rows_with_names = session.execute(
        select(NoticeDelivery, NOTICE_CHANNEL.name)
        .join(NoticeChannel, NOTICE_CHANNEL.id == NOTICE_DELIVERY.channel_id)
        .where(NOTICE_DELIVERY.notice_id.in_(ids))
        .order_by(NOTICE_CHANNEL.name)
    )
    for delivery, name in rows_with_names:
        deliveries.setdefault(delivery.notice_id, []).append(_delivery(delivery, name))
    hosts = {host_id for row in rows for host_id in row.hosts}
    names = {row.id: row.name for row in session.execute(text(_HOSTS), {"ids": list(hosts)})}
    return [
        NoticeOut(
            id=row.id,
            at=row.at,
            kind=row.kind,
            kind_words={**KIND_WORDS, **SENT_BY_PEOPLE}[row.kind],
            group_id=row.group_id,
            group_name=groups[row.group_id],
            title=row.title,
            lines=row.lines,
            hosts=[NamedHost(id=host_id, name=names.get(host_id, host_id)) for host_id in row.hosts],
            page=row.page,
            kept_back=row.kept_back,
            deliveries=deliveries.get(row.id, []),
        )
        for row in rows
    ]


def _delivery(row: NoticeDelivery, name: str) -> DeliveryOut:
    return DeliveryOut(
        id=row.id, channel_id=row.channel_id, channel_name=name, state=row.state,
        tries=row.tries, due_at=row.due_at, ended_at=row.ended_at, words=row.words,
        ticket_number=row.ticket_number, ticket_url=row.ticket_url,
    )  # fmt: skip
