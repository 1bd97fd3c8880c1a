"""Sending what waits: each delivery is taken for two minutes, sent outside of any transaction, and noted with what came of it.

A worker that ends in between leaves it to the next, so that a receiver may see a message twice, always under the same delivery id.
"""

import threading
from datetime import timedelta

import structlog
from sqlalchemy import CursorResult, func, update
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import Unavailable
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery
from plumbline.notify import address, signing, transports
from plumbline.notify.kinds import next_try
from plumbline.notify.problems import faults

log = structlog.get_logger()

# Longer than any send takes: mail has a connect and several answers to wait for. So they are taken one by one.
TAKEN_FOR = timedelta(minutes=2)
# Threads of one worker that send at a time; receivers that do not answer must not keep the others from all else that the background
# worker does.
_SENDERS = threading.BoundedSemaphore(2)
# The count of tries tells one that took it from the next.
_TAKE = """
UPDATE notice_delivery d SET due_at = clock_timestamp() + :taken, tries = d.tries + 1
WHERE d.id IN (
  SELECT w.id FROM notice_delivery w JOIN notice_channel c ON c.id = w.channel_id
  WHERE w.state = 'waiting' AND w.due_at <= clock_timestamp() AND c.is_enabled AND c.removed_at IS NULL
  ORDER BY w.due_at, w.id LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
RETURNING d.id, d.tries
"""
_DROP = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'the channel was switched off or removed'
FROM notice_channel c WHERE c.id = d.channel_id AND d.state = 'waiting' AND (c.removed_at IS NOT NULL OR NOT c.is_enabled)
"""
# What nobody sent for a day (a restored database, a background worker that was away) is no news any more; what is still so is told again
# by then.
_TOO_OLD = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'a day went by before anybody could send it'
FROM notice n WHERE n.id = d.notice_id AND d.state = 'waiting' AND n.at < clock_timestamp() - interval '1 day'
"""
_HOSTS = "SELECT id, name FROM host WHERE id = ANY(:ids)"
# Those that answer come first: one that does not must not let the others' receivers believe that Plumbline is silent.
_HEARTBEATS = """
SELECT id FROM notice_channel WHERE way = 'heartbeat' AND is_enabled AND removed_at IS NULL ORDER BY failing_since IS NOT NULL, id
"""
# One thread of a worker at a time: they are due each minute, and many that do not answer take longer.
_CALLING = threading.Lock()


def deliver() -> int:
    """Sends everything that is due; answers how many were tried. Nothing where enough threads of this process are at it."""
    if not _SENDERS.acquire(blocking=False):
        return 0
    try:
        with session_scope() as session:
            session.execute(text(_DROP))
            session.execute(text(_TOO_OLD))
        tried = 0
        while _deliver_next():
            tried += 1
        return tried
    finally:
        _SENDERS.release()


def _deliver_next() -> bool:
    with session_scope() as session:
        taken = session.execute(text(_TAKE), {"taken": TAKEN_FOR}).first()
    if taken is not None:
        _deliver_one(taken.id, taken.tries)
    return taken is not None


def _deliver_one(delivery_id: str, tries: int) -> None:
    with session_scope() as session:
        delivery = session.get_one(NoticeDelivery, delivery_id)
        channel = session.get_one(NoticeChannel, delivery.channel_id)
        message = _message(session, delivery)
        now = now_of(session)
    try:
        values = address.open_address(channel)
        if channel.way == "webhook":
            values["secrets"] = signing.secrets_in_force(channel, first=values["secret"], now=now)
        words, failed = transports.send(channel.way, values, message, now=now), None
    except transports.NotSent as error:
        words, failed = error.words, error
    except Unavailable as error:
        words, failed = error.message, transports.NotSent(error.message)
    except Exception as error:  # whatever a message trips over must not keep the others from being sent
        log.exception("a notice could not be sent", delivery=delivery_id, way=channel.way)
        words = f"internal error: {type(error).__name__}"
        failed = transports.NotSent(words)
    with session_scope() as session:
        _note(session, delivery_id, tries, words, failed)


def _message(session: Session, delivery: NoticeDelivery) -> transports.Message:
    notice = session.get_one(Notice, delivery.notice_id)
    names = {row.id: row.name for row in session.execute(text(_HOSTS), {"ids": notice.hosts})}
    group = session.execute(text("SELECT id, name FROM host_group WHERE id = :id"), {"id": notice.group_id}).one()
    return transports.Message(
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


def _note(session: Session, delivery_id: str, tries: int, words: str, failed: transports.NotSent | None) -> None:
    delivery = session.exec(select(NoticeDelivery).where(NoticeDelivery.id == delivery_id).with_for_update()).one()
    if delivery.state == "sent" or (failed is not None and (delivery.state, delivery.tries) != ("waiting", tries)):
        # A worker that slept past its time: another has it by now, or has sent it. What arrived has arrived, whoever sent it.
        return
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
    """How the channel fares. By single columns: the background worker may write no others."""
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

    They are called while everything on the way works (the schedule, the broker, a background worker, the database) and nothing in
    Plumbline is known to be at fault; otherwise they are left out, with the reason on the channel. None while this process still calls
    those of the minute before.
    """
    if not _CALLING.acquire(blocking=False):
        return 0
    try:
        return _call_heartbeats()
    finally:
        _CALLING.release()


def _call_heartbeats() -> int:
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
                words, is_ok = transports.beat(address.open_address(channel)), True
                called += 1
            except transports.NotSent as error:
                words = error.words
            except Unavailable as error:
                words = error.message
            except Exception as error:  # one address must not keep the others from being called
                log.exception("a heartbeat could not be called", channel=channel.id)
                words = f"internal error: {type(error).__name__}"
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
