"""The storage side of a Windows lab host: initiator sessions, multipath, disks, frame probes."""

from typing import Any

from lab import identity
from lab.host import LabHost, State
from lab.windows.common import NO_CLASS, Reads, Row, address_of, carrier_of, has, missing, ok, unavailable, visible

_SOFTWARE = r"ROOT\ISCSIPRT\0000_0"
_POLICIES = {"FOO": 1, "RR": 2, "RRWS": 3, "LQD": 4, "WP": 5, "LB": 6}


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
                    "Devices": [{"ScsiLun": 0, "ScsiPathId": 0, "ScsiPortNumber": _scsi_port(host, path["port"]), "ScsiTargetId": at}],
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


def _scsi_port(host: LabHost, role: str) -> int:
    """Number of the SCSI port that the sessions of an adapter hang on: one for the Microsoft initiator, one for each offload engine."""
    index = [name for name, _ in host.ports("san")].index(role)
    return 3 + index if host.state["ports"][role]["isoe"] else 3


def mpio(host: LabHost) -> Reads:
    """Multipath settings, the WMI classes of MPIO and the DSM, and mpclaim as second witness."""
    if not has(host, "Multipath-IO"):
        classes = ("MPIO_DISK_INFO", "DSM_QueryLBPolicy_V2", "MPIO_PATH_INFORMATION", "MPIO_GET_DESCRIPTOR")
        return {
            "Get-MPIOSetting": missing("Get-MPIOSetting"),
            "registry:MPIO": unavailable("no MPIO driver is set up on this host"),
            "Get-MSDSMGlobalDefaultLoadBalancePolicy": missing("Get-MSDSMGlobalDefaultLoadBalancePolicy"),
            "Get-MSDSMAutomaticClaimSettings": missing("Get-MSDSMAutomaticClaimSettings"),
            **dict.fromkeys(classes, unavailable(NO_CLASS)),
            "mpclaim": unavailable("mpclaim.exe is not there"),
        }
    policy = host.state["host"]["mpio.policy"]
    dsm = host.spec.data.get("dsm", "Microsoft DSM")
    disks, balances, descriptors, texts = [], [], [], []
    text = [
        "",
        "For more information about a particular disk, use 'mpclaim -s -d #' where # is the MPIO disk number.",
        "",
        "MPIO Disk    System Disk  LB Policy    DSM Name",
        "-" * 79,
    ]
    numbered = [{**path, "scsi": at, "scsi_port": _scsi_port(host, path["port"])} for at, path in enumerate(host.sessions())]
    for number, volume in enumerate(host.state["volumes"]):
        alive = [path for path in numbered if path["volume"] == volume and path["alive"]]
        serial = serial_of(host, volume)
        instance = f"{_mpio_instance(serial)}_0"
        # A module that is not Microsoft's holds the disk and shows nothing of its paths.
        shown_by = "Dell EqualLogic Multipath I/O DSM" if host.is_hidden(volume) else dsm
        disks.append({"DsmName": shown_by, "Name": f"MPIO Disk{number}", "NumberPaths": len(alive), "SerialNumber": serial})
        if shown_by == "Microsoft DSM":
            balances.append(
                {"InstanceName": instance, "LoadBalancePolicy": _POLICIES[policy], "DSM_Paths": [_dsm_path(path) for path in alive]}
            )
        descriptors.append(
            {
                "InstanceName": instance,
                "DeviceName": rf"\Device\MPIODisk{number}",
                "NumberPdos": len(alive),
                "PdoInformation": [
                    {
                        "DeviceState": 0,
                        "Identifier": "18446738026000007000",
                        "PathIdentifier": _path_id(path),
                        "ScsiAddress": {"Lun": 0, "PortNumber": path["scsi_port"], "ScsiPathId": 0, "TargetId": path["scsi"]},
                    }
                    for path in alive
                ],
            }
        )
        text.append(f"MPIO Disk{number}   Disk {number + 1}       {policy:<11}  {shown_by}")
        texts.append({"argument": f"-s -d {number}", "text": _one_disk(number, serial, alive, policy, shown_by)})
    return {
        **_timers(host),
        "Get-MSDSMGlobalDefaultLoadBalancePolicy": ok([{"Policy": policy}]),
        "Get-MSDSMAutomaticClaimSettings": ok([{"iSCSI": True, "SAS": False}]),
        "MPIO_DISK_INFO": ok([{"InstanceName": r"ROOT\MPIO\0000_0", "NumberDrives": len(disks), "DriveInfo": disks}]),
        "DSM_QueryLBPolicy_V2": ok(balances)
        if dsm == "Microsoft DSM"
        else unavailable("Not supported (HRESULT 0x8004100c,Get-CimInstance)"),
        "MPIO_PATH_INFORMATION": ok(
            [
                {
                    "InstanceName": r"ROOT\MPIO\0000_0",
                    "NumberPaths": sum(path["alive"] for path in numbered),
                    "PathList": [
                        {
                            "AdapterName": rf"\\.\Scsi{path['scsi_port']}:",
                            "BusNumber": 0,
                            "DeviceNumber": 0,
                            "FunctionNumber": 0,
                            "Pad": 0,
                            "PathId": _path_id(path),
                        }
                        for path in numbered
                        if path["alive"]
                    ],
                }
            ]
        ),
        "MPIO_GET_DESCRIPTOR": ok(descriptors),
        "mpclaim": ok([{"argument": "-s -d", "text": "\r\n".join(text) + "\r\n"}, *(texts if dsm != "Microsoft DSM" else [])]),
    }


_TIMERS = {"PathVerificationPeriod": 30, "PDORemovePeriod": 20, "RetryCount": 3, "RetryInterval": 1}


def _timers(host: LabHost) -> Reads:
    """The timers by the cmdlet, which on 2012 R2 only prints them, and by the registry."""
    shown = {
        "PathVerificationState": "Disabled",
        **_TIMERS,
        "UseCustomPathRecoveryTime": "Disabled",
        "CustomPathRecoveryTime": 40,
        "DiskTimeoutValue": 60,
    }
    held = {"Service": "mpio", "PathVerifyEnabled": 0, **_TIMERS, "UseCustomPathRecoveryInterval": 0, "PathRecoveryInterval": 40}
    only_prints = unavailable("Get-MPIOSetting of this release only prints its settings")
    return {
        "Get-MPIOSetting": only_prints if host.spec.data["release"] == "2012r2" else ok([shown]),
        "registry:MPIO": ok([{"Service": "Disk", "TimeOutValue": 60}, held]),
    }


def _path_id(path: dict[str, Any]) -> int:
    return 0x77000000 + int(path["scsi_port"]) * 0x10000 + int(path["scsi"]) * 0x100


def _dsm_path(path: dict[str, Any]) -> Row:
    return {
        "ALUASupport": 1 if path["standby"] else 0,
        "DsmPathId": _path_id(path),
        "FailedPath": 0,
        "OptimizedPath": 1,
        "PathWeight": 0,
        "PreferredPath": 0,
        "PrimaryPath": 0 if path["standby"] else 1,
        "Reserved": 0,
        "SymmetricLUA": 1,
        "TargetPortGroup_Identifier": 0,
        "TargetPortGroup_Preferred": 0,
        "TargetPortGroup_State": 2 if path["standby"] else 0,
        "TargetPort_Identifier": 0,
    }


def _mpio_instance(serial: str) -> str:
    return "MPIO\\Disk&Ven_EQLOGIC&Prod_100E-00&Rev_8.1_\\1&7f6ac24&0&" + serial.encode().hex().upper()


def _one_disk(number: int, serial: str, alive: list[dict[str, Any]], policy: str, dsm: str) -> str:
    words = {"RR": "Round Robin", "FOO": "Fail Over Only", "LQD": "Least Queue Depth", "LB": "Least Blocks"}
    lines = [
        "",
        f"MPIO Disk{number}: {len(alive):02} Paths, {words.get(policy, policy)}, ALUA Not Supported",
        f"    Controlling DSM: {dsm}",
        f"    SN: {serial}",
        "    Supported Load Balance Policies: FOO RR RRWS LQD WP LB",
        "",
        "    Path ID          State              SCSI Address      Weight",
        "    " + "-" * 75,
    ]
    for path in alive:
        lines.append(f"    {_path_id(path):016X} Active/Optimized   {path['scsi_port']:03}|000|{path['scsi']:03}|000   0")
    return "\r\n".join(lines) + "\r\n"


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
                outcome = "not_run" if not up else "ok" if size <= host.state["switch_mtu"] - 14 else "too_big"
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
    return "ok" if size <= min(own, int(host.state["switch_mtu"]) - 14) else "too_big"


def volume_id(host: LabHost, volume: str) -> str:
    """The id of a volume in counters: its unique id, lower case."""
    return f"naa.{serial_of(host, volume).lower()}"
