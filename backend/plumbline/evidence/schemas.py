"""API schemas of evidence bundles."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, Moment, RowId, Schema


class EvidenceBundleOut(Schema):
    """One evidence bundle and its state. `view_name` is empty where it is about a whole group.

    `key_id` is the key that signed it: compare it with what the checking program prints.
    """

    id: int
    group_id: int
    group_name: str
    view_name: str
    as_of: datetime
    since: datetime
    requested_by: str
    requested_at: datetime
    state: Literal["queued", "ready", "failed"]
    error: str
    sha256: str
    size_bytes: int
    key_id: str
    hosts: int
    findings: int


class EvidenceBundleCreate(Input):
    """Requests a bundle about a group and its subgroups, or about the hosts in them that match a saved view of the hosts page.

    `as_of` left out means now; history goes back `period_days` from there.
    """

    group_id: RowId
    view_id: RowId | None = None
    as_of: Moment | None = None
    period_days: Annotated[int, Field(ge=1, le=1100)] = 90
