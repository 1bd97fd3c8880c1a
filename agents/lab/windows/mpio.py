"""Multipathing of a Windows lab host: settings, the WMI classes of MPIO and of the DSM, and mpclaim."""

from typing import Any

from lab.host import LabHost
from lab.windows.common import NO_CLASS, Reads, Row, has, missing, ok, unavailable
from lab.windows.storage import scsi_port, serial_of

_POLICIES = {"FOO": 1, "RR": 2, "RRWS": 3, "LQD": 4, "WP": 5, "LB": 6}


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
    numbered = [{**path, "scsi": at, "scsi_port": scsi_port(host, path["port"])} for at, path in enumerate(host.sessions())]
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
