"""Whether a host's clock is in step with the server's: a setting that the server measures, since the host cannot.

It is a state and not a number of seconds, which would change with every check-in. It changes where the difference crosses a limit, and
changes back at a lower one, so that a clock near the limit does not make a change of every check-in.
"""

from collections.abc import Mapping
from typing import Literal

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Source, Value

ClockState = Literal["in_step", "minutes_off", "not_compared"]

# Its address among the overrides given to `assemble`.
ADDRESS = "host//clock"
# Kerberos refuses tickets beyond five minutes by default, which is where the clock of a Windows host starts to hurt.
OFF_FROM_SECONDS = 300.0
BACK_BELOW_SECONDS = 240.0


def clock_state(skew_seconds: float, before: str | None = None) -> ClockState:
    """The state for a difference of this many seconds, ahead or behind, where `before` was the last one."""
    limit = BACK_BELOW_SECONDS if before == "minutes_off" else OFF_FROM_SECONDS
    return "minutes_off" if abs(skew_seconds) > limit else "in_step"


def set_clock(added: Facts, overrides: Mapping[str, str]) -> None:
    """Adds the clock's state to `added` where the server has compared it."""
    state = overrides.get(ADDRESS)
    source = Source("server", "its own clock", "Plumbline-Sent-At", state or "")
    if state == "not_compared":
        added.set(HOST, "clock", NotOffered("clock not available for agentless hosts", source))
    elif state in ("in_step", "minutes_off"):
        added.set(HOST, "clock", Value(state, source))
