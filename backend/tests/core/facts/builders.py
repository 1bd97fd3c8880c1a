"""Builders of section bodies, and short helpers to read a configuration, for the tests of `core/facts/`."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, SectionReading, Subject, Unknown, Value

REPOSITORY = Path(__file__).resolve().parents[4]
CAPTURES = REPOSITORY.parent / "shared" / "captures"
WINDOWS_SAMPLES = REPOSITORY / "agents" / "schema" / "samples" / "windows"


def capture(name: str) -> bytes:
    """One captured output of a real host; skips if the captures are not next to the repository."""
    path = CAPTURES / name
    if not path.exists():
        pytest.skip("the captures are not here")
    return path.read_bytes()


def read(*rows: dict[str, Any]) -> dict[str, Any]:
    """A read that answered."""
    return {"status": "ok", "rows": list(rows)}


def refused(error: str = "Access is denied", status: str = "failed") -> dict[str, Any]:
    """A read that did not."""
    return {"status": status, "error": error, "rows": []}


def body(reads: dict[str, Any]) -> bytes:
    """A section body from its reads."""
    return json.dumps(reads).encode()


def ok(reads: dict[str, Any]) -> SectionReading:
    """A section that answered."""
    return SectionReading("ok", body(reads))


def windows(overrides: dict[str, str] | None = None, **sections: Any) -> Assembled:
    """A Windows host of the given sections: reads, or a SectionReading as it is."""
    readings = {name: reads if isinstance(reads, SectionReading) else ok(reads) for name, reads in sections.items()}
    return assemble("windows", readings, overrides)


def sections_of(path: Path) -> dict[str, SectionReading]:
    """The sections of a sample check-in."""
    lines = path.read_bytes().split(b"\n")
    bodies = {hashlib.sha256(line).hexdigest(): line for line in lines[1:] if line}
    envelope = json.loads(lines[0])["sections"]
    return {
        name: SectionReading(one["status"], bodies.get(one.get("sha256", ""), b""), one.get("error", "")) for name, one in envelope.items()
    }


def value(configuration: Configuration, address: str) -> Any:
    """The value at `kind.key` of the host, or `kind/id/key`; fails where there is none."""
    reading = at(configuration, address)
    assert isinstance(reading, Value), f"{address}: {reading}"
    return reading.value


def at(configuration: Configuration, address: str) -> Reading:
    """The reading at `kind/id/key` (the id may hold slashes), or at `key` of the host."""
    if "/" not in address:
        return configuration.read(HOST, address)
    kind, _, rest = address.partition("/")
    identity, _, key = rest.rpartition("/")
    return configuration.read(Subject(kind, identity), key)


def why(configuration: Configuration, address: str) -> str:
    """The reason of an unknown; fails where there is a value."""
    reading = at(configuration, address)
    assert isinstance(reading, Unknown), f"{address}: {reading}"
    return reading.reason


def not_there(configuration: Configuration, address: str) -> str:
    """The reason of what is not offered."""
    reading = at(configuration, address)
    assert isinstance(reading, NotOffered), f"{address}: {reading}"
    return reading.reason


GUID = "{{00000000-0000-0000-0000-0000000000{:02x}}}"


def card(number: int, name: str, **more: Any) -> dict[str, Any]:
    """One row of Get-NetAdapter: an X520 port by default."""
    return {
        "Name": name,
        "InterfaceDescription": f"Adapter {number}",
        "InterfaceGuid": GUID.format(number),
        "ifIndex": number,
        "PermanentAddress": f"A0-36-9F-00-00-{number:02X}",
        "AdminStatus": "Up",
        "ifOperStatus": "Up",
        "Speed": 10_000_000_000,
        "DriverFileName": "ixn65x64.sys",
        "DriverVersion": "3.1.65.0",
        "PnPDeviceID": f"PCI\\VEN_8086&DEV_10FB&SUBSYS_00038086&REV_01\\A0369F{number:010d}",
        "ComponentID": "pci\\ven_8086&dev_10fb",
        "Virtual": False,
        **more,
    }


def mac(number: int) -> str:
    """The id of `card(number, ...)`."""
    return f"a0369f0000{number:02x}"


def ip(number: int, address: str, length: int = 24) -> dict[str, Any]:
    """One row of Get-NetIPAddress."""
    return {"InterfaceIndex": number, "IPAddress": address, "PrefixLength": length, "AddressFamily": "IPv4"}


def san_adapters(**more: Any) -> dict[str, Any]:
    """Section `adapters`: two cards on the SAN, one with the default route."""
    return {
        "Get-NetAdapter": read(card(1, "SAN1"), card(2, "SAN2"), card(3, "LAN")),
        "Get-NetIPAddress": read(ip(1, "10.10.5.1"), ip(2, "10.10.5.2"), ip(3, "192.168.1.1")),
        "Get-NetIPInterface": read(*({"InterfaceIndex": n, "AddressFamily": "IPv4", "NlMtu": 9000 if n < 3 else 1500} for n in (1, 2, 3))),
        "Get-NetRoute": read({"InterfaceIndex": 3, "DestinationPrefix": "0.0.0.0/0", "NextHop": "192.168.1.254"}),
        "Get-NetLbfoTeam": read(),
        **more,
    }


IQN = "iqn.1991-05.com.microsoft:host"
TARGET = "iqn.2001-05.com.equallogic:vol"
INSTANCE = "ROOT\\ISCSIPRT\\0000_0"
DISK = "6090A09850C4C5DB3F0A01001A0B0010"
VOLUME = f"naa.{DISK.lower()}"


def session(source: str, portal: str = "10.10.5.20", disks: tuple[str, ...] = (DISK,), **more: Any) -> dict[str, Any]:
    """One row of Get-IscsiSession."""
    return {
        "InitiatorNodeAddress": IQN,
        "InitiatorInstanceName": INSTANCE,
        "InitiatorPortalAddress": source,
        "TargetNodeAddress": TARGET,
        "TargetPortalAddress": portal,
        "IsConnected": True,
        "IsMultipathEnabled": True,
        "IsPersistent": True,
        "NumberOfConnections": 1,
        "IsHeaderDigest": False,
        "IsDataDigest": False,
        "Disks": list(disks),
        **more,
    }


def iscsi(*sessions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Section `iscsi` with these sessions."""
    return {
        "Get-Service": read({"Name": "MSiSCSI", "Status": "Running", "StartType": "Automatic"}),
        "Get-InitiatorPort": read({"InstanceName": INSTANCE, "NodeAddress": IQN, "ConnectionType": "iSCSI"}),
        "Get-IscsiTarget": read({"NodeAddress": TARGET, "IsConnected": True}),
        "Get-IscsiTargetPortal": read({"TargetPortalAddress": "10.10.5.10", "InitiatorPortalAddress": ""}),
        "Get-IscsiSession": read(*sessions),
        **more,
    }


def dsm_path(**more: Any) -> dict[str, Any]:
    """One path as the DSM shows it: active and optimized by default."""
    return {"PrimaryPath": 1, "OptimizedPath": 1, "PreferredPath": 0, "FailedPath": 0, "TargetPortGroup_State": 0, **more}


def mpio(*paths: dict[str, Any], count: int | None = None, **more: Any) -> dict[str, Any]:
    """Section `mpio` of one claimed disk with these DSM paths; `count` is what MPIO's own driver counts."""
    spelled = DISK.encode().hex()
    drive = {"Name": "MPIO Disk0", "SerialNumber": DISK, "DsmName": "Microsoft DSM", "NumberPaths": len(paths) if count is None else count}
    return {
        "Get-MPIOSetting": read({"PathVerificationState": "Enabled", "PathVerificationPeriod": 30}),
        "Get-MSDSMGlobalDefaultLoadBalancePolicy": read({"Policy": "RR"}),
        "Get-MSDSMAutomaticClaimSettings": read({"iSCSI": True, "SAS": False}),
        "MPIO_DISK_INFO": read({"InstanceName": "Root\\MPIO\\0000_0", "NumberDrives": 1, "DriveInfo": [drive]}),
        "DSM_QueryLBPolicy_V2": read(
            {
                "InstanceName": f"MPIO\\Disk&Ven_EQLOGIC&Prod_100E-00\\1&7f6ac24&0&{spelled}_0",
                "LoadBalancePolicy": 2,
                "DSM_Paths": list(paths),
            }
        ),
        "mpclaim": read(),
        **more,
    }


def storage(**more: Any) -> dict[str, Any]:
    """Section `storage`: a local boot disk and one claimed iSCSI disk."""
    spelled = DISK.encode().hex()
    path = f"\\\\?\\mpio#disk&ven_eqlogic&prod_100e-00#1&7f6ac24&0&{spelled}#{{53f56307-b6bf-11d0-94f2-00a0c91efb8b}}"
    disk = {
        "Number": 1,
        "UniqueId": DISK,
        "SerialNumber": DISK,
        "FriendlyName": "EQLOGIC 100E-00",
        "BusType": "iSCSI",
        "Size": 1024,
        "IsBoot": False,
        "Path": path,
    }
    local = {
        "Number": 0,
        "UniqueId": "SAS1",
        "SerialNumber": "S1",
        "FriendlyName": "RAID",
        "BusType": "RAID",
        "Size": 10,
        "IsBoot": True,
        "Path": "\\\\?\\scsi#disk",
    }
    return {"Get-Disk": read(local, {**disk, **more})}


def system(build: int = 17763, **more: Any) -> dict[str, Any]:
    """Section `system` of a server release."""
    return {
        "Win32_OperatingSystem": read(
            {"Caption": "Microsoft Windows Server", "Version": "10.0", "BuildNumber": str(build), "ProductType": 3, "OSLanguage": 1033}
        ),
        "Win32_ComputerSystem": read({"Name": "SQL-03", "Domain": "example", "Manufacturer": "Dell Inc.", "Model": "PowerEdge"}),
        "registry:KernelDebugger": read({"DebuggerEnabled": {"state": "absent"}, "AllowFlowControlUnderDebugger": {"state": "absent"}}),
        "registry:PendingReboot": read({"ComponentBasedServicing": False, "WindowsUpdate": False, "FileRenames": False}),
        "Get-WindowsFeature": read(
            {"Name": "Multipath-IO", "InstallState": "Installed"}, {"Name": "Failover-Clustering", "InstallState": "Available"}
        ),
        "Get-Cluster": read(),
        "Get-ClusterNode": read(),
        "Get-ClusterStorageSpacesDirect": read(),
        **more,
    }
