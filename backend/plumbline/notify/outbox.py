"""Writing a notice and its deliveries: rows of the transaction in which it was found out. The background worker sends them."""

import secrets
from collections.abc import Iterable, Sequence

from sqlmodel import Session, select, text

from plumbline.infra.task_queue import enqueue
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery
from plumbline.notify.kinds import NoticeKind, cut

DELIVER_TASK = "notify.deliver"


def open_channels(session: Session) -> list[NoticeChannel]:
    """Channels that are in use, heartbeats apart."""
    rows = session.exec(
        select(NoticeChannel).where(NoticeChannel.is_enabled, NoticeChannel.way != "heartbeat", NoticeChannel.removed_at.is_(None))  # type: ignore[union-attr]
    )
    return list(rows)


def write_notice(
    session: Session,
    channels: Iterable[NoticeChannel],
    *,
    kind: NoticeKind,
    group_id: int,
    title: str,
    lines: Sequence[str],
    hosts: Sequence[str] = (),
    page: str = "",
    kept_back: str = "",
) -> Notice:
    """A notice of a group, with a delivery for each of the given channels; none where it is kept back."""
    notice = Notice(group_id=group_id, kind=kind, title=title, lines=cut(lines), hosts=list(hosts), page=page, kept_back=kept_back)
    session.add(notice)
    session.flush()
    if not kept_back:
        for channel in channels:
            session.add(NoticeDelivery(id=f"dlv_{secrets.token_hex(12)}", notice_id=notice.id or 0, channel_id=channel.id or 0))
        session.flush()
        enqueue(session, DELIVER_TASK)
    return notice


def paths_of_groups(session: Session) -> dict[int, str]:
    """The path of every group of hosts."""
    return {row.id: row.path for row in session.execute(text("SELECT id, path FROM host_group"))}
