"""The file of a bundle: a zip archive with fixed order and times, an index with the hash of every file and record, and its signature."""

import base64
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from plumbline.evidence.verify_bundle import FORMAT, INDEX, RECORD_BYTES, SIGNATURE, canonical, key_id

Sign = Callable[[bytes], bytes]


class BundleWriter:
    """Writes the members of a bundle one after the other; `sign` ends it. Equal records give equal bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._archive = zipfile.ZipFile(path, "w")
        self._files: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def add_records(self, name: str, records: Iterable[Mapping[str, Any]]) -> int:
        """A file of records, one canonical JSON object a line. How many there were."""
        whole, marks, count = hashlib.sha256(), bytearray(), 0
        info = _info(name, zipfile.ZIP_DEFLATED)
        with self._archive.open(info, "w") as file:
            for record in records:
                line = canonical(record)
                file.write(line + b"\n")
                whole.update(line + b"\n")
                marks += hashlib.sha256(line).digest()[:RECORD_BYTES]
                count += 1
        self._files.append(
            {
                "name": name,
                "sha256": whole.hexdigest(),
                "packed_sha256": self._packed_digest(info),
                "records": base64.b64encode(marks).decode(),
            }
        )
        return count

    def add_file(self, name: str, content: bytes) -> None:
        """A file that is one whole."""
        info = _info(name, zipfile.ZIP_DEFLATED)
        self._archive.writestr(info, content)
        packed = self._packed_digest(info)
        self._files.append({"name": name, "sha256": hashlib.sha256(content).hexdigest(), "packed_sha256": packed})

    def _packed_digest(self, info: zipfile.ZipInfo) -> str:
        self._archive.fp.flush()  # type: ignore[union-attr]
        digest = hashlib.sha256()
        with self._path.open("rb") as file:
            # The local header of a member without extra fields.
            file.seek(info.header_offset + 30 + len(info.filename.encode()))
            left = info.compress_size
            while left:
                chunk = file.read(min(left, 1 << 20))
                digest.update(chunk)
                left -= len(chunk)
        return digest.hexdigest()

    def sign(self, public_key: bytes, sign: Sign) -> None:
        """Adds the index and the signature over it. Both are stored unpacked: what is signed is exactly these bytes."""
        index = json.dumps({"format": FORMAT, "files": self._files}, indent=1, sort_keys=True).encode() + b"\n"
        signature = {
            "algorithm": "Ed25519",
            "format": FORMAT,
            "key": public_key.hex(),
            "key_id": key_id(public_key),
            "signature": sign(FORMAT.encode() + b"\0" + index).hex(),
            "signs": INDEX,
        }
        self._archive.writestr(_info(INDEX, zipfile.ZIP_STORED), index)
        self._archive.writestr(_info(SIGNATURE, zipfile.ZIP_STORED), canonical(signature) + b"\n")


def _info(name: str, method: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type = method
    info.create_system = 3
    info.external_attr = 0o600 << 16
    return info
