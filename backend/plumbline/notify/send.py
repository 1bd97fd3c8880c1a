"""Sends deliveries: each is leased for two minutes, sent outside of any transaction, and its outcome stored.

Where a worker ends in between, another sends the delivery again, so a receiver may get a message twice, under the same delivery id.
"""

import threading
from datetime import timedelta

import structlog
from sqlalchemy import CursorResult, func, update
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import Unavailable
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery, Ticket
from plumbline.notify import address, signing, transports
from plumbline.notify.kinds import next_try
from plumbline.notify.problems import faults
from plumbline.notify.ticket_form import TicketForm

log = structlog.get_logger()

# Longer than any send takes: a mail server may be slow to connect and to answer. So deliveries are leased one by one.
LEASED_FOR = timedelta(minutes=2)
# Threads of one worker that send at a time, so that receivers that do not answer do not block the background worker's other tasks.
_SENDER_LIMIT = threading.BoundedSemaphore(2)
# The count of attempts distinguishes one lease from the next.
_LEASE_NEXT = """
UPDATE notice_delivery d SET due_at = clock_timestamp() + :duration, tries = d.tries + 1,
  words = CASE WHEN c.way = 'ticket' THEN '' ELSE d.words END
FROM notice_channel c WHERE c.id = d.channel_id AND d.id IN (
  SELECT w.id FROM notice_delivery w JOIN notice_channel c ON c.id = w.channel_id
  WHERE w.state = 'waiting' AND w.due_at <= clock_timestamp() AND c.is_enabled AND c.removed_at IS NULL
    AND NOT (c.way = 'ticket' AND w.tries > 0 AND w.words = '')
  ORDER BY w.due_at, w.id LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
RETURNING d.id, d.tries
"""
_DROP = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'the channel was switched off or removed'
FROM notice_channel c WHERE c.id = d.channel_id AND d.state = 'waiting' AND (c.removed_at IS NOT NULL OR NOT c.is_enabled)
"""
# What was not sent for a day (a restored database, a background worker that was down) is outdated; a problem that still exists has a newer
# notice by then. What a person sends again is meant, however old it is.
_TOO_OLD = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(), words = 'a day went by before anybody could send it'
FROM notice n WHERE n.id = d.notice_id AND d.state = 'waiting' AND n.at < clock_timestamp() - interval '1 day'
AND NOT EXISTS (SELECT FROM notice_delivery e WHERE (e.notice_id, e.channel_id) = (d.notice_id, d.channel_id) AND e.state <> 'waiting')
"""
# While a ticket is sent it has no words: a worker that ended meanwhile may have created it. Sent again, it could be there twice.
_INTERRUPTED = """
UPDATE notice_delivery d SET state = 'given_up', ended_at = clock_timestamp(),
  words = 'the worker ended while it was sent: the ticket may exist, look there before you send it again'
FROM notice_channel c WHERE c.id = d.channel_id AND c.way = 'ticket' AND d.state = 'waiting' AND d.tries > 0 AND d.words = ''
AND d.due_at <= clock_timestamp()
"""
_HOSTS = "SELECT id, name FROM host WHERE id = ANY(:ids)"
# Those that answer come first, so that one that does not answer does not delay the others.
_HEARTBEATS = """
SELECT id FROM notice_channel WHERE way = 'heartbeat' AND is_enabled AND removed_at IS NULL ORDER BY failing_since IS NOT NULL, id
"""
# One thread of a worker at a time: heartbeats are due each minute, and many that do not answer take longer than that.
_HEARTBEAT_LOCK = threading.Lock()


def deliver() -> int:
    """Sends everything that is due; returns the number of attempts. Does nothing while enough threads of this process are sending."""
    if not _SENDER_LIMIT.acquire(blocking=False):
        return 0
    try:
        with session_scope() as session:
            # First: the others would say of an interrupted ticket that it was not sent.
            session.execute(text(_INTERRUPTED))
            session.execute(text(_DROP))
            session.execute(text(_TOO_OLD))
        tried = 0
        while _deliver_next():
            tried += 1
        return tried
    finally:
        _SENDER_LIMIT.release()


def _deliver_next() -> bool:
    with session_scope() as session:
        leased = session.execute(text(_LEASE_NEXT), {"duration": LEASED_FOR}).first()
    if leased is not None:
        _deliver_one(leased.id, leased.tries)
    return leased is not None


def _deliver_one(delivery_id: str, tries: int) -> None:
    with session_scope() as session:
        delivery = session.get_one(NoticeDelivery, delivery_id)
        channel = session.get_one(NoticeChannel, delivery.channel_id)
        message = _message(session, delivery)
        now = now_of(session)
    try:
        values = address.open_address(channel)
        if channel.way == "webhook":
            values["secrets"] = signing.active_secrets(channel, first=values["secret"], now=now)
        if channel.way == "ticket":
            values["form"] = TicketForm(**(channel.ticket_form or {}))
        result: transports.Sent | transports.NotSent = transports.send(channel.way, values, message, now=now)
    except transports.NotSent as error:
        result = error
    except Unavailable as error:
        result = transports.NotSent(error.message)
    except Exception as error:  # an error of one message must not keep the others from being sent
        log.exception("notice not sent", delivery=delivery_id, transport=channel.way)
        result = transports.NotSent(f"internal error: {type(error).__name__}", is_final=channel.way == "ticket")
    with session_scope() as session:
        _note(session, delivery_id, tries, result)


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
        requested_by=ticket.made_by.partition(" ")[2] if (ticket := session.get(Ticket, notice.id)) else "",
    )


def _note(session: Session, delivery_id: str, tries: int, result: transports.Sent | transports.NotSent) -> None:
    failed = result if isinstance(result, transports.NotSent) else None
    words = result.message if isinstance(result, transports.NotSent) else result.words
    delivery = session.exec(select(NoticeDelivery).where(NoticeDelivery.id == delivery_id).with_for_update()).one()
    if delivery.state == "sent" or (failed is not None and (delivery.state, delivery.tries) != ("waiting", tries)):
        # The lease was lost: another worker has the delivery by now, or has sent it. A message that arrived counts in either case.
        return
    now = now_of(session)
    delivery.words = words
    if isinstance(result, transports.Sent):
        delivery.state, delivery.ended_at = "sent", now
        delivery.ticket_number, delivery.ticket_url = result.ticket_number, result.ticket_url
    else:
        wait = None if result.is_final or session.get_one(Notice, delivery.notice_id).kind == "test" else next_try(delivery.tries)
        if wait is None:
            delivery.state, delivery.ended_at = "given_up", now
        else:
            delivery.due_at = now + wait
    session.add(delivery)
    _note_channel(session, delivery.channel_id, words, is_ok=failed is None)


def _note_channel(session: Session, channel_id: int, words: str, *, is_ok: bool) -> None:
    """Stores the channel's state, column by column, since the background worker may write no others."""
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
    """Calls the heartbeat addresses, whose services send an alert when the calls stop; returns how many were called.

    They are called while all that is needed for it works (the schedule, the broker, a background worker, the database) and no fault of
    Plumbline is known; otherwise they are left out, with the reason on the channel. Nothing is called while this process is still calling
    those of the minute before.
    """
    if not _HEARTBEAT_LOCK.acquire(blocking=False):
        return 0
    try:
        return _call_heartbeats()
    finally:
        _HEARTBEAT_LOCK.release()


def _call_heartbeats() -> int:
    with session_scope() as session:
        ids = list(session.execute(text(_HEARTBEATS)).scalars())
        faults_now = [words for key, words in faults(session) if not key.startswith("channel-")] if ids else []
        channels = [session.get_one(NoticeChannel, channel_id) for channel_id in ids]
    called = 0
    for channel in channels:
        words = f"left out: {faults_now[0]}" if faults_now else ""
        is_ok = False
        if not faults_now:
            try:
                words, is_ok = transports.beat(address.open_address(channel)), True
                called += 1
            except transports.NotSent as error:
                words = error.message
            except Unavailable as error:
                words = error.message
            except Exception as error:  # one address must not keep the others from being called
                log.exception("heartbeat not called", channel=channel.id)
                words = f"internal error: {type(error).__name__}"
        with session_scope() as session:
            _note_channel(session, channel.id or 0, words, is_ok=is_ok)
    return called


STORED_DAYS = 90
# A ticket stays on the changes that it is about, for as long as those are stored.
_PURGE = "DELETE FROM notice WHERE at < clock_timestamp() - make_interval(days => :days) AND kind <> 'ticket'"


def purge(session: Session) -> int:
    """Deletes notices and their deliveries by age, and audits it; returns how many notices."""
    result = session.execute(text(_PURGE), {"days": STORED_DAYS})
    deleted = result.rowcount if isinstance(result, CursorResult) else 0
    if deleted:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after={"notices": deleted})
    return deleted
