"""What happened in a span: setting changes, updates of drivers, restarts, jobs, packs. Each with words and the address of its page."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import text
from sqlmodel import Session

from plumbline.configurations.read import setting_label
from plumbline.core.rules.reading_words import stored_text
from plumbline.performance.schemas import ChartMark

MOST = 400

_CHANGES = """
SELECT host_id, received_at AS at, subject_kind, key, old, new, cause FROM setting_change
WHERE host_id = ANY(:hosts) AND received_at >= :since AND received_at < :until AND cause <> 'first_seen'
ORDER BY received_at DESC, id LIMIT 2000
"""
_RESTARTS = """
SELECT host_id, restarted_at AS at FROM counter_hour
WHERE host_id = ANY(:hosts) AND hour >= CAST(:since AS timestamptz) - interval '1 hour' AND hour < :until
  AND restarted_at >= :since AND restarted_at < :until
ORDER BY restarted_at DESC LIMIT 200
"""
_JOBS = """
SELECT id, host_id, kind, undoes_id, started_at AS at, finished_at, state, steps_total FROM job
WHERE host_id = ANY(:hosts) AND started_at >= :since AND started_at < :until ORDER BY started_at DESC LIMIT 200
"""
_EVENTS = """
SELECT DISTINCT e.id, e.at, e.kind, e.label FROM fleet_event e LEFT JOIN host_group g ON g.id = e.group_id
WHERE e.at >= :since AND e.at < :until AND (g.id IS NULL OR EXISTS (
  SELECT FROM host h JOIN host_group mine ON mine.id = h.group_id WHERE h.id = ANY(:hosts) AND starts_with(mine.path, g.path)))
ORDER BY e.at DESC LIMIT 100
"""
_EVENT_WORDS = {"pack_activated": "Rules of {} active", "pack_published": "{} published"}
_UPDATES: dict[str, Literal["driver", "restart"]] = {"driver_update": "driver", "firmware_update": "driver", "reboot": "restart"}


def read_marks(session: Session, *, hosts: Mapping[str, str], since: datetime, until: datetime) -> list[ChartMark]:
    """The marks of these hosts (id -> name) in order of time, the newest where there are too many. Four queries."""
    values = {"hosts": list(hosts), "since": since, "until": until}
    changes: dict[tuple[str, datetime], list[Any]] = {}
    for row in session.execute(text(_CHANGES), values):
        changes.setdefault((row.host_id, row.at.astimezone(UTC)), []).append(row)
    several = len(hosts) > 1

    def named(host_id: str, words: str) -> str:
        return f"{hosts[host_id]}: {words}" if several else words

    marks = [_of_changes(host_id, at, rows, named) for (host_id, at), rows in changes.items()]
    for row in session.execute(text(_RESTARTS), values):
        marks.append(
            ChartMark(
                at=row.at.astimezone(UTC),
                kind="restart",
                label=named(row.host_id, "host restarted, by its uptime"),
                host_id=row.host_id,
                href=f"/hosts/{row.host_id}?tab=timeline",
            )
        )
    for row in session.execute(text(_JOBS), values):
        words = f"job {row.id}" + (f" undoes job {row.undoes_id}" if row.kind == "undo" else f", {_steps(row.steps_total)}")
        marks.append(
            ChartMark(
                at=row.at.astimezone(UTC),
                kind="job",
                label=named(row.host_id, words),
                host_id=row.host_id,
                href=f"/jobs/{row.id}",
            )
        )
    for row in session.execute(text(_EVENTS), values):
        is_pack = row.kind in _EVENT_WORDS
        marks.append(
            ChartMark(
                at=row.at.astimezone(UTC),
                kind="pack" if is_pack else "event",
                label=_EVENT_WORDS.get(row.kind, "{}").format(row.label),
                href="/packs" if is_pack else "",
            )
        )
    return sorted(marks, key=lambda mark: mark.at)[-MOST:]


def _of_changes(host_id: str, at: datetime, rows: Sequence[Any], named: Callable[[str, str], str]) -> ChartMark:
    """One mark for all changes of one check-in: the update or restart that explains them comes first."""
    ordered = sorted(rows, key=lambda row: row.cause not in _UPDATES)
    first = ordered[0]
    label = setting_label(first.subject_kind, first.key)
    old, new = (stored_text(first.subject_kind, first.key, value) for value in (first.old, first.new))
    words = f"{label} {old} → {new}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
    return ChartMark(
        at=at,
        kind=_UPDATES.get(first.cause, "change"),
        label=named(host_id, words),
        host_id=host_id,
        href=f"/hosts/{host_id}?tab=timeline",
    )


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
