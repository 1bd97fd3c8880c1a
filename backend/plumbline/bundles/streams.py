"""Byte streams that are read once, forwards: files, compressed streams, and the parts of one."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

from plumbline.bundles.limits import BadBundle, Budget, Incomplete

CHUNK = 256 * 1024
_INFLATED = 1024 * 1024


class Reads(Protocol):
    """Anything that gives at most `size` bytes, and none at its end."""

    def read(self, size: int, /) -> bytes: ...


class Stream:
    """A stream with a buffer: reads exactly, and skips without keeping."""

    def __init__(self, source: Reads) -> None:
        self._source = source
        self._held = b""
        self._at = 0

    def _fill(self) -> bool:
        self._held, self._at = self._source.read(_INFLATED), 0
        return bool(self._held)

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        if self._at >= len(self._held) and not self._fill():
            return b""
        part = self._held[self._at : self._at + size]
        self._at += len(part)
        return part

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay to be read; fewer only at the end."""
        while len(self._held) - self._at < size:
            more = self._source.read(_INFLATED)
            if not more:
                break
            self._held, self._at = self._held[self._at :] + more, 0
        return self._held[self._at : self._at + size]

    def exactly(self, size: int) -> bytes:
        """This many bytes; raises Incomplete where there are fewer."""
        parts = []
        while size:
            part = self.read(size)
            if not part:
                raise Incomplete
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def skip(self, size: int) -> None:
        """Passes over this many bytes; raises Incomplete where there are fewer."""
        while size:
            if self._at >= len(self._held) and not self._fill():
                raise Incomplete
            step = min(size, len(self._held) - self._at)
            self._at += step
            size -= step


class Part:
    """The next `size` bytes of a stream, as a stream of its own."""

    def __init__(self, stream: Stream, size: int) -> None:
        self._stream = stream
        self.left = size

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes of the part; raises Incomplete where the stream ends within it."""
        if not self.left:
            return b""
        got = self._stream.read(min(size, self.left))
        if not got:
            raise Incomplete
        self.left -= len(got)
        return got

    def finish(self) -> None:
        """Passes over what was not read."""
        left, self.left = self.left, 0
        self._stream.skip(left)


class Counted:
    """A file that counts what it gave."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        data = self._file.read(size)
        self.count += len(data)
        return data


_MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0"}


class Unpacked:
    """A gzip, bzip2 or xz stream, unpacked in bounded steps. Several streams one after another are one; other bytes behind a whole stream
    are ignored, as their tools do."""

    def __init__(self, source: Reads, kind: str, budget: Budget) -> None:
        self._source = source
        self._kind = kind
        self._budget = budget
        self._input = b""
        self._step = _step_of(kind)
        self._is_inside = True
        self.packed = 0
        self.unpacked = 0

    def read(self, size: int, /) -> bytes:
        """At most `size` unpacked bytes; raises Incomplete where the packed stream was cut, BadBundle where it is damaged."""
        while True:
            if not self._is_inside:
                self._fill_to(len(_MAGIC[self._kind]))
                if not self._input.startswith(_MAGIC[self._kind]):
                    return b""
                self._step, self._is_inside = _step_of(self._kind), True
            try:
                data, rest, wants_input, is_end = self._step(self._input, size)
            except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, MemoryError):
                raise BadBundle(
                    f"its {self._kind} stream is damaged after {self.unpacked:,} bytes: copy the bundle again, and compare the sizes"
                ) from None
            self._input = rest
            if is_end:
                self._is_inside = False
            if data:
                self.unpacked += len(data)
                self._budget.take_bytes(len(data))
                self._budget.check_ratio(self.unpacked, self.packed)
                return data
            if wants_input and not is_end and not self._fill_to(len(self._input) + 1):
                raise Incomplete

    def _fill_to(self, size: int) -> bool:
        while len(self._input) < size:
            more = self._source.read(CHUNK)
            if not more:
                return False
            self.packed += len(more)
            self._input += more
        return True


# One step: (packed input, most to give) -> (unpacked, input that is left, more input is wanted, the stream ended).
_Step = Callable[[bytes, int], tuple[bytes, bytes, bool, bool]]


def _step_of(kind: str) -> _Step:
    if kind == "gzip":
        inflate = zlib.decompressobj(31)

        def gzip_step(given: bytes, size: int) -> tuple[bytes, bytes, bool, bool]:
            data = inflate.decompress(given, size)
            if inflate.eof:
                return data, inflate.unused_data, False, True
            return data, inflate.unconsumed_tail, not inflate.unconsumed_tail, False

        return gzip_step
    other = bz2.BZ2Decompressor() if kind == "bzip2" else lzma.LZMADecompressor(memlimit=128 * 1024 * 1024)

    def other_step(given: bytes, size: int) -> tuple[bytes, bytes, bool, bool]:
        data = other.decompress(given, size)
        return data, other.unused_data if other.eof else b"", other.needs_input, other.eof

    return other_step


def packed_kind(head: bytes) -> str:
    """Which compression a stream begins with; empty for none."""
    return next((kind for kind, magic in _MAGIC.items() if head.startswith(magic)), "")
