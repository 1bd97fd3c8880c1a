"""Goes through a bundle once, whatever it is packed in, and keeps the few members that a reader asks for, in memory.

Nothing is ever written under a name from an archive: names are only compared with the list of what is wanted
(`core/facts/bundles/members.py`).
"""

import itertools
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from plumbline.bundles import tar, zips
from plumbline.bundles.limits import MIB, BadBundle, Budget, Incomplete, LimitReached
from plumbline.bundles.streams import CHUNK, Counted, Reads, Stream, Unpacked, packed_kind
from plumbline.core.facts.bundles.members import Want, want
from plumbline.core.facts.bundles.registry import RegistryReader

_ARCHIVE = re.compile(r"\.(?:tgz|tar|tar\.gz|tar\.bz2|tar\.xz|tbz2?|txz|zip)$", re.IGNORECASE)
_PACKED_FILE = re.compile(r"\.(?:gz|bz2|xz)$", re.IGNORECASE)
# A host's own saved state: keys and passwords, and no setting that other members do not tell.
_NEVER_OPENED = re.compile(
    r"(?:^|/)(?:local|state|onetime|useropts|features)\.tgz(?:\.ve)?$|(?:^|/)(?:alt)?bootbank/|(?:^|/)var/|(?:^|/)vmfs/", re.IGNORECASE
)
_DRIVE = re.compile(r"^[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Names that a report lists; the rest is only counted.
_LISTED = 200
_IN_MEMORY = 16 * MIB

Progress = Callable[[int], None]


@dataclass(slots=True)
class Gathered:
    """What was kept of one bundle: of one host's archive, or of a folder or zip as a whole.

    `files`: path inside the bundle -> content; `!` parts the levels of archives. `unused`: paths that no reader asks for, the first of
    them. `refused`: paths that were not read, with the reason. `is_cut`: the archive ends too early; what is here is whole.
    """

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    unused_count: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    is_cut: bool = False

    def pass_over(self, path: str) -> None:
        """Notes a member that no reader asks for."""
        self.unused_count += 1
        if len(self.unused) < _LISTED:
            self.unused.append(path)

    def refuse(self, path: str, why: str) -> None:
        """Notes a member that is not read."""
        if len(self.refused) < _LISTED:
            self.refused.append((path, why))


def read_archive(file: BinaryIO, name: str, budget: Budget, progress: Progress | None = None) -> Iterator[Gathered]:
    """What is in one file, an archive or a plain text: one `Gathered` for each host's own archive as soon as that is read, and one for the
    rest. Raises BadBundle where nothing can be read of it."""
    walk = _Walk(budget, progress)
    yield from walk.top(file, name)


def read_folder(folder: Path, budget: Budget) -> Iterator[Gathered]:
    """The same of a folder, its archives each on their own. Links are not followed."""
    rest = Gathered(folder.name)
    walk = _Walk(budget, None)
    try:
        for path in sorted(itertools.islice(folder.rglob("*"), budget.limits.members + 1)):
            inside = path.relative_to(folder).as_posix()
            if path.is_symlink():
                rest.refuse(inside, "it is a link")
            elif path.is_file():
                budget.take_member()
                with path.open("rb") as file:
                    if _ARCHIVE.search(path.name) and not _NEVER_OPENED.search(inside):
                        yield from walk.top(file, inside)
                    else:
                        walk.keep(rest, f"{folder.name}/{inside}", Counted(file), path.stat().st_size)
    except OSError as error:
        raise BadBundle(f"{folder} cannot be read: {error.strerror or error}") from None
    yield rest


class _Walk:
    def __init__(self, budget: Budget, progress: Progress | None) -> None:
        self._budget = budget
        self._progress = progress

    def top(self, file: BinaryIO, name: str) -> Iterator[Gathered]:
        """One file that was given by itself."""
        gathered = Gathered(name)
        head = file.read(tar.BLOCK)
        file.seek(0)
        if not head:
            raise BadBundle("it is empty: choose the bundle again")
        if zips.is_zip(head):
            yield from self._zip(file, gathered, "", 1)
        elif packed_kind(head) or tar.is_tar(head):
            yield from self._stream(_Told(file, self._progress), gathered, "", 1, name)
        elif head[:4] in (b"Rar!", b"7z\xbc\xaf") or head[:5] == b"MSCF\0":
            raise BadBundle("it is a RAR, 7-Zip or cabinet file: unpack it, and upload what is in it as a zip or tgz")
        else:
            self._budget.take_member()
            length = file.seek(0, 2)
            file.seek(0)
            self.keep(gathered, name, Counted(file), length)
        yield gathered

    # --- Archives ---------------------------------------------------------------------------------------------------------------------

    def _stream(self, source: Reads, gathered: Gathered, prefix: str, depth: int, name: str) -> Iterator[Gathered]:
        """A tar, packed or not, or one packed file."""
        stream = Stream(source)
        try:
            kind = packed_kind(stream.peek(8))
            if kind:
                stream = Stream(Unpacked(stream, kind, self._budget))
            if tar.is_tar(stream.peek(tar.BLOCK)):
                yield from self._tar(stream, gathered, prefix, depth)
            elif kind and zips.is_zip(stream.peek(4)):
                raise BadBundle("it is a zip that was packed again: unpack it once, and upload the zip")
            elif kind:
                self.keep(gathered, prefix + _PACKED_FILE.sub("", name), stream, 0)
            else:
                gathered.refuse(prefix or name, "it is not an archive, despite its name")
        except Incomplete:
            gathered.is_cut = True

    def _tar(self, stream: Stream, gathered: Gathered, prefix: str, depth: int) -> Iterator[Gathered]:
        for member in tar.members(stream, self._budget):
            path = self._path(gathered, prefix, member.name, member.odd)
            if path and member.is_file:
                yield from self._member(gathered, path, member.content, member.size, depth)

    def _zip(self, file: BinaryIO, gathered: Gathered, prefix: str, depth: int) -> Iterator[Gathered]:
        for member in zips.members(file, self._budget):
            path = self._path(gathered, prefix, member.name, member.odd)
            if not path or not member.is_file:
                continue
            if not self._is_wanted(path):
                gathered.pass_over(path)
                continue
            try:
                yield from self._member(gathered, path, member.open(), member.size, depth)
            except Incomplete:
                gathered.refuse(path, "it ends too early")
            if self._progress is not None:
                self._progress(file.tell())

    def _member(self, gathered: Gathered, path: str, content: Reads, size: int, depth: int) -> Iterator[Gathered]:
        if not _ARCHIVE.search(path):
            self.keep(gathered, path, content, size)
        elif _NEVER_OPENED.search(path):
            gathered.pass_over(path)
        elif depth >= self._budget.limits.nesting:
            gathered.refuse(path, f"archives are opened {self._budget.limits.nesting} levels deep, and this one lies deeper")
        else:
            yield from self._inner(gathered, path, content, size, depth + 1)

    def _inner(self, gathered: Gathered, path: str, content: Reads, size: int, depth: int) -> Iterator[Gathered]:
        """An archive inside another: a host's own tar is a bundle of its own, a zip is a part of what it lies in."""
        stream = Stream(content)
        own = Gathered(path)
        try:
            if zips.is_zip(stream.peek(4)):
                with self._copied(stream, size) as file:
                    yield from self._zip(file, gathered, path + "!", depth)
                return
            yield from self._stream(stream, own, "", depth, path.rpartition("/")[2])
        except LimitReached:
            raise
        except BadBundle as error:
            gathered.refuse(path, error.message)
            self._budget.let_go(sum(map(len, own.files.values())))
            return
        yield own

    def _copied(self, stream: Stream, size: int) -> BinaryIO:
        """A zip as a file that can be read from its end: in memory, or nameless on disk where it is large."""
        if size > self._budget.limits.inner_zip_bytes:
            raise BadBundle(f"a zip of more than {self._budget.limits.inner_zip_bytes // MIB:,} MiB lies in it: upload that zip by itself")
        file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (the caller closes it)
        count = 0
        while data := stream.read(CHUNK):
            count += len(data)
            if count > self._budget.limits.inner_zip_bytes:
                file.close()
                raise BadBundle(
                    f"a zip of more than {self._budget.limits.inner_zip_bytes // MIB:,} MiB lies in it: upload that zip by itself"
                )
            file.write(data)
        file.seek(0)
        return file  # type: ignore[return-value]

    # --- Members ----------------------------------------------------------------------------------------------------------------------

    def _path(self, gathered: Gathered, prefix: str, name: str, odd: str) -> str:
        """A member's path to compare with the list; empty where it is refused."""
        plain = name.replace("\\", "/")
        shown = _CONTROL.sub("?", plain)[:200]
        if odd:
            gathered.refuse(prefix + shown, f"it is {odd}")
            return ""
        if plain.startswith("/") or _DRIVE.match(plain) or ".." in plain.split("/") or _CONTROL.search(plain) or len(plain) > 2000:
            gathered.refuse(prefix + shown, "its name leads out of the archive or is none that a collector writes")
            return ""
        return prefix + "/".join(part for part in plain.split("/") if part not in ("", "."))

    def _is_wanted(self, path: str) -> bool:
        return _ARCHIVE.search(path) is not None or want(_PACKED_FILE.sub("", path)) is not None

    def keep(self, gathered: Gathered, path: str, content: Reads, size: int) -> None:
        """Keeps one member where a reader asks for it and it is not too large; `size` is what the archive says, 0 where it does not."""
        packed = _PACKED_FILE.search(path)
        bare = path[: packed.start()] if packed else path
        wanted = want(bare)
        if wanted is None:
            gathered.pass_over(path)
            return
        if packed:
            stream = Stream(content)
            kind = packed_kind(stream.peek(8))
            content, size = (Unpacked(stream, kind, self._budget), 0) if kind else (stream, size)
        try:
            if wanted is Want.REGISTRY:
                data: bytes | None = _registry(content)
            else:
                data = self._whole(content, size, wanted.most_bytes)
        except LimitReached:
            raise
        except BadBundle as error:
            gathered.refuse(path, error.message)
            return
        if data is None:
            gathered.refuse(path, f"it is larger than such a file is ({wanted.most_bytes // MIB} MiB)")
        elif not self._budget.may_keep(len(data)):
            gathered.refuse(path, f"more than {self._budget.limits.kept_bytes // MIB} MiB of outputs lie in the bundle already")
        elif bare in gathered.files:
            # The same name twice in one archive: the later copy is what unpacking it would leave.
            self._budget.let_go(len(gathered.files[bare]))
            gathered.files[bare] = data
        else:
            gathered.files[bare] = data

    def _whole(self, content: Reads, size: int, most: int) -> bytes | None:
        most = min(most, self._budget.limits.member_bytes)
        if size > most:
            return None
        parts: list[bytes] = []
        count = 0
        while data := content.read(CHUNK):
            count += len(data)
            if count > most:
                return None
            parts.append(data)
        return b"".join(parts)


class _Told:
    """A file that tells how far it was read."""

    def __init__(self, file: BinaryIO, progress: Progress | None) -> None:
        self._file = file
        self._progress = progress
        self._count = 0

    def read(self, size: int, /) -> bytes:
        data = self._file.read(size)
        self._count += len(data)
        if self._progress is not None:
            self._progress(self._count)
        return data


def _registry(content: Reads) -> bytes:
    reader = RegistryReader()
    while data := content.read(CHUNK):
        reader.feed(data)
    return reader.result()
