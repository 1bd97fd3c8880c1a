"""Whether what a value was read from is known from a real host, or from documentation alone.

A source is proven where a test reads a real output of its command and finds the setting's value in it. The rest is in `unproven.py`; the
host's page shows that beside the value.
"""

from functools import lru_cache

from plumbline.core.facts.esxi.entries import command_of
from plumbline.core.facts.unproven import UNPROVEN


# A page shows the sources of hundreds of settings, which come from a few dozen commands, and to take one apart takes as long as the rest of
# its row.
@lru_cache(maxsize=4096)
def words_of(platform: str, command: str) -> str:
    """A command without what it was run for, so that all runs of it are one."""
    return command_of(command).words if platform == "esxi" else command


def is_proven(platform: str, key: str, command: str) -> bool:
    """Whether a setting (`kind.key`) was read right from a real output of this command. True for what no command reported (a person did, or
    a check-in's first line)."""
    return key not in UNPROVEN.get(platform, {}).get(words_of(platform, command), ())
