"""Tables of what hosts reported and how they are configured: section bodies by content, configurations, the log of setting changes.

`checkin` writes them; re-evaluation and screens read them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Identity, Index, LargeBinary, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class CompressionDictionary(SQLModel, table=True):
    """A trained zstd dictionary. Rows are never changed: bodies name the one they were packed with."""

    __tablename__ = "compression_dictionary"

    id: int | None = Field(default=None, primary_key=True)
    purpose: str
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    trained_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class SectionBody(SQLModel, table=True):
    """One section body, stored once for each host and content (`property_catalogue`: once for each content, host_id empty)."""

    __tablename__ = "section_body"
    __table_args__ = (UniqueConstraint("host_id", "section", "sha256"),)

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    host_id: str = Field(default="", sa_type=Text)
    section: str
    sha256: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    dictionary_id: int | None = None
    size_bytes: int
    stored_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class SectionBodyAlias(SQLModel, table=True):
    """Another digest of a stored body: its bytes differed, none of its settings did."""

    __tablename__ = "section_body_alias"

    host_id: str = Field(primary_key=True, sa_type=Text)
    section: str = Field(primary_key=True)
    sha256: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    body_id: int = Field(sa_type=BigInteger)
    named_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class HostSection(SQLModel, table=True):
    """The newest state of each section of a host."""

    __tablename__ = "host_section"

    host_id: str = Field(primary_key=True, sa_type=Text)
    section: str = Field(primary_key=True)
    status: str
    error: str = ""
    sha256: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    body_id: int | None = Field(default=None, sa_type=BigInteger)
    took_ms: int | None = None
    changed_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class HostConfiguration(SQLModel, table=True):
    """One configuration of a host: written only when a setting changed. `document` is `facts.document`'s bytes, zstd."""

    __tablename__ = "host_configuration"
    __table_args__ = (Index("ix_host_configuration_host_id_received_at", "host_id", "received_at"),)

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    host_id: str = Field(sa_type=Text)
    epoch: int
    seq: int = Field(sa_type=BigInteger)
    received_at: datetime = time_column()
    document: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    dictionary_id: int | None = None
    # section -> hex digest of the body it was read from; "!section" -> "status: why" for one that was not read.
    sections: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))


# Of a change: its setting was read before and after. Where not, or where it was not reported before for a known item, what we can read
# changed and not the host.
BOTH_READ = "(old IS NOT NULL AND NOT (old ? 'unknown' OR coalesce(new, '{}'::jsonb) ? 'unknown'))"


class SettingChange(SQLModel, table=True):
    """One setting that differs from the check-in before. Append-only, partitioned by month."""

    __tablename__ = "setting_change"
    __table_args__ = (
        Index("ix_setting_change_host_id_received_at", "host_id", "received_at"),
        Index("ix_setting_change_received_at", "received_at"),
        {"postgresql_partition_by": "RANGE (received_at)"},
    )

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    received_at: datetime = time_column(primary_key=True)
    host_id: str = Field(sa_type=Text)
    seq: int = Field(sa_type=BigInteger)
    subject_kind: str
    subject_id: str
    key: str
    # The readings before and after as JSON: {"value": ...}, {"unknown": "why"}, {"not_offered": "why"}, null for absent.
    old: Any = Field(default=None, sa_column=Column(JSONB, nullable=True))
    new: Any = Field(default=None, sa_column=Column(JSONB, nullable=True))
    # driver_update, firmware_update, toolkit, os_update, group_policy, reboot, agent_upgrade, our_job, first_seen, unknown
    cause: str = "unknown"
    cause_detail: str = ""
    # Same cause and same change on many hosts within a window share it.
    alike: str = ""
    # The job of ours that did it. Plans and jobs are kept longer than changes.
    job_id: int | None = None


class SwitchPort(SQLModel, table=True):
    """A storage adapter, or one that heard a switch, as its newest configuration shows it, and the switch port that it is cabled to.

    Where the switch is no longer heard, the port stays the one last heard: the ports behind a dead switch are still those of that switch.
    """

    __tablename__ = "switch_port"
    __table_args__ = (Index("ix_switch_port_switch_id", "switch_id"),)

    host_id: str = Field(primary_key=True, sa_type=Text)
    # Id of the adapter in the host's configuration.
    adapter: str = Field(primary_key=True)
    name: str
    role: str = ""
    link_up: bool | None = None
    # L3 MTU that the host sends, and the answer of its do-not-fragment pings.
    mtu: int | None = None
    frame_probe: str = ""
    paths_dead: int = 0
    paths_total: int = 0
    # What the switch announces; empty where it was never heard.
    switch_id: str = ""
    switch: str = ""
    port: str = ""
    platform: str = ""
    address: str = ""
    switch_mtu: int | None = None
    native_vlan: int | None = None
    protocol: str = ""
    # Since when no switch is heard on it; NULL while one is.
    lost_at: datetime | None = time_column(default=None, nullable=True)


HOST_SECTION = columns_of(HostSection)
SETTING_CHANGE = columns_of(SettingChange)
SWITCH_PORT = columns_of(SwitchPort)
HOST_CONFIGURATION = columns_of(HostConfiguration)
COMPRESSION_DICTIONARY = columns_of(CompressionDictionary)
