"""The fixed scripts that a Windows lab host understands, by the SHA-256 of their text, and what each does there."""

import hashlib
from pathlib import Path

from lab.checkin import WindowsClient
from lab.host import LabHost
from lab.windows.wsman import Script

AGENT = Path(__file__).resolve().parents[2] / "windows" / "Plumbline-Agent.ps1"
# `plumbline/collection/bootstrap.ps1`, as `collection` encodes it: comments and blank space as they stand there.
COLLECT_SHA256 = "ab017da08d9fc65afdf610d866ce8a72e554bfeca131db44c5c4e1a03d3455a4"


def scripts() -> dict[str, Script]:
    """What the endpoint knows."""
    return {COLLECT_SHA256: Script(_collect)}


def _collect(host: LabHost, stdin: bytes) -> tuple[bytes, bytes, int]:
    """Checks the file as the script does, and that it is the agent's; prints what the agent's `-Show` would."""
    wanted, _, file = stdin.partition(b"\n")
    if hashlib.sha256(file).hexdigest().encode() != wanted:
        return b"", b"plumbline: the file arrived damaged", 90
    if file != AGENT.read_bytes():
        return b"", b"the lab knows only the agent's own file", 1
    _, envelope, bodies = WindowsClient.show(host)
    host.journal(cause="winrm", collected=sorted(bodies))
    lines = [envelope, *bodies.values()]
    return ("\n".join(lines) + "\n").encode("ascii"), b"", 0
