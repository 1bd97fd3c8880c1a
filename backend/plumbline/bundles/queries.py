"""What the pages of assessments read: one's own, each with a fixed number of queries."""

from typing import Any

import structlog
from sqlalchemy import and_, func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.bundles import uploads
from plumbline.bundles.assess import packs_told
from plumbline.bundles.fleet import find_in_fleet
from plumbline.bundles.plan_preview import preview_plan
from plumbline.bundles.schemas import AssessedHost, AssessedHostRow, AssessmentDetail, AssessmentRow, PlanPreview
from plumbline.core.facts.bundles.kept import KeptHost, unpack
from plumbline.infra.errors import NotFound
from plumbline.models.assessments import ASSESSMENT, ASSESSMENT_HOST, Assessment, AssessmentHost, AssessmentState

log = structlog.get_logger()

_ROW = tuple(
    getattr(AssessmentHost, name)
    for name in (
        "id",
        "name",
        "platform",
        "kind_label",
        "os",
        "captured_at",
        "score",
        "failing",
        "unknown",
        "passing",
        "answered",
        "applicable",
    )
)


def list_assessments(session: Session, *, actor: Actor) -> list[AssessmentRow]:
    """One's own, newest first. Two queries."""
    rows = session.scalars(select(Assessment).where(ASSESSMENT.person_id == actor.person_id).order_by(ASSESSMENT.id.desc())).all()
    counted: Any = session.execute(
        select(ASSESSMENT_HOST.assessment_id, func.count())
        .where(ASSESSMENT_HOST.assessment_id.in_([row.id for row in rows]))
        .group_by(ASSESSMENT_HOST.assessment_id)
    ).all()
    counts: dict[int, int] = dict(tuple(each) for each in counted)
    return [_row(row, counts.get(row.id or 0, 0)) for row in rows]


def _row(row: Assessment, host_count: int) -> AssessmentRow:
    received = uploads.received(row.id or 0) if row.state == AssessmentState.RECEIVING else row.size_bytes
    return AssessmentRow(
        **{key: getattr(row, key) for key in ("id", "name", "state", "error", "size_bytes", "read_bytes", "created_at")},
        received_bytes=received,
        host_count=host_count,
    )


def find_assessment(session: Session, actor: Actor, assessment_id: int) -> Assessment:
    """One's own assessment. Raises `NotFound` for another person's too."""
    row = session.get(Assessment, assessment_id)
    if row is None or row.person_id != actor.person_id:
        raise NotFound("Assessment not found.")
    return row


def read_assessment(session: Session, *, actor: Actor, assessment_id: int, limit: int, named: str = "") -> AssessmentDetail:
    """One assessment with at most `limit` of its hosts, the lowest score first. Three queries, whatever their number."""
    row = find_assessment(session, actor, assessment_id)
    of_it = ASSESSMENT_HOST.assessment_id == assessment_id
    matching = and_(of_it, ASSESSMENT_HOST.name.icontains(named, autoescape=True)) if named else of_it
    total, matches = session.execute(select(func.count(), func.count().filter(matching)).where(of_it)).one()
    hosts: Any = session.execute(
        select(*_ROW)
        .where(matching)
        .order_by(ASSESSMENT_HOST.score.asc().nulls_last(), ASSESSMENT_HOST.name, ASSESSMENT_HOST.id)
        .limit(limit)
    ).all()
    about = row.about
    return AssessmentDetail(
        **_row(row, total).model_dump(),
        sha256=row.sha256,
        notes=about.get("notes", []),
        unused=about.get("unused", []),
        unused_count=about.get("unused_count", 0),
        refused=about.get("refused", []),
        match_count=matches,
        hosts=[AssessedHostRow(**host._mapping) for host in hosts],
    )


def read_host(session: Session, *, actor: Actor, assessment_id: int, host_id: int) -> AssessedHost:
    """One host of one's own assessment, with the hosts of the fleet that it may be. Five queries."""
    row = find_host(session, actor, assessment_id, host_id)
    told, kept = row.told, kept_of(row)
    return AssessedHost(
        **{key: getattr(row, key) for key in AssessedHostRow.model_fields},
        **{key: told[key] for key in ("build", "model", "bundle", "capped_by", "notes", "unread", "advice")},
        partly=told["rules"]["partly"],
        fails=told["failing"],
        passes=told["passing"],
        unknowns=told["unknown"],
        has_settings=kept is not None,
        fleet=find_in_fleet(session, actor=actor, name=row.name, kept=kept) if kept is not None else [],
    )


def read_preview(session: Session, *, actor: Actor, assessment_id: int, host_id: int) -> PlanPreview:
    """The plan preview of one host of one's own assessment. Two queries. Raises `NotFound`."""
    row = find_host(session, actor, assessment_id, host_id)
    kept = kept_of(row)
    if kept is None:
        raise NotFound("No settings are kept of this host: upload its bundle again.")
    return preview_plan(kept, name=row.name, captured_at=row.captured_at, bundle=row.told["bundle"])


def find_host(session: Session, actor: Actor, assessment_id: int, host_id: int) -> AssessmentHost:
    """One host of one's own assessment. Two queries. Raises `NotFound`."""
    find_assessment(session, actor, assessment_id)
    row = session.get(AssessmentHost, host_id)
    if row is None or row.assessment_id != assessment_id:
        raise NotFound("Host not found in this assessment.")
    return row


def kept_of(row: AssessmentHost) -> KeptHost | None:
    """What is kept of its configuration; None where it was assessed before any was, or where that is damaged."""
    try:
        return unpack(row.kept) if row.kept is not None else None
    except ValueError:
        log.error("configuration of an assessed host cannot be read", assessed=row.id)
        return None


def told_of(session: Session, *, actor: Actor, assessment_id: int, with_plan: bool = False) -> dict[str, Any]:
    """An assessment as `plumbline assess --json` prints it, for its report. Two queries.

    `with_plan`: with the preview of each host whose settings are kept.
    """
    row = find_assessment(session, actor, assessment_id)
    if row.state != AssessmentState.READY:
        raise NotFound("this assessment has no report: it is not read, or could not be read")
    of_it = ASSESSMENT_HOST.assessment_id == assessment_id
    if with_plan:
        hosts = [_with_plan(host) for host in session.scalars(select(AssessmentHost).where(of_it))]
    else:
        hosts = list(session.scalars(select(ASSESSMENT_HOST.told).where(of_it)))
    return {"name": row.name, "hosts": hosts, "bundles": [row.about], "packs": packs_told()}


def _with_plan(row: AssessmentHost) -> dict[str, Any]:
    kept = kept_of(row)
    if kept is None:
        return row.told
    return row.told | {"plan": preview_plan(kept, name=row.name, captured_at=row.captured_at, bundle=row.told["bundle"]).model_dump()}
