"""The command that runs the ESXi agent's file once on a host where it is not installed."""

from plumbline.infra import resources

AGENT = resources.AGENTS / "esxi" / "host_agent.py"
# The agent's own limits add up to a minute; the connection is added to that.
DEADLINE_SECONDS = 90.0


def command_line(arguments: str) -> str:
    """The shell's command: the agent with these arguments, which are our own. It comes over standard input.

    Hosts with Python 2 and 3 name their interpreter differently; both read a script from a pipe.
    """
    return f"if command -v python3 >/dev/null 2>&1; then python3 - {arguments}; else python - {arguments}; fi"


def standard_input() -> bytes:
    """The agent's file."""
    return AGENT.read_bytes()
