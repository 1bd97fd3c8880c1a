"""The hosts of `agents/windows/tests/hosts/` as their system answers them, and how the agent writes rows: the ground of `expected.py`.

The data has the raw properties of the system's classes. What the modules' type files add for a screen (`ifIndex`, `Bandwidth`) is not in
it: `_SHOWN` names those that the agreement sends all the same, with the property behind each.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[4]
HOSTS = ROOT / "agents" / "windows" / "tests" / "hosts"
SAMPLES = ROOT / "agents" / "schema" / "samples" / "windows"
SECTIONS: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load((ROOT / "agents" / "schema" / "windows-sections.yaml").read_text())

Row = dict[str, Any]
Host = dict[str, Any]

LARGEST_INTEGER = 2**63 - 1
# Lists that are sets to the system, which prints them in any order: the agent sorts them.
SETS = {"Members", "TeamNics", "NetAdapterInterfaceDescriptions", "NetAdapterInterfaceDescription", "Disks"}
# Command -> property that PowerShell shows -> property of the class.
_SHOWN: dict[str, dict[str, str]] = {
    "Get-NetAdapter": {"ifIndex": "InterfaceIndex", "DriverVersion": "DriverVersionString"},
    "Get-NetAdapterHardwareInfo": {
        "Segment": "SegmentNumber",
        "Bus": "BusNumber",
        "Device": "DeviceNumber",
        "Function": "FunctionNumber",
        "Slot": "SlotNumber",
    },
    "Get-NetQosTrafficClass": {"IfAlias": "InterfaceAlias"},
    "Get-NetQosFlowControl": {"IfAlias": "InterfaceAlias"},
    "Get-NetQosDcbxSetting": {"IfAlias": "InterfaceAlias"},
}


class ReadFailed(Exception):
    """A read that the host answers with an error: its status and the error as the agent writes it."""

    def __init__(self, status: str, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error


def write_json(value: Any) -> str:
    """The agent's JSON: ASCII, no spaces, keys in the order given, integers past 2^63 - 1 as text, control characters as four digits.

    A text loses a NUL, a key keeps its place as U+FFFD, so that two keys stay two.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value > LARGEST_INTEGER:
        value = str(value)
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, str):
        return '"' + "".join(_escape(char) for char in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(write_json(item) for item in value) + "]"
    return "{" + ",".join(f"{write_json(key.replace(chr(0), chr(0xFFFD)))}:{write_json(item)}" for key, item in value.items()) + "}"


def _escape(char: str) -> str:
    code = ord(char)
    if code == 0:
        return ""
    if char in '"\\':
        return "\\" + char
    if 32 <= code <= 126:
        return char
    if code > 0xFFFF:
        return f"\\u{0xD800 + ((code - 0x10000) >> 10):04x}\\u{0xDC00 + ((code - 0x10000) & 0x3FF):04x}"
    if 0xD800 <= code <= 0xDFFF:
        return "\\ufffd"
    return f"\\u{code:04x}"


def in_order(rows: Iterable[Row], *, distinct: bool = False) -> list[Row]:
    """Rows are in the ordinal order of their own JSON, so no system's order shows. Equal rows stay, unless they are to be distinct."""
    by_text = [(write_json(row), row) for row in rows]
    if distinct:
        by_text = list(dict(by_text).items())
    return [row for _, row in sorted(by_text, key=lambda one: one[0])]


def objects(host: Host, command: str) -> list[Any]:
    """What a cmdlet answers, or the error it answers with."""
    if command in host["missing"]:
        raise ReadFailed("unavailable", f"this host has no command {command}")
    answer = host["cmdlets"].get(command, [])
    if isinstance(answer, dict):
        fails = answer["fails"]
        raise ReadFailed("failed", f"{fails['message']} ({fails['id']},{command})")
    shown = _SHOWN.get(command, {})
    return [row | {name: row[raw] for name, raw in shown.items() if raw in row} if shown else row for row in answer]


def instances(host: Host, namespace: str, name: str) -> list[Row]:
    """The instances of a WMI class."""
    if name not in host["cim"].get(namespace, {}):
        raise ReadFailed("unavailable", "Invalid class (HRESULT 0x80041010,Get-CimInstance)")
    return list(host["cim"][namespace][name])


def tree(value: Any) -> Any:
    """Objects inside a row: all their properties, in ordinal order of name."""
    if isinstance(value, dict):
        return {key: tree(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [tree(item) for item in value]
    return value


def text(value: Any) -> str:
    return str(value)


def project(source: Row, shape: dict[str, Any]) -> Row:
    """The agreed fields that this release has, in the agreed order."""
    row: Row = {}
    for name in shape["fields"]:
        if name not in source:
            continue
        value = source[name]
        if name in shape.get("list", ()):
            value = [text(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
            row[name] = sorted(value) if name in SETS else value
        else:
            row[name] = tree(value)
    return row


def registry(host: Host, key: str) -> dict[str, Row]:
    values: dict[str, Row] = host["registry"].get(key, {})
    return values


def children(host: Host, key: str) -> list[str]:
    """Names of the keys right below one."""
    start = key + "\\"
    return sorted({path[len(start) :].split("\\")[0] for path in host["registry"] if path.startswith(start)})


def read_host(path: Path) -> Host:
    """One host of the tests."""
    host: Host = json.loads(path.read_text(encoding="utf-8"))
    return host
