"""What the sections of a Windows lab host have in common: reads, names and addresses of its adapters."""

from typing import Any

from lab import identity
from lab.fleet import cards
from lab.host import LabHost, State

Row = dict[str, Any]
Reads = dict[str, Any]
_RELEASES = ("2012", "2012r2", "2016", "2019", "2022")


def ok(rows: list[Row]) -> Reads:
    """A read that went well."""
    return {"status": "ok", "rows": rows}


def unavailable(error: str) -> Reads:
    """A read that this release or feature does not have."""
    return {"status": "unavailable", "error": error, "rows": []}


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
