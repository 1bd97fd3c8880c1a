"""Table of sealed secrets."""

from datetime import datetime

from sqlalchemy import Column, LargeBinary, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class VaultSecret(SQLModel, table=True):
    """A sealed credential. It cannot be recovered from the row without the vault's private key."""

    __tablename__ = "vault_secret"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    # "collection" or "remediation" (an account on hosts), or "check_in:<host id>" (the check-in secret of a collected host).
    purpose: str
    # What people may see of it: the account's name and the kind of credential, never more.
    account: str = ""
    kind: str = ""
    # Who may change it, and the group whose hosts (with its subgroups) it may be used for.
    group_id: int = Field(default=1, foreign_key="host_group.id")
    version: int = 1
    key_id: str
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    # Set by the circuit breaker or a person: not used until replaced or released.
    stopped_at: datetime | None = time_column(default=None, nullable=True)
    stopped_reason: str = ""
    created_by: str = ""
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    changed_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
