"""Named places at which a worker can be made to crash, so that tests can show what each crash leaves behind.

`PLUMBLINE_CRASH_AT=after_intent` kills the process with SIGKILL when it gets there, and logs it. Never set in production.
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
# Places of the reconciler: a row changed and not committed yet; jobs noted as enqueued and none sent; one of them sent.
RECONCILE_POINTS = ("reconcile_changed", "reconcile_noted", "reconcile_enqueued")


def crash_point(name: str) -> None:
    """Kills the process if this is the place that the environment names."""
    if os.environ.get("PLUMBLINE_CRASH_AT") == name:
        log.error("crash requested", place=name)
        os.kill(os.getpid(), signal.SIGKILL)
