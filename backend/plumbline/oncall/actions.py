"""Acknowledging and snoozing a problem, and ending either. Each is audited and ends by itself at a set time."""

from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict
from plumbline.models.host_locks import lock_host
from plumbline.models.hosts import HostGroup
from plumbline.models.oncall import ProblemNote
from plumbline.oncall.find import Scope, find_problems
from plumbline.oncall.problems import Problem
from plumbline.oncall.queries import note_out
from plumbline.oncall.schemas import Acknowledge, ProblemNoteOut, Snooze
from plumbline.packs.library import read_library

ACKNOWLEDGED_FOR = timedelta(hours=4)
LONGEST_ACKNOWLEDGED = timedelta(hours=24)
LONGEST_SNOOZED = timedelta(days=7)


def acknowledge(session: Session, *, actor: Actor, key: str, request: Acknowledge) -> ProblemNoteOut:
    """This person takes ownership of the problem. Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict` where the problem is over."""
    now = now_of(session)
    until = _within(request.until or now + ACKNOWLEDGED_FOR, now, LONGEST_ACKNOWLEDGED)
    return _note(session, actor, key, "acknowledged", until, "")


def snooze(session: Session, *, actor: Actor, key: str, request: Snooze) -> ProblemNoteOut:
    """Snoozes it until a time, with the reason. It returns sooner if it gets another part. Raises as `acknowledge`."""
    until = _within(request.until, now_of(session), LONGEST_SNOOZED)
    return _note(session, actor, key, "snoozed", until, request.reason)


def release(session: Session, *, actor: Actor, key: str) -> None:
    """Ends an acknowledgement or snooze, also another person's. Raises `Conflict` where there is none."""
    group, host_id = _allowed(session, actor, key)
    # Actions on one problem are serialised by the lock on its host's row.
    lock_host(session, host_id)
    if not _end_open(session, actor, key):
        raise Conflict("Not acknowledged or snoozed.")
    _audit(session, actor, "problem.released", key, group, None, "")


def _within(until: datetime, now: datetime, longest: timedelta) -> datetime:
    if not now < until <= now + longest:
        hours = int(longest.total_seconds() // 3600)
        raise BadInput(f"Choose an end within the next {hours} hours.")
    return until


def _allowed(session: Session, actor: Actor, key: str) -> tuple[HostGroup, str]:
    host_id = key.rpartition("-")[2]
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "problem.note", group.path, missing="Host not found.")
    return group, host_id


def _note(
    session: Session, actor: Actor, key: str, kind: Literal["acknowledged", "snoozed"], until: datetime, reason: str
) -> ProblemNoteOut:
    group, host_id = _allowed(session, actor, key)
    lock_host(session, host_id)
    problem = _open_problem(session, group, host_id, key)
    _end_open(session, actor, key)
    note = ProblemNote(
        problem=key,
        host_id=host_id,
        kind=kind,
        parts=list(problem.parts),
        reason=reason,
        by_id=actor.person_id,
        by=actor.audit_name,
        until=until,
    )
    session.add(note)
    session.flush()
    _audit(session, actor, f"problem.{kind}", key, group, {"words": problem.words, "until": until.isoformat()}, reason)
    return note_out(note, actor)


def _open_problem(session: Session, group: HostGroup, host_id: str, key: str) -> Problem:
    problems = find_problems(session, Scope([group.id or 0], host_id), read_library(session))
    problem = next((problem for problem in problems if problem.key == key), None)
    if problem is None:
        raise Conflict("This problem is already resolved.")
    return problem


def _end_open(session: Session, actor: Actor, key: str) -> bool:
    open_note = session.exec(select(ProblemNote).where(col(ProblemNote.problem) == key, col(ProblemNote.ended_at).is_(None))).first()
    if open_note is None:
        return False
    open_note.ended_at, open_note.ended_by = now_of(session), actor.audit_name
    session.add(open_note)
    session.flush()
    return True


def _audit(session: Session, actor: Actor, action: str, key: str, group: HostGroup, after: dict[str, str] | None, reason: str) -> None:
    audit.record(session, actor=actor.audit_name, action=action, about=audit.Object("problem", key, group.id), after=after, reason=reason)
