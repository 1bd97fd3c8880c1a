"""Celery tasks for the end of waivers and attestations. Each is safe to run twice."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.waivers import attestations, lifecycle, reminders


@shared_task(name="waivers.expire")  # type: ignore[untyped-decorator]
def expire_waivers() -> None:
    """Ends waivers and attestations past their end, and applies group waivers to hosts that joined the group since."""
    for once in (lifecycle.expire_waivers, attestations.expire_attestations, lifecycle.extend_waivers):
        more = 1
        while more:
            with session_scope() as session:
                more = once(session)


@shared_task(name="waivers.remind")  # type: ignore[untyped-decorator]
def remind_owners() -> None:
    """Notes what ends soon."""
    with session_scope() as session:
        reminders.remind(session)
