"""Celery tasks of fleet screens."""

from collections.abc import Sequence

from celery import shared_task

from plumbline.drift.prepared_parts import Kind, Maker, prepare_parts
from plumbline.drift.queries import prepare_changes
from plumbline.fleet import trends
from plumbline.fleet.host_counts import prepare_silent
from plumbline.fleet.overview import prepare_worse
from plumbline.hosts.facet_counts import prepare_late
from plumbline.infra.database import session_scope

MAKERS: Sequence[tuple[Kind, Maker]] = (
    ("changes", prepare_changes),
    ("worse", prepare_worse),
    ("silent", prepare_silent),
    ("late", prepare_late),
)


@shared_task(name="fleet.store_day")  # type: ignore[untyped-decorator]
def note_day() -> None:
    """Writes today's figures of every group, for trends."""
    with session_scope() as session:
        trends.note_day(session)


@shared_task(name="fleet.prepare_pages")  # type: ignore[untyped-decorator]
def prepare_pages() -> None:
    """Puts together parts of the pages of groups with many hosts, so that these pages need not."""
    prepare_parts(MAKERS)
