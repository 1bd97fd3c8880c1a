"""Writes a notice and its deliveries, in the transaction that found the reason for it. The background worker sends them."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select, text

from plumbline.infra.task_queue import enqueue
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery
from plumbline.notify.kinds import WITHOUT_KINDS, NoticeKind, cut

DELIVER_TASK = "notify.deliver"


@dataclass(frozen=True, slots=True)
class NoticeContent:
    """What a notice says. `page` is the address of the page that shows more; `kept_back` is why it is not sent, empty where it is."""

    kind: NoticeKind
    title: str
    lines: Sequence[str] = ()
    hosts: Sequence[str] = ()
    page: str = ""
    kept_back: str = ""
    # What a person wrote is sent as it is; of what was found the first lines are.
    is_whole: bool = False


def open_channels(session: Session) -> list[NoticeChannel]:
    """Channels that get notices by themselves: no heartbeats, and no ticket systems, which get what people send there."""
    rows = session.exec(
        select(NoticeChannel).where(
            NoticeChannel.is_enabled, col(NoticeChannel.way).not_in(WITHOUT_KINDS), col(NoticeChannel.removed_at).is_(None)
        )
    )
    return list(rows)


def write_notice(session: Session, channels: Iterable[NoticeChannel], *, group_id: int, content: NoticeContent) -> Notice:
    """A notice of a group, with a delivery for each of the channels; without deliveries where it is kept back."""
    notice = Notice(
        group_id=group_id,
        kind=content.kind,
        title=content.title,
        lines=list(content.lines) if content.is_whole else cut(content.lines),
        hosts=list(content.hosts),
        page=content.page,
        kept_back=content.kept_back,
    )
    session.add(notice)
    session.flush()
    if not content.kept_back:
        for channel in channels:
            add_delivery(session, notice, channel)
    return notice


def add_delivery(session: Session, notice: Notice, channel: NoticeChannel) -> None:
    """One more delivery of a notice to a channel; the background worker is woken once the transaction is committed."""
    session.add(NoticeDelivery(id=f"dlv_{secrets.token_hex(12)}", notice_id=notice.id or 0, channel_id=channel.id or 0))
    session.flush()
    enqueue(session, DELIVER_TASK)


def paths_of_groups(session: Session) -> dict[int, str]:
    """The path of every group of hosts."""
    return {row.id: row.path for row in session.execute(text("SELECT id, path FROM host_group"))}
