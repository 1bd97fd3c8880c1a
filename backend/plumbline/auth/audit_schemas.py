"""API schemas of the audit trail."""

from datetime import datetime
from typing import Any

from plumbline.infra.schemas import Schema


class AuditRow(Schema):
    """One entry. The task that chains entries fills in `number` and `is_chained` within a second.

    `who`, `what` and `about` are actor, action and object in words, by their present names.
    """

    id: int
    number: int | None
    at: datetime
    actor: str
    who: str
    action: str
    what: str
    object_kind: str
    object_id: str
    about: str
    group_name: str
    before: Any
    after: Any
    reason: str
    request_id: str
    is_chained: bool


class AuditPage(Schema):
    """One page of the audit trail, newest first."""

    items: list[AuditRow]
    next: str | None
