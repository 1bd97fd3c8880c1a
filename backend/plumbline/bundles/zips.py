"""Reads a zip by the list at its end, which is measured before it is read. Members are read one by one and written nowhere."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from plumbline.bundles.limits import MIB, BadBundle, Budget, Incomplete
from plumbline.bundles.streams import Reads

# End of central directory (APPNOTE 4.3.16) and its 64-bit locator; a comment of at most 64 KiB stands behind it.
_END, _END_SIZE = b"PK\x05\x06", 22
_END64_LOCATOR, _END64 = b"PK\x06\x07", b"PK\x06\x06"
_LARGEST_LIST = 64 * MIB
_ENCRYPTED = 0x1
# Stored and deflate: what collectors and desktops write, and what unpacks in bounded steps.
_METHODS = {0, 8}
_METHOD_NAMES = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ", 98: "PPMd", 99: "AES encryption"}


@dataclass(frozen=True, slots=True)
class ZipMember:
    """One member. `odd` says why it cannot be read; `open` gives its content."""

    name: str
    size: int
    is_file: bool
    odd: str
    open: Callable[[], "_Content"]


def is_zip(head: bytes) -> bool:
    """Whether a file begins as a zip does; a spanned one too, and one without members."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))


class _Content:
    """A member's content; raises Incomplete or BadBundle, whatever the reader of the zip raises."""

    def __init__(self, source: zipfile.ZipExtFile, packed: int, budget: Budget) -> None:
        self._source = source
        self._packed = max(packed, 1)
        self._budget = budget
        self._count = 0

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        try:
            data = self._source.read(size)
        except EOFError:
            raise Incomplete from None
        except _FAULTS:
            raise BadBundle("a file in the zip is damaged: copy the bundle again, and compare the sizes") from None
        self._count += len(data)
        self._budget.take_bytes(len(data))
        self._budget.check_ratio(self._count, self._packed)
        return data


_FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, OSError, ValueError, RuntimeError, NotImplementedError, IndexError, KeyError)


def members(file: BinaryIO, budget: Budget) -> Iterator[ZipMember]:
    """The members in the order of the list. Raises BadBundle where there is no list or the zip is encrypted as a whole."""
    _measure_list(file, budget)
    try:
        # It decodes names by their flag, and checks that members do not overlap.
        opened = zipfile.ZipFile(file)
        listed = opened.infolist()
    except (*_FAULTS, EOFError, UnicodeDecodeError, OverflowError):
        raise BadBundle("the list of files in the zip is damaged: copy the bundle again, and compare the sizes") from None
    # A damaged list may hold a name of no characters.
    files = [info for info in listed if info.filename and not info.filename.endswith("/")]
    if files and all(info.flag_bits & _ENCRYPTED for info in files):
        raise BadBundle("the zip is protected by a password: unpack it, and upload what is in it as a zip without a password")
    for info in listed:
        budget.take_member()
        is_file = bool(info.filename) and not info.filename.endswith("/")
        yield ZipMember(info.filename, info.file_size, is_file, _why_odd(info), _opener(opened, info, budget))


def _opener(opened: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Callable[[], _Content]:
    def open_member() -> _Content:
        try:
            return _Content(opened.open(info), info.compress_size, budget)  # type: ignore[arg-type]
        except (*_FAULTS, EOFError, UnicodeDecodeError, OverflowError):
            raise BadBundle("a file in the zip is damaged: copy the bundle again, and compare the sizes") from None

    return open_member


def _why_odd(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _ENCRYPTED:
        return "protected by a password"
    if info.compress_type not in _METHODS:
        return f"packed by {_METHOD_NAMES.get(info.compress_type, f'method {info.compress_type}')}, which is not read here"
    kind = (info.external_attr >> 16) & 0o170000 if info.create_system == 3 else 0
    return "a symbolic link" if kind == 0o120000 else "neither a file nor a folder" if kind not in (0, 0o100000, 0o040000) else ""


def _measure_list(file: BinaryIO, budget: Budget) -> None:
    """Refuses a list of more members or bytes than a bundle has, before it is read into memory."""
    length = file.seek(0, 2)
    reach = min(length, _END_SIZE + 65535 + 20)
    file.seek(length - reach)
    tail = file.read(reach)
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise BadBundle("the zip ends before its list of files, as a cut download does: download it again, and compare the sizes")
    disk, first_disk, _, count, size = struct.unpack("<HHHHI", tail[at + 4 : at + 16])
    if count == 0xFFFF or size == 0xFFFFFFFF:
        locator = tail.rfind(_END64_LOCATOR, 0, at)
        place = struct.unpack("<Q", tail[locator + 8 : locator + 16])[0] if locator >= 0 and at - locator >= 20 else length
        file.seek(min(place, length))
        record = file.read(56)
        if len(record) == 56 and record.startswith(_END64):
            count, size = struct.unpack("<QQ", record[32:48])
    elif disk or first_disk:
        raise BadBundle("it is one part of a zip that was split: join the parts first, and upload the whole")
    if size > _LARGEST_LIST or count > budget.limits.members:
        raise BadBundle(
            f"its list names more than {budget.limits.members:,} files, more than any support bundle: upload one host's bundle alone"
        )
    file.seek(0)


__all__ = ["Reads", "ZipMember", "is_zip", "members"]
