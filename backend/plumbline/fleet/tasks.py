"""Celery tasks of fleet screens."""

from celery import shared_task

from plumbline.fleet import trends
from plumbline.infra.database import session_scope


@shared_task(name="fleet.store_day")  # type: ignore[untyped-decorator]
def note_day() -> None:
    """Writes today's figures of every group, for trends."""
    with session_scope() as session:
        trends.note_day(session)
