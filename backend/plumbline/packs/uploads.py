"""From what a person uploads to a checked pack: a zip archive, or YAML files by name. Nothing outside the known places is ever written.

Limits: an archive of 1 MiB as it comes (the API takes no larger request), 16 MiB unpacked, 4,000 files of at most 256 KiB.
"""

import io
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from plumbline.infra.errors import BadInput
from plumbline.packs.files.check import check_folder
from plumbline.packs.files.load import LoadedPack

MOST_FILES = 4000
LARGEST_FILE = 256 * 1024
LARGEST_TOTAL = 16 * 1024 * 1024
# Deeper than any rule is; without a limit, the YAML composer would recurse as deep as brackets are nested.
DEEPEST_YAML = 60

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}")
_TOP = frozenset({"pack.yaml", "no-rule.yaml"})
_FOLDERS = frozenset({"rules", "cases"})
# What the library raises for damaged archives, by where the damage is.
_DAMAGED = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError,
)  # fmt: skip
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What packing programs add of their own accord.
_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a pack, with its place."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class CheckedUpload:
    """A pack as uploaded. `loaded` is None where `mistakes` has any."""

    loaded: LoadedPack | None
    cases: int
    mistakes: tuple[Mistake, ...]


def check_archive(content: bytes) -> CheckedUpload:
    """Checks a zip archive that holds one pack, at its top or in one folder. Raises `BadInput` for anything that is no such archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = dict(_members(archive))
    except _DAMAGED as error:
        raise BadInput(f"this is not a zip archive that can be read: {str(error)[:200]}") from error
    return check_files(files)


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    # A damaged directory of the archive may leave a name empty, which `is_dir` does not expect.
    entries = [each for each in archive.infolist() if not each.filename.endswith("/")]
    if len(entries) > MOST_FILES:
        raise BadInput(f"the archive holds {len(entries):,} files; a pack has at most {MOST_FILES:,}")
    left = LARGEST_TOTAL
    for entry in entries:
        if entry.flag_bits & 0x1:
            raise BadInput(f"{_shown(entry.filename)}: the archive is encrypted; upload it without a password")
        if entry.compress_type not in _PACKED:
            raise BadInput(f"{_shown(entry.filename)}: Unsupported compression. Use a standard zip file.")
        with archive.open(entry) as opened:
            # What the entry claims about its size is not believed: reading stops where the limit is.
            content = opened.read(min(LARGEST_FILE, left) + 1)
        if len(content) > LARGEST_FILE:
            raise BadInput(f"{_shown(entry.filename)}: larger than {LARGEST_FILE // 1024} KiB; no file of a pack is")
        left -= len(content)
        if left < 0:
            raise BadInput(f"unpacked, the archive is larger than {LARGEST_TOTAL // 1024 // 1024} MiB")
        yield entry.filename, content


def check_files(files: Mapping[str, bytes]) -> CheckedUpload:
    """Checks files by their paths: `pack.yaml`, `rules/<id>.yaml`, `cases/<id>.<what>.<outcome>.yaml`, all below one folder or none."""
    if len(files) > MOST_FILES:
        raise BadInput(f"{len(files):,} files; a pack can have up to {MOST_FILES:,}.")
    if sum(map(len, files.values())) > LARGEST_TOTAL or any(len(file) > LARGEST_FILE for file in files.values()):
        raise BadInput(f"a pack holds at most {LARGEST_TOTAL // 1024 // 1024} MiB, each file at most {LARGEST_FILE // 1024} KiB")
    placed = _placed(files)
    if ("pack.yaml",) not in placed:
        raise BadInput("pack.yaml is missing. Upload the files of one pack: pack.yaml, rules/ and cases/.")
    for parts, content in placed.items():
        _refuse_deep(content, "/".join(parts))
    with tempfile.TemporaryDirectory(prefix="plumbline-pack-") as work:
        # A folder must have its pack's name; its name in the archive does not count.
        folder = Path(work) / _pack_name(placed["pack.yaml",])
        for parts, content in placed.items():
            path = folder.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            checked = check_folder(folder)
        except RecursionError as error:
            raise BadInput("a rule nests its conditions too deep") from error
    mistakes = tuple(
        Mistake(str(problem.details.get("file", "")), int(str(problem.details.get("line", 1))), _without_place(problem.message))
        for problem in checked.problems
    )
    loaded = checked.packs[0] if checked.packs and not mistakes else None
    return CheckedUpload(loaded, checked.cases, mistakes)


def _placed(files: Mapping[str, bytes]) -> dict[tuple[str, ...], bytes]:
    """The files by their place in the pack. Raises `BadInput` for a name that is no place in a pack."""
    names = {name: name.replace("\\", "/") for name in files if not any(each in name for each in _IGNORED)}
    split = {name: tuple(part for part in path.split("/") if part != ".") for name, path in names.items()}
    tops = {parts[0] for parts in split.values() if len(parts) > 1} - _FOLDERS
    strange = next((name for name, parts in split.items() if parts and not _NAME.fullmatch(parts[0])), None)
    if strange is not None:
        raise BadInput(f"{_shown(strange)}: this is no path in a pack")
    is_nested = bool(tops) and all(len(parts) > 1 and parts[0] in tops for parts in split.values())
    if is_nested and len(tops) > 1:
        raise BadInput(f"there are several folders ({', '.join(sorted(_shown(top) for top in tops)[:5])}); upload one pack at a time")
    placed: dict[tuple[str, ...], bytes] = {}
    for name, parts in split.items():
        inner = parts[1:] if is_nested else parts
        is_known = inner[0] in _TOP if len(inner) == 1 else len(inner) == 2 and inner[0] in _FOLDERS and inner[1].endswith(".yaml")
        if not is_known or not all(_NAME.fullmatch(part) for part in inner):
            raise BadInput(f"{_shown(name)}: a pack holds pack.yaml, no-rule.yaml, rules/*.yaml and cases/*.yaml, and nothing else")
        if inner in placed:
            raise BadInput(f"{_shown(name)}: two files have this place")
        placed[inner] = files[name]
    return placed


def _pack_name(content: bytes) -> str:
    """The name that pack.yaml gives; any name if it has no usable one (the check then reports that)."""
    found = re.search(rb"^pack:[ \t]*[\"']?([a-z0-9][a-z0-9-]{0,79})[\"']?[ \t\r]*(?:#.*)?$", content, re.MULTILINE)
    return found[1].decode() if found else "pack"


def _refuse_deep(content: bytes, name: str) -> None:
    """Walks the tokens of a file, which never recurses, before anything builds a tree of them."""
    depth = 0
    try:
        for event in _events(content):
            if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                depth += 1
                if depth > DEEPEST_YAML:
                    line = event.start_mark.line + 1 if event.start_mark else 1
                    raise BadInput(f"{name}:{line}: nested deeper than {DEEPEST_YAML} levels; no rule is")
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                depth -= 1
    except (yaml.YAMLError, UnicodeDecodeError):
        return  # the check names the line


def _events(content: bytes) -> Iterable[yaml.Event]:
    return yaml.parse(content.decode("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _without_place(message: str) -> str:
    """`file:line: words` without the place, which is shown separately."""
    return re.sub(r"^[^\s:]+:\d+: ", "", message)


def _shown(name: str) -> str:
    """A name from outside, made safe to show."""
    return "".join(char if char.isprintable() else "?" for char in name)[:120]
