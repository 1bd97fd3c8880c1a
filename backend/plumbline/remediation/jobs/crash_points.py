"""Named places at which a worker can be made to die, so that tests can show what each death leaves behind.

`PLUMBLINE_CRASH_AT=after_intent` kills the process with SIGKILL when it gets there. Never set in production; set, it is said in the log.
"""

import os
import signal

import structlog

log = structlog.get_logger()

POINTS = (
    "after_claim",
    "after_facts",
    "before_intent",
    "after_intent",
    "after_read",
    "after_fence",
    "before_begin",
    "after_begin",
    "before_applied",
    "after_applied",
    "after_health",
    "after_pings",
    "before_confirm",
    "after_confirm",
    "after_done",
    "before_verifying",
    "after_verifying",
    "after_agent",
    "before_end",
)
# Places of the sweeper: a row moved and not committed yet, bells noted as rung and not rung, one of them rung.
SWEEP_POINTS = ("sweep_moved", "sweep_noted", "sweep_rung")


def crash_point(name: str) -> None:
    """Dies here if this is the place that the environment names."""
    if os.environ.get("PLUMBLINE_CRASH_AT") == name:
        log.error("dying as asked", place=name)
        os.kill(os.getpid(), signal.SIGKILL)
