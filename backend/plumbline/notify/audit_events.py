"""Acts that people have to hear of, read from the audit trail: each act's entry was written in its own transaction and has a number without
gaps, so that none is lost or told twice. What has been settled meanwhile is not told any more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session, select, text

from plumbline.models.notify import NoticeChannel, NoticeCursor
from plumbline.notify.kinds import NoticeKind
from plumbline.notify.outbox import open_channels, paths_of_groups, write_notice

_MOST = 500
_NEW = """
SELECT number, actor, action, object_id, group_id, after, reason FROM audit_entry
WHERE number > :after ORDER BY number LIMIT :most
"""
_PLAN = "SELECT title, reason, state FROM plan WHERE id = :id"
_WAIVER = "SELECT '' AS title, reason, state FROM waiver WHERE id = :id"
_BASELINE = "SELECT '' AS title, reason, state FROM baseline WHERE id = :id"
_DECISION = "SELECT '' AS title, reason, state FROM conflict_decision WHERE id = :id"


@dataclass(frozen=True, slots=True)
class Said:
    """What there is to tell of one act."""

    kind: NoticeKind
    title: str
    lines: tuple[str, ...]
    page: str


def take_acts(session: Session) -> int:
    """Tells of the acts since the last time; answers how many notices were written. Of two at once, one does nothing."""
    cursor = session.exec(select(NoticeCursor).with_for_update(skip_locked=True)).first()
    if cursor is None:
        return 0
    entries = session.execute(text(_NEW), {"after": cursor.number, "most": _MOST}).all()
    if not entries:
        return 0
    channels, paths = open_channels(session), paths_of_groups(session)
    written = sum(_take(session, entry, channels, paths) for entry in entries) if channels else 0
    cursor.number = entries[-1].number
    session.add(cursor)
    return written


def _take(session: Session, entry: Row[Any], channels: list[NoticeChannel], paths: Mapping[int, str]) -> int:
    tell = _TOLD.get(entry.action)
    path = paths.get(entry.group_id or 1)
    if tell is None or path is None:
        return 0
    said = tell(session, entry)
    if said is None:
        return 0
    wanting = [channel for channel in channels if said.kind in channel.kinds and path.startswith(paths[channel.group_id])]
    groups = sorted({channel.group_id for channel in wanting})
    for group_id in groups:
        here = [channel for channel in wanting if channel.group_id == group_id]
        write_notice(session, here, kind=said.kind, group_id=group_id, title=said.title, lines=said.lines, page=said.page)
    return len(groups)


def _who(actor: str) -> str:
    return actor.partition(" ")[2] or actor


def _lines(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something that waits for an approver while its row is in a state: what it is called, and the page that shows it."""

    rows: str
    state: str
    title: str
    page: str

    def __call__(self, session: Session, entry: Row[Any]) -> Said | None:
        """What to tell of it; None where it is decided already."""
        row = session.execute(text(self.rows), {"id": int(entry.object_id)}).first()
        if row is None or row.state != self.state:
            return None
        name = f": {row.title}" if row.title else ""
        title, page = self.title.format(id=entry.object_id), self.page.format(id=entry.object_id)
        return Said("approval", f"{title} waits for an approver{name}", _lines(f"asked by {_who(entry.actor)}", row.reason), page)


def _glass(session: Session, entry: Row[Any]) -> Said | None:
    plan = session.execute(text(_PLAN), {"id": int(entry.object_id)}).first()
    if plan is None:
        return None
    did = {
        "plan.break_glass_asked": "asks for a second admin to run it without an approver",
        "plan.glass_broken": "lets it run without an approver; somebody without part in it has to review it",
        "plan.break_glass_reviewed": "has reviewed what was run without an approver",
    }[entry.action]
    title = f"Broken glass on plan {entry.object_id}: {_who(entry.actor)} {did}"
    return Said("break_glass", title, _lines(plan.title, entry.reason), f"/remediate/{entry.object_id}")


def _ends(_: Session, entry: Row[Any]) -> Said:
    what = entry.action.partition(".")[0]
    page = f"/waivers/{entry.object_id}" if what == "waiver" else "/waivers?tab=attestations"
    return Said("ending", f"{what.capitalize()} {entry.object_id} {entry.reason}", (), page)


_TOLD: Mapping[str, Callable[[Session, Row[Any]], Said | None]] = {
    "plan.awaiting_approval": _Waiting(_PLAN, "AWAITING_APPROVAL", "Plan {id}", "/remediate/{id}"),
    "waiver.requested": _Waiting(_WAIVER, "requested", "Waiver {id}", "/waivers/{id}"),
    "baseline.proposed": _Waiting(_BASELINE, "proposed", "A baseline", "/drift?tab=baselines&baseline={id}"),
    "conflict.proposed": _Waiting(_DECISION, "proposed", "A decision between two rules", "/decisions"),
    "plan.break_glass_asked": _glass,
    "plan.glass_broken": _glass,
    "plan.break_glass_reviewed": _glass,
    "waiver.reminded": _ends,
    "attestation.reminded": _ends,
}
