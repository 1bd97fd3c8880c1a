"""How long lab hosts have been up: the monotonic clock of this machine, which no host's restart sets back."""

import time

# Ahead of that clock while a past is written (`plumbline.ops.lab_past`), so that hosts are up for as long as their past says.
_ahead_seconds = 0.0


def seconds() -> float:
    """Seconds since the boot, the same for every host."""
    return time.monotonic() + _ahead_seconds


def move_ahead(by: float) -> None:
    """Lets the hosts have been up for longer."""
    global _ahead_seconds
    _ahead_seconds += by
