"""Do-not-fragment pings that a host sends from its own SAN addresses: one of Plumbline's fixed scripts, with sizes and addresses as data.

They change nothing, so they may be sent again when no answer comes.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from plumbline.channels.errors import CommandRefused, OutcomeUnknown
from plumbline.channels.runner import ConstrainedLanguage, fixed_python, fixed_script
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.infra import resources

Outcome = Literal["ok", "too_big", "silent", "not_run"]
OUTCOMES: tuple[Outcome, ...] = ("ok", "too_big", "silent", "not_run")
# The scripts stop after half a minute; connecting and starting them is added to that.
DEADLINE_SECONDS = 60.0
_AT_ONCE = 128
_ESXI = resources.AGENTS / "esxi" / "send_probes.py"
_WINDOWS = resources.AGENTS / "windows" / "Send-Probe.ps1"
_VMK = re.compile(r"vmk[0-9]{1,4}")
_ADDRESS = re.compile(r"[0-9A-Fa-f.:]{2,45}")
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])")


@dataclass(frozen=True, slots=True)
class Pair:
    """One ping: from a VMkernel interface (ESXi) or a source address (Windows) to a portal's address."""

    source: str
    portal: str


def send(
    channel: SshChannel | WinRmChannel, size_bytes: int, pairs: Sequence[Pair], *, deadline_seconds: float = DEADLINE_SECONDS
) -> list[Outcome]:
    """The outcome of one ping for each pair, `size_bytes` being the L3 size.

    Raises CommandRefused where this platform cannot ping one of the pairs, ConstrainedLanguage, OutcomeUnknown and the other errors of a
    channel.
    """
    is_esxi = isinstance(channel, SshChannel)
    source, portal = (_VMK, _ADDRESS) if is_esxi else (_IPV4, _IPV4)
    wrong = next((pair for pair in pairs if not source.fullmatch(pair.source) or not portal.fullmatch(pair.portal)), None)
    if wrong is not None or not pairs or len(pairs) > _AT_ONCE or not 576 <= size_bytes <= 65_535:
        raise CommandRefused(f"no ping can be sent from {wrong.source!r} to {wrong.portal!r}" if wrong else "these pings can't be sent")
    stdin = f"{size_bytes}\n".encode("ascii") + b"".join(f"{pair.source} {pair.portal}\n".encode("ascii") for pair in pairs)
    if isinstance(channel, SshChannel):
        done = channel.run(_ssh_command(), stdin=stdin, deadline_seconds=deadline_seconds)
    else:
        done = channel.run(*_winrm_command(), stdin=stdin, deadline_seconds=deadline_seconds)
    lines = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        answer = None
    if isinstance(answer, dict) and (answer.get("call"), answer.get("end")) == ("constrained", "plumbline"):
        raise ConstrainedLanguage(channel.target.address)
    if not isinstance(answer, dict) or (answer.get("call"), answer.get("end")) != ("probed", "plumbline"):
        answer = {}
    outcomes = answer.get("outcomes")
    if not isinstance(outcomes, list) or len(outcomes) != len(pairs) or not all(outcome in OUTCOMES for outcome in outcomes):
        raise OutcomeUnknown(f"{channel.target.address} did not say what became of the pings: {(lines or [''])[-1][:120]!r}")
    return outcomes


@cache
def _ssh_command() -> str:
    return fixed_python(_ESXI)


@cache
def _winrm_command() -> tuple[str, tuple[str, ...]]:
    return fixed_script(_WINDOWS)
