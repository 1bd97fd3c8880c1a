"""Reminders before a waiver or an attestation ends: one entry in the audit log each, which its owner also sees on screen."""

from datetime import datetime, timedelta

import structlog
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.infra.settings import get_settings
from plumbline.models.findings import ATTESTATION, WAIVER, Attestation, AttestationState, Waiver, WaiverState
from plumbline.waivers.lifecycle import group_of

log = structlog.get_logger()
MOST_AT_ONCE = 500


def remind(session: Session) -> int:
    """Records what ends within the reminder's days and was not recorded yet. Returns how many. Safe to run twice and concurrently."""
    soon = func.now() + timedelta(days=get_settings().waiver_reminder_days)
    now: datetime = session.execute(select(func.now())).scalar_one()
    waivers = session.scalars(
        select(Waiver)
        .where(WAIVER.state == WaiverState.ACTIVE, WAIVER.reminded_at.is_(None), WAIVER.expires_at <= soon, WAIVER.expires_at > func.now())
        .order_by(WAIVER.id)
        .limit(MOST_AT_ONCE)
        .with_for_update(skip_locked=True, key_share=True)
    ).all()
    for waiver in waivers:
        waiver.reminded_at = now
        session.add(waiver)
        _record_reminder(session, "waiver", waiver.id, group_of(session, waiver), waiver.owner_id, waiver.expires_at)
    attestations = session.scalars(
        select(Attestation)
        .where(
            ATTESTATION.state == AttestationState.ACTIVE,
            ATTESTATION.reminded_at.is_(None),
            ATTESTATION.expires_at <= soon,
            ATTESTATION.expires_at > func.now(),
        )
        .order_by(ATTESTATION.id)
        .limit(MOST_AT_ONCE)
        .with_for_update(skip_locked=True)
    ).all()
    for attestation in attestations:
        attestation.reminded_at = now
        session.add(attestation)
        _record_reminder(session, "attestation", attestation.id, attestation.group_id, attestation.author_id, attestation.expires_at)
    return len(waivers) + len(attestations)


def _record_reminder(session: Session, kind: str, row_id: int | None, group_id: int | None, owner_id: int, expires_at: datetime) -> None:
    audit.record(
        session,
        actor=audit.SYSTEM,
        action=f"{kind}.reminded",
        about=audit.Object(kind, str(row_id), group_id),
        after={"owner": owner_id, "expires_at": expires_at.isoformat()},
        reason=f"expires on {expires_at:%d %b %Y}",
    )
    log.info("an end is near", kind=kind, id=row_id, owner=owner_id)
