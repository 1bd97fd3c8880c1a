"""The headers of a check-in: host, order and signature."""

import hashlib
import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import NoReturn

from plumbline.checkin.errors import Refused, too_large, unreadable

PATH = "/agent/v1/check-in"
CONTENT_TYPE = b"application/vnd.plumbline.check-in+ndjson"
_HOST = re.compile(rb"[0-9a-f]{32}")
_NUMBER = re.compile(rb"[1-9]\d{0,18}")
_ID = re.compile(rb"[0-9a-f]{8,64}")
_SIGNATURE = re.compile(rb"[0-9a-f]{64}")
_SENT_AT = re.compile(rb"[0-9TZ:.+-]{10,40}")
_ENCODINGS = (b"identity", b"gzip", b"zstd")
_MAX_EPOCH = 2**31 - 1
_MAX_SEQ = 2**63 - 1
_SIGNED = f"plumbline-1\nPOST\n{PATH}\n".encode()
_PATTERNS = {
    b"plumbline-host": _HOST, b"plumbline-epoch": _NUMBER, b"plumbline-seq": _NUMBER, b"plumbline-id": _ID,
    b"plumbline-generation": _NUMBER, b"plumbline-sent-at": _SENT_AT, b"plumbline-signature": _SIGNATURE,
}  # fmt: skip
_NAMES = tuple(_PATTERNS)
# All headers of a check-in, a line each. Only where they do not match is each header checked by itself.
_WHOLE = re.compile(rb"((%s)\n(%s)\n(%s)\n(%s)\n(%s)\n(%s))\n(%s)" % tuple(each.pattern for each in _PATTERNS.values()))


@dataclass(slots=True)
class CheckInHeaders:
    """The headers, with their syntax checked and nothing verified yet."""

    host_id: str
    epoch: int
    seq: int
    id: str
    generation: int
    sent_at: str
    encoding: str
    signature: bytes
    content_length: int | None
    # Host, epoch, seq, id, generation and sent_at as written in the headers, a line each.
    identity: bytes = b""

    def signed_text(self, body_sha256: str) -> bytes:
        """The text under the signature."""
        return b"%s%s\n%s\n%s\n" % (_SIGNED, self.identity, self.encoding.encode(), body_sha256.encode())

    def is_signed_by(self, secret: bytes, body_sha256: str) -> bool:
        """Compares in constant time."""
        expected = hmac.digest(secret, self.signed_text(body_sha256), hashlib.sha256).hex().encode()
        return hmac.compare_digest(expected, self.signature)


def read_headers(headers: Collection[tuple[bytes, bytes]]) -> CheckInHeaders:
    """Reads ASGI headers (names in lower case). Raises `Refused`: 401 without a signature, 422 naming the header."""
    found = dict(headers)
    if len(found) != len(headers):
        _refuse_twice(headers)
    whole = _WHOLE.fullmatch(b"\n".join([found.get(name, b"") for name in _NAMES]))
    if whole is None:
        _refuse_malformed(found)
    content_type = found.get(b"content-type", b"")
    if content_type != CONTENT_TYPE and content_type.split(b";")[0].strip().lower() != CONTENT_TYPE:
        raise unreadable(f"must be {CONTENT_TYPE.decode()}", "header Content-Type")
    encoding = found.get(b"content-encoding", b"identity")
    if encoding not in _ENCODINGS:
        encoding = encoding.strip().lower() or b"identity"
        if encoding not in _ENCODINGS:
            raise unreadable("must be gzip, zstd or absent", "header Content-Encoding")
    length = found.get(b"content-length")
    if length is not None and not (length.isdigit() and len(length) <= 12):
        raise unreadable("not a number", "header Content-Length")
    identity, host_id, epoch, seq, request_id, generation, sent_at, signature = whole.groups()
    read = CheckInHeaders(
        host_id.decode(), int(epoch), int(seq), request_id.decode(), int(generation), sent_at.decode(), encoding.decode(), signature,
        None if length is None else int(length), identity,
    )  # fmt: skip
    if read.epoch > _MAX_EPOCH or read.generation > _MAX_EPOCH:
        raise unreadable("out of range", "header Plumbline-Epoch or Plumbline-Generation")
    if read.seq > _MAX_SEQ:
        raise unreadable("out of range", "header Plumbline-Seq")
    return read


def _refuse_twice(headers: Collection[tuple[bytes, bytes]]) -> None:
    seen: set[bytes] = set()
    for name, _ in headers:
        if name in seen and (name.startswith(b"plumbline-") or name in (b"content-encoding", b"content-length", b"content-type")):
            raise unreadable("sent twice", f"header {name.decode('latin-1')}")
        seen.add(name)


def _refuse_malformed(found: dict[bytes, bytes]) -> NoReturn:
    """Refuses, naming the header; without a signature the response says nothing else."""
    if not _SIGNATURE.fullmatch(found.get(b"plumbline-signature", b"")):
        raise Refused(401, "no signature, or not 64 hex digits")
    for name, pattern in _PATTERNS.items():
        if not pattern.fullmatch(found.get(name, b"")):
            raise unreadable("missing or malformed", f"header {name.decode()}")
    raise unreadable("malformed", "headers")


def check_length(headers: CheckInHeaders, limit: int) -> None:
    """Raises `Refused` (413) where the announced length is past the limit, before a byte of the body is read."""
    if headers.content_length is not None and headers.content_length > limit:
        raise too_large(f"the body is larger than {limit} bytes", "header Content-Length")
