"""Notices about what is wrong now: open problems of the on-call page, alarms of hosts, and parts of Plumbline that do not work.

Each scan compares what is wrong with the last notices, so that a crash loses none and two scans at once write none twice. Problems of one
kind become one notice of a group: when a switch fails, one message names forty hosts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session, col, select, text

from plumbline.audit.chain import UNCHAINED_ALARM_SECONDS
from plumbline.auth.actor import ROOT_PATH
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.infra.parts import full_disk, parts_down
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import COUNTED, REPORTS
from plumbline.models.notify import NoticeChannel, NoticeState
from plumbline.models.oncall import ProblemNote
from plumbline.notify.kinds import FORGET_AFTER, KIND_WORDS, KINDS, LastNotice, NoticeKind, is_due
from plumbline.notify.outbox import NoticeContent, open_channels, paths_of_groups, write_notice
from plumbline.oncall.find import MOST, Scope, find_problems
from plumbline.oncall.problems import Problem
from plumbline.oncall.queries import notes_on
from plumbline.packs.library import read_library
from plumbline.remediation.jobs import invariants

# Any number that no other advisory lock uses.
SCAN_LOCK = 0x706C756D62_07
_HOSTS = "SELECT id, name, group_id, hold_reason, hold_until, hold_until > clock_timestamp() AS is_held FROM host WHERE id = ANY(:hosts)"
_ALARMS = f"SELECT id, alarm FROM host WHERE alarm <> '' AND {COUNTED} ORDER BY id LIMIT 200"  # noqa: S608
_UNCHAINED = "SELECT count(*) FROM audit_entry WHERE number IS NULL AND at < clock_timestamp() - make_interval(secs => :s)"
# Where no host of at least three checks in, Plumbline is at fault: no API process runs, or hosts cannot reach it.
_FEWEST_HOSTS = 3
_ALL_SILENT = f"""
SELECT count(*) AS hosts, max(last_seen_at) AS newest FROM host
WHERE {COUNTED} AND {REPORTS} AND last_seen_at IS NOT NULL
HAVING max(last_seen_at) < clock_timestamp() - make_interval(secs => 2 * min(interval_seconds))
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a notice. `host_id` empty: it is about Plumbline itself."""

    kind: NoticeKind
    key: str
    path: str
    words: str
    more: str
    parts: tuple[str, ...]
    rank: int
    host_id: str = ""
    host_name: str = ""
    kept_back: str = ""

    @property
    def line(self) -> str:
        """Its line in a notice about several."""
        return f"{self.host_name}: {self.words}" if self.host_name else self.words


def scan(session: Session) -> int:
    """Writes notices about what is new, worse, or open for a day; returns how many. Does nothing while there is no channel."""
    channels = open_channels(session)
    if not channels or not session.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": SCAN_LOCK}).scalar_one():
        return 0
    paths = paths_of_groups(session)
    now = now_of(session)
    reasons = list(_reasons(session, paths, now))
    states: dict[tuple[int, str], NoticeState] = {(row.group_id, row.problem): row for row in session.exec(select(NoticeState))}
    written = 0
    for group_id in sorted({channel.group_id for channel in channels}):
        of_group = [channel for channel in channels if channel.group_id == group_id]
        kinds = {kind for channel in of_group for kind in channel.kinds}
        reasons_of_group = [reason for reason in reasons if reason.kind in kinds and reason.path.startswith(paths[group_id])]
        written += _notify_group(session, group_id, of_group, reasons_of_group, states, now)
    for row in states.values():
        if now - row.seen_at > FORGET_AFTER:
            session.delete(row)
    return written


def _notify_group(
    session: Session,
    group_id: int,
    channels: Sequence[NoticeChannel],
    reasons: Sequence[Reason],
    states: Mapping[tuple[int, str], NoticeState],
    now: datetime,
) -> int:
    """Writes one notice for each kind that is due in a group; returns how many."""
    due = []
    for item in reasons:
        row = states.get((group_id, item.key))
        last = None if row is None else LastNotice(tuple(row.parts), row.rank, row.told_at, row.is_kept_back)
        if row is not None:
            row.seen_at = now
            session.add(row)
        if is_due(item.kind, last, parts=item.parts, rank=item.rank, is_kept_back=bool(item.kept_back), now=now):
            row = row or NoticeState(group_id=group_id, problem=item.key, parts=[], rank=0, told_at=now, seen_at=now)
            row.parts, row.rank, row.told_at, row.is_kept_back = list(item.parts), item.rank, now, bool(item.kept_back)
            session.add(row)
            due.append(item)
    session.flush()
    due.sort(key=lambda item: (KINDS.index(item.kind), item.kept_back, item.rank, item.host_name))
    written = 0
    for (kind, kept_back), same in groupby(due, key=lambda item: (item.kind, item.kept_back)):
        _write(session, group_id, [channel for channel in channels if kind in channel.kinds], list(same), kept_back)
        written += 1
    return written


def _write(session: Session, group_id: int, channels: Sequence[NoticeChannel], reasons: Sequence[Reason], kept_back: str) -> None:
    first = reasons[0]
    hosts = [reason.host_id for reason in reasons if reason.host_id]
    if len(reasons) == 1:
        title = first.line
        lines = [f"Impact: {first.more}"] if first.more else []
    else:
        # A search that stopped at its limit may have missed some.
        least = "at least " if len(reasons) == MOST else ""
        title = f"{_capital(KIND_WORDS[first.kind])}: {least}{counted(len(reasons), 'host' if hosts else 'fault')}"
        lines = [reason.line for reason in reasons]
    if not hosts:
        page = "/safety"
    elif len(hosts) > 1:
        page = "/on-call"
    else:
        page = f"/on-call?problem={first.key}" if first.kind != "alarm" else f"/hosts/{hosts[0]}"
    write_notice(session, channels, group_id=group_id, content=NoticeContent(first.kind, title, lines, hosts, page, kept_back))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _reasons(session: Session, paths: Mapping[int, str], now: datetime) -> Iterator[Reason]:
    problems = find_problems(session, Scope(list(paths)), read_library(session))
    notes = notes_on(session, problems, now)
    alarms = session.execute(text(_ALARMS)).all()
    ids = {problem.host_id for problem in problems} | {row.id for row in alarms}
    hosts = {row.id: row for row in session.execute(text(_HOSTS), {"hosts": list(ids)})}
    for problem in problems:
        host = hosts[problem.host_id]
        yield _of_problem(problem, host, paths[host.group_id], notes.get(problem.key))
    for row in alarms:
        host = hosts[row.id]
        yield Reason("alarm", f"alarm-{row.id}", paths[host.group_id], row.alarm, "", (row.alarm,), 0, row.id, host.name, _held(host))
    for key, words in faults(session):
        yield Reason("plumbline", key, ROOT_PATH, words, "", (key,), 0)


def _of_problem(problem: Problem, host: Row[Any], path: str, note: ProblemNote | None) -> Reason:
    kept_back = _held(host)
    if note is not None and not kept_back:
        who = note.by.partition(" ")[2] or note.by
        act = "acknowledged it" if note.kind == "acknowledged" else "snoozed it"
        kept_back = f"{who} {act} until {note.until:%d %b %H:%M} UTC{f': {note.reason}' if note.reason else ''}"
    return Reason(
        problem.kind, problem.key, path, problem.words, problem.takes_away, problem.parts, problem.rank, host.id, host.name, kept_back
    )


def _held(host: Row[Any]) -> str:
    return f"host on hold until {host.hold_until:%d %b %H:%M} UTC: {host.hold_reason}" if host.is_held else ""


def faults(session: Session) -> list[tuple[str, str]]:
    """Parts of Plumbline that do not work, as key and sentence. Cheap enough to run every half minute."""
    found = [("workers", words) for words in invariants.queues_without_worker(session)]
    late = session.execute(text(_UNCHAINED), {"s": UNCHAINED_ALARM_SECONDS}).scalar_one()
    if late:
        found.append(("audit", f"Audit log sealing is delayed: {late} entries waiting for more than a minute"))
    silent = session.execute(text(_ALL_SILENT)).first()
    if silent is not None and silent.hosts >= _FEWEST_HOSTS:
        found.append(
            ("door", f"No host has checked in since {silent.newest:%d %b %H:%M} UTC ({silent.hosts} hosts). Check that the API is running.")
        )
    settings = get_settings()
    if down := parts_down(settings.home / "run"):
        found.append(("parts", f"parts of `plumbline up` do not run: {', '.join(down)}"))
    if full := full_disk(settings.home):
        found.append(("disk", full))
    return found + [(f"channel-{row.id}", f"Notifications to {row.name} are failing: {row.last_words}") for row in _failing(session)]


def _failing(session: Session) -> Iterable[NoticeChannel]:
    """Channels that have failed for a quarter of an hour, so that other channels report it."""
    return session.exec(
        select(NoticeChannel).where(
            NoticeChannel.is_enabled,
            col(NoticeChannel.removed_at).is_(None),
            col(NoticeChannel.failing_since) < text("clock_timestamp() - interval '15 minutes'"),
        )
    )
