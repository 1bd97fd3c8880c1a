"""How the Windows agent's file is run once on a host where it is not installed."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from plumbline.infra import resources

AGENT = resources.AGENTS / "windows" / "Plumbline-Agent.ps1"
_BOOTSTRAP = Path(__file__).with_name("bootstrap.ps1")
# The host's whole check-in takes at most a minute by the agent's own limits; starting PowerShell twice comes on top.
DEADLINE_SECONDS = 120.0


@cache
def command_line() -> tuple[str, tuple[str, ...]]:
    """The fixed command line of every collection: PowerShell with our bootstrap, nothing of the host or the caller in it."""
    encoded = base64.b64encode(_BOOTSTRAP.read_text("utf-8").encode("utf-16-le")).decode()
    return "powershell.exe", ("-NoProfile", "-NonInteractive", "-InputFormat", "None", "-EncodedCommand", encoded)


def standard_input() -> bytes:
    """What the bootstrap reads: the SHA-256 of the agent's file, a newline, the file."""
    file = AGENT.read_bytes()
    return hashlib.sha256(file).hexdigest().encode() + b"\n" + file
