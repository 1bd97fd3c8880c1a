"""Archives for tests: made in memory, of files that tests name."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping

PART = 1024 * 1024


def tgz(files: Mapping[str, bytes], *, top: str = "", shuffled: bool = False) -> bytes:
    """A packed tar of these files below a top folder, in their order or in another."""
    return gzip.compress(tar(files, top=top, shuffled=shuffled), 1)


def tar(files: Mapping[str, bytes], *, top: str = "", shuffled: bool = False) -> bytes:
    """The same, not packed."""
    buffer = io.BytesIO()
    names = sorted(files, key=lambda name: (hash_of(name), name)) if shuffled else list(files)
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in names:
            info = tarfile.TarInfo(f"{top}/{name}" if top else name)
            info.size = len(files[name])
            archive.addfile(info, io.BytesIO(files[name]))
    return buffer.getvalue()


def hash_of(name: str) -> int:
    """A fixed order that is none of the names'."""
    return sum((at + 7) * ord(char) for at, char in enumerate(name)) % 97


def zipped(files: Mapping[str, bytes], *, stored: bool = False) -> bytes:
    """A zip of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def in_parts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files of commands in parts of 1 MiB, as the collector stores them."""
    found: dict[str, bytes] = {}
    for name, content in files.items():
        if len(content) < PART or "/" not in name:
            found[name] = content
            continue
        for number in range(0, len(content), PART):
            found[f"{name}.FRAG-{number // PART:05d}"] = content[number : number + PART]
    return found
