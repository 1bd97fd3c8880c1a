"""Sending the pings that prove a frame size, from exactly the addresses of a step to exactly its portals."""

from collections.abc import Sequence

from plumbline.channels import probes
from plumbline.core.planning.plan import Ping
from plumbline.remediation.access.runner_client import RunnerTarget, with_channel

# A size that every network carries. If not even this is answered, pings are blocked, and a larger one could prove nothing.
SMALL_BYTES = 1500
OUTCOME_WORDS = {
    "ok": "succeeded",
    "too_big": "is too large for the path",
    "silent": "got no reply at any size",
    "not_run": "was not sent in time",
}


def unproven(target: RunnerTarget, wanted: Sequence[Ping], size_bytes: int) -> str:
    """Why the first failed ping failed; empty where all of them passed. Raises a ChannelError."""
    pairs = [probes.Pair(ping.source, ping.portal) for ping in wanted]
    outcomes = with_channel(target, lambda channel: probes.send(channel, size_bytes, pairs))
    for ping, outcome in zip(wanted, outcomes, strict=True):
        if outcome != "ok":
            return f"a ping of {size_bytes} bytes from {ping.source} to {ping.portal} {OUTCOME_WORDS[outcome]}"
    return ""
