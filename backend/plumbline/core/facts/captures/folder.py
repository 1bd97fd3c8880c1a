"""Captured command outputs as the sections of a check-in, from a folder or from names and contents; `names.py` reads the names."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from plumbline.core.facts.captures import esxi_text
from plumbline.core.facts.captures.copied import as_printed
from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.captures.names import Known, names_a_platform, recognise
from plumbline.core.facts.captures.windows_reads import WindowsReads, add_printed, parts_of
from plumbline.core.facts.configuration import Platform, SectionReading

# More than any output holds that a person captured; larger ones are reported, not read.
LARGEST_FILE = 16 * 1024 * 1024


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


def _windows(found: list[tuple[str, Known, str]]) -> Captured:
    reads = WindowsReads()
    unread: list[tuple[str, str]] = []
    for name, known, text in found:
        for part_known, typed in parts_of(known, text):
            problem = add_printed(reads, part_known, typed)
            if problem:
                unread.append((name, problem))
    return Captured("windows", reads.readings(), tuple(name for name, _, _ in found), tuple(unread))


# --- ESXi -----------------------------------------------------------------------------------------------------------------------------


def _esxi(found: list[tuple[str, Known, str]]) -> Captured:
    sections, unread = esxi_text.read_outputs(found)
    return Captured("esxi", sections, tuple(name for name, _, _ in found), tuple(unread))


__all__ = ["LARGEST_FILE", "Captured", "Folder", "Known", "read_files", "read_folder", "recognise"]
