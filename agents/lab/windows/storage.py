"""The storage side of a Windows lab host: initiator sessions, multipath, disks, frame probes."""

from typing import Any

from lab import identity
from lab.host import LabHost
from lab.initial_state import State
from lab.windows.common import Reads, Row, address_of, carrier_of, ok, unavailable, visible

_SOFTWARE = r"ROOT\ISCSIPRT\0000_0"


def offload_instance(port: State) -> str:
    """PnP id of an iSCSI offload engine."""
    return rf"B06BDRV\L4SC&PCI_168E14E4&SUBSYS_1F5F1028&REV_10\5&2D5F0A0{port['nth']}&0&30{port['nth']}50000"


def iqn_of(host: LabHost) -> str:
    """The host's initiator name."""
    return f"iqn.1991-05.com.microsoft:{host.spec.name}.corp.example.com"


def serial_of(host: LabHost, volume: str) -> str:
    """A volume's serial, as disks and the multipath classes give it."""
    return identity.naa(host.spec.group, volume).upper()


def _instance(host: LabHost, role: str) -> str:
    port = host.state["ports"][role]
    return f"{offload_instance(port)}_0" if port["isoe"] else _SOFTWARE


def iscsi(host: LabHost) -> Reads:
    """Initiator service, ports, targets, portals and sessions."""
    has_initiator = host.spec.data["initiator"] != "none"
    service = ok(
        [{"Name": "MSiSCSI", "Status": "Running" if has_initiator else "Stopped", "StartType": "Automatic" if has_initiator else "Manual"}]
    )
    if not has_initiator:
        stopped = unavailable("the service MSiSCSI is not running")
        names = ("Get-IscsiTarget", "Get-IscsiTargetPortal", "Get-IscsiSession", "Get-IscsiConnection", "MSiSCSIInitiator_SessionClass")
        return {"Get-Service": service, "Get-InitiatorPort": ok([]), **dict.fromkeys(names, stopped)}
    group, portals = host.spec.group, identity.portals(host.spec.group)
    instances = sorted({_instance(host, role) for role, _ in host.ports("san")})
    paths = host.sessions()
    sessions = [
        {
            "InitiatorNodeAddress": iqn_of(host),
            "InitiatorInstanceName": _instance(host, path["port"]),
            "InitiatorPortalAddress": _bound_address(host, path["port"]),
            "LocalAddress": _local_address(host, path),
            "TargetNodeAddress": identity.target_iqn(group, path["volume"]),
            # A session that lost its connection shows no portal.
            "TargetPortalAddress": portals[(path["index"] + path["turn"]) % 2] if path["alive"] else None,
            "IsConnected": path["alive"],
            "IsPersistent": True,
            "NumberOfConnections": 1,
            "IsHeaderDigest": False,
            "IsDataDigest": False,
            "Disks": [serial_of(host, path["volume"])] if path["alive"] else [],
        }
        for path in paths
    ]
    return {
        "Get-Service": service,
        "Get-InitiatorPort": ok(
            [
                {"InstanceName": name, "NodeAddress": iqn_of(host), "PortAddress": "ISCSI ANY PORT", "ConnectionType": "iSCSI"}
                for name in instances
            ]
        ),
        "Get-IscsiTarget": ok(
            [
                {"NodeAddress": identity.target_iqn(group, volume), "IsConnected": any(p["alive"] for p in paths if p["volume"] == volume)}
                for volume in host.state["volumes"]
            ]
        ),
        "Get-IscsiTargetPortal": ok(
            [
                {
                    "TargetPortalAddress": portals[0],
                    "TargetPortalPortNumber": 3260,
                    "InitiatorPortalAddress": _bound_address(host, role),
                    "InitiatorInstanceName": _instance(host, role),
                    "IsHeaderDigest": False,
                    "IsDataDigest": False,
                }
                for role, _ in host.ports("san")
            ]
        ),
        "Get-IscsiSession": ok(sessions),
        "Get-IscsiConnection": ok(
            [
                {
                    "TargetNodeAddress": row["TargetNodeAddress"],
                    "InitiatorAddress": row["InitiatorPortalAddress"],
                    "TargetAddress": row["TargetPortalAddress"],
                    "TargetPortNumber": 3260,
                    "LocalAddress": row["LocalAddress"],
                }
                for row in sessions
                if row["IsConnected"]
            ]
        ),
        "MSiSCSIInitiator_SessionClass": ok(
            [
                {
                    "InitiatorName": row["InitiatorNodeAddress"],
                    "TargetName": row["TargetNodeAddress"],
                    "ConnectionInformation": [
                        {"InitiatorAddress": row["InitiatorPortalAddress"], "TargetAddress": row["TargetPortalAddress"], "TargetPort": 3260}
                    ],
                    "Devices": [{"ScsiLun": 0, "ScsiPathId": 0, "ScsiPortNumber": scsi_port(host, path["port"]), "ScsiTargetId": at}],
                }
                for at, (row, path) in enumerate(zip(sessions, paths, strict=True))
                if path["alive"]
            ]
        ),
    }


def _bound_address(host: LabHost, role: str) -> str:
    """The address that a person bound the sessions of an adapter to; 0.0.0.0 where they were logged in by default."""
    return "0.0.0.0" if host.spec.data.get("default_logins") and not host.state["ports"][role]["isoe"] else address_of(host, role)


def _local_address(host: LabHost, path: dict[str, Any]) -> str | None:
    """Where a connection leaves from, as Windows' list of TCP connections shows; the list has no connection of an offload engine."""
    return address_of(host, path["port"]) if path["alive"] and not host.state["ports"][path["port"]]["isoe"] else None


def scsi_port(host: LabHost, role: str) -> int:
    """Number of the SCSI port that the sessions of an adapter hang on: one for the Microsoft initiator, one for each offload engine."""
    index = [name for name, _ in host.ports("san")].index(role)
    return 3 + index if host.state["ports"][role]["isoe"] else 3


def storage(host: LabHost) -> Reads:
    """Disks, virtual disks and SMB multichannel connections."""
    disks: list[Row] = [
        {
            "Number": 0,
            "UniqueId": "600508B1001C" + identity.digest("boot", host.spec.name)[:20].upper(),
            "SerialNumber": identity.digest("boot", host.spec.name)[:12].upper(),
            "FriendlyName": "DELL PERC H710",
            "Manufacturer": "DELL",
            "Model": "PERC H710",
            "BusType": "RAID",
            "Size": 299439751168,
            "IsBoot": True,
            "IsSystem": True,
            "IsClustered": False,
            "OperationalStatus": "Online",
            "Path": r"\\?\scsi#disk&ven_dell&prod_perc_h710#5&10c5a5e&0&000000#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}",
        }
    ]
    for number, volume in enumerate(host.state["volumes"], start=1):
        if not any(path["alive"] for path in host.sessions() if path["volume"] == volume):
            continue
        serial = serial_of(host, volume)
        disks.append(
            {
                "Number": number,
                "UniqueId": serial,
                "SerialNumber": serial,
                "FriendlyName": "EQLOGIC 100E-00",
                "Manufacturer": "EQLOGIC",
                "Model": "100E-00",
                "BusType": "iSCSI",
                "Size": identity.volume_size(volume),
                "IsBoot": False,
                "IsSystem": False,
                "IsClustered": bool(host.spec.cluster),
                "OperationalStatus": "Online",
                "Path": r"\\?\mpio#disk&ven_eqlogic&prod_100e-00&rev_8.1_#1&7f6ac24&0&"
                + serial.encode().hex()
                + "#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}",
            }
        )
    s2d = bool(host.spec.data.get("s2d"))
    virtual = [
        {
            "FriendlyName": name,
            "UniqueId": identity.digest("virtual", host.spec.cluster, name)[:32].upper(),
            "HealthStatus": "Healthy",
            "OperationalStatus": "OK",
            "ResiliencySettingName": "Mirror",
        }
        for name in ("csv-1", "csv-2")
    ]
    return {
        "Get-Disk": ok(disks),
        "Get-VirtualDisk": ok(virtual if s2d else []),
        "Get-SmbMultichannelConnection": ok(_multichannel(host) if s2d else []),
        "Get-StorageJob": ok([{"Name": "Repair", "JobState": "Running"}] * int(host.state["host"].get("storage_jobs", 0))),
    }


def _multichannel(host: LabHost) -> list[Row]:
    from lab.fleet import load

    own = host.ports("s2d")
    rows = []
    for spec in load():
        if spec.cluster != host.spec.cluster or spec.name == host.spec.name:
            continue
        for role, port in own:
            rows.append(
                {
                    "ServerName": spec.name.upper(),
                    "ClientIpAddress": address_of(host, role),
                    "ServerIpAddress": identity.lan_address(spec.group, spec.number, 1),
                    "ClientInterfaceIndex": 12 + list(host.state["ports"]).index(role),
                    "ClientRdmaCapable": port["rdma"] == "enabled",
                    "ServerRdmaCapable": True,
                    "Selected": True,
                }
            )
    return rows


def probes(host: LabHost) -> Reads:
    """Do-not-fragment pings from every SAN address to the target portal and those that it is connected to."""
    rows = []
    portals = identity.portals(host.spec.group)
    for role, port in visible(host):
        if port["use"] != "san":
            continue
        guid, _, _ = carrier_of(host, role)
        connected = {portals[(path["index"] + path["turn"]) % 2] for path in host.sessions() if path["port"] == role and path["alive"]}
        for portal in sorted({portals[0], *connected}):
            for size in _sizes(int(port["mtu"])):
                up = port["link"] == "up"
                outcome = "not_run" if not up else "ok" if size <= host.carried_to(portal) else "too_big"
                row = {
                    "source": address_of(host, role),
                    "interface_guid": guid,
                    "portal": portal,
                    "size": size,
                    "outcome": outcome,
                }
                rows.append({**row, "reason": "the adapter has no link"} if not up else row)
    return {"ping": ok(rows)}


def _sizes(mtu: int) -> list[int]:
    """The host's own L3 size, 9000 where that is more, and 1500."""
    return sorted({mtu, 1500, *([9000] if mtu > 9000 else [])}, reverse=True)


def echo(host: LabHost, source: str, portal: str, size: int) -> str:
    """What comes of a do-not-fragment ping of an L3 size from one address of the host to one portal."""
    role = next((role for role, _ in visible(host) if address_of(host, role) == source), None)
    host.heal()
    if role is None or portal not in identity.portals(host.spec.group) or host.state["ports"][role]["link"] != "up":
        return "silent"
    own = int(host.state["ports"][role].get("running", {}).get("mtu", host.state["ports"][role]["mtu"]))
    return "ok" if size <= min(own, host.carried_to(portal)) else "too_big"


def volume_id(host: LabHost, volume: str) -> str:
    """The id of a volume in counters: its unique id, lower case."""
    return f"naa.{serial_of(host, volume).lower()}"
