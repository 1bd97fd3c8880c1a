"""A waiver as lists read it."""

from datetime import datetime
from typing import NamedTuple

from plumbline.models.findings import WAIVER


class ListedWaiver(NamedTuple):
    """What lists read of a waiver, by the names of its columns: its evidence stays behind, and SQLAlchemy makes no object of it, which
    for a page would take longer than the query.
    """

    id: int
    state: str
    rule_no: int
    host_id: str | None
    group_id: int | None
    is_listed: bool
    subject_kind: str
    subject_id: str
    reason: str
    ticket: str
    owner_id: int
    requested_by: int
    approved_by: int | None
    requested_at: datetime
    approved_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None
    end_words: str


COLUMNS = tuple(getattr(WAIVER, name) for name in ListedWaiver._fields)
