"""What esxcli and its kin print, as records of text: xml, json, keyvalue, csv, indented records, tables by columns, collapsed copies.

Field names are compared by their letters and digits in lower case, so all formats agree on them ("PCI Device", "PCIDevice" and "pcidevice"
are one), and the modules of the sections read fields by title in any format.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from plumbline.core.facts.esxi.entries import Entry
from plumbline.core.facts.esxi.records import Record, record_of
from plumbline.core.facts.esxi.tables import RULE, read_by_header, read_table


def rows(entry: Entry | None) -> list[Record]:
    """All records of a read; none where it did not go well or cannot be understood."""
    if entry is None or not entry.is_ok:
        return []
    return rows_of(entry.output)


def is_whole(entry: Entry) -> bool:
    """Whether a read answered with a list that can be understood to its end; an empty list is one."""
    if entry.is_filtered or not entry.is_ok:
        return False
    text = entry.output.strip()
    if not text:
        return True
    if text[0] in "<[{":
        # What was cut off lacks the end of its document.
        return text[-1] == {"<": ">", "[": "]", "{": "}"}[text[0]]
    return any(RULE.match(line) for line in text.split("\n")) or bool(rows_of(text))


def each_row(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Record]]:
    """The records of all reads of one command: a folder of copied outputs may hold the answers for several devices, file by file."""
    return ((entry, record) for entry in entries for record in rows(entry))


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
    if any(RULE.match(line) for line in lines[1:]):
        return read_table(lines)
    first = text.split("\n", 1)[0]
    if first.count(",") > 1 and ": " not in first and "  " not in first and (found := _csv(text)) is not None:
        return found
    if re.search(r"^[^:\n]+:(\s|$)", text, re.M):
        return _blocks(lines)
    return read_by_header(lines)


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
    return [record_of(titles, row) for row in listed[1:]]


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


__all__ = ["Record", "each_row", "rows", "rows_of", "scalar"]
