"""API schemas of reports."""

from datetime import datetime
from typing import Any, Literal

from plumbline.infra.schemas import Input, RowId, Schema


class ReportFileOut(Schema):
    """One rendered format with its checksum."""

    format: str
    sha256: str
    bytes: int


class ReportOut(Schema):
    """One report and its state."""

    id: int
    template: str
    group_id: int
    group_name: str
    as_of: datetime
    requested_by: str
    requested_at: datetime
    state: Literal["queued", "ready", "failed"]
    error: str
    data_sha256: str
    files: list[ReportFileOut]


class ReportDetail(ReportOut):
    """A report with its frozen figures."""

    data: dict[str, Any] | None


class ReportCreate(Input):
    """Requests a report about a group and its subgroups."""

    template: Literal["executive"] = "executive"
    group_id: RowId
