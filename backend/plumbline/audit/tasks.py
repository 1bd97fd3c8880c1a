"""Celery tasks of the audit trail."""

from celery import shared_task
from sqlalchemy import text

from plumbline.audit.chain import chain_pending, sign_head, signing_key
from plumbline.infra.database import session_scope

HEAD_EVERY_SECONDS = 600


@shared_task(name="audit.chain")  # type: ignore[untyped-decorator]
def chain() -> None:
    """Chains pending entries; every ten minutes signs and exports the head."""
    with session_scope() as session:
        chain_pending(session)
    with session_scope() as session:
        is_due = session.execute(
            text("SELECT coalesce(max(at) < now() - make_interval(secs => :s), true) FROM audit_head"), {"s": HEAD_EVERY_SECONDS}
        ).scalar_one()
        if is_due:
            sign_head(session, signing_key())
