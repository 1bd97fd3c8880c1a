"""The log of `plumbline up`: writing to it never raises, and it is rotated by size.

On a full disk lines are lost, and the log shows how many once there is room again. A supervisor that ended because of its log would end, or
leave alone, everything that it looks after.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

# One file and the four before it.
MAX_BYTES = 20 * 1024 * 1024
KEPT_FILES = 4
# While nothing can be written, so often it is tried again. What came in between is lost.
RETRY_SECONDS = 1.0


class LogFile:
    """What `print` needs of a file. `name` is its path."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        self.name = str(path)
        self._path = path
        self._max_bytes = max_bytes
        self._descriptor: int | None = None
        self._size = 0
        self._rest = ""
        self._lost_lines = 0
        self._retry_at = 0.0
        # Whether the last line is whole: a full disk may take half of one.
        self._is_line_whole = True

    def isatty(self) -> bool:
        """Never: no colours."""
        return False

    def flush(self) -> None:
        """Nothing waits: every write goes to the system at once."""

    def write(self, text: str) -> int:
        """Writes whole lines, or counts them as lost; what is not a whole line yet waits for its end. Never raises."""
        lines, end, rest = (self._rest + text).rpartition("\n")
        self._rest = rest
        if end:
            self._write_lines(lines + end)
        return len(text)

    def _write_lines(self, lines: str) -> None:
        now = time.monotonic()
        count = lines.count("\n")
        if self._lost_lines:
            if now < self._retry_at:
                self._lost_lines += count
                return
            said = f"{self._lost_lines} lines are missing here: the log could not be written\n"
            lines = ("" if self._is_line_whole else "\n") + said + lines
        if self._put(lines.encode("utf-8", "replace")):
            self._lost_lines = 0
        else:
            self._lost_lines += count
            self._retry_at = now + RETRY_SECONDS

    def close(self) -> None:
        """Closes the file. The next write opens it again."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None

    def _put(self, data: bytes) -> bool:
        try:
            descriptor = self._open() if self._descriptor is None else self._descriptor
            if self._size and self._size + len(data) > self._max_bytes:
                descriptor = self._rotate()
            written = os.write(descriptor, data)
            self._size += written
            self._is_line_whole = written == len(data) or (written == 0 and self._is_line_whole)
            return written == len(data)
        except OSError:
            return False

    def _open(self) -> int:
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)
        self._size = os.fstat(self._descriptor).st_size
        return self._descriptor

    def _rotate(self) -> int:
        """Renames plumbline.log to .1, that one to .2, and so on; the oldest is deleted."""
        self.close()
        for number in range(KEPT_FILES, 0, -1):
            before = self._path.with_name(f"{self._path.name}.{number - 1}" if number > 1 else self._path.name)
            with suppress(FileNotFoundError):
                before.replace(self._path.with_name(f"{self._path.name}.{number}"))
        return self._open()
