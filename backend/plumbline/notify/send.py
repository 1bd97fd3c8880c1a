"""Sending what waits: each delivery is taken for a minute, sent outside of any transaction, and noted with what came of it.

A worker that ends in between leaves it to the next, so that a receiver may see a message twice, always under the same delivery id.
"""

from datetime import timedelta

import structlog
from sqlalchemy import CursorResult, func, update
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.database import session_scope
from plumbline.errors import Unavailable
from plumbline.notify import address, ways
from plumbline.notify.kinds import next_try
from plumbline.notify.look import faults
from plumbline.notify.models import Notice, NoticeChannel, NoticeDelivery
from plumbline.remediation.record import now_of

log = structlog.get_logger()

# Longer than any send takes: mail has a connect and several answers to wait for.
TAKEN_FOR = timedelta(minutes=2)
_MOST = 20
_TAKE = """
UPDATE notice_delivery d SET due_at = clock_timestamp() + :taken, tries = d.tries + 1
WHERE d.id IN (
  SELECT w.id FROM notice_delivery w JOIN notice_channel c ON c.id = w.channel_id
  WHERE w.state = 'waiting' AND w.due_at <= clock_timestamp() AND c.is_enabled AND c.removed_at IS NULL
  ORDER BY w.due_at, w.id LIMIT :most FOR UPDATE OF w SKIP LOCKED)
RETURNING d.id
"""
_DROP = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'the channel was switched off or removed'
FROM notice_channel c WHERE c.id = d.channel_id AND d.state = 'waiting' AND (c.removed_at IS NOT NULL OR NOT c.is_enabled)
"""
# What nobody sent for a day (a restored database, a desk that was away) is no news any more; what is still so is told again by then.
_TOO_OLD = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'a day went by before anybody could send it'
FROM notice n WHERE n.id = d.notice_id AND d.state = 'waiting' AND n.at < clock_timestamp() - interval '1 day'
"""
_HOSTS = "SELECT id, name FROM host WHERE id = ANY(:ids)"
_HEARTBEATS = "SELECT id FROM notice_channel WHERE way = 'heartbeat' AND is_enabled AND removed_at IS NULL ORDER BY id"


def deliver() -> int:
    """Sends everything that is due; answers how many were tried."""
    tried = 0
    while True:
        with session_scope() as session:
            session.execute(text(_DROP))
            session.execute(text(_TOO_OLD))
            taken = list(session.execute(text(_TAKE), {"taken": TAKEN_FOR, "most": _MOST}).scalars())
        for delivery_id in taken:
            _deliver_one(delivery_id)
        tried += len(taken)
        if len(taken) < _MOST:
            return tried


def _deliver_one(delivery_id: str) -> None:
    with session_scope() as session:
        delivery = session.get_one(NoticeDelivery, delivery_id)
        channel = session.get_one(NoticeChannel, delivery.channel_id)
        message = _message(session, delivery)
        now = now_of(session)
    try:
        words, failed = ways.send(channel.way, address.open_address(channel), message, now=now), None
    except ways.NotSent as error:
        words, failed = error.words, error
    except Unavailable as error:
        words, failed = error.message, ways.NotSent(error.message)
    except Exception as error:  # whatever a message trips over must not keep the others from being sent
        log.exception("a notice could not be sent", delivery=delivery_id, way=channel.way)
        words = f"internal error: {type(error).__name__}"
        failed = ways.NotSent(words)
    with session_scope() as session:
        _note(session, delivery_id, words, failed)


def _message(session: Session, delivery: NoticeDelivery) -> ways.Message:
    notice = session.get_one(Notice, delivery.notice_id)
    names = {row.id: row.name for row in session.execute(text(_HOSTS), {"ids": notice.hosts})}
    group = session.execute(text("SELECT id, name FROM host_group WHERE id = :id"), {"id": notice.group_id}).one()
    return ways.Message(
        delivery_id=delivery.id,
        notice_id=notice.id or 0,
        kind=notice.kind,
        at=notice.at,
        title=notice.title,
        lines=tuple(notice.lines),
        group=(group.id, group.name),
        hosts=tuple((host_id, names.get(host_id, host_id)) for host_id in notice.hosts),
        page=notice.page,
    )


def _note(session: Session, delivery_id: str, words: str, failed: ways.NotSent | None) -> None:
    delivery = session.exec(select(NoticeDelivery).where(NoticeDelivery.id == delivery_id).with_for_update()).one()
    now = now_of(session)
    delivery.words = words
    if failed is None:
        delivery.state, delivery.ended_at = "sent", now
    else:
        wait = None if failed.is_final or session.get_one(Notice, delivery.notice_id).kind == "test" else next_try(delivery.tries)
        if wait is None:
            delivery.state, delivery.ended_at = "given_up", now
        else:
            delivery.due_at = now + wait
    session.add(delivery)
    _note_channel(session, delivery.channel_id, words, is_ok=failed is None)


def _note_channel(session: Session, channel_id: int, words: str, *, is_ok: bool) -> None:
    """How the channel fares. By single columns: *desk* may write no others."""
    values = {"last_words": words}
    if is_ok:
        values |= {"ok_at": func.clock_timestamp(), "failing_since": None}  # type: ignore[dict-item]
    else:
        values |= {"failing_since": func.coalesce(col(NoticeChannel.failing_since), func.clock_timestamp())}  # type: ignore[dict-item]
    session.execute(
        update(NoticeChannel).where(col(NoticeChannel.id) == channel_id).values(**values),
        execution_options={"synchronize_session": False},
    )


def send_heartbeats() -> int:
    """Calls the addresses that page somebody once they are called no more; answers how many were.

    They are called while everything on the way works (the schedule, the broker, a worker of kind desk, the database) and nothing in
    Plumbline is known to be at fault; otherwise they are left out, with the reason on the channel.
    """
    with session_scope() as session:
        ids = list(session.execute(text(_HEARTBEATS)).scalars())
        wrong = [words for key, words in faults(session) if not key.startswith("channel-")] if ids else []
        channels = [session.get_one(NoticeChannel, each) for each in ids]
    called = 0
    for channel in channels:
        words = f"left out: {wrong[0]}" if wrong else ""
        is_ok = False
        if not wrong:
            try:
                words, is_ok = ways.beat(address.open_address(channel)), True
                called += 1
            except ways.NotSent as error:
                words = error.words
            except Unavailable as error:
                words = error.message
        with session_scope() as session:
            _note_channel(session, channel.id or 0, words, is_ok=is_ok)
    return called


KEPT_DAYS = 90


def purge(session: Session) -> int:
    """Forgets notices and their deliveries by age, and audits it; answers how many notices."""
    result = session.execute(text("DELETE FROM notice WHERE at < clock_timestamp() - make_interval(days => :days)"), {"days": KEPT_DAYS})
    gone = result.rowcount if isinstance(result, CursorResult) else 0
    if gone:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", object_kind="retention", after={"notices": gone})
    return gone
