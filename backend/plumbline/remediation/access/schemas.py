"""API schemas of how a host is reached for changes."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.collection.vcenter_schemas import VCenterFacts
from plumbline.infra.schemas import Input, RowId, Schema


class ReachReason(Schema):
    """One reason why the host can or cannot be reached, or may not; a `note` blocks nothing."""

    state: Literal["yes", "no", "unknown", "note"]
    about: Literal["way", "identity", "credential", "runner", "last_try", "lockdown", "ssh", "shell_timeout", "connection"]
    words: str


class HostReach(Schema):
    """Whether a host can be reached for changes, and why; with the facts of its vCenter, where it has one."""

    answer: Literal["yes", "no", "unknown"]
    reasons: list[ReachReason]
    vcenter: VCenterFacts | None


class WayToHost(Schema):
    """How Plumbline reaches a host to change it, without secrets."""

    host_id: str
    channel: str
    address: str
    port: int
    credential_id: int
    credential_name: str
    is_identity_known: bool
    runner_folder: str
    runner_sha256: str
    runner_wanted: str
    is_runner_current: bool
    runner_installed_at: datetime | None
    last_ok_at: datetime | None
    last_error: str


class WaySet(Input):
    """The address and credential for changes. The proof of the host's identity is copied from collection or from its agent's report."""

    address: Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9_.:-]+$")] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    credential_id: RowId


class ProbeAsk(Input):
    """The L3 size to ping with: 9000 for jumbo frames as ESXi and most switches count them."""

    size_bytes: Annotated[int, Field(ge=576, le=65_535)]


class ProbePing(Schema):
    """One ping. `source` is the interface (ESXi) or address (Windows) that it is bound to; `outcome` is null until it is known."""

    source: str
    portal: str
    adapter: str
    adapter_name: str
    outcome: Literal["ok", "too_big", "silent", "not_run"] | None


class ProbeRunOut(Schema):
    """One set of pings with its outcome."""

    id: int
    host_id: str
    size_bytes: int
    asked_by: str
    asked_at: datetime
    state: Literal["waiting", "running", "done", "failed"]
    words: str
    finished_at: datetime | None
    # Until then a ping that passed counts as proof for other hosts of the fabric.
    proves_until: datetime | None
    pings: list[ProbePing]
