"""Tables of what holds or allows changes: windows, freezes, the stop, the credentials that may change hosts, and what workers last said."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, Column, Index, Integer, Text, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import json_column, time_column, written_at_column


class MaintenanceWindow(SQLModel, table=True):
    """When plans of a group may run: once, or on days of the week, in the site's own time zone."""

    __tablename__ = "maintenance_window"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    name: str
    time_zone: str = "UTC"
    # Weekly: ISO days (1 Monday .. 7 Sunday), optionally only the nth such day of the month (1..5, -1 the last).
    weekdays: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False, server_default="{}"))
    nth: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False, server_default="{}"))
    # Local wall time "22:00"; for a single window, `on_date` is its first local day "2026-12-05".
    starts_at_time: str
    on_date: str = ""
    lasts_minutes: int
    created_by: str = ""
    created_at: datetime = written_at_column()
    ended_at: datetime | None = time_column(default=None, nullable=True)


class Freeze(SQLModel, table=True):
    """A time in which nothing of a group is changed, overriding its windows."""

    __tablename__ = "change_freeze"

    id: int | None = Field(default=None, primary_key=True)
    group_id: int = Field(foreign_key="host_group.id", index=True)
    reason: str
    starts_at: datetime = time_column()
    ends_at: datetime = time_column()
    created_by: str = ""
    created_at: datetime = written_at_column()
    ended_at: datetime | None = time_column(default=None, nullable=True)
    ended_by: str = ""


class StopSwitch(SQLModel, table=True):
    """The single row that stops every job at its next step boundary. Set by people, and by a restore."""

    __tablename__ = "stop_switch"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: int = Field(default=1, primary_key=True)
    is_stopped: bool = False
    # "person" or "restore": after a restore only an admin may lift it.
    cause: str = ""
    reason: str = ""
    changed_by: str = ""
    changed_at: datetime = written_at_column()


class RemediationEndpoint(SQLModel, table=True):
    """How the workers reach a host to change it: a credential of its own, and the same proofs of identity as for collection."""

    __tablename__ = "remediation_endpoint"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    channel: str
    address: str
    port: int
    credential_id: int = Field(foreign_key="vault_secret.id")
    pins: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default="{}"))
    ca_certificate: str = ""
    # Path of the runner on an ESXi host; on Windows its installer decides. Installing it is a separate step.
    runner_folder: str = ""
    runner_sha256: str = ""
    runner_installed_at: datetime | None = time_column(default=None, nullable=True)
    runner_asked_by: str = ""
    changed_by: str = ""
    changed_at: datetime = written_at_column()
    last_ok_at: datetime | None = time_column(default=None, nullable=True)
    last_error: str = ""


class ProbeRun(SQLModel, table=True):
    """Do-not-fragment pings from one host that a person requested: created by the API, run by the executor, read by planning as proof."""

    __tablename__ = "probe_run"
    __table_args__ = (
        Index("ix_probe_run_host_id_id", "host_id", "id"),
        Index("ix_probe_run_open", "host_id", unique=True, postgresql_where=text("state IN ('waiting', 'running')")),
        Index("ix_probe_run_finished_at", "finished_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    # The L3 size of every ping.
    size_bytes: int
    asked_by: str
    asked_at: datetime = written_at_column()
    # "waiting", "running", "done", or "failed" if the result is unknown.
    state: str = "waiting"
    words: str = ""
    finished_at: datetime | None = time_column(default=None, nullable=True)
    # Each {source, address, portal, to, adapter, fabric, outcome}; `to` is the portal as paths name it, `outcome` empty until it is known.
    pings: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column("[]"))


class WorkerHeartbeat(SQLModel, table=True):
    """When a worker last took a task message: a connected worker that takes none turns red."""

    __tablename__ = "worker_heartbeat"

    worker: str = Field(primary_key=True)
    queue: str = Field(primary_key=True)
    heard_at: datetime = written_at_column()
