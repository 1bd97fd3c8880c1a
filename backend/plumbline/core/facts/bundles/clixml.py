"""Objects that PowerShell exported as CLIXML, read as data with an ordinary XML reader: no type of it is ever made, no entity resolved."""

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

_NAMESPACE = "{http://schemas.microsoft.com/powershell/2004/04}"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NUMBERS = frozenset(("By", "SB", "I16", "U16", "I32", "U32", "I64", "U64"))
_MOST_ROWS = 50_000
# Notes about the class of an object, which are long and no property.
_NOTES = frozenset(("__ClassMetadata", "CimClass", "CimInstanceProperties", "CimSystemProperties"))

Row = dict[str, Any]


def is_clixml(content: bytes) -> bool:
    """Whether a file is an export of PowerShell objects, in UTF-8 or UTF-16."""
    head = content[:400]
    return b"powershell/2004/04" in head.replace(b"\0", b"")


def read_clixml(content: bytes) -> tuple[list[Row], str]:
    """The objects as rows, and why the file was not read to its end; empty where it was."""
    rows: list[Row] = []
    try:
        depth = 0
        for event, element in iterparse(io.BytesIO(content), events=("start", "end"), forbid_dtd=True):
            if event == "start":
                depth += 1
                continue
            depth -= 1
            # Depth 1 is below <Objs>: one object of the pipeline. A list in place of objects is taken apart.
            if depth == 1:
                rows.extend(_objects(element))
                element.clear()
                if len(rows) > _MOST_ROWS:
                    return rows[:_MOST_ROWS], f"it holds more than {_MOST_ROWS:,} objects"
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        return rows, f"it is no whole CLIXML ({type(error).__name__})"
    return rows, ""


def _tag(element: Element) -> str:
    return element.tag.removeprefix(_NAMESPACE) if isinstance(element.tag, str) else ""


def _objects(element: Element) -> Iterator[Row]:
    listed = next((child for child in element if _tag(child) in ("LST", "IE", "STK", "QUE")), None)
    if listed is not None:
        for child in listed:
            if _tag(child) == "Obj":
                yield from _objects(child)
        return
    row = _row(element)
    if row:
        yield row


def _row(element: Element) -> Row:
    """Properties of the class first, then the notes that carry the friendly ones."""
    row: Row = {}
    for part in ("Props", "MS"):
        for holder in element:
            if _tag(holder) == part:
                for child in holder:
                    name = _text(child.get("N") or "")
                    if name and name not in _NOTES and (name not in row or row[name] is None):
                        row[name] = _value(child)
    dictionary = next((child for child in element if _tag(child) == "DCT"), None)
    for entry in dictionary if dictionary is not None else ():
        parts = {child.get("N"): child for child in entry}
        if "Key" in parts and "Value" in parts:
            row[str(_value(parts["Key"]))] = _value(parts["Value"])
    return row


def _value(element: Element) -> Any:
    kind, text = _tag(element), element.text or ""
    if kind == "Nil":
        return None
    if kind == "B":
        return text.strip().lower() == "true"
    if kind in _NUMBERS:
        return int(text) if re.fullmatch(r"\s*-?\d{1,20}\s*", text) else None
    if kind != "Obj":
        return _text(text)
    for child in element:
        if _tag(child) in ("LST", "IE"):
            return [_value(item) for item in child][:1000]
    shown = next((child for child in element if _tag(child) == "ToString"), None)
    inner = next((child for child in element if _tag(child) in _NUMBERS), None)
    # An enumeration carries its word and its number: readers know both.
    if shown is not None and shown.text and not (inner is not None and shown.text.isdigit()):
        return _text(shown.text)
    return _value(inner) if inner is not None else _row(element) or None


def _text(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
