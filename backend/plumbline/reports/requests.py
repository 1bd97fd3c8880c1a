"""What people ask for, resolved: the group with the right on it, and the days of a period."""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput
from plumbline.models.hosts import HostGroup
from plumbline.reports.period import Period, period_of
from plumbline.reports.schemas import PeriodInput


def group_for(session: Session, *, actor: Actor, action: str, group_id: int) -> HostGroup:
    """The group, if this person may do this there. Raises `NotFound`, `NotAllowed`."""
    group = session.get(HostGroup, group_id)
    require(actor, action, group.path if group else "", missing="Group not found.")
    assert group is not None
    return group


def days_for(session: Session, period: PeriodInput) -> Period:
    """The days of a period. Raises `BadInput` for one that has not begun."""
    today = now_of(session).astimezone(ZoneInfo(period.time_zone)).date()
    if period.preset == "custom":
        assert period.first_day is not None
        assert period.last_day is not None
        if period.first_day > today:
            raise BadInput("first_day: the period has not started yet.")
        if period.first_day < date(2000, 1, 1):
            raise BadInput("first_day: nothing was recorded before the year 2000.")
        return Period(period.first_day, min(period.last_day, today), period.time_zone)
    return period_of(period.preset, today=today, zone=period.time_zone)


def stored_period(row: Any) -> Period:
    """The period of a report's row."""
    return Period(row.first_day, row.last_day, row.time_zone, row.preset)
