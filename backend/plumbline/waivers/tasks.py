"""Celery shells around the ends of waivers and attestations. Each is safe to run twice."""

from celery import shared_task

from plumbline.infra.database import session_scope
from plumbline.waivers import attestations as attest
from plumbline.waivers import lifecycle as waive
from plumbline.waivers import reminders as remind


@shared_task(name="findings.expire_waivers")  # type: ignore[untyped-decorator]
def expire_waivers() -> None:
    """Ends waivers and attestations whose time is over, and brings hosts that came since under waivers of their group."""
    for once in (waive.expire_waivers, attest.expire_attestations, waive.extend_waivers):
        more = 1
        while more:
            with session_scope() as session:
                more = once(session)


@shared_task(name="findings.remind")  # type: ignore[untyped-decorator]
def remind_owners() -> None:
    """Notes what ends soon."""
    with session_scope() as session:
        remind.remind(session)
