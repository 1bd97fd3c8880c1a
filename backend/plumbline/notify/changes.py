"""Notifications of drift: settings that changed on hosts by something else than our own jobs. One for each group's channels and look.

A look takes what was received up to a minute ago: check-ins are committed in batches, and none of an earlier time appears after that.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session, select, text

from plumbline.configurations.read import Labels, read_labels, setting_label
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.reading_words import stored_text
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.models.configurations import BOTH_READ
from plumbline.models.hosts import COUNTED
from plumbline.models.notify import NoticeCursor
from plumbline.notify.kinds import MOST_LINES
from plumbline.notify.outbox import NoticeContent, open_channels, paths_of_groups, write_notice

SETTLED_AFTER = timedelta(seconds=60)
_MOST = 2_000
_CHANGES = f"""
SELECT c.host_id, h.name, h.group_id, c.subject_kind, c.subject_id, c.key, c.old, c.new, c.cause
FROM setting_change c JOIN host h ON h.id = c.host_id
WHERE c.received_at > :since AND c.received_at <= :until AND c.cause NOT IN ('first_seen', 'our_job') AND {BOTH_READ} AND h.{COUNTED}
  AND NOT coalesce(h.hold_until > clock_timestamp(), false)
ORDER BY lower(h.name), h.id, c.subject_kind, c.subject_id, c.key LIMIT :most
"""  # noqa: S608 (constants of the program)


def take_changes(session: Session) -> int:
    """Writes notifications of the changes since the last look; returns how many. Of two looks at once, one does nothing."""
    cursor = session.exec(select(NoticeCursor).with_for_update(skip_locked=True)).first()
    if cursor is None:
        return 0
    until = now_of(session) - SETTLED_AFTER
    since, cursor.changes_until = cursor.changes_until, until
    session.add(cursor)
    channels = [channel for channel in open_channels(session) if "drift" in channel.kinds]
    # What changed before there was a look is notified to nobody.
    if since is None or not channels:
        return 0
    rows = session.execute(text(_CHANGES), {"since": since, "until": until, "most": _MOST}).all()
    paths = paths_of_groups(session)
    written = 0
    for group_id in sorted({channel.group_id for channel in channels}):
        mine = [row for row in rows if paths[row.group_id].startswith(paths[group_id])]
        if mine:
            write_notice(
                session, [each for each in channels if each.group_id == group_id], group_id=group_id, content=_content(session, mine)
            )
            written += 1
    return written


def _content(session: Session, rows: Sequence[Row[Any]]) -> NoticeContent:
    hosts = list(dict.fromkeys(row.host_id for row in rows))
    return NoticeContent("drift", changed_title(rows), changed_lines(session, rows), hosts[:100], "/drift")


def changed_title(rows: Sequence[Row[Any]]) -> str:
    """How many settings changed on how many hosts."""
    hosts = {row.host_id for row in rows}
    return f"{counted(len(rows), 'setting')} changed on {counted(len(hosts), 'host')}"


def changed_lines(session: Session, rows: Sequence[Row[Any]]) -> list[str]:
    """A line for each change: host, setting, old and new value, cause. Items go by their names as far as lines are sent. One query."""
    labels = read_labels(session, {row.host_id for row in rows[:MOST_LINES]})
    return [_line(row, labels.get(row.host_id, Labels())) for row in rows]


def _line(row: Row[Any], labels: Labels) -> str:
    item = f" of {labels.of_subject(Subject(row.subject_kind, row.subject_id))}" if row.subject_id else ""
    cause = "" if row.cause == "unknown" else f" ({row.cause.replace('_', ' ')})"
    label = setting_label(row.subject_kind, row.key)
    was, now = (stored_text(row.subject_kind, row.key, stored) for stored in (row.old, row.new))
    return f"{row.name}: {label}{item}: {was} → {now}{cause}"
