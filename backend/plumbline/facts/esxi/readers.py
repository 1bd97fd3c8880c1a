"""What esxcli and its kin print, as records of text: xml, json, keyvalue, csv, indented records, tables by columns, collapsed copies.

Every format names a field alike once letters and digits alone are kept in lower case ("PCI Device", "PCIDevice" and "pcidevice" are one),
so the modules of the sections ask by title and never care which format a release gave.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from plumbline.facts.esxi.entries import Entry


def plain(title: str) -> str:
    """A title as all formats share it."""
    return "".join(char for char in title.lower() if char.isalnum())


class Record:
    """One row or block: values as text by title. `heading` is the line above a block, where there is one."""

    __slots__ = ("_titles", "_values", "heading")

    def __init__(self, heading: str = "") -> None:
        self.heading = heading
        self._values: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def add(self, title: str, value: str) -> None:
        """Keeps the first value of a title."""
        key = plain(title)
        if key not in self._values:
            self._values[key] = value.strip()
            self._titles[key] = title.strip()

    def has(self, title: str) -> bool:
        """Whether the field is there, even when it is empty."""
        return plain(title) in self._values

    def get(self, *titles: str) -> str | None:
        """The value of the first of these titles that is there."""
        for title in titles:
            value = self._values.get(plain(title))
            if value is not None:
                return value
        return None

    def title(self, *titles: str) -> str:
        """The field's name as the host printed it."""
        for title in titles:
            if plain(title) in self._titles:
                return self._titles[plain(title)]
        return titles[0] if titles else ""

    def __len__(self) -> int:
        return len(self._values)

    def is_empty(self) -> bool:
        """No field has a value."""
        return not any(self._values.values())


def rows(entry: Entry | None) -> list[Record]:
    """All records of a read; none where it did not go well or cannot be understood."""
    if entry is None or not entry.is_ok:
        return []
    return rows_of(entry.output)


def rows_of(output: str) -> list[Record]:
    """All records of an output, whichever format it is in."""
    text = output.strip()
    if not text:
        return []
    if text.startswith("<"):
        return list(_xml(text))
    if text[0] in "{[" and (found := _json(text)) is not None:
        return found
    if re.match(r"^\w+(\[\d+\])?(\.\w+(\[\d+\])?)+=", text):
        return _keyvalue(text)
    lines = output.replace("\r", "").split("\n")
    if any(_RULE.match(line) for line in lines[1:]):
        return _table(lines)
    first = text.split("\n", 1)[0]
    if first.count(",") > 1 and ": " not in first and "  " not in first and (found := _csv(text)) is not None:
        return found
    if re.search(r"^[^:\n]+:(\s|$)", text, re.M):
        return _blocks(lines)
    return _by_header(lines)


def scalar(entry: Entry | None) -> str | None:
    """The single value of a command that prints just one ("Disabled", `<string>Disabled</string>`, `true`)."""
    if entry is None or not entry.is_ok:
        return None
    text = entry.output.strip()
    if text.startswith("<"):
        return next((record.get("value") for record in _xml(text)), None)
    if text[:1] in ('"', "{", "["):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return document if isinstance(document, str) else _text(document)
    return text


# --- xml, json, keyvalue, csv ---------------------------------------------------------------------------------------------------------


def _tag(element: Element) -> str:
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def _xml(text: str) -> Iterator[Record]:
    try:
        root = fromstring(text.encode("utf-8", "replace"))
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return
    for top in root.iter():
        if _tag(top) != "root":
            continue
        for child in top:
            kind = _tag(child)
            if kind == "structure":
                yield _structure(child)
            elif kind == "list":
                yield from (_structure(item) for item in child if _tag(item) == "structure")
            else:
                record = Record()
                record.add("value", child.text or "")
                yield record
        return


def _structure(element: Element) -> Record:
    record = Record()
    nested: list[Element] = []
    for item in element:
        name = str(item.get("name") or "")
        leaf = next(iter(item), None)
        if leaf is not None and _tag(leaf) == "structure":
            nested.append(leaf)
        elif leaf is not None and _tag(leaf) == "list":
            record.add(name, ", ".join((part.text or "").strip() for part in leaf if _tag(part) != "structure"))
        else:
            record.add(name, (leaf.text if leaf is not None else item.text) or "")
    for inner in nested:
        for item in inner:
            leaf = next(iter(item), None)
            record.add(str(item.get("name") or ""), (leaf.text if leaf is not None else item.text) or "")
    return record


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def _json(text: str) -> list[Record] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = []
    for item in document if isinstance(document, list) else [document]:
        if not isinstance(item, dict):
            continue
        record = Record()
        nested = []
        for title, value in item.items():
            if isinstance(value, dict):
                nested.append(value)
            else:
                record.add(str(title), _text(value))
        for inner in nested:
            for title, value in inner.items():
                record.add(str(title), _text(value))
        found.append(record)
    return found


def _keyvalue(text: str) -> list[Record]:
    """`structure[0].Nic.PCIDevice.string=0000:18:00.0`, one line a field; lists number their items at the end."""
    found: dict[str, Record] = {}
    lists: dict[tuple[str, str], list[str]] = {}
    for line in text.split("\n"):
        left, equals, value = line.partition("=")
        parts = left.strip().split(".")
        if not equals or len(parts) < 2:
            continue
        record = found.setdefault(parts[0], Record())
        name = re.sub(r"\[\d+\]$", "", parts[-2])
        if parts[-1].endswith("]") or parts[-2].endswith("]"):
            lists.setdefault((parts[0], name), []).append(value.strip())
        else:
            record.add(name, value)
    for (key, name), values in lists.items():
        found[key].add(name, ", ".join(values))
    return list(found.values())


def _csv(text: str) -> list[Record] | None:
    try:
        listed = [row for row in csv.reader(io.StringIO(text)) if row]
    except csv.Error:
        return None
    if len({len(row) for row in listed}) != 1:
        return None
    titles = listed[0]
    return [_record(titles, row) for row in listed[1:]]


def _record(titles: list[str], cells: list[str]) -> Record:
    record = Record()
    for title, cell in zip(titles, cells, strict=False):
        if title.strip():
            record.add(title, cell)
    return record


# --- text: tables ---------------------------------------------------------------------------------------------------------------------

_RULE = re.compile(r"^\s*-{2,}(\s+-+)*\s*$")

# Titles of more than one word, longest first: without them a header whose runs of spaces are gone cannot be taken apart.
_KNOWN_TITLES = (
    "PCI Device,Admin Status,Link Status,MAC Address,DPU Id,MAC Address Valid,Pause Params Supported,Pause RX,Pause TX,"
    "Auto Negotiation,Auto Negotiation Resolution Avail,RX Auto Negotiation Resolution,TX Auto Negotiation Resolution,"
    "RX microseconds,RX maximum frames,TX microseconds,TX Maximum frames,Adaptive RX,Adaptive TX,Sample interval seconds,"
    "IPv4 CSO,IPv4 TSO,IPv6 CSO,IPv6 CSO Ext,IPv6 TSO,IPv6 TSO Ext,Scatter Gather,Scatter Gather MP,Offset Based Offload,"
    "VXLAN Encap,Geneve Offload,High DMA,VLAN Tagging,VLAN Untagging,RX Checksum Offload,TX Checksum Offload,"
    "Virtual Switch,Active Clients,VLAN ID,IPv4 Address,IPv4 Netmask,IPv4 Broadcast,Address Type,DHCP DNS,"
    "Default PSP,Install Date,Acceptance Level,HBA Name,Link State,Current Speed,Max Speed,Max Frame Size,"
    "Compliant Status,Path Status,IPv4 Subnet Mask,Port Group,Port Group/DVPort,Port Group/DVPort/Opaque Network,"
    "IP Address,IP Family,TSO MSS,Switch Name,DVS Name,Num Ports,Used Ports,Configured Ports,PortGroup Name,DVPort ID,In Use"
)
_TITLES = sorted((title.lower().split() for title in _KNOWN_TITLES.split(",")), key=len, reverse=True)

# Columns that hold free text, in the order in which they take surplus words of a collapsed row.
_FREE = ("description", "portgroup", "portgroupdvport", "portgroupname", "name", "vendor")


def _titles_of(header: str) -> list[tuple[str, int]]:
    """Titles of a header line and where each begins."""
    words = [(match.group(0), match.start()) for match in re.finditer(r"\S+", header)]
    lower = [word.lower() for word, _ in words]
    is_spaced = bool(re.search(r"\S\s{2,}\S", header))
    found: list[tuple[str, int]] = []
    position = 0
    while position < len(words):
        length = next((len(title) for title in _TITLES if lower[position : position + len(title)] == title), 1)
        start = words[position][1]
        last, last_start = words[position + length - 1]
        if length == 1 and is_spaced and found and not _is_gap(header, start) and _unknown(found[-1][0]):
            # One space between two words that no list knows: one title that we have not met yet.
            found[-1] = (found[-1][0] + " " + last, found[-1][1])
        else:
            found.append((header[start : last_start + len(last)], start))
        position += length
    return found


def _is_gap(header: str, start: int) -> bool:
    return start < 2 or header[start - 2 : start] == "  "


def _unknown(title: str) -> bool:
    return title.lower() not in (
        "name",
        "link",
        "speed",
        "duplex",
        "driver",
        "pci",
        "mtu",
        "type",
        "value",
        "uplinks",
        "interface",
        "netmask",
        "nic",
    )


def _table(lines: list[str]) -> list[Record]:
    """Tables with a line of dashes under the header; more than one in a text is read as one after the other."""
    found: list[Record] = []
    rules = [position for position, line in enumerate(lines) if position and _RULE.match(line)]
    for number, rule in enumerate(rules):
        header, dashes = lines[rule - 1], lines[rule]
        end = rules[number + 1] - 1 if number + 1 < len(rules) else len(lines)
        starts = [match.start() for match in re.finditer(r"-+", dashes)]
        stops: list[int | None] = [*starts[1:], None]
        is_aligned = all(header[start - 1 : start] in ("", " ") for start in starts[1:])
        titles = [header[start:stop].strip() for start, stop in zip(starts, stops, strict=True)] if is_aligned else []
        if not titles or not all(titles):
            titles = [title for title, _ in _titles_of(header)]
        for line in lines[rule + 1 : end]:
            if not line.strip():
                break
            cells = _cells(line, titles, starts)
            if cells:
                found.append(_record(titles, cells))
    return found


def _cells(line: str, titles: list[str], starts: list[int]) -> list[str]:
    """The cells of one row: by runs of spaces, else by column, else by word with the surplus in the column of free text."""
    chunks = re.split(r"\s{2,}", line.strip())
    if len(chunks) == len(titles):
        return chunks
    if len(starts) == len(titles) and all(line[start - 1 : start] in ("", " ") for start in starts[1:]) and "  " in line.strip():
        stops: list[int | None] = [*starts[1:], None]
        return [line[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
    words = line.split()
    surplus = len(words) - len(titles)
    if surplus < 0:
        # Cells are missing and nothing says which: the last columns are taken as the empty ones.
        return words + [""] * -surplus if words else []
    keys = [plain(title) for title in titles]
    free = next((keys.index(name) for name in _FREE if name in keys), len(titles) - 1)
    return [*words[:free], " ".join(words[free : free + surplus + 1]), *words[free + surplus + 1 :]]


def _by_header(lines: list[str]) -> list[Record]:
    """Tables of the esxcfg tools and filtered copies: a header line, no dashes."""
    listed = [line for line in lines if line.strip()]
    if len(listed) < 2:
        return []
    titles = _titles_of(listed[0])
    if len(titles) < 2:
        return []
    names = [title for title, _ in titles]
    starts = [start for _, start in titles]
    return [_record(names, _cells(line, names, starts)) for line in listed[1:]]


# --- text: blocks of `Title: value` ---------------------------------------------------------------------------------------------------

_FIELD = re.compile(r"^(\s*)([^:]{1,120}?)\s*:(?:\s+(.*))?$")
_IDENTIFIER = re.compile(r"^(vmhba|vmk|vmnic|naa\.|eui\.|t10\.|mpx\.|iqn\.|pcie?\.|usb\.)\S*$", re.I)


def _blocks(lines: list[str]) -> list[Record]:
    """Blocks with or without a heading, indented or not. A blank line, a heading or a title met again begins the next one."""
    found: list[Record] = []
    record = Record()
    is_boundary = False
    base: int | None = None
    for position, line in enumerate(lines):
        if not line.strip():
            is_boundary = True
            continue
        match = _FIELD.match(line)
        indent = len(line) - len(line.lstrip())
        if match is None or _is_heading(match, lines, position):
            found.append(record)
            record, base, is_boundary = Record(line.strip().rstrip(":")), None, False
            continue
        title, value = match.group(2), (match.group(3) or "").strip()
        is_nested = base is not None and indent > base
        if not is_nested and len(record) and (is_boundary or record.has(title)):
            found.append(record)
            record, base = Record(), None
        if base is None:
            base = indent
        is_boundary = False
        record.add(title, value)
    found.append(record)
    return [item for item in found if not item.is_empty()]


def _is_heading(match: re.Match[str], lines: list[str], position: int) -> bool:
    """`vmhba36:` and `vSwitch1:` above a block, in contrast to a field without a value."""
    title, value = match.group(2).strip(), match.group(3)
    if value:
        return False
    if _IDENTIFIER.match(title):
        return True
    if match.group(1):
        return False
    following = next((line for line in lines[position + 1 :] if line.strip()), "")
    is_first = position == 0 or not lines[position - 1].strip()
    return is_first and following.startswith(" ")
