"""Uploading a bundle and throwing an assessment away."""

from sqlalchemy import func, select, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.bundles import uploads
from plumbline.bundles.queries import find_assessment, list_assessments
from plumbline.bundles.schemas import AssessmentRow
from plumbline.infra.errors import Conflict
from plumbline.models.assessments import ASSESSMENT, Assessment, AssessmentState

MOST_KEPT = 50


def begin(session: Session, *, actor: Actor, name: str, size_bytes: int) -> AssessmentRow:
    """Announces a bundle. Raises `Conflict` where the person keeps as many as may be kept."""
    # What a process that ended was reading stays unread: after an hour it has failed.
    session.execute(
        update(Assessment)
        .where(
            ASSESSMENT.person_id == actor.person_id,
            ASSESSMENT.state == AssessmentState.READING,
            ASSESSMENT.changed_at < func.now() - func.make_interval(0, 0, 0, 0, 1),
        )
        .values(state=AssessmentState.FAILED, error="Plumbline ended while it was read: upload it again")
    )
    count = session.scalar(select(func.count()).select_from(Assessment).where(ASSESSMENT.person_id == actor.person_id)) or 0
    if count >= MOST_KEPT:
        raise Conflict(f"you keep {MOST_KEPT} assessments: delete one first")
    row = Assessment(person_id=actor.person_id, name=name, size_bytes=size_bytes)
    session.add(row)
    session.flush()
    uploads.begin(row.id or 0)
    audit.record(
        session,
        actor=actor.audit_name,
        action="assessment.begun",
        about=audit.Object("assessment", str(row.id)),
        after={"name": name, "size_bytes": size_bytes},
    )
    return next(one for one in list_assessments(session, actor=actor) if one.id == row.id)


def receive(session: Session, *, actor: Actor, assessment_id: int, offset: int, content: bytes) -> tuple[AssessmentRow, bool]:
    """Takes a part; the second value says that the bundle is whole and has to be read."""
    row = find_assessment(session, actor, assessment_id)
    if row.state != AssessmentState.RECEIVING:
        raise Conflict("this bundle arrived already")
    have = uploads.append(assessment_id, offset=offset, content=content, size=row.size_bytes)
    is_whole = have == row.size_bytes
    if is_whole:
        row.state = AssessmentState.READING
        session.add(row)
        session.flush()
    found = AssessmentRow(
        **{key: getattr(row, key) for key in ("id", "name", "state", "error", "size_bytes", "read_bytes", "created_at")},
        received_bytes=have,
        host_count=0,
    )
    return found, is_whole


def delete(session: Session, *, actor: Actor, assessment_id: int) -> None:
    """Throws an assessment away, with its hosts and what arrived of its bundle."""
    row = find_assessment(session, actor, assessment_id)
    uploads.discard(assessment_id)
    session.delete(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="assessment.deleted",
        about=audit.Object("assessment", str(assessment_id)),
        before={"name": row.name},
    )
