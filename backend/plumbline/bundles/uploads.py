"""Uploaded bundles while they arrive: one file for each, under its assessment's number, deleted once it is opened for reading.

Parts come one after another; a part for another place than the end is refused with the place that is awaited, so that an upload can go on
after a broken connection.
"""

import os
import time
from io import BufferedReader
from pathlib import Path

from plumbline.bundles.limits import MIB
from plumbline.infra.errors import BadInput, Conflict
from plumbline.infra.settings import get_settings

LARGEST_BUNDLE = 8192 * MIB
# Bytes of one part; the body of every request is bounded at 1 MiB.
LARGEST_PART = 1_000_000
_ABANDONED_SECONDS = 24 * 3600


def _folder() -> Path:
    folder = get_settings().home / "bundles"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _path(assessment_id: int) -> Path:
    return _folder() / f"{assessment_id}.part"


def begin(assessment_id: int) -> None:
    """Makes room for an upload, and deletes what others abandoned a day ago."""
    for path in _folder().glob("*.part"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()
        except FileNotFoundError:
            continue
    _path(assessment_id).touch(mode=0o600, exist_ok=False)


def received(assessment_id: int) -> int:
    """Bytes that arrived; 0 where nothing of it is here."""
    try:
        return _path(assessment_id).stat().st_size
    except FileNotFoundError:
        return 0


def append(assessment_id: int, *, offset: int, content: bytes, size: int) -> int:
    """Adds a part at its place; returns the bytes that are here. Raises `Conflict` for another place than the end."""
    if not content or len(content) > LARGEST_PART:
        raise BadInput(f"a part holds 1 to {LARGEST_PART:,} bytes")
    try:
        descriptor = os.open(_path(assessment_id), os.O_WRONLY | os.O_APPEND)
    except FileNotFoundError:
        raise Conflict("the upload was given up, or its file was read already: begin again") from None
    with os.fdopen(descriptor, "ab") as file:
        have = os.fstat(descriptor).st_size
        if have != offset:
            raise Conflict(f"the next part begins at byte {have}", received_bytes=have)
        if have + len(content) > size:
            raise BadInput(f"the bundle was announced with {size:,} bytes, and this part goes beyond them: begin again")
        try:
            file.write(content)
            file.flush()
        except OSError as error:
            raise Conflict(f"the part cannot be stored ({error.strerror}): report this to the operator of Plumbline") from None
    return have + len(content)


def take(assessment_id: int) -> BufferedReader:
    """The whole file, opened and deleted: nothing of it stays after it is closed. Raises `FileNotFoundError`."""
    path = _path(assessment_id)
    file = path.open("rb")
    path.unlink()
    return file


def discard(assessment_id: int) -> None:
    """Deletes what arrived."""
    _path(assessment_id).unlink(missing_ok=True)
