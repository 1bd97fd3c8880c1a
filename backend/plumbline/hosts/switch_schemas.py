"""Schemas of the switches that the hosts are cabled to."""

from datetime import datetime
from typing import Literal

from plumbline.infra.schemas import Schema

PortIssue = Literal["link_down", "not_heard", "paths_down", "frames", "mtu"]


class SwitchRow(Schema):
    """A switch, or a stack, which announces itself as one, with the hosts behind it. `issues` counts its ports with each issue."""

    id: str
    name: str
    platform: str
    address: str
    protocol: str
    ports: int
    hosts: int
    failing: int
    issues: dict[PortIssue, int]
    # Hosts of which every storage adapter with a known switch is on this one.
    only_here: int


class UnheardHost(Schema):
    """An ESXi host with the names of its storage adapters that heard no switch."""

    id: str
    name: str
    adapters: list[str]


class SwitchList(Schema):
    """All switches, those with the most failing ports first, and the storage adapters that heard none.

    `unheard_hosts` are the first 100.
    """

    items: list[SwitchRow]
    unheard_esxi: int
    unheard_hosts: list[UnheardHost]
    unheard_windows: int


class SwitchPortRow(Schema):
    """A port of a switch with the adapter behind it. `problem` in words; empty if nothing is wrong."""

    host_id: str
    host: str
    group: str
    cluster: str
    adapter: str
    adapter_name: str
    role: str
    port: str
    mtu: int | None
    switch_mtu: int | None
    native_vlan: int | None
    paths_healthy: int
    paths_total: int
    issues: list[PortIssue]
    problem: str
    lost_at: datetime | None


class SwitchDetail(SwitchRow):
    """A switch with its ports, failing ones first, then in the order of their names."""

    port_rows: list[SwitchPortRow]


class SwitchEvidence(Schema):
    """What `hosts` hosts with storage adapters hear of their switches, as text; empty where none hears one."""

    as_of: datetime
    hosts: int
    text: str
