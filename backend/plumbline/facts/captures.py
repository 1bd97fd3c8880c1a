"""A folder of captured command outputs as the sections of a check-in: `<platform>__<command words joined by ->__<anything>.txt`.

The command is the longest known beginning of the middle part; what is left of it is a variant (of the source, or the adapter it was run
for). A name that is not known is listed, never guessed.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from plumbline.facts import windows_text
from plumbline.facts.configuration import Platform, SectionReading

_NAME = re.compile(r"^(windows|esxi)__(.+?)(?:__(.*))?\.txt$", re.DOTALL)
Format = Literal["xml", "json", "keyvalue", "csv", "text"]
_FORMATTER = re.compile(r"^esxcli(?:-debug)?-formatter-(xml|json|keyvalue|csv)-")
# One letter and what it names: `-n vmnic4`, `-A vmhba64`.
_ARGUMENT = re.compile(r"^([a-zA-Z])-((?:vmnic|vmhba|vmk)\d+)(?:-|$)")

# Of ESXi: commands whose output holds counters and no setting.
_COUNTERS = "counters"

# Reads of a Windows check-in, by section: the commands whose text is understood.
_WINDOWS_COMMANDS: dict[str, tuple[str, ...]] = {
    "system": (
        "Win32_OperatingSystem", "Win32_ComputerSystem", "Get-WindowsFeature", "Get-Cluster", "Get-ClusterNode",
        "Get-ClusterStorageSpacesDirect",
    ),
    "adapters": (
        "Get-NetAdapter", "Get-NetAdapterHardwareInfo", "Get-NetIPAddress", "Get-NetIPInterface", "Get-NetRoute", "Get-NetLbfoTeam",
        "Get-NetLbfoTeamMember", "Win32_SCSIController",
    ),
    "properties": ("Get-NetAdapterAdvancedProperty", "registry-class-key-params"),
    "offload": (
        "Get-NetAdapterRss", "Get-NetAdapterRsc", "Get-NetAdapterLso", "Get-NetAdapterChecksumOffload", "Get-NetAdapterRdma",
        "Get-NetOffloadGlobalSetting", "netsh int tcp show global",
    ),
    "tcp": ("Get-NetTCPSetting", "Get-NetTransportFilter", "Get-NetTCPConnection"),
    "bindings": ("Get-NetAdapterBinding", "Win32_NetworkAdapterConfiguration"),
    "iscsi": (
        "Get-Service", "Get-InitiatorPort", "Get-IscsiTarget", "Get-IscsiTargetPortal", "Get-IscsiSession", "Get-IscsiConnection",
    ),
    "mpio": (
        "Get-MPIOSetting", "Get-MSDSMGlobalDefaultLoadBalancePolicy", "Get-MSDSMAutomaticClaimSettings", "MPIO_DISK_INFO",
        "DSM_QueryLBPolicy_V2", "mpclaim -s -d",
    ),
    "qos": ("Get-NetAdapterQos", "Get-NetQosPolicy", "Get-NetQosTrafficClass", "Get-NetQosFlowControl", "Get-NetQosDcbxSetting"),
    "vswitch": ("Get-VMSwitch", "Get-VMSwitchTeam", "Get-VMNetworkAdapter", "Get-VMNetworkAdapterTeamMapping"),
    "storage": ("Get-Disk", "Get-VirtualDisk", "Get-SmbMultichannelConnection", "Get-StorageJob"),
}  # fmt: skip
# Other words for the same command.
_WINDOWS_ALIASES = {
    "netsh interface tcp show global": "netsh int tcp show global",
    "mpclaim.exe -s -d": "mpclaim -s -d",
    "mpclaim -e": "mpclaim -s -d",
    "Get-MSDSMAutomaticClaimSetting": "Get-MSDSMAutomaticClaimSettings",
    "gwmi MPIO_DISK_INFO": "MPIO_DISK_INFO",
    "Get-CimInstance Win32_OperatingSystem": "Win32_OperatingSystem",
    "Get-CimInstance Win32_ComputerSystem": "Win32_ComputerSystem",
    "Get-CimInstance Win32_NetworkAdapterConfiguration": "Win32_NetworkAdapterConfiguration",
}


class Known(msgspec.Struct, frozen=True):
    """What a file's name says: the platform, the section and command, the format it was asked for in, and the rest."""

    platform: Platform
    section: str
    command: str
    variant: str
    format: Format = "text"


class Captured(msgspec.Struct, frozen=True):
    """The files of one platform, as sections; `unread` names the files that were not understood, with the reason."""

    platform: Platform
    sections: dict[str, SectionReading]
    files: tuple[str, ...]
    unread: tuple[tuple[str, str], ...] = ()


class Folder(msgspec.Struct, frozen=True):
    """A folder: what each platform's files hold, and the names that are not known at all."""

    captured: tuple[Captured, ...]
    unknown_names: tuple[str, ...] = ()


def read_folder(path: Path) -> Folder:
    """Reads the text files of a folder. Raises OSError where it cannot be read."""
    return read_files({entry.name: entry.read_bytes() for entry in sorted(path.iterdir()) if entry.is_file() and entry.suffix == ".txt"})


def read_files(files: Mapping[str, bytes]) -> Folder:
    """The same from names and contents."""
    unknown: list[str] = []
    by_platform: dict[Platform, list[tuple[str, Known, str]]] = {}
    for name in sorted(files):
        known = recognise(name)
        if known is None:
            unknown.append(name)
            continue
        text = files[name].decode("utf-8", "replace").removeprefix("\ufeff").replace("\x00", "")
        by_platform.setdefault(known.platform, []).append((name, known, text))
    captured = [_windows(found) if platform == "windows" else _esxi(found) for platform, found in sorted(by_platform.items(), reverse=True)]
    return Folder(tuple(captured), tuple(unknown))


def recognise(name: str) -> Known | None:
    """The command that a file's name begins with; None where no known one is its beginning."""
    match = _NAME.match(name)
    if match is None:
        return None
    platform: Platform = "windows" if match.group(1) == "windows" else "esxi"
    words, asked = match.group(2), "text"
    formatter = _FORMATTER.match(words)
    if platform == "esxi" and formatter is not None:
        asked = formatter.group(1)
        words = "esxcli-" + words[formatter.end() :]
    best = ""
    table = _commands(platform)
    for joined in table:
        is_beginning = words.lower() == joined or words.lower().startswith(f"{joined}-")
        if is_beginning and len(joined) > len(best):
            best = joined
    if not best:
        return None
    section, command = table[best]
    return Known(platform, section, command, words[len(best) + 1 :], asked)  # type: ignore[arg-type]


def _commands(platform: Platform) -> dict[str, tuple[str, str]]:
    """Command words joined by `-`, lower case -> (section, command)."""
    found: dict[str, tuple[str, str]] = {}
    if platform == "windows":
        section_of = {command: section for section, commands in _WINDOWS_COMMANDS.items() for command in commands}
        for command, section in section_of.items():
            found[_joined(command)] = (section, command)
        for alias, command in _WINDOWS_ALIASES.items():
            found[_joined(alias)] = (section_of[command], command)
        return found
    from plumbline.facts.esxi.sources import ALIASES, COMMANDS

    for command, section in COMMANDS.items():
        found[_joined(command)] = (section, command)
    for alias, command in ALIASES.items():
        found[_joined(alias)] = (COMMANDS[command], command)
    return found


def _joined(command: str) -> str:
    """A command line as file names write it: words joined by one `-`, option dashes gone."""
    return "-".join(part for part in re.split(r"[ \-]+", command.lower()) if part)


def _windows(found: list[tuple[str, Known, str]]) -> Captured:
    reads: dict[str, dict[str, dict[str, Any]]] = {}
    unread: list[tuple[str, str]] = []
    for name, known, text in found:
        if known.command == "mpclaim -s -d":
            argument = f"-s -d {known.variant}" if known.variant.isdigit() else "-s -d"
            _add(reads, "mpio", "mpclaim", [{"argument": argument, "text": text}])
            continue
        rows = windows_text.rows_of(known.command, text)
        if not rows:
            unread.append((name, f"no row of {known.command} was found in it"))
            continue
        if known.command == "registry-class-key-params":
            _add(reads, "properties", "Get-NetAdapterAdvancedProperty", [windows_text.class_key(row) for row in rows])
        elif known.command == "Get-NetAdapterAdvancedProperty" and not any("properties" in row for row in rows):
            properties, offers = windows_text.split_properties(rows)
            if not properties:
                unread.append((name, "no property with a keyword was found in it"))
                continue
            _add(reads, "properties", known.command, properties)
            _add(reads, "property_catalogue", known.command, offers)
        else:
            _add(reads, known.section, known.command, rows)
    sections = {section: SectionReading("ok", msgspec.json.encode(body)) for section, body in reads.items()}
    return Captured("windows", sections, tuple(name for name, _, _ in found), tuple(unread))


def _add(reads: dict[str, dict[str, dict[str, Any]]], section: str, command: str, rows: list[dict[str, Any]]) -> None:
    read = reads.setdefault(section, {}).setdefault(command, {"status": "ok", "rows": []})
    read["rows"].extend(rows)


def _esxi(found: list[tuple[str, Known, str]]) -> Captured:
    bodies: dict[str, dict[str, dict[str, Any]]] = {}
    unread: list[tuple[str, str]] = []
    for name, known, text in found:
        argument = _ARGUMENT.match(known.variant)
        command = f"{known.command} -{argument.group(1)} {argument.group(2)}" if argument is not None else known.command
        if known.section == _COUNTERS:
            # Known, and no setting comes of it.
            continue
        body = bodies.setdefault(known.section, {})
        if command in body and _is_run_for_each(known.command):
            # What stands behind a pipe is no part of a command; it only keeps the two apart.
            command = f"{command} | {name}"
        if command in body:
            unread.append((name, f"a second output of {command}; the first is used"))
            continue
        body[command] = {"status": "ok", "format": _format(known.format, text), "exit": 0, "output": text}
    sections = {section: SectionReading("ok", msgspec.json.encode(body)) for section, body in bodies.items()}
    return Captured("esxi", sections, tuple(name for name, _, _ in found), tuple(unread))


def _is_run_for_each(command: str) -> bool:
    """Whether a command answers for one adapter, port group or target, so that a folder may hold several outputs of it."""
    return command.startswith(("ethtool ", "vmkping", "nsxdp-cli ")) or command.endswith(
        (" get", "ring current get", "module parameters list")
    )


def _format(asked: Format, text: str) -> str:
    """The format a file is in: what its name says, else what it looks like."""
    if asked != "text":
        return asked
    start = text.lstrip()[:1]
    if start == "<":
        return "xml"
    if start in ("{", "["):
        try:
            json.loads(text)
        except ValueError:
            return "text"
        return "json"
    return "text"
