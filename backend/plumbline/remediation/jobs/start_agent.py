"""Starting a host's own agent, so that its check-in proves what was done. The agent collects and sends; we only say when."""

from plumbline.channels import runner as wire
from plumbline.remediation.access.runner_client import Way, over

_START_SECONDS = 120.0


def start_agent(way: Way) -> str:
    """Starts the agent that is installed on the host and waits until it has ended; answers why no check-in came, empty where one did.

    Raises a ChannelError; what came of it is seen by the check-in alone.
    """
    is_taken = over(way, lambda channel: wire.start_agent(channel, way.place, deadline_seconds=_START_SECONDS))
    return "" if is_taken else "the host's agent ran and could not deliver its check-in"
