"""Windows command output as text, for folders of captured outputs only: an agent sends projected objects (contracts.md section 8).

Reads `Format-List`, the tables that domain.md names, and the two console tools, into the rows that `facts/windows/` reads. Values stay
text; the readers turn `True`, `40%` and `{a, b}` into what they mean.
"""

import json
import re
from typing import Any

Row = dict[str, Any]

_PROMPT = re.compile(r"^\s*(?:PS )?[A-Za-z]:\\[^>]*>.*$")
# A property's name starts with a letter and may carry a bracketed remark ("BaseProcessor: [Group:Number]"); what follows a name is a colon.
_PROPERTY = re.compile(r"^ {0,2}([A-Za-z][^:]*?(?:: \[[^\]]*\])?)\s*:(?:[ \t](.*)|)$")
_DASHES = re.compile(r"^\s*-{2,}(?:[ \t]+-{2,})*\s*$")
_CLASS_ROW = re.compile(r"^\s*(\d+)\s+(\S+)\s+(?:(\d{1,3}%?)\s+)?([0-7][0-7,\- ]*)$")
# Properties that `Format-List` prints under an alias, and table headings with a unit.
_ALIASES = {
    "PriorityValue": "PriorityValue8021Action",
    "NetDirectPort": "NetDirectPortMatchCondition",
    "DSCPValue": "DSCPAction",
    "MinBandwidthWeight": "MinBandwidthWeightAction",
    "ThrottleRate": "ThrottleRateAction",
    "AppPathName": "AppPathNameMatchCondition",
    "IPProtocol": "IPProtocolMatchCondition",
    "IPPort": "IPPortMatchCondition",
    "Bandwidth(%)": "Bandwidth",
    "MinRto(ms)": "MinRtoMs",
    "InitialCongestionWindow(MSS)": "InitialCongestionWindowMss",
    "DelayedAckTimeout(ms)": "DelayedAckTimeoutMs",
    "InitialRto(ms)": "InitialRtoMs",
}
_OFFERED = (
    "DisplayName", "DisplayParameterType", "DefaultRegistryValue", "NumericParameterBaseValue", "NumericParameterMinValue",
    "NumericParameterMaxValue", "NumericParameterStepValue", "Optional", "RegistryDataType", "ValidRegistryValues", "ValidDisplayValues",
)  # fmt: skip


def rows_of(command: str, text: str) -> list[Row]:
    """The rows of one command's printed output. Text that is JSON is taken as objects already."""
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        try:
            decoded = json.loads(stripped)
        except ValueError:
            decoded = None
        if isinstance(decoded, dict):
            return [decoded]
        if isinstance(decoded, list):
            return [row for row in decoded if isinstance(row, dict)]
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n") if not _PROMPT.match(line)]
    if command == "Get-MSDSMGlobalDefaultLoadBalancePolicy":
        return [{"Policy": line.strip()} for line in lines if line.strip()][:1]
    if command.startswith("netsh"):
        return _labels(lines)
    table = _table(lines) if not command.startswith("Get-NetAdapterQos") else []
    rows = table or _records(lines)
    if command == "Get-NetAdapterQos":
        rows = [_operational(row) for row in rows]
    return [{_ALIASES.get(name, name): value for name, value in row.items()} for row in rows]


def split_properties(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Rows of Get-NetAdapterAdvancedProperty as the sections `properties` and `property_catalogue` hold them."""
    properties: dict[str, Row] = {}
    offers: dict[str, Row] = {}
    for row in rows:
        keyword = row.get("RegistryKeyword") or row.get("ValueName")
        if not isinstance(keyword, str) or not keyword:
            continue
        instance = str(row.get("InstanceID") or "").partition("::")[0]
        key = instance or str(row.get("Name") or "")
        mine = properties.setdefault(key, {"InterfaceGuid": instance, "Name": row.get("Name"), "properties": {}})
        value = row.get("RegistryValue", row.get("ValueData"))
        mine["properties"][keyword] = value if isinstance(value, list) else [value]
        offered = offers.setdefault(key, {"InterfaceGuid": instance, "Name": row.get("Name"), "keywords": {}})
        offered["keywords"][keyword] = {name: row[name] for name in _OFFERED if row.get(name) not in (None, "")}
    return list(properties.values()), list(offers.values())


def class_key(row: Row) -> Row:
    """A dump of an adapter's registry class key as a row of `properties`."""
    keywords = {name: [str(value)] for name, value in row.items() if not isinstance(value, dict | list)}
    return {"InterfaceGuid": row.get("NetCfgInstanceId"), "Name": row.get("DriverDesc"), "properties": keywords}


def _records(lines: list[str]) -> list[Row]:
    """`Format-List`: blocks of `name : value`, a blank line between two; lines without a name go on with the value above."""
    records: list[Row] = []
    current: Row = {}
    last = ""
    for line in lines:
        if not line.strip():
            if current:
                records.append(current)
            current, last = {}, ""
            continue
        match = _PROPERTY.match(line)
        if match is None:
            if last and isinstance(current[last], str):
                current[last] = f"{current[last]}\n{line.strip()}"
            elif last and current[last] is None:
                current[last] = line.strip()
            continue
        last = match.group(1).strip()
        if last in current:
            # Copies lose the blank line between two records: a name that comes again begins the next.
            records.append(current)
            current = {}
        current[last] = _value(match.group(2) or "")
    if current:
        records.append(current)
    return records


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith("{") and text.endswith("}") and text.count("{") == 1:
        inner = text[1:-1].strip()
        return [part.strip() for part in inner.split(", ")] if inner else []
    return text or None


def _table(lines: list[str]) -> list[Row]:
    """`Format-Table`: a line of dashes under the heading gives the columns; rows whose columns have shifted are split at spaces."""
    for at, line in enumerate(lines):
        if at == 0 or not _DASHES.match(line):
            continue
        starts = [match.start() for match in re.finditer(r"-+", line)]
        heading = lines[at - 1]
        names = [heading[start:end].strip() for start, end in zip(starts, [*starts[1:], len(heading) + 1], strict=True)]
        if len(starts) < 2 or not all(names):
            names = heading.split()
            if len(names) != len(starts):
                return []
        return [_table_row(row, names, starts) for row in lines[at + 1 :] if row.strip()]
    return []


def _table_row(line: str, names: list[str], starts: list[int]) -> Row:
    ends = [*starts[1:], len(line) + 1]
    fits = all(start == 0 or start >= len(line) or line[start - 1] == " " for start in starts)
    cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    if not fits or not all(cells):
        words = line.split()
        if len(words) >= len(names):
            # Only the first column, a name, has spaces of its own.
            extra = len(words) - len(names) + 1
            cells = [" ".join(words[:extra]), *words[extra:]]
    return {name: _value(cell) for name, cell in zip(names, cells, strict=True)}


def _labels(lines: list[str]) -> list[Row]:
    """netsh: `label : value`; whatever follows the first word of a value is somebody's remark."""
    found: Row = {}
    for line in lines:
        label, colon, value = line.partition(":")
        words = value.split()
        if colon and words:
            found[label.strip()] = words[0]
    return [found] if found else []


def _operational(row: Row) -> Row:
    """The table inside OperationalTrafficClasses of Get-NetAdapterQos."""
    text = row.get("OperationalTrafficClasses")
    if isinstance(text, str):
        found = [match.groups() for match in map(_CLASS_ROW.match, text.split("\n")) if match is not None]
        row = {
            **row,
            "OperationalTrafficClasses": [
                {"TC": number, "TSA": algorithm, "Bandwidth": share, "Priorities": held.strip()} for number, algorithm, share, held in found
            ],
        }
    return row
