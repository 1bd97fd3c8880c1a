"""The command that runs the Windows agent's file once on a host where it is not installed."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from plumbline.infra import resources

AGENT = resources.AGENTS / "windows" / "Plumbline-Agent.ps1"
_BOOTSTRAP = Path(__file__).with_name("bootstrap.ps1")
# The agent's own limits add up to a minute; starting PowerShell twice is added to that.
DEADLINE_SECONDS = 120.0
# Exit code of bootstrap and agent where the host's policy allows constrained language only.
CONSTRAINED = 5


@cache
def command_line() -> tuple[str, tuple[str, ...]]:
    """The command line of every collection: PowerShell with Plumbline's bootstrap. It holds nothing that a caller or host sent."""
    encoded = base64.b64encode(_BOOTSTRAP.read_text("utf-8").encode("utf-16-le")).decode()
    return "powershell.exe", ("-NoProfile", "-NonInteractive", "-InputFormat", "None", "-EncodedCommand", encoded)


def standard_input(*, watch_seconds: int = 0) -> bytes:
    """What the bootstrap reads: a line with the SHA-256 of the agent's file and what the agent does, then the file.

    It prints a check-in, or with `watch_seconds` (at most 999) its counters for that long.
    """
    file = AGENT.read_bytes()
    act = f"-Watch {watch_seconds}" if watch_seconds else "-Show"
    return f"{hashlib.sha256(file).hexdigest()} {act}\n".encode() + file
