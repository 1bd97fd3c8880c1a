"""Starting a host's own agent, so that its check-in proves what was done. The agent collects and sends; this only triggers it."""

from plumbline.channels import runner as wire
from plumbline.remediation.access.runner_client import RunnerTarget, with_channel

_START_SECONDS = 120.0


def start_agent(target: RunnerTarget) -> str:
    """Starts the agent that is installed on the host and waits until it has ended; returns why no check-in came, empty where one did.

    Raises a ChannelError; only the check-in shows the result.
    """
    return with_channel(target, lambda channel: wire.start_agent(channel, target.runner, deadline_seconds=_START_SECONDS))
