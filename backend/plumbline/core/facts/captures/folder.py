"""Captured command outputs as the sections of a check-in, from a folder or from names and contents; `names.py` reads the names."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from plumbline.core.facts.captures import esxi_text, windows_text
from plumbline.core.facts.captures.copied import as_printed
from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.captures.names import Known, names_a_platform, recognise, recognise_typed
from plumbline.core.facts.captures.windows_text import Printed, Typed
from plumbline.core.facts.configuration import Platform, SectionReading

# More than any output holds that a person captured; larger ones are reported, not read.
LARGEST_FILE = 16 * 1024 * 1024
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
    """Reads the files of a folder that are named like captured outputs, and names those of its other text files. Raises OSError where the
    folder cannot be read; a file that cannot is reported."""
    files: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    for entry in sorted(path.iterdir()):
        if not (names_a_platform(entry.name) or entry.suffix.lower() == ".txt"):
            continue
        if entry.is_dir():
            refused[entry.name] = "it is a folder, and only the files beside it are read"
            continue
        try:
            if not entry.is_file():
                refused[entry.name] = "it is no ordinary file"
            elif entry.stat().st_size > LARGEST_FILE:
                refused[entry.name] = f"it is larger than {LARGEST_FILE} bytes"
            else:
                files[entry.name] = entry.read_bytes()
        except OSError as error:
            refused[entry.name] = f"it cannot be read: {error.strerror or error}"
    return read_files(files, refused)


def read_files(files: Mapping[str, bytes], refused: Mapping[str, str] | None = None) -> Folder:
    """The same from names and contents; `refused` are names whose contents could not be read, with the reason."""
    unknown: list[str] = []
    by_platform: dict[Platform, list[tuple[str, Known, str]]] = {}
    unread: dict[Platform, list[tuple[str, str]]] = {}
    for name in sorted({*files, *(refused or {})}):
        known = recognise(name)
        if known is None:
            unknown.append(name)
            continue
        found = by_platform.setdefault(known.platform, [])
        if refused and name in refused:
            unread.setdefault(known.platform, []).append((name, refused[name]))
        elif not (text := as_printed(decode(files[name]))).strip():
            unread.setdefault(known.platform, []).append((name, "it is empty"))
        else:
            found.append((name, known, text))
    captured = []
    for platform, listed in sorted(by_platform.items(), reverse=True):
        read = _windows(listed) if platform == "windows" else _esxi(listed)
        before = tuple(unread.get(platform, ()))
        captured.append(Captured(platform, read.sections, (*read.files, *(name for name, _ in before)), (*before, *read.unread)))
    return Folder(tuple(captured), tuple(unknown))


# --- Windows --------------------------------------------------------------------------------------------------------------------------


class _Reads:
    """Section bodies while they are gathered."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, dict[str, Any]]] = {}

    def add(self, section: str, command: str, rows: list[dict[str, Any]], printed: Printed | None = None) -> None:
        read = self.sections.setdefault(section, {}).setdefault(command, {"status": "ok", "rows": []})
        read["status"] = "ok"
        read.pop("error", None)
        read["rows"].extend(rows)
        if printed is not None:
            read["lacks_fields"] = read.get("lacks_fields", False) or printed.lacks_fields
            read["lacks_rows"] = read.get("lacks_rows", False) or printed.lacks_rows

    def fail(self, section: str, command: str, status: str, error: str) -> None:
        """A read that gave nothing; what another file holds of the same command is kept."""
        self.sections.setdefault(section, {}).setdefault(command, {"status": status, "error": error, "rows": []})


def _windows(found: list[tuple[str, Known, str]]) -> Captured:
    reads = _Reads()
    unread: list[tuple[str, str]] = []
    for name, known, text in found:
        for part_known, typed in _parts(known, text):
            problem = _windows_part(reads, part_known, typed)
            if problem:
                unread.append((name, problem))
    sections = {section: SectionReading("ok", msgspec.json.encode(body)) for section, body in reads.sections.items()}
    return Captured("windows", sections, tuple(name for name, _, _ in found), tuple(unread))


def _parts(known: Known, text: str) -> list[tuple[Known, Typed]]:
    """A copied console by its commands, where it shows what was typed; else the whole text as what the file is named for."""
    typed = windows_text.split_typed(text)
    named = [(recognise_typed("windows", part.line) if part.line else known, part) for part in typed]
    if len(typed) < 2 or not any(one is not None and part.line for one, part in named):
        return [(known, Typed(typed[0].line if len(typed) == 1 else "", [line for part in typed for line in part.printed]))]
    # Where there is a known command, what precedes the first prompt and what was typed and is not known are left out.
    return [(one, part) for one, part in named if one is not None and (part.line or len(part.printed) > 3)]


def _windows_part(reads: _Reads, known: Known, typed: Typed) -> str:
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


def _mpclaim(reads: _Reads, known: Known, typed: Typed) -> str:
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


# --- ESXi -----------------------------------------------------------------------------------------------------------------------------


def _esxi(found: list[tuple[str, Known, str]]) -> Captured:
    sections, unread = esxi_text.read_outputs(found)
    return Captured("esxi", sections, tuple(name for name, _, _ in found), tuple(unread))


__all__ = ["LARGEST_FILE", "Captured", "Folder", "Known", "read_files", "read_folder", "recognise"]
