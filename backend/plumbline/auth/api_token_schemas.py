"""API schemas of API tokens."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, Name, RowId, Schema

TokenRole = Literal["viewer", "operator", "admin"]
TokenState = Literal["living", "expired", "revoked", "disabled"]


class TokenCreate(Input):
    """A token for the caller, or, with `service`, for a program that acts under its own name. Every token expires."""

    name: Name
    service: Annotated[str, Field(max_length=64, pattern=r"^([A-Za-z0-9][A-Za-z0-9._-]*)?$")] = ""
    roles: Annotated[list[TokenRole], Field(min_length=1, max_length=3)]
    group_id: RowId
    expires_days: Annotated[int, Field(ge=1, le=366)]


class TokenMade(Schema):
    """The token, shown this once."""

    id: int
    token: str
    expires_at: datetime


class TokenRow(Schema):
    """One token as lists show it. `disabled`: its person's account is disabled."""

    id: int
    name: str
    service: str
    person_id: int
    person_name: str
    is_own: bool
    roles: list[TokenRole]
    group_id: int
    group_name: str
    state: TokenState
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    last_used_from: str
    revoked_at: datetime | None
