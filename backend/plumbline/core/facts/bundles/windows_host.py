"""What the readers of Windows bundles share: equal rows dropped, the registry's values, and what no such bundle holds."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from plumbline.core.facts.bundles.hosts import BundledHost, Kind
from plumbline.core.facts.bundles.registry import HEADING
from plumbline.core.facts.captures.names import WINDOWS_COMMANDS
from plumbline.core.facts.captures.windows_reads import WindowsReads

_INTERFACES = "registry:Tcpip/Parameters/Interfaces"
_NETBIOS = "Win32_NetworkAdapterConfiguration"
_KEY = re.compile(r"^\[.*\\Services\\(Tcpip|NetBT)\\Parameters\\Interfaces\\(?:Tcpip_)?(\{[0-9A-Fa-f-]{36}\})\]$", re.IGNORECASE)
_VALUE = re.compile(r'^"(\w+)"=dword:([0-9a-fA-F]{8})$')
_CLUSTER = re.compile(r'^"ClusterName"="([^"\\]{1,64})"$')
_WANTED = ("TcpAckFrequency", "TcpNoDelay", "TcpDelAckTicks")
# What names a row among those of its cmdlet.
_NAMES = ("InstanceID", "InterfaceGuid", "Name", "SettingName", "InterfaceAlias")
_SECTIONS_WITHOUT = {"iscsi": "Get-IscsiSession", "mpio": "mpclaim", "storage": "Get-Disk"}


def drop_copies(reads: WindowsReads) -> None:
    """One row for each thing, though several folders of a collection list it: the fullest row."""
    for commands in reads.sections.values():
        for command, read in commands.items():
            if command in ("Get-NetIPAddress", "Get-NetIPInterface", "Get-NetTCPConnection", "Get-NetRoute", "Get-NetTransportFilter"):
                read["rows"] = _distinct(read["rows"])
                continue
            kept: dict[str, dict[str, Any]] = {}
            for row in _distinct(read["rows"]):
                key = _identity(command, row)
                if key not in kept or len(row) > len(kept[key]):
                    kept[key] = row
            read["rows"] = list(kept.values())


def _identity(command: str, row: dict[str, Any]) -> str:
    if command == "Get-NetAdapterBinding":
        return f"{row.get('Name')}|{row.get('ComponentID')}"
    name = next((str(row[field]) for field in _NAMES if row.get(field)), "")
    return name.lower() or msgspec.json.encode(row).decode()


def _distinct(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({msgspec.json.encode(row): row for row in rows}.values())


def set_registry(reads: WindowsReads, files: Mapping[str, bytes]) -> None:
    """The values of each interface in the export of the registry: of a key that is there, a value that is not is absent."""
    for path, content in files.items():
        if not path.lower().endswith("hklm.reg") or not content.startswith(HEADING.encode()):
            continue
        found: dict[tuple[str, str], dict[str, int]] = {}
        current: dict[str, int] = {}
        clusters: list[dict[str, Any]] = []
        for line in content.decode("utf-8", "replace").split("\n"):
            key, value = _KEY.match(line), _VALUE.match(line)
            if line == "[HKEY_LOCAL_MACHINE\\Cluster]":
                clusters.append({"Name": ""})
            named = _CLUSTER.match(line)
            if named and clusters:
                clusters[-1]["Name"] = named.group(1)
            if clusters and value and value.group(1) == "S2DEnabled":
                clusters[-1]["S2DEnabled"] = int(value.group(2), 16)
            if key:
                current = found.setdefault((key.group(1).lower(), key.group(2)), {})
            elif line.startswith("["):
                current = {}
            elif value:
                current[value.group(1).lower()] = int(value.group(2), 16)
        reads.member = path
        tcp = [
            {"InterfaceGuid": guid, **{name: _state(values.get(name.lower())) for name in _WANTED}}
            for (service, guid), values in found.items()
            if service == "tcpip"
        ]
        netbios = [
            {"SettingID": guid, "TcpipNetbiosOptions": values["netbiosoptions"]}
            for (service, guid), values in found.items()
            if service == "netbt" and "netbiosoptions" in values
        ]
        if tcp and not reads.sections.get("system", {}).get("Get-Cluster"):
            # The cluster's hive is loaded on its members, and on no other host.
            reads.add("system", "Get-Cluster", clusters)
            set_s2d(reads, clusters)
        if tcp:
            reads.add("tcp", _INTERFACES, tcp)
        if netbios:
            reads.add("bindings", _NETBIOS, netbios)


def set_s2d(reads: WindowsReads, clusters: Sequence[dict[str, Any]]) -> None:
    """Whether Storage Spaces Direct is on, by the property of the cluster that says so."""
    for row in clusters:
        if str(row.get("S2DEnabled")) in ("0", "1"):
            reads.add("system", "Get-ClusterStorageSpacesDirect", [{"State": "Enabled" if str(row["S2DEnabled"]) == "1" else "Disabled"}])


def _state(value: int | None) -> dict[str, object]:
    return {"state": "absent"} if value is None else {"state": "present", "kind": "DWord", "value": value}


def host_of(kind: Kind, name: str, reads: WindowsReads, captured_at: str = "", unread: Sequence[tuple[str, str]] = ()) -> BundledHost:
    """The host that these reads make up. A command that the bundle does not hold is unknown, with the file that was looked for."""
    for section, commands in WINDOWS_COMMANDS.items():
        if section == "properties" and section not in reads.sections:
            reads.fail(section, "Get-NetAdapterAdvancedProperty", "failed", _missing(kind, "Get-NetAdapterAdvancedProperty"))
            continue
        if section in ("iscsi", "mpio") and section not in reads.sections:
            first = _SECTIONS_WITHOUT[section]
            reads.fail(
                section,
                "MPIO_DISK_INFO" if section == "mpio" else first,
                "failed",
                f"{_LABEL.get(kind, 'such a bundle')} does not hold {first}",
            )
            continue
        for command in commands:
            # A card that hides behind its offload engine leaves a sign elsewhere: the class itself is in no bundle, and is not missed.
            if command == "Win32_SCSIController":
                continue
            if command not in reads.sections.get(section, {}) and not command.startswith(
                ("registry-class", "netsh", "mpclaim", "MPIO_", "DSM_")
            ):
                # Of a host in no cluster this is no loss: without a cluster there is no Storage Spaces Direct.
                status = "unavailable" if command == "Get-ClusterStorageSpacesDirect" else "failed"
                reads.fail(section, command, status, _missing(kind, command))
    computer = reads.sections.get("system", {}).get("Win32_ComputerSystem", {}).get("rows") or [{}]
    if name and not computer[0].get("Name"):
        reads.sections["system"]["Win32_ComputerSystem"] = {
            "status": "ok",
            "rows": [{"Name": name}],
            "lacks_fields": True,
            "lacks_rows": False,
        }
    return BundledHost(
        "windows",
        kind,
        name or str(computer[0].get("Name") or ""),
        reads.readings(),
        dict(reads.members),
        captured_at,
        (),
        (),
        tuple(unread),
    )


_LABEL: dict[Kind, str] = {"get-netview": "Get-NetView", "sddc": "Get-SDDCDiagnosticInfo"}


def _missing(kind: Kind, command: str) -> str:
    if command == _INTERFACES:
        return "not in the bundle: hklm.reg in RegistryFiles.zip was looked for"
    ending = f"{command.replace('-', '')}.xml" if kind == "sddc" else f"{command}.txt"
    return f"not in the bundle: {ending} was looked for"
