"""Celery tasks of packs. Each is safe to run twice."""

import structlog
from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.packs import activation

log = structlog.get_logger()


@shared_task(name="packs.end_grace")  # type: ignore[untyped-decorator]
def end_grace() -> None:
    """Ends the times of grace that are over."""
    with session_scope() as session:
        activation.end_grace(session)
