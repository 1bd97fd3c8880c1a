"""Host keys and certificates that a host's own agent reported in its `system` section. They prove the host's identity."""

from typing import Any

import msgspec
import zstandard
from sqlalchemy import text
from sqlmodel import Session


def pins_of(platform: str, system: bytes) -> list[str]:
    """Public SSH key lines of an ESXi host, SHA-256 of the WinRM certificates of a Windows host; empty where the section has none."""
    try:
        reads: dict[str, Any] = msgspec.json.decode(system, type=dict[str, Any])
    except msgspec.DecodeError:
        return []
    if platform == "esxi":
        keys = reads.get("ssh host keys", {})
        lines = str(keys.get("output") or "").splitlines() if isinstance(keys, dict) and keys.get("status") == "ok" else []
        # Without the comment at the end of the line, which is free text.
        return [" ".join(line.split()[:2]) for line in lines if len(line.split()) >= 2]
    listeners = reads.get("WSMan:Listener", {})
    rows = listeners.get("rows") if isinstance(listeners, dict) else None
    digests = [str(row.get("CertificateSha256") or "").replace(":", "").lower() for row in rows or [] if isinstance(row, dict)]
    return [sha256 for sha256 in digests if len(sha256) == 64 and all(char in "0123456789abcdef" for char in sha256)]


_SYSTEM = text(
    "SELECT b.content, d.content FROM host_section s JOIN section_body b ON b.id = s.body_id "
    "LEFT JOIN compression_dictionary d ON d.id = b.dictionary_id WHERE s.host_id = :id AND s.section = 'system' AND s.status = 'ok'"
)


def stored_pins(session: Session, host_id: str, platform: str) -> list[str]:
    """Pins from the newest `system` section that the host's own agent sent; empty where it sent none."""
    row = session.execute(_SYSTEM, {"id": host_id}).first()
    if row is None:
        return []
    packed, dictionary = bytes(row[0]), row[1]
    unpacker = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(bytes(dictionary)) if dictionary is not None else None)
    return pins_of(platform, unpacker.decompress(packed))
