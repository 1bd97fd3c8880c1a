"""Requesting evidence bundles, listing them, and downloading them. Each request and each download is audited."""

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import in_scope
from plumbline.evidence.schemas import EvidenceBundleCreate, EvidenceBundleOut
from plumbline.fleet.view_filters import view_for
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.auth import PERSON, Person
from plumbline.models.evidence import EVIDENCE_BUNDLE, BundleState, EvidenceBundle
from plumbline.models.hosts import HOST_GROUP, HostGroup

MOST_QUEUED = 3
MOST_LISTED = 200
_MISSING = "Evidence bundle not found."


def request_bundle(session: Session, *, actor: Actor, request: EvidenceBundleCreate) -> EvidenceBundleOut:
    """Queues a bundle. Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict`."""
    group_id, as_of = request.group_id, request.as_of
    group = session.get(HostGroup, group_id)
    require(actor, "evidence.make", group.path if group else "", missing="Group not found.")
    now = now_of(session)
    if as_of is not None and as_of > now:
        raise BadInput("as_of: this time is in the future; leave it out for the current state")
    waiting = (
        session.scalar(
            select(func.count())
            .select_from(EvidenceBundle)
            .where(EVIDENCE_BUNDLE.requested_by == actor.person_id, EVIDENCE_BUNDLE.state == BundleState.QUEUED)
        )
        or 0
    )
    if waiting >= MOST_QUEUED:
        raise Conflict(f"you have {waiting} evidence bundles being made; wait for one of them")
    filters, view_name = view_for(session, actor=actor, view_id=request.view_id)
    at = as_of or now
    bundle = EvidenceBundle(
        group_id=group_id,
        filters=filters,
        view_name=view_name,
        as_of=at,
        since=at - timedelta(days=request.period_days),
        requested_by=actor.person_id,
    )
    session.add(bundle)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="evidence.requested",
        about=audit.Object("evidence_bundle", str(bundle.id), group_id),
        after={"as_of": at.isoformat(), "period_days": request.period_days, "view": view_name},
    )
    enqueue(session, "evidence.make", bundle.id or 0)
    return read_bundle(session, actor=actor, bundle_id=bundle.id or 0)


def _rows(session: Session, actor: Actor, *, bundle_id: int | None, limit: int) -> list[EvidenceBundleOut]:
    """Bundles in scope, newest first, without their content. One query."""
    names = (
        "id", "group_id", "view_name", "as_of", "since", "requested_at", "state", "error", "sha256", "size_bytes", "key_id", "hosts",
        "findings",
    )  # fmt: skip
    query: Any = (
        select(
            *(getattr(EVIDENCE_BUNDLE, name) for name in names),
            HOST_GROUP.name.label("group_name"),
            func.coalesce(PERSON.display_name, "").label("requested_by"),
        )
        .join(HostGroup, HOST_GROUP.id == EVIDENCE_BUNDLE.group_id)
        .outerjoin(Person, PERSON.id == EVIDENCE_BUNDLE.requested_by)
        .where(in_scope(actor))
        .order_by(EVIDENCE_BUNDLE.id.desc())
        .limit(limit)
    )
    if bundle_id is not None:
        query = query.where(EVIDENCE_BUNDLE.id == bundle_id)
    return [EvidenceBundleOut.model_validate(dict(row._mapping)) for row in session.execute(query)]


def list_bundles(session: Session, *, actor: Actor) -> list[EvidenceBundleOut]:
    """The newest 200 about groups this person may read. One query."""
    return _rows(session, actor, bundle_id=None, limit=MOST_LISTED)


def read_bundle(session: Session, *, actor: Actor, bundle_id: int) -> EvidenceBundleOut:
    """One bundle's state. Raises `NotFound`."""
    rows = _rows(session, actor, bundle_id=bundle_id, limit=1)
    if not rows:
        raise NotFound(_MISSING)
    return rows[0]


def read_file(session: Session, *, actor: Actor, bundle_id: int) -> tuple[str, bytes]:
    """The file name and the file; the download is audited. Raises `NotFound`, `NotAllowed`."""
    bundle = session.get(EvidenceBundle, bundle_id)
    group = session.get(HostGroup, bundle.group_id) if bundle else None
    require(actor, "evidence.export", group.path if group else "", missing=_MISSING)
    assert bundle is not None
    if bundle.content is None:
        raise NotFound("this bundle has no file: it is still being made, or could not be made")
    audit.record(
        session,
        actor=actor.audit_name,
        action="evidence.exported",
        about=audit.Object("evidence_bundle", str(bundle_id), bundle.group_id),
        after={"sha256": bundle.sha256, "key_id": bundle.key_id},
    )
    return f"plumbline-evidence-{bundle_id}-{bundle.as_of:%Y-%m-%d}.zip", bundle.content
