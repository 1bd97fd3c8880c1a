"""API schemas of vCenters and of their hosts."""

from datetime import datetime
from typing import Any, Literal

from plumbline.collection.schemas import Address, Port
from plumbline.infra.schemas import HostId, Input, Name, NamedHost, RowId, Schema

Lockdown = Literal["disabled", "normal", "strict"]


class VCenterCreate(Input):
    """A vCenter, the group whose hosts it knows (subgroups included), and an account with read-only rights there."""

    name: Name
    group_id: RowId
    address: Address
    port: Port = 443
    credential_id: RowId


class VCenterUpdate(Input):
    """Changes where a vCenter is read, or with what."""

    name: Name | None = None
    address: Address | None = None
    port: Port | None = None
    credential_id: RowId | None = None


class HostLink(Input):
    """The host in Plumbline that it is; null: none of them."""

    host_id: HostId | None


class VCenterRow(Schema):
    """A vCenter, with the outcome of the last reading."""

    id: int
    name: str
    group_id: int
    group_name: str
    address: str
    port: int
    credential_id: int
    credential_name: str
    account: str
    # SHA-256 of the certificate that it must show; empty: nothing is sent to it.
    pin: str
    shown_pin: str
    shown_at: datetime | None
    look_error: str
    confirmed_by: str
    confirmed_at: datetime | None
    product: str
    is_running: bool
    last_tried_at: datetime | None
    last_ok_at: datetime | None
    last_error: str
    # `host_identity_wrong` where another certificate than the verified one was presented.
    last_error_code: str
    failures: int
    next_at: datetime
    # Hosts in its list, and those of them that are linked with a host in Plumbline.
    hosts: int
    linked: int


class EsxcliRead(Schema):
    """A host's answer to one esxcli command through its vCenter."""

    command: str
    status: Literal["ok", "failed"]
    error: str
    rows: list[dict[str, Any]]


class VCenterFacts(Schema):
    """What a vCenter reports about one host. Null: not reported; `unread` has the reason by the field's name."""

    vcenter_id: int
    vcenter_name: str
    moid: str
    name: str
    cluster: str
    addresses: list[str]
    connection: str
    is_in_maintenance: bool | None
    lockdown: Lockdown | None
    exception_users: list[str] | None
    is_ssh_running: bool | None
    shell_timeout_seconds: int | None
    idle_timeout_seconds: int | None
    certificate_sha256: str | None
    unread: dict[str, str]
    reads: list[EsxcliRead]
    read_at: datetime
    # The vCenter was read recently enough for its facts to be relied on.
    is_fresh: bool


class VCenterHostRow(Schema):
    """One host in a vCenter's list, and the host in Plumbline that it is linked with."""

    moid: str
    name: str
    cluster: str
    connection: str
    is_in_maintenance: bool | None
    lockdown: Lockdown | None
    is_ssh_running: bool | None
    host: NamedHost | None
    matched_words: str
    is_linked_by_hand: bool
    read_at: datetime
