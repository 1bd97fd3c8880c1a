"""Tables of off-host collection: where hosts are read, and the log-ins that were tried."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Column, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column


class Channel(StrEnum):
    """How a host is reached. Remediation uses the same two."""

    SSH = "ssh"
    WINRM = "winrm"


class LoginOutcome(StrEnum):
    """`OPEN` counts as rejected until it is known: a worker that dies in between must not gain an attempt."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NOT_TRIED = "not_tried"


class CheckState(StrEnum):
    """Of the test of a credential. `NOT_TRIED`: nothing was sent."""

    WAITING = "waiting"
    RUNNING = "running"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NOT_TRIED = "not_tried"


class CollectionEndpoint(SQLModel, table=True):
    """How one host is reached: address, credential, and what proves that it is the host."""

    __tablename__ = "collection_endpoint"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    channel: str
    address: str
    port: int
    # The account on the host, sealed in the vault for "collection".
    credential_id: int = Field(foreign_key="vault_secret.id")
    # Public key lines or SHA256 fingerprints (ssh); SHA-256 of the certificate (winrm). Empty: nothing is sent to the host.
    pins: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default="{}"))
    # PEM of the CA that the host's certificate comes from (winrm), instead of a pinned certificate.
    ca_certificate: str = ""
    # The host's check-in secret, sealed for "check_in:<host id>": this collector can check in for its own hosts and no others.
    check_in_secret_id: int | None = Field(default=None, foreign_key="vault_secret.id")
    epoch: int = 1
    generation: int = 1
    last_seq: int = Field(default=0, sa_type=BigInteger)
    # One collection at a time: a claim ends with the collection, or by itself.
    claimed_until: datetime | None = time_column(default=None, nullable=True)
    next_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    last_tried_at: datetime | None = time_column(default=None, nullable=True)
    last_ok_at: datetime | None = time_column(default=None, nullable=True)
    # In words, as shown on the host page, and as a code for pages that act on it; empty after a success.
    last_error: str = ""
    last_error_code: str = ""
    failures: int = 0
    # The key or certificate that the host showed when it was fetched: evidence for the person who verifies it, never a pin by itself.
    shown_pin: str = ""
    shown_at: datetime | None = time_column(default=None, nullable=True)
    # In words, why it showed nothing.
    look_error: str = ""
    # Who confirmed the pin, and when; empty where it came with an agent's own check-in or an import.
    confirmed_by: str = ""
    confirmed_at: datetime | None = time_column(default=None, nullable=True)


class HostLoginAttempt(SQLModel, table=True):
    """One log-in that was tried, counted across all workers so that an old password does not lock an account on every host."""

    __tablename__ = "host_login_attempt"
    __table_args__ = (Index("ix_host_login_attempt_credential_id_at", "credential_id", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    credential_id: int = Field(foreign_key="vault_secret.id")
    credential_version: int = 1
    address: str
    at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    outcome: str = LoginOutcome.OPEN


class CredentialCheck(SQLModel, table=True):
    """One requested test of whether a host accepts a credential: requested through the API, carried out by the executor."""

    __tablename__ = "credential_check"

    id: int | None = Field(default=None, primary_key=True)
    credential_id: int = Field(foreign_key="vault_secret.id", index=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    asked_by: str
    asked_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
    state: str = CheckState.WAITING
    words: str = ""
    finished_at: datetime | None = time_column(default=None, nullable=True)


class VCenter(SQLModel, table=True):
    """One vCenter from which Plumbline reads data about ESXi hosts. Plumbline changes nothing in it."""

    __tablename__ = "vcenter"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    # It may have hosts of this group and its subgroups only.
    group_id: int = Field(foreign_key="host_group.id")
    address: str
    port: int = 443
    credential_id: int = Field(foreign_key="vault_secret.id")
    # SHA-256 of the certificate that it must show, in hex. Empty: no credential is sent.
    pin: str = ""
    shown_pin: str = ""
    shown_at: datetime | None = time_column(default=None, nullable=True)
    look_error: str = ""
    confirmed_by: str = ""
    confirmed_at: datetime | None = time_column(default=None, nullable=True)
    # Product and version by its own words.
    product: str = ""
    claimed_until: datetime | None = time_column(default=None, nullable=True)
    next_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    last_tried_at: datetime | None = time_column(default=None, nullable=True)
    last_ok_at: datetime | None = time_column(default=None, nullable=True)
    last_error: str = ""
    last_error_code: str = ""
    failures: int = 0
    created_by: str = ""
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class VCenterHost(SQLModel, table=True):
    """An ESXi host as a vCenter reports it, and which host here it is. What could not be read is null, with the reason in `unread`."""

    __tablename__ = "vcenter_host"

    vcenter_id: int = Field(foreign_key="vcenter.id", primary_key=True, ondelete="CASCADE")
    # The vCenter's own name of the object ("host-42"); another one after the host was removed and added again.
    moid: str = Field(primary_key=True)
    name: str
    host_id: str | None = Field(default=None, foreign_key="host.id", sa_type=Text, index=True)
    # Why it is this host, or why it is none, in words.
    matched_words: str = ""
    # Set by a person: reading the vCenter again does not change the link.
    is_linked_by_hand: bool = False
    # Empty: a host without a cluster.
    cluster: str = ""
    addresses: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default="{}"))
    # "connected", "disconnected" or "not_responding".
    connection: str = ""
    is_in_maintenance: bool | None = None
    # "disabled", "normal" or "strict".
    lockdown: str | None = None
    exception_users: list[str] | None = Field(default=None, sa_column=Column(ARRAY(Text), nullable=True))
    is_ssh_running: bool | None = None
    # Seconds after which the host closes its shell and ends idle sessions; 0: never.
    shell_timeout_seconds: int | None = None
    idle_timeout_seconds: int | None = None
    # SHA-256 of the certificate of the host's own API, in hex.
    certificate_sha256: str | None = None
    # What esxcli answered through vCenter: {command: {"status", "error", "rows"}}.
    reads: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))
    unread: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))
    read_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})
