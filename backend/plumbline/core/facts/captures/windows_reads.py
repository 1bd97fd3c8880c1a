"""Printed outputs of Windows commands as the reads of a check-in's sections, whatever file, console or bundle they come from."""

import re
from typing import Any

import msgspec

from plumbline.core.facts.captures import windows_text
from plumbline.core.facts.captures.names import Known, recognise_typed
from plumbline.core.facts.captures.windows_text import Printed, Typed
from plumbline.core.facts.configuration import SectionReading

_ADVANCED_PROPERTY = "Get-NetAdapterAdvancedProperty"
# What the rest of a command may be without leaving out any object: a view, a scope, or where it was captured.
_VIEWS = frozenset(
    (
        *(
            "select",
            "all",
            "fl",
            "ft",
            "format",
            "list",
            "table",
            "property",
            "properties",
            "star",
            "wide",
            "wrap",
            "autosize",
            "auto",
            "size",
        ),
        *("allproperties", "includehidden", "hidden", "activestore", "persistentstore", "asterisk", "out", "string", "full", "text", "txt"),
        *("output", "json", "csv", "convertto", "export"),
    )
)


class WindowsReads:
    """Section bodies while they are gathered, and the member of a bundle that each read came from: set `member` before adding."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, dict[str, Any]]] = {}
        self.member = ""
        self.members: dict[tuple[str, str], str] = {}

    def add(self, section: str, command: str, rows: list[dict[str, Any]], printed: Printed | None = None) -> None:
        read = self.sections.setdefault(section, {}).setdefault(command, {"status": "ok", "rows": []})
        self.members.setdefault((section, command), self.member)
        read["status"] = "ok"
        read.pop("error", None)
        read["rows"].extend(rows)
        if printed is not None:
            read["lacks_fields"] = read.get("lacks_fields", False) or printed.lacks_fields
            read["lacks_rows"] = read.get("lacks_rows", False) or printed.lacks_rows

    def fail(self, section: str, command: str, status: str, error: str) -> None:
        """A read that gave nothing; what another file holds of the same command is kept."""
        self.sections.setdefault(section, {}).setdefault(command, {"status": status, "error": error, "rows": []})

    def readings(self) -> dict[str, SectionReading]:
        """The section bodies."""
        return {section: SectionReading("ok", msgspec.json.encode(body)) for section, body in self.sections.items()}


def parts_of(known: Known, text: str) -> list[tuple[Known, Typed]]:
    """A copied console by its commands, where it shows what was typed; else the whole text as what the file is named for."""
    typed = windows_text.split_typed(text)
    named = [(recognise_typed("windows", part.line) if part.line else known, part) for part in typed]
    if len(typed) < 2 or not any(one is not None and part.line for one, part in named):
        return [(known, Typed(typed[0].line if len(typed) == 1 else "", [line for part in typed for line in part.printed]))]
    # Where there is a known command, what precedes the first prompt and what was typed and is not known are left out.
    return [(one, part) for one, part in named if one is not None and (part.line or len(part.printed) > 3)]


def add_printed(reads: WindowsReads, known: Known, typed: Typed) -> str:
    """Adds one output to the section bodies; the reason where nothing could be read of it."""
    if known.command == "mpclaim -s -d":
        return _mpclaim(reads, known, typed)
    is_all = not typed.line and {"all", "star"} & set(known.variant.lower().split("-"))
    printed = windows_text.read_printed(known.command, typed.printed, "select *" if is_all else typed.line)
    if not typed.line and _is_variant_a_filter(known.variant):
        printed = Printed(printed.rows, printed.lacks_fields, True, printed.error, printed.odd)
    if not printed.rows:
        status, words = printed.error or ("failed", f"no row of {known.command} was found in it")
        is_class = known.command == "registry-class-key-params"
        section, command = ("properties", _ADVANCED_PROPERTY) if is_class else (known.section, known.command)
        if command != "Get-NetAdapter":
            reads.fail(section, command, status, words)
        return words if printed.error is None else f"{known.command}: {words}"
    if known.command == "registry-class-key-params":
        reads.add("properties", _ADVANCED_PROPERTY, [windows_text.class_key(row) for row in printed.rows])
    elif known.command == _ADVANCED_PROPERTY and not any("properties" in row for row in printed.rows):
        properties, offers = windows_text.split_properties(printed.rows)
        if not properties:
            return "no property with a keyword was found in it"
        if typed.asks_for_some_properties or re.search(r"keyword|displayname|where|first", known.variant, re.IGNORECASE):
            properties = [{**row, "is_cut": True} for row in properties]
        reads.add("properties", known.command, properties)
        reads.add("property_catalogue", known.command, offers)
    else:
        reads.add(known.section, known.command, printed.rows, printed)
    if any(line.startswith("another ") for line in printed.odd):
        return next(line[:120] for line in printed.odd if line.startswith("another "))
    return f"{len(printed.odd)} lines are not in its columns: {printed.odd[0][:80]}" if printed.odd else ""


def _mpclaim(reads: WindowsReads, known: Known, typed: Typed) -> str:
    typed_number = re.search(r"-d\s+(\d+)\s*$", typed.line)
    number = typed_number.group(1) if typed_number else known.variant if known.variant.isdigit() else ""
    text = "\n".join(typed.printed)
    if not re.search(r"\d", text):
        reads.fail("mpio", "mpclaim", "failed", "no disk was found in it")
        return "no disk of mpclaim was found in it"
    reads.add("mpio", "mpclaim", [{"argument": f"-s -d {number}".strip(), "text": text}])
    return ""


def _is_variant_a_filter(variant: str) -> bool:
    return any(word and word not in _VIEWS for word in re.split(r"[^a-z]+", variant.lower()))
