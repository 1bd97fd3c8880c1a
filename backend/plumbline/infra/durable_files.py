"""Small files that a power cut or a full disk must not leave half written: keys, passwords, certificates, exported lines.

Each is whole or not there, and stays once the function has returned: the bytes and the name in the folder are both synced to disk.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_new(path: Path, content: bytes, *, mode: int = 0o600) -> bool:
    """Creates the file; False where there is one already, which is left as it is. Raises `OSError` and leaves nothing."""
    draft = _drafted(path, content, mode)
    try:
        # A link, unlike a rename, refuses to replace a file that another process wrote meanwhile.
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
        _sync_folder(path.parent)
    return True


def replace(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Creates the file or puts the new content in its place. Raises `OSError` and leaves the old one."""
    draft = _drafted(path, content, mode)
    try:
        draft.replace(path)
    except OSError:
        draft.unlink()
        raise
    _sync_folder(path.parent)


def append_line(path: Path, line: str) -> None:
    """Adds a line to a text file. A last line without its end, which a power cut or a full disk left, is cut off first: nobody was told
    that it was written. Raises `OSError` and leaves no part of the line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        end = _end_of_last_line(descriptor)
        os.ftruncate(descriptor, end)
        data = line.encode() + b"\n"
        try:
            written = os.pwrite(descriptor, data, end)
            if written < len(data):
                raise OSError(28, os.strerror(28), str(path))
            os.fsync(descriptor)
        except OSError:
            with suppress(OSError):
                os.ftruncate(descriptor, end)
            raise
    finally:
        os.close(descriptor)
    if is_new:
        _sync_folder(path.parent)


def _end_of_last_line(descriptor: int) -> int:
    """Where the last line that has its end ends."""
    position = os.fstat(descriptor).st_size
    while position > 0:
        begin = max(0, position - 4096)
        found = os.pread(descriptor, position - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        position = begin
    return 0


def _drafted(path: Path, content: bytes, mode: int) -> Path:
    """The content under another name in the same folder, on disk."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return draft


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
