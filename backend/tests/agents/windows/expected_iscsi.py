"""Section `iscsi` and the frame probes, which leave from the addresses of its connections, as the agent must send them."""

import ipaddress
from typing import Any

from tests.agents.windows.expected_live import has_initiator
from tests.agents.windows.host_data import SECTIONS, Host, ReadFailed, Row, in_order, instances, objects, project, registry

SMALL_ECHO = 60  # L3 size of the echo that separates "too big" from "silent"
NO_INITIATOR = "the service MSiSCSI is not running"
FOREIGN_SOURCE = "Windows shows no adapter with this address"


def initiator_service(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    start = registry(host, "SYSTEM\\CurrentControlSet\\Services\\MSiSCSI")["Start"]["value"]
    kind = {2: "Automatic", 3: "Manual", 4: "Disabled"}
    rows = [row for row in objects(host, read) if row["Name"] == "MSiSCSI"]
    return [project({"StartType": kind[start], **row}, shape) for row in rows]


def _need_initiator(host: Host) -> None:
    if not has_initiator(host):
        raise ReadFailed("unavailable", NO_INITIATOR)


def of_initiator(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    return in_order(project(row, shape) for row in objects(host, read))


def _local_address(host: Host, connection: Row) -> str | None:
    """The address that a connection leaves from: that of the TCP connection with the same local port and portal.

    The initiator may give its port in network byte order.
    """
    local = {(row["LocalPort"], row["RemoteAddress"]): row["LocalAddress"] for row in objects(host, "Get-NetTCPConnection")}
    port = connection["InitiatorPortNumber"]
    swapped = int.from_bytes(port.to_bytes(2, "little"), "big")
    portal = connection["TargetAddress"]
    return local.get((port, portal), local.get((swapped, portal)))


def sessions(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    rows = []
    for session in objects(host, read):
        connections = sorted(session["StandInConnections"], key=lambda one: str(one["TargetAddress"]))
        found: Row = {"TargetPortalAddress": None, "LocalAddress": None, "Disks": session["StandInDisks"]}
        if connections:
            found |= {"TargetPortalAddress": connections[0]["TargetAddress"], "LocalAddress": _local_address(host, connections[0])}
        rows.append(project(session | found, shape))
    return in_order(rows)


def connections(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    rows = []
    for session in objects(host, "Get-IscsiSession"):
        for connection in session["StandInConnections"]:
            found = {"TargetNodeAddress": session["TargetNodeAddress"], "LocalAddress": _local_address(host, connection)}
            rows.append(project(connection | found, shape))
    return in_order(rows)


def session_class(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    nested = {
        "ConnectionInformation": {"fields": ["InitiatorAddress", "TargetAddress", "TargetPort"]},
        "Devices": {"fields": ["ScsiLun", "ScsiPathId", "ScsiPortNumber", "ScsiTargetId"]},
    }
    rows = []
    for session in instances(host, "root/wmi", read):
        row = {name: session[name] for name in ("InitiatorName", "TargetName")}
        row |= {name: in_order(project(item, inner) for item in session[name]) for name, inner in nested.items()}
        rows.append(row)
    return in_order(rows)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _portals_of(host: Host, source: str, connections: list[Row]) -> set[str]:
    """Portals that it has a connection to, and target portals of its own network, by address."""
    found = {row["TargetAddress"] for row in connections if source == (row["LocalAddress"] or row["InitiatorAddress"])}
    prefix = next((row["PrefixLength"] for row in objects(host, "Get-NetIPAddress") if row["IPAddress"] == source), None)
    if prefix is not None:
        network = ipaddress.ip_network(f"{source}/{prefix}", strict=False)
        given = {row["TargetPortalAddress"] for row in objects(host, "Get-IscsiTargetPortal")}
        found |= {portal for portal in given if (address := _address(portal)) is not None and address in network}
    return found


def pings(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    if not has_initiator(host):
        return []
    made = connections(host, read, SECTIONS["iscsi"]["Get-IscsiConnection"])
    sources = {row["LocalAddress"] or row["InitiatorAddress"] for row in made} - {"0.0.0.0"}
    rows = []
    for source in sources:
        index = next((row["InterfaceIndex"] for row in objects(host, "Get-NetIPAddress") if row["IPAddress"] == source), None)
        guid = next((row["InterfaceGuid"] for row in objects(host, "Get-NetAdapter") if row["InterfaceIndex"] == index), None)
        interfaces = (row for row in objects(host, "Get-NetIPInterface") if row["AddressFamily"] == "IPv4")
        mtu = next((row["NlMtu"] for row in interfaces if row["InterfaceIndex"] == index), 1500)
        for portal in _portals_of(host, source, made):
            largest = host["echo"].get(source, {}).get(portal, -1)
            for size in {mtu, 1500} | ({9000} if mtu > 9000 else set()):
                row: Row = {"source": source, "interface_guid": guid, "portal": portal, "size": size}
                if guid is None:
                    row |= {"outcome": "not_run", "reason": FOREIGN_SOURCE}
                else:
                    row["outcome"] = "ok" if largest >= size else "too_big" if largest >= SMALL_ECHO else "silent"
                rows.append(row)
    return in_order(rows)
