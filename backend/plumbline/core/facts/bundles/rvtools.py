"""RVTools: tables of many ESXi hosts, as an Excel workbook or one CSV file for each table. They tell few settings, and of many hosts."""

import csv
import io
import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring, iterparse

from plumbline.core.facts.bundles.hosts import BundledHost, EsxiReads, text_of
from plumbline.core.facts.esxi import advanced, iscsi, nic_tuning, nics, paths, system, vmkernel, vswitch
from plumbline.core.facts.esxi.sources import COMMANDS

_TABLES = ("vHost", "vHBA", "vNIC", "vSC_VMK", "vSwitch", "vMultiPath")
_CSV = re.compile(r"RVTools_tab(v\w+)\.csv$", re.IGNORECASE)
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MOST_ROWS = 200_000

Table = list[dict[str, str]]
_ABSENT = "RVTools does not export it: use a support bundle or the agent"


def read_rvtools(files: Mapping[str, bytes]) -> tuple[list[BundledHost], dict[str, bytes], list[tuple[str, str]]]:
    """The hosts, the files that are of no RVTools export, and what could not be read."""
    tables: dict[str, tuple[Table, str]] = {}
    rest: dict[str, bytes] = {}
    problems: list[tuple[str, str]] = []
    books: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        name = _CSV.search(path)
        if name:
            tables[_table_name(name.group(1))] = (_csv_rows(text_of(content)), path)
        elif re.search(r"(?:^|[/!])xl/", path):
            base, _, inner = path.rpartition("xl/") if path.count("xl/") == 1 else path.partition("xl/")
            books.setdefault(base, {})[inner] = content
        else:
            rest[path] = content
    for base, parts in books.items():
        label = base.rstrip("!/") or "workbook"
        sheets = _workbook(parts)
        if not sheets.keys() & set(_TABLES):
            problems.append((label, "it is a workbook, and none of its sheets is a table of RVTools that is read here"))
        for sheet, rows in sheets.items():
            tables.setdefault(sheet, (rows, f"{label}, sheet {sheet}"))
    return _hosts(tables), rest, problems


def _table_name(name: str) -> str:
    return next((table for table in _TABLES if table.lower() == name.lower()), name)


def _csv_rows(text: str) -> Table:
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("sep=")]
    if not lines:
        return []
    delimiter = max(",;\t", key=lines[0].count)
    try:
        listed = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter))
    except csv.Error:
        return []
    return [dict(zip(listed[0], (cell.strip() for cell in row), strict=False)) for row in listed[1 : _MOST_ROWS + 1]]


# --- Workbook -------------------------------------------------------------------------------------------------------------------------


def _workbook(parts: Mapping[str, bytes]) -> dict[str, Table]:
    """Sheet -> its rows by heading. Never raises: a part that is no XML gives nothing."""
    try:
        shared = ["".join(text.text or "" for text in item.iter(_SHEET + "t")) for item in _children(parts.get("sharedStrings.xml"))]
        names = {sheet.get(_RELATION) or "": sheet.get("name") or "" for sheet in _of(parts.get("workbook.xml"), _SHEET + "sheet")}
        targets = {one.get("Id") or "": one.get("Target") or "" for one in _children(parts.get("_rels/workbook.xml.rels"))}
        found = {}
        for identity, name in names.items():
            content = parts.get(re.sub(r"^/?xl/", "", targets.get(identity, "")))
            if content is not None and _table_name(name) in _TABLES:
                found[_table_name(name)] = _rows(content, shared)
        return found
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return {}


def _of(content: bytes | None, tag: str) -> list[Element]:
    return [] if content is None else list(fromstring(content, forbid_dtd=True).iter(tag))


def _children(content: bytes | None) -> list[Element]:
    return [] if content is None else list(fromstring(content, forbid_dtd=True))


def _rows(content: bytes, shared: list[str]) -> Table:
    listed: list[dict[int, str]] = []
    for _, element in iterparse(io.BytesIO(content), forbid_dtd=True):
        if element.tag == _SHEET + "row":
            cells = {}
            for position, cell in enumerate(element.iter(_SHEET + "c")):
                cells[_column(cell.get("r") or "", position)] = _cell(cell, shared)
            listed.append(cells)
            element.clear()
            if len(listed) > _MOST_ROWS:
                break
    if not listed:
        return []
    heading = listed[0]
    return [{title: row.get(at, "") for at, title in heading.items()} for row in listed[1:]]


def _column(place: str, position: int) -> int:
    letters = re.match(r"[A-Z]{1,3}", place)
    number = 0
    for letter in letters.group(0) if letters else "":
        number = number * 26 + ord(letter) - 64
    return number - 1 if letters else position


def _cell(cell: Element, shared: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return "".join(text.text or "" for text in cell.iter(_SHEET + "t")).strip()
    value = next((child.text or "" for child in cell if child.tag == _SHEET + "v"), "")
    if cell.get("t") == "s":
        return shared[int(value)].strip() if value.isdigit() and int(value) < len(shared) else ""
    return value.strip()


# --- Hosts ----------------------------------------------------------------------------------------------------------------------------


def _hosts(tables: Mapping[str, tuple[Table, str]]) -> list[BundledHost]:
    names = dict.fromkeys(row["Host"] for rows, _ in tables.values() for row in rows if row.get("Host"))
    by_host: dict[str, dict[str, tuple[Table, str]]] = {name: {} for name in names}
    for table, (rows, member) in tables.items():
        for row in rows:
            if row.get("Host"):
                by_host[row["Host"]].setdefault(table, ([], member))[0].append(row)
    return [_host(name, mine) for name, mine in by_host.items()]


def _host(name: str, tables: Mapping[str, tuple[Table, str]]) -> BundledHost:
    reads = EsxiReads(COMMANDS)

    def listed(table: str) -> tuple[Table, str]:
        return tables.get(table, ([], ""))

    short, _, domain = name.partition(".")
    is_address = re.fullmatch(r"[\d.]+", name) is not None
    reads.records(
        system.HOSTNAME,
        {"Host Name": name if is_address else short, "Domain Name": "" if is_address else domain},
        next(iter(tables.values()))[1],
    )
    rows, member = listed("vHost")
    for row in rows[:1]:
        version = re.search(r"(\d+\.\d+\.\d+)\D+(\d{5,})?", row.get("ESX Version", ""))
        if version:
            build = f"Releasebuild-{version.group(2)}" if version.group(2) else ""
            reads.records(system.VERSION, {"Product": "VMware ESXi", "Version": version.group(1), "Build": build}, member)
        reads.records(system.PLATFORM, {"Vendor Name": row.get("Vendor", ""), "Product Name": row.get("Model", "")}, member)
    rows, member = listed("vNIC")
    if rows:
        reads.records(nics.NIC_LIST, [_nic(row) for row in rows], member)
    rows, member = listed("vSC_VMK")
    if rows:
        interfaces = [
            {"Name": row.get("Device", ""), "Portgroup": row.get("Port Group", ""), "MTU": _number(row.get("MTU", ""))} for row in rows
        ]
        addresses = [{"Name": row.get("Device", ""), "IPv4 Address": row.get("IP Address", "")} for row in rows]
        reads.records(vmkernel.INTERFACES, interfaces, member)
        reads.records(vmkernel.ADDRESSES, addresses, member)
    rows, member = listed("vSwitch")
    uplinks: dict[str, list[str]] = {}
    for row in listed("vNIC")[0]:
        uplinks.setdefault(row.get("Switch", ""), []).append(row.get("Network Device", ""))
    if rows:
        switches = [
            {
                "Name": row.get("Switch", ""),
                "MTU": _number(row.get("MTU", "")),
                "Uplinks": ", ".join(uplinks.get(row.get("Switch", ""), [])),
            }
            for row in rows
        ]
        reads.records(vswitch.STANDARD, switches, member)
    rows, member = listed("vHBA")
    if rows:
        initiators = [
            {"Adapter": row.get("Device", ""), "Driver": row.get("Driver", ""), "State": row.get("Status", ""), "UID": row.get("WWN", "")}
            for row in rows
            if "iscsi" in row.get("Type", "").lower()
        ]
        reads.records(iscsi.ADAPTERS, initiators, member)
    rows, member = listed("vMultiPath")
    policies: list[dict[str, Any]] = [
        {"Device": device, "Device Display Name": row.get("Display name", ""), "Path Selection Policy": row.get("Policy", "")}
        for row in rows
        if (device := _device(row)) and row.get("Policy")
    ]
    if policies:
        reads.records(paths.NMP, policies, member)
        reads.records(paths.PATHS, _paths(rows, listed("vHBA")[0]), member)
    for command in (
        *(nics.NIC_GET, nic_tuning.PAUSE, nic_tuning.CSO, nic_tuning.TSO, nic_tuning.RING_CURRENT, nic_tuning.COALESCE),
        *(iscsi.PARAMETERS, iscsi.BINDINGS, iscsi.SESSIONS, iscsi.CONNECTIONS, iscsi.PORTALS, advanced.ADVANCED),
    ):
        reads.missing(command, _ABSENT)
    return BundledHost("esxi", "rvtools", name, reads.sections(), dict(reads.members))


def _nic(row: dict[str, str]) -> dict[str, str]:
    speed = _number(row.get("Speed", ""))
    return {
        "Name": row.get("Network Device", ""),
        "PCI Device": row.get("PCI", ""),
        "Driver": row.get("Driver", ""),
        "Speed": speed,
        "Duplex": row.get("Duplex", ""),
        "MAC Address": row.get("MAC", ""),
    }


def _number(text: str) -> str:
    """A whole number, whatever its thousands are parted by: `9.000`, `9,000` and `9 000`; text else."""
    bare = re.sub(r"(?<=\d)[.,'\u00a0\u202f ](?=\d{3}\b)", "", text.strip())
    return re.sub(r"[.,]0+$", "", bare)


def _device(row: dict[str, str]) -> str:
    for title in ("Disk", "Display name"):
        match = re.search(r"\b(?:naa|eui|t10)\.[\w.:-]+", row.get(title, ""))
        if match:
            return match.group(0)
    return ""


def _paths(rows: Table, adapters: Table) -> list[dict[str, str]]:
    """Each path with its state; its transport is that of its adapter."""
    kinds = {row.get("Device", ""): "iscsi" if "iscsi" in row.get("Type", "").lower() else "other" for row in adapters}
    found = []
    for row in rows:
        for number in range(1, 9):
            runtime = re.search(r"vmhba\d+:C\d+:T\d+:L\d+", row.get(f"Path {number}", ""))
            if runtime and _device(row):
                adapter = runtime.group(0).partition(":")[0]
                found.append(
                    {
                        "Runtime Name": runtime.group(0),
                        "Device": _device(row),
                        "Device Display Name": row.get("Display name", ""),
                        "Adapter": adapter,
                        "State": row.get(f"Path {number} state", "").lower(),
                        "Transport": kinds.get(adapter, ""),
                    }
                )
    return found
