"""Tables of people, their grants, sessions and tokens."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, Column, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from plumbline.database import UtcDateTime

ROLES = ("viewer", "operator", "approver", "admin")


def _time(**kwargs: Any) -> Any:
    return Field(sa_type=UtcDateTime, **kwargs)


class Person(SQLModel, table=True):
    """Someone who signs in."""

    __tablename__ = "person"

    id: int | None = Field(default=None, primary_key=True)
    login: str = Field(unique=True)
    display_name: str = ""
    password_hash: str | None = None
    oidc_issuer: str | None = None
    oidc_subject: str | None = None
    is_disabled: bool = False
    time_zone: str = "UTC"
    created_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    last_signed_in_at: datetime | None = _time(default=None, nullable=True)


class Grant(SQLModel, table=True):
    """A role for a person, or for an OIDC group, on a group of hosts and all below it. Grants add up."""

    __tablename__ = "grant"

    id: int | None = Field(default=None, primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    oidc_group: str | None = None
    role: str
    group_id: int = Field(foreign_key="host_group.id")
    granted_by: int | None = None
    granted_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})


class WebSession(SQLModel, table=True):
    """A browser session. Only the hash of its id is kept."""

    __tablename__ = "web_session"

    id_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    person_id: int = Field(foreign_key="person.id", index=True)
    created_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    last_used_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    authenticated_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    expires_at: datetime = _time()
    ended_at: datetime | None = _time(default=None, nullable=True)
    address: str = ""
    agent: str = ""
    oidc_groups: str = ""


class ApiToken(SQLModel, table=True):
    """A token for programs, shown once. It acts within its roles and group, and never beyond what its person may at that moment."""

    __tablename__ = "api_token"

    id: int | None = Field(default=None, primary_key=True)
    # Whose rights bound it: the person it was made for, or the admin who made it for a service.
    person_id: int = Field(foreign_key="person.id", index=True)
    # Names the program where it acts for itself ("prometheus"); empty: it acts for its person.
    service: str = ""
    name: str
    token_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    roles: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    group_id: int = Field(foreign_key="host_group.id")
    created_at: datetime = _time(sa_column_kwargs={"server_default": text("now()")})
    expires_at: datetime = _time()
    last_used_at: datetime | None = _time(default=None, nullable=True)
    last_used_from: str = ""
    revoked_at: datetime | None = _time(default=None, nullable=True)


class SignInTry(SQLModel, table=True):
    """Failed sign-ins, for the limits per account and per network. Purged after a day."""

    __tablename__ = "sign_in_try"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = _time(sa_column_kwargs={"server_default": text("now()")}, index=True)
    login: str = Field(index=True)
    network: str = Field(index=True)
