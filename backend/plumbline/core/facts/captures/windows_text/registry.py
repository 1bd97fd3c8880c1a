"""The registry's values of each interface: `reg query`, a `.reg` export, or `Get-ItemProperty`."""

import re

from plumbline.core.facts.captures.windows_text.lists import read_records
from plumbline.core.facts.captures.windows_text.tables import read_tables
from plumbline.core.facts.captures.windows_text.values import Row

WANTED = ("TcpAckFrequency", "TcpNoDelay", "TcpDelAckTicks")
_KEY = re.compile(r"^\s*\[?-?(HKEY_[A-Z_]+|HK[A-Z]{2,3}:?)\\(.*?)\]?\s*$", re.IGNORECASE)
_VALUE = re.compile(r"^\s+(\S.*?)\s+(REG_[A-Z_]+)\s*(.*)$")
_EXPORTED = re.compile(r'^\s*"([^"]+)"\s*=\s*(.*)$')
_GUID = re.compile(r"\{[0-9a-fA-F-]{36}\}")


def read_interfaces(lines: list[str]) -> list[Row]:
    """Rows as an agent sends them. A value that a whole key lacks is absent; of a key that was not printed whole it is left out."""
    keys = _keys(lines)
    is_whole = any(name not in WANTED for held in keys.values() for name in held)
    rows = []
    for guid, held in keys.items():
        row: Row = {"InterfaceGuid": guid}
        for name in WANTED:
            value = next((text for key, text in held.items() if key.lower() == name.lower()), None)
            if value is not None:
                row[name] = {"state": "present", "kind": "DWord", "value": _number(value)}
            elif is_whole:
                row[name] = {"state": "absent"}
        rows.append(row)
    return rows


def _keys(lines: list[str]) -> dict[str, dict[str, str]]:
    """Interface GUID -> value name -> text."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] | None = None
    for line in lines:
        key = _KEY.match(line)
        if key:
            guid = _GUID.search(key.group(2))
            current = found.setdefault(guid.group(0), {}) if guid else None
            continue
        value = _VALUE.match(line) or _EXPORTED.match(line)
        if value and current is not None:
            current[value.group(1)] = value.group(value.lastindex or 2)
    if found:
        return found
    for row in (*read_records(lines), *read_tables(lines)[0]):
        places = (_GUID.search(str(row.get(name) or "")) for name in ("PSChildName", "PSPath", "InterfaceGuid"))
        guid = next((place for place in places if place), None)
        if guid:
            found[guid.group(0)] = {name: value for name, value in row.items() if isinstance(value, str) and not name.startswith("PS")}
    return found


def _number(text: str) -> int | str:
    """`0x1`, `dword:00000001` and `1` as a number; anything else as it is."""
    text = text.strip().lower()
    if text.startswith("dword:") and re.fullmatch(r"[0-9a-f]{1,8}", text[6:]):
        return int(text[6:], 16)
    if re.fullmatch(r"0x[0-9a-f]{1,8}", text):
        return int(text, 16)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 11 else text
