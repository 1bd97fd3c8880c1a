"""What the sections of a Windows lab host have in common: reads, names and addresses of its adapters."""

import json
from typing import Any

from lab import identity
from lab.fleet import cards
from lab.host import LabHost
from lab.initial_state import State

Row = dict[str, Any]
Reads = dict[str, Any]
_RELEASES = ("2012", "2012r2", "2016", "2019", "2022", "2025")
# Interface indices of the virtual interfaces, beyond those of the adapters.
TEAM_INDEX, HOST_PORT_INDEX = 41, 42
# What hosts print for a WMI class that they do not have.
NO_CLASS = "Invalid class (HRESULT 0x80041010,Get-CimInstance)"


def ok(rows: list[Row]) -> Reads:
    """A read that went well."""
    return {"status": "ok", "rows": rows}


def unavailable(error: str) -> Reads:
    """A read that this release or feature does not have."""
    return {"status": "unavailable", "error": error, "rows": []}


def missing(command: str) -> Reads:
    """A read whose command this host does not have."""
    return unavailable(f"this host has no command {command}")


def in_order(rows: list[Row]) -> list[Row]:
    """Rows in the order of their own JSON, as agents send them."""
    return sorted(rows, key=lambda row: json.dumps(row, ensure_ascii=True, separators=(",", ":")))


def at_least(host: LabHost, release: str) -> bool:
    """The host's release is this one or a later one."""
    return _RELEASES.index(host.spec.data["release"]) >= _RELEASES.index(release)


def has(host: LabHost, feature: str) -> bool:
    """The Windows feature is installed."""
    return feature in host.spec.data["features"]


def visible(host: LabHost) -> list[tuple[str, State]]:
    """Adapters that the network cmdlets show: not those that iSCSI offload took over."""
    return [(name, port) for name, port in host.state["ports"].items() if not port["isoe"]]


def index_of(host: LabHost, role: str) -> int:
    """Interface index of an adapter."""
    return 12 + list(host.state["ports"]).index(role)


def mac_of(host: LabHost, role: str) -> str:
    """Permanent MAC of an adapter, lower case."""
    port = host.state["ports"][role]
    return identity.mac(str(cards()[port["card"]]["oui"]), host.spec.name, port["card"], port["nth"])


def guid_of(host: LabHost, role: str) -> str:
    """Interface GUID of an adapter."""
    return identity.guid(host.spec.name, role)


def address_of(host: LabHost, role: str) -> str:
    """The adapter's IPv4 address."""
    spec, use = host.spec, host.state["ports"][role]["use"]
    if use == "san":
        index = [name for name, _ in host.ports("san")].index(role)
        return identity.san_address(spec.group, spec.number, index)
    return identity.lan_address(spec.group, spec.number, 1 if use == "s2d" else 0)


def description_of(host: LabHost, role: str) -> str:
    """The driver's product text, numbered as Windows does."""
    port = host.state["ports"][role]
    text = str(cards()[port["card"]]["description"])
    return text if port["nth"] == 1 else f"{text} #{port['nth']}"


def is_teamed(host: LabHost, role: str) -> bool:
    """The adapter is a member of the host's LBFO team."""
    return role in host.spec.data.get("team", {}).get("members", ())


def has_host_port(host: LabHost, role: str) -> bool:
    """The adapter is below the virtual switch `vm-lan`, on which the host itself has a port."""
    return has(host, "Hyper-V") and role == next((name for name, port in visible(host) if port["use"] == "lan"), "")


def carrier_of(host: LabHost, role: str) -> tuple[str, int, str]:
    """GUID, index and name of the interface that holds an adapter's address: its own, its team's, or the host's port on the switch."""
    if is_teamed(host, role):
        return identity.guid(host.spec.name, "team"), TEAM_INDEX, str(host.spec.data["team"]["name"])
    if has_host_port(host, role):
        return identity.guid(host.spec.name, "vEthernet"), HOST_PORT_INDEX, "vEthernet (vm-lan)"
    return guid_of(host, role), index_of(host, role), str(host.state["ports"][role]["label"])
