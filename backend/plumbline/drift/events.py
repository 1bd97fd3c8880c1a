"""Reading the log of changes as events: which changes are one happening, and each event in words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session

from plumbline.audit import person_name
from plumbline.auth.people import people_of
from plumbline.auth.scope import KNOWN_STATES
from plumbline.configurations.read import setting_label
from plumbline.core.drift.events import ChangeEvent, LoggedChange, events_of
from plumbline.core.rules.reading_words import stored_text
from plumbline.drift.schemas import ChangeEffect, ChangeGroup, ChangeMarkOut, JobOfChange
from plumbline.drift.ticket_reads import TicketOut, tickets_of_changes
from plumbline.infra.database import sql
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.configurations import BOTH_READ

# At most this many changes are read; if there are more, the oldest are left out and the page says so.
MOST_CHANGES = 20_000
NAMED_HOSTS = 20
MOST_EFFECTS = 8
MOST_TICKETS = 20
_SINCE = "received_at >= coalesce(:since, now() - make_interval(hours => :hours))"
_OF_ALL = f"(SELECT * FROM setting_change WHERE {_SINCE}) c JOIN host h ON h.id = c.host_id"  # noqa: S608 - constants
# The same from the hosts on: `OFFSET 0` keeps PostgreSQL from turning it round.
_OF_FEW = f"host h CROSS JOIN LATERAL (SELECT * FROM setting_change WHERE host_id = h.id AND {_SINCE} OFFSET 0) c"  # noqa: S608 - constants
_CHANGES = f"""
SELECT c.id, c.host_id, c.received_at, c.subject_kind, c.subject_id, c.key, c.old::text AS old, c.new::text AS new, c.cause, c.cause_detail,
  c.job_id, h.name, g.name AS group_name, m.id AS mark_id
FROM {{changes}} JOIN host_group g ON g.id = h.group_id
LEFT JOIN marked_change e ON e.change_id = c.id LEFT JOIN change_mark m ON m.id = e.mark_id AND m.ended_at IS NULL
WHERE c.cause <> 'first_seen' AND (:unread OR {BOTH_READ})
  AND h.group_id = ANY(:groups) AND h.state = ANY(:known)
"""  # noqa: S608 - constants
_NEWEST = f"{_CHANGES} ORDER BY c.received_at DESC, c.id DESC LIMIT :most"
_OLDEST = f"{_CHANGES} ORDER BY c.received_at, c.id LIMIT :most"
_JOBS = """
SELECT j.id, j.plan_id, j.host_id, CASE WHEN j.requested_by <> '' THEN j.requested_by ELSE p.author END AS requested_by,
  CASE WHEN j.kind = 'change' AND j.undo_until > now() AND NOT EXISTS (SELECT FROM job u WHERE u.undoes_id = j.id)
    THEN j.undo_until END AS undo_until
FROM job j JOIN plan p ON p.id = j.plan_id WHERE j.id = ANY(:jobs)
"""
_MARKS = "SELECT id, reason, ticket, marked_by, marked_at FROM change_mark WHERE id = ANY(:marks)"


@dataclass(slots=True)
class FoundEvents:
    """The events of a time, with what is known of their hosts and changes."""

    events: list[ChangeEvent]
    host_names: dict[str, str] = field(default_factory=dict)
    group_names: dict[str, str] = field(default_factory=dict)
    # Change -> the mark that covers it.
    marks: dict[int, int] = field(default_factory=dict)
    is_cut: bool = False

    def mark_of(self, event: ChangeEvent) -> int | None:
        """The newest mark, where every change of the event has one."""
        marks = {self.marks.get(change.id) for change in event.changes}
        return None if None in marks else max(mark for mark in marks if mark is not None)


def read_events(
    session: Session,
    *,
    groups: Sequence[int],
    hours: int = 0,
    with_unread: bool = False,
    since: datetime | None = None,
    has_few_hosts: bool = False,
) -> FoundEvents:
    """The events of hosts in these groups, the newest first: of the last hours, or from a moment on with its oldest changes.
    `has_few_hosts`: these groups have no more than `FEW_HOSTS`. One query.
    """
    values = {
        "hours": hours, "since": since, "unread": with_unread, "groups": list(groups), "known": list(KNOWN_STATES), "most": MOST_CHANGES,
    }  # fmt: skip
    statement = (_NEWEST if since is None else _OLDEST).replace("{changes}", _OF_FEW if has_few_hosts else _OF_ALL)
    rows = session.execute(sql(statement), values).all()
    found = FoundEvents([], is_cut=len(rows) == MOST_CHANGES)
    changes = []
    # The columns of `_CHANGES`: a change, then what is known of its host and its mark.
    for *change, name, group_name, mark_id in rows:
        logged = LoggedChange(*change)
        found.host_names[logged.host_id], found.group_names[logged.host_id] = name, group_name
        if mark_id is not None:
            found.marks[logged.id] = mark_id
        changes.append(logged)
    found.events = events_of(changes)
    return found


def describe_events(session: Session, found: FoundEvents, events: Sequence[ChangeEvent]) -> list[ChangeGroup]:
    """These events in words. Four queries at most."""
    jobs = read_jobs(session, {change.job_id for event in events for change in event.changes if change.job_id is not None})
    marks = _read_marks(session, {mark for event in events if (mark := found.mark_of(event)) is not None})
    tickets = tickets_of_changes(session, [change.id for event in events for change in event.changes])
    return [_describe(event, found, jobs, marks, tickets) for event in events]


def read_jobs(session: Session, job_ids: Iterable[int]) -> dict[int, Any]:
    """These jobs with who requested them and until when each can be undone. One query, none without a job."""
    ids = sorted(job_ids)
    return {row.id: row for row in session.execute(sql(_JOBS), {"jobs": ids})} if ids else {}


def _read_marks(session: Session, mark_ids: Iterable[int]) -> dict[int, ChangeMarkOut]:
    ids = sorted(mark_ids)
    if not ids:
        return {}
    rows = session.execute(sql(_MARKS), {"marks": ids}).all()
    people = people_of(session, [row.marked_by for row in rows])
    return {
        row.id: ChangeMarkOut(id=row.id, reason=row.reason, ticket=row.ticket, by=people.get(row.marked_by, ""), at=row.marked_at)
        for row in rows
    }


def _describe(
    event: ChangeEvent,
    found: FoundEvents,
    jobs: Mapping[int, Any],
    marks: Mapping[int, ChangeMarkOut],
    tickets: Sequence[tuple[frozenset[int], TicketOut]],
) -> ChangeGroup:
    mine = {change.id for change in event.changes}
    head, alike = event.headline, event.effects[0]
    hosts = {change.host_id: found.host_names[change.host_id] for change in event.changes}
    subjects = {(change.host_id, change.subject_kind, change.subject_id) for change in (event.changes if event.is_gone else alike)}
    places = sorted({found.group_names[host_id] for host_id in hosts})
    is_one = len(subjects) == 1 and head.subject_kind != "host"
    effect = effect_of(alike)
    if event.is_gone:
        kind = head.subject_kind.replace("_", " ")
        name = _name_of(event) if is_one else f"{len(subjects)} {kind}s"
        effect = effect.model_copy(update={"label": f"Entire {kind}" if is_one else f"Entire {kind}s", "old": name, "new": "gone"})
    mark = found.mark_of(event)
    named = list(dict.fromkeys(change.job_id for change in event.changes if change.job_id in jobs))
    others = () if event.is_gone else event.effects[1:]
    return ChangeGroup(
        id=str(event.id),
        key=effect.key,
        label=effect.label,
        old=effect.old,
        new=effect.new,
        cause=event.cause,
        cause_detail=event.cause_detail,
        is_expected=event.cause == "our_job" or mark is not None,
        mark=marks.get(mark) if mark is not None else None,
        tickets=[ticket for changes, ticket in tickets if not mine.isdisjoint(changes)][:MOST_TICKETS],
        jobs=[_job(jobs[job_id], found) for job_id in named[:NAMED_HOSTS] if job_id is not None],
        job_count=len(named),
        hosts=[NamedHost(id=host_id, name=name) for host_id, name in sorted(hosts.items(), key=lambda each: each[1])[:NAMED_HOSTS]],
        host_count=len(hosts),
        subjects=len(subjects),
        subject=SubjectOut(kind=head.subject_kind, id=head.subject_id, label=head.subject_id) if is_one else None,
        effects=[effect_of(members) for members in others[:MOST_EFFECTS]],
        effect_count=len(others),
        change_count=len(event.changes),
        group_name=places[0] if len(places) == 1 else f"{len(places)} groups",
        first_at=event.changes[0].at.astimezone(UTC),
        last_at=event.changes[-1].at.astimezone(UTC),
    )


def _job(row: Any, found: FoundEvents) -> JobOfChange:
    return JobOfChange(
        job_id=row.id,
        plan_id=row.plan_id,
        host=NamedHost(id=row.host_id, name=found.host_names.get(row.host_id, "")),
        requested_by=person_name(row.requested_by),
        undo_until=row.undo_until,
    )


def effect_of(members: Sequence[LoggedChange]) -> ChangeEffect:
    """Alike changes in words."""
    first = members[0]
    return ChangeEffect(
        key=f"{first.subject_kind}.{first.key}",
        label=setting_label(first.subject_kind, first.key),
        old=side_text(first, first.old),
        new=side_text(first, first.new),
        host_count=len({change.host_id for change in members}),
        subjects=len({(change.host_id, change.subject_id) for change in members}),
    )


def side_text(change: LoggedChange, side: str | None) -> str:
    """One side of a change in words."""
    return stored_text(change.subject_kind, change.key, json.loads(side) if side is not None else None)


def _name_of(event: ChangeEvent) -> str:
    """What an item that is gone was called, else its id."""
    named = next((change for change in event.changes if change.key == "name"), None)
    return side_text(named, named.old) if named is not None else event.headline.subject_id
