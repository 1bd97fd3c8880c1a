"""Celery tasks of evidence bundles."""

from celery import shared_task

from plumbline.evidence.build import build_bundle, queued_bundles
from plumbline.infra.database import session_scope


@shared_task(name="evidence.make")  # type: ignore[untyped-decorator]
def make_bundle(bundle_id: int) -> None:
    """Makes one queued bundle."""
    with session_scope() as session:
        build_bundle(session, bundle_id)


@shared_task(name="evidence.make_queued")  # type: ignore[untyped-decorator]
def make_queued() -> None:
    """Makes the bundles whose task message was lost."""
    with session_scope() as session:
        waiting = queued_bundles(session)
    for bundle_id in waiting:
        with session_scope() as session:
            build_bundle(session, bundle_id)
