"""What admins do about channels: set one up, change it, try it, take it away. What they enter is sealed and never shown again."""

from typing import Any

from sqlmodel import Session, col, func, select

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.infra.clock import iso
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.hosts import HostGroup
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery
from plumbline.notify import address, signing
from plumbline.notify.kinds import KINDS, Way
from plumbline.notify.outbox import write_notice
from plumbline.notify.schemas import ChannelCreate, ChannelUpdate, MailTo

RIGHT = "notice.manage"
MOST_IN_A_GROUP = 20


class ChannelNotFound(NotFound):
    """No such channel, or not in the asking person's scope."""

    code = "channel_not_found"


def make_channel(session: Session, *, actor: Actor, asked: ChannelCreate) -> tuple[NoticeChannel, str]:
    """A new channel, and the secret that signs its messages where it is a webhook. Raises `BadInput`, `Conflict`."""
    group = session.get(HostGroup, asked.group_id)
    require(actor, RIGHT, group.path if group else "", missing="no such group")
    present = col(NoticeChannel.removed_at).is_(None)
    count = select(func.count()).select_from(NoticeChannel).where(NoticeChannel.group_id == asked.group_id, present)
    if session.exec(count).one() >= MOST_IN_A_GROUP:
        raise Conflict(f"this group has {MOST_IN_A_GROUP} channels; take one away first")
    values = _values(asked.way, asked.address, asked.mail)
    secret = ""
    if asked.way == "webhook":
        secret = values["secret"] = signing.new_secret()
    row = NoticeChannel(
        group_id=asked.group_id,
        way=asked.way,
        name=asked.name,
        kinds=_in_order(asked.kinds),
        shown=address.check_address(asked.way, values),
        changed_by=actor.audit_name,
    )
    session.add(row)
    session.flush()
    address.seal_address(row, values)
    session.add(row)
    session.flush()
    session.refresh(row)
    _audit(session, actor, "notice_channel.made", row, None, _told(row))
    return row, secret


def change_channel(session: Session, *, actor: Actor, channel_id: int, asked: ChannelUpdate) -> NoticeChannel:
    """Changes a channel; with another address of a webhook, the secret that signs goes with the old one and a new channel is the way."""
    row = locked(session, actor, channel_id)
    before = _told(row)
    if asked.address is not None or asked.mail is not None:
        if row.way == "webhook":
            raise BadInput("address: its signing secret belongs to the old one; make a new channel and take this one away")
        way: Way = row.way  # type: ignore[assignment]
        values = _values(way, asked.address or "", asked.mail)
        row.shown = address.check_address(way, values)
        address.seal_address(row, values)
        row.ok_at, row.failing_since, row.last_words = None, None, ""
    if asked.kinds is not None:
        if "test" in asked.kinds or (row.way == "heartbeat") == bool(asked.kinds):
            raise BadInput("kinds: choose at least one kind; a heartbeat has none, and a test is sent by hand")
        row.kinds = _in_order(asked.kinds)
    row.name = asked.name or row.name
    if asked.is_enabled is not None and asked.is_enabled != row.is_enabled:
        # Switched on again, it is to be judged by what it does now.
        row.is_enabled, row.failing_since, row.last_words = asked.is_enabled, None, ""
    row.changed_at, row.changed_by = now_of(session), actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.changed", row, before, _told(row))
    return row


def remove_channel(session: Session, *, actor: Actor, channel_id: int) -> None:
    """Takes a channel away, and its address with it. What it was sent stays in the log."""
    row = locked(session, actor, channel_id)
    before = _told(row)
    row.removed_at, row.is_enabled, row.sealed = now_of(session), False, None
    row.secret_sealed, row.old_secret_sealed, row.old_secret_until = None, None, None
    row.changed_at, row.changed_by = row.removed_at, actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.removed", row, before, None)


def rotate_secret(session: Session, *, actor: Actor, channel_id: int, keeps_old: bool) -> tuple[NoticeChannel, str]:
    """A new secret for a webhook; the one before goes on signing for a day beside it, or ends at once. Raises `Conflict`."""
    row = locked(session, actor, channel_id)
    if row.way != "webhook":
        raise Conflict("only a webhook's messages are signed; this channel has no secret")
    before = _told(row)
    now = now_of(session)
    secret = signing.rotate(row, now=now, keeps_old=keeps_old)
    row.changed_at, row.changed_by = now, actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.secret_rotated", row, before, _told(row))
    return row, secret


def try_channel(session: Session, *, actor: Actor, channel_id: int) -> Notice:
    """Asks the background worker to send a test down the channel, by the way that every notice goes. It is tried once."""
    row = locked(session, actor, channel_id)
    if row.way == "heartbeat":
        raise Conflict("a heartbeat is called every minute by itself; its state says how that goes")
    if not row.is_enabled:
        raise Conflict("the channel is switched off: switch it on first")
    waiting = select(NoticeDelivery.id).join(Notice, col(Notice.id) == NoticeDelivery.notice_id)
    is_tried = waiting.where(NoticeDelivery.channel_id == row.id, NoticeDelivery.state == "waiting", Notice.kind == "test")
    if session.exec(is_tried.limit(1)).first() is not None:
        raise Conflict("a test is on its way already; is a background worker running?")
    who = actor.display_name or actor.login
    notice = write_notice(
        session, [row], kind="test", group_id=row.group_id, title=f"Test of the channel {row.name}",
        lines=[f"{who} asked for it. Nothing is wrong."], page="/admin?tab=notices",
    )  # fmt: skip
    _audit(session, actor, "notice_channel.tested", row, None, None)
    return notice


def locked(session: Session, actor: Actor, channel_id: int) -> NoticeChannel:
    """The channel, for an act of its admin. Raises `ChannelNotFound`, `NotAllowed`."""
    row = session.exec(select(NoticeChannel).where(NoticeChannel.id == channel_id).with_for_update()).first()
    if row is None or row.removed_at is not None:
        raise ChannelNotFound("no such channel")
    require(actor, RIGHT, session.get_one(HostGroup, row.group_id).path, missing="no such channel")
    return row


def _values(way: Way, url: str, mail: MailTo | None) -> dict[str, Any]:
    if way == "mail":
        if mail is None or url:
            raise BadInput("mail: enter the server and who gets the mail")
        if bool(mail.account) != bool(mail.password):
            raise BadInput("mail: account and password go together; leave both empty for a server that asks for neither")
        if mail.account and mail.security == "insecure":
            raise BadInput("mail: a password is sent over TLS only")
        return mail.model_dump()
    if not url or mail is not None:
        raise BadInput("address: enter where it goes")
    return {"url": url.strip()}


def _in_order(kinds: list[Any]) -> list[str]:
    return [kind for kind in KINDS if kind in kinds]


def _told(row: NoticeChannel) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in ("name", "way", "kinds", "shown", "is_enabled", "version")}
    if row.secret_version:
        told |= {"secret_version": row.secret_version, "old_secret_until": row.old_secret_until and iso(row.old_secret_until)}
    return told


def _audit(session: Session, actor: Actor, action: str, row: NoticeChannel, before: Any, after: Any) -> None:
    audit.record(
        session, actor=actor.audit_name, action=action, object_kind="notice_channel", object_id=str(row.id), group_id=row.group_id,
        before=before, after=after,
    )  # fmt: skip
