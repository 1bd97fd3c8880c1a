"""The members of a vm-support bundle by the file they belong to: parts of 1 MiB joined, copies left aside, what is missing said."""

import re
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.members import command_of_file

_PART = re.compile(r"^(.*)\.FRAG-(\d{5})$")
_PLACE = re.compile(r"^(?:(.*?)/)?(?:(commands|json)/([^/]+)|(etc/vmware/esx\.conf|bootbank/boot\.cfg|README|action\.log|error\.log))$")


class File(msgspec.Struct, frozen=True):
    """One file of a bundle. `is_cut`: its last parts are not there."""

    path: str
    content: bytes
    is_cut: bool = False


class VmSupport(msgspec.Struct):
    """The files of one bundle below its top folder. `commands` and `json` by the command's file name without ending."""

    top: str
    commands: dict[str, File] = msgspec.field(default_factory=dict)
    json: dict[str, File] = msgspec.field(default_factory=dict)
    others: dict[str, File] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)


def split_tops(files: Mapping[str, bytes]) -> tuple[list[VmSupport], dict[str, bytes]]:
    """The bundles among these files, each below its own top folder, and the files that are of none."""
    by_top: dict[str, dict[str, bytes]] = {}
    rest: dict[str, bytes] = {}
    for path, content in files.items():
        place = _PLACE.match(path)
        if place is None:
            rest[path] = content
        else:
            by_top.setdefault(place.group(1) or "", {})[path] = content
    found = []
    for top, mine in by_top.items():
        if _is_bundle(mine):
            found.append(_joined(top, mine))
        else:
            rest.update(mine)
    return found, rest


def _is_bundle(files: Mapping[str, bytes]) -> bool:
    """Two signs of the collector, whatever the names of archive and folder."""
    ends = {path.rpartition("/")[2] for path in files}
    has_commands = any(re.search(r"(?:^|/)(?:commands|json)/", path) for path in files)
    signs = [
        "action.log" in ends or "error.log" in ends,
        any(path.endswith("etc/vmware/esx.conf") for path in files),
        any(path.endswith("README") and b"vm-support" in content[:4096] for path, content in files.items()),
        has_commands,
        any(path.endswith("vmware_-vl.txt") and content.startswith(b"VMware ESX") for path, content in files.items()),
    ]
    return (has_commands and sum(signs) >= 2) or sum(1 for path in files if command_of_file(path.rpartition("/")[2])) >= 3


def _joined(top: str, files: Mapping[str, bytes]) -> VmSupport:
    bundle = VmSupport(top)
    parts: dict[str, dict[int, bytes]] = {}
    whole: dict[str, bytes] = {}
    for path, content in files.items():
        match = _PART.match(path)
        if match:
            parts.setdefault(match.group(1), {})[int(match.group(2))] = content
        else:
            whole[path] = content
    joined = {path: File(path, content) for path, content in whole.items()}
    for path, numbered in parts.items():
        if path not in joined:
            file = _of_parts(path, numbered)
            if file is None:
                bundle.notes.append(f"{path}: its first part is not in the bundle, and the rest cannot be read without it")
            else:
                joined[path] = file
                if file.is_cut:
                    bundle.notes.append(f"{path}: parts of it are missing: only what comes before them is read")
    # `1.NAME` is a second file of the same command: it is read where the first is not there.
    for path in sorted(joined, key=lambda one: (re.match(r"\d+\.", one.rpartition("/")[2]) is not None, one)):
        place = _PLACE.match(path)
        assert place is not None
        if place.group(2) == "commands":
            bundle.commands.setdefault(command_of_file(place.group(3)), joined[path])
        elif place.group(2) == "json":
            bundle.json.setdefault(command_of_file(place.group(3)), joined[path])
        else:
            bundle.others.setdefault(place.group(4), joined[path])
    return bundle


def _of_parts(path: str, numbered: Mapping[int, bytes]) -> File | None:
    """The parts from the first on, as far as they follow each other. Every part but the last is exactly 1 MiB."""
    content: list[bytes] = []
    while len(content) in numbered:
        content.append(numbered[len(content)])
    if not content:
        return None
    return File(path, b"".join(content), len(content) != len(numbered) or len(content[-1]) == 1024 * 1024)
