"""The headers of a check-in: who says they send it, in which order, under which signature."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass

from plumbline.checkin.refusals import Refused, too_large, unreadable

PATH = "/agent/v1/check-in"
CONTENT_TYPE = b"application/vnd.plumbline.check-in+ndjson"
_HOST = re.compile(rb"[0-9a-f]{32}")
_NUMBER = re.compile(rb"[1-9]\d{0,18}")
_ID = re.compile(rb"[0-9a-f]{8,64}")
_SIGNATURE = re.compile(rb"[0-9a-f]{64}")
_SENT_AT = re.compile(rb"[0-9TZ:.+-]{10,40}")
_ENCODINGS = (b"identity", b"gzip", b"zstd")
_MAX_EPOCH = 2**31 - 1


@dataclass(slots=True)
class Claim:
    """What the headers say, syntax checked, nothing believed yet."""

    host_id: str
    epoch: int
    seq: int
    id: str
    generation: int
    sent_at: str
    encoding: str
    signature: bytes
    content_length: int | None

    def signed_text(self, body_sha256: str) -> bytes:
        """The text under the signature."""
        return (
            f"plumbline-1\nPOST\n{PATH}\n{self.host_id}\n{self.epoch}\n{self.seq}\n{self.id}\n{self.generation}\n"
            f"{self.sent_at}\n{self.encoding}\n{body_sha256}\n"
        ).encode()

    def is_signed_by(self, secret: bytes, body_sha256: str) -> bool:
        """Compares in constant time."""
        expected = hmac.digest(secret, self.signed_text(body_sha256), hashlib.sha256).hex().encode()
        return hmac.compare_digest(expected, self.signature)


def read_claim(headers: Iterable[tuple[bytes, bytes]]) -> Claim:
    """Reads ASGI headers (names in lower case). Raises `Refused`: 401 without a signature, 422 naming the header."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in found and (name.startswith(b"plumbline-") or name in (b"content-encoding", b"content-length", b"content-type")):
            raise unreadable("sent twice", f"header {name.decode('latin-1')}")
        found[name] = value
    signature = found.get(b"plumbline-signature", b"")
    if not _SIGNATURE.fullmatch(signature):
        raise Refused(401, "no signature, or not 64 hex digits")
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
    epoch = int(_header(found, b"plumbline-epoch", _NUMBER))
    generation = int(_header(found, b"plumbline-generation", _NUMBER))
    if max(epoch, generation) > _MAX_EPOCH:
        raise unreadable("out of range", "header Plumbline-Epoch or Plumbline-Generation")
    seq = int(_header(found, b"plumbline-seq", _NUMBER))
    if seq > 2**63 - 1:
        raise unreadable("out of range", "header Plumbline-Seq")
    return Claim(
        host_id=_header(found, b"plumbline-host", _HOST).decode(),
        epoch=epoch,
        seq=seq,
        id=_header(found, b"plumbline-id", _ID).decode(),
        generation=generation,
        sent_at=_header(found, b"plumbline-sent-at", _SENT_AT).decode(),
        encoding=encoding.decode(),
        signature=signature,
        content_length=None if length is None else int(length),
    )


def check_length(claim: Claim, limit: int) -> None:
    """Raises `Refused` (413) where the announced length is past the limit, before a byte of the body is read."""
    if claim.content_length is not None and claim.content_length > limit:
        raise too_large(f"the body is larger than {limit} bytes", "header Content-Length")


def _header(found: dict[bytes, bytes], name: bytes, pattern: re.Pattern[bytes]) -> bytes:
    value = found.get(name, b"")
    if not pattern.fullmatch(value):
        raise unreadable("missing or malformed", f"header {name.decode()}")
    return value
