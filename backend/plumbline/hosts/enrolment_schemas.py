"""API schemas of enrolment: tokens, install commands, hosts that wait for approval."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from plumbline.hosts.schemas import Platform
from plumbline.infra.schemas import HostId, Input, Name, RowId, Schema, Words


class EnrolmentTokenRow(Schema):
    """A token, without the token itself."""

    id: int
    name: str
    group_id: int
    group_name: str
    name_pattern: str
    is_auto_approved: bool
    host_id: str | None
    uses_left: int
    expires_at: datetime
    revoked_at: datetime | None
    created_at: datetime


class EnrolmentTokenCreate(Input):
    """A new token. `name_pattern` is a shell pattern the host's name must match; `host_id` re-enrols that host and nothing else."""

    name: Name
    group_id: RowId
    platform: Platform
    name_pattern: Words = ""
    is_auto_approved: bool = False
    uses: Annotated[int, Field(ge=1, le=10_000)] = 1
    expires_hours: Annotated[int, Field(ge=1, le=24 * 90)] = 24
    host_id: HostId | None = None


class InstallCommand(Schema):
    """A command to paste on the host."""

    platform: str
    title: str
    command: str
    notes: str


class EnrolmentTokenMade(Schema):
    """The token, shown this once."""

    id: int
    token: str
    expires_at: datetime
    commands: list[InstallCommand]


class WaitingHost(Schema):
    """A host that enrolled and waits for approval."""

    id: str
    name: str
    platform: str
    os_name: str
    enrolled_at: datetime
    last_seen_at: datetime | None
    address: str
    token_name: str
    agent_version: str
