"""What admins do with channels: set one up, change it, test it, remove it. Addresses and secrets are sealed and never shown again."""

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
from plumbline.notify.kinds import KINDS, SENT_BY_PEOPLE, WITHOUT_KINDS, Transport
from plumbline.notify.outbox import NoticeContent, add_delivery, write_notice
from plumbline.notify.schemas import ChannelCreate, ChannelUpdate, MailTo, TicketFormIn, TicketLogin
from plumbline.notify.ticket_form import FormInvalid, TicketForm

RIGHT = "notice.manage"
MOST_IN_A_GROUP = 20


class ChannelNotFound(NotFound):
    """No such channel, or outside the actor's scope."""

    code = "channel_not_found"


def make_channel(session: Session, *, actor: Actor, request: ChannelCreate) -> tuple[NoticeChannel, str]:
    """A new channel, and the secret that signs its messages where it is a webhook. Raises `BadInput`, `Conflict`."""
    group = session.get(HostGroup, request.group_id)
    require(actor, RIGHT, group.path if group else "", missing="Group not found.")
    present = col(NoticeChannel.removed_at).is_(None)
    count = select(func.count()).select_from(NoticeChannel).where(NoticeChannel.group_id == request.group_id, present)
    if session.exec(count).one() >= MOST_IN_A_GROUP:
        raise Conflict(f"This group has the maximum of {MOST_IN_A_GROUP} channels. Delete one first.")
    values = _values(request.way, request.address, request.mail, request.ticket_login)
    secret = ""
    if request.way == "webhook":
        secret = values["secret"] = signing.new_secret()
    row = NoticeChannel(
        group_id=request.group_id,
        way=request.way,
        name=request.name,
        kinds=_in_kind_order(request.kinds),
        shown=address.check_address(request.way, values),
        ticket_form=_form(request.ticket_form),
        changed_by=actor.audit_name,
    )
    session.add(row)
    session.flush()
    address.seal_address(row, values)
    session.add(row)
    session.flush()
    session.refresh(row)
    _audit(session, actor, "notice_channel.made", row, None, _audited(row))
    return row, secret


def change_channel(session: Session, *, actor: Actor, channel_id: int, request: ChannelUpdate) -> NoticeChannel:
    """Changes a channel. A webhook's address cannot be changed, since its signing secret belongs to it: that takes a new channel."""
    row = lock_channel(session, actor, channel_id)
    before = _audited(row)
    if request.address is not None or request.mail is not None:
        if row.way == "webhook":
            raise BadInput("The signing secret is bound to the old URL. Add a new channel and delete this one.")
        if row.way == "ticket" and request.ticket_login is None:
            raise BadInput("ticket_login: enter user name and password again; they are stored together with the address.")
        transport: Transport = row.way  # type: ignore[assignment]
        values = _values(transport, request.address or "", request.mail, request.ticket_login)
        row.shown = address.check_address(transport, values)
        address.seal_address(row, values)
        row.ok_at, row.failing_since, row.last_words = None, None, ""
    elif request.ticket_login is not None:
        raise BadInput("ticket_login: enter the address as well; both are stored together.")
    if request.ticket_form is not None:
        if row.way != "ticket":
            raise BadInput("ticket_form: only a ticket system has one.")
        row.ticket_form = _form(request.ticket_form)
    if request.kinds is not None:
        if SENT_BY_PEOPLE.keys() & set(request.kinds) or (row.way in WITHOUT_KINDS) == bool(request.kinds):
            raise BadInput("Choose at least one kind. A heartbeat and a ticket system have none, and tests are sent manually.")
        row.kinds = _in_kind_order(request.kinds)
    row.name = request.name or row.name
    if request.is_enabled is not None and request.is_enabled != row.is_enabled:
        # After it is switched on again, earlier failures no longer count.
        row.is_enabled, row.failing_since, row.last_words = request.is_enabled, None, ""
    row.changed_at, row.changed_by = now_of(session), actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.changed", row, before, _audited(row))
    return row


def remove_channel(session: Session, *, actor: Actor, channel_id: int) -> None:
    """Removes a channel and its address. Its past deliveries stay in the list of notices."""
    row = lock_channel(session, actor, channel_id)
    before = _audited(row)
    row.removed_at, row.is_enabled, row.sealed = now_of(session), False, None
    row.secret_sealed, row.old_secret_sealed, row.old_secret_until = None, None, None
    row.changed_at, row.changed_by = row.removed_at, actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.removed", row, before, None)


def rotate_secret(session: Session, *, actor: Actor, channel_id: int, keeps_old: bool) -> tuple[NoticeChannel, str]:
    """A new secret for a webhook; the old one signs too for a day, or ends at once. Raises `Conflict`."""
    row = lock_channel(session, actor, channel_id)
    if row.way != "webhook":
        raise Conflict("only a webhook's messages are signed; this channel has no secret")
    before = _audited(row)
    now = now_of(session)
    secret = signing.rotate(row, now=now, keeps_old=keeps_old)
    row.changed_at, row.changed_by = now, actor.audit_name
    session.add(row)
    session.flush()
    _audit(session, actor, "notice_channel.secret_rotated", row, before, _audited(row))
    return row, secret


def try_channel(session: Session, *, actor: Actor, channel_id: int) -> Notice:
    """Writes a test notice, which the background worker sends like any other, but with one attempt only."""
    row = lock_channel(session, actor, channel_id)
    if row.way == "heartbeat":
        raise Conflict("Heartbeats run every minute. See the channel's status.")
    if not row.is_enabled:
        raise Conflict("This channel is disabled. Enable it first.")
    waiting = select(NoticeDelivery.id).join(Notice, col(Notice.id) == NoticeDelivery.notice_id)
    is_tried = waiting.where(NoticeDelivery.channel_id == row.id, NoticeDelivery.state == "waiting", Notice.kind == "test")
    if session.exec(is_tried.limit(1)).first() is not None:
        raise Conflict("a test is on its way already; is a background worker running?")
    lines = [f"Sent by {actor.display_name or actor.login}. No action needed."]
    content = NoticeContent("test", f"Test notification from channel {row.name}", lines, page="/admin?tab=notices")
    notice = write_notice(session, [row], group_id=row.group_id, content=content)
    _audit(session, actor, "notice_channel.tested", row, None, None)
    return notice


def replay_delivery(session: Session, *, actor: Actor, delivery_id: str) -> Notice:
    """Sends a notice to one of its channels again, as a delivery with an id of its own. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    delivery = session.get(NoticeDelivery, delivery_id)
    if delivery is None:
        raise NotFound("Delivery not found.")
    row = lock_channel(session, actor, delivery.channel_id)
    if not row.is_enabled:
        raise Conflict("the channel is switched off: switch it on first")
    same = select(NoticeDelivery.id).where(
        NoticeDelivery.notice_id == delivery.notice_id, NoticeDelivery.channel_id == row.id, NoticeDelivery.state == "waiting"
    )
    if session.exec(same.limit(1)).first() is not None:
        raise Conflict("this notification is on its way already; is a background worker running?")
    notice = session.get_one(Notice, delivery.notice_id)
    add_delivery(session, notice, row)
    _audit(session, actor, "notice_delivery.replayed", row, None, {"notice": notice.id, "delivery": delivery_id})
    return notice


def lock_channel(session: Session, actor: Actor, channel_id: int) -> NoticeChannel:
    """The channel, with its row locked, for an act of its admin. Raises `ChannelNotFound`, `NotAllowed`."""
    row = session.exec(select(NoticeChannel).where(NoticeChannel.id == channel_id).with_for_update()).first()
    if row is None or row.removed_at is not None:
        raise ChannelNotFound("Channel not found.")
    require(actor, RIGHT, session.get_one(HostGroup, row.group_id).path, missing="Channel not found.")
    return row


def _values(transport: Transport, url: str, mail: MailTo | None, login: TicketLogin | None) -> dict[str, Any]:
    if transport == "mail":
        if mail is None or url:
            raise BadInput("mail: enter the server and who gets the mail")
        if bool(mail.account) != bool(mail.password):
            raise BadInput("Enter both user name and password, or leave both empty.")
        if mail.account and mail.security == "insecure":
            raise BadInput("mail: a password is sent over TLS only")
        return mail.model_dump()
    if not url or mail is not None:
        raise BadInput("address: enter where it goes")
    if transport != "ticket":
        return {"url": url.strip()}
    login = login or TicketLogin()
    if login.account and not login.password:
        raise BadInput("ticket_login: enter the password or token of this user name.")
    return {"url": url.strip(), **login.model_dump()}


def _form(request: TicketFormIn | None) -> dict[str, str] | None:
    if request is None:
        return None
    try:
        TicketForm(**request.model_dump()).check()
    except FormInvalid as error:
        raise BadInput(str(error)) from error
    return request.model_dump()


def _in_kind_order(kinds: list[Any]) -> list[str]:
    return [kind for kind in KINDS if kind in kinds]


def _audited(row: NoticeChannel) -> dict[str, Any]:
    audited = {name: getattr(row, name) for name in ("name", "way", "kinds", "shown", "is_enabled", "version")}
    if row.ticket_form:
        audited["ticket_form"] = row.ticket_form
    if row.secret_version:
        audited |= {"secret_version": row.secret_version, "old_secret_until": row.old_secret_until and iso(row.old_secret_until)}
    return audited


def _audit(session: Session, actor: Actor, action: str, row: NoticeChannel, before: Any, after: Any) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        about=audit.Object("notice_channel", str(row.id), row.group_id),
        before=before,
        after=after,
    )
