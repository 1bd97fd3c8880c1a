"""PURE but for the clock: whether a host still gets on with an operation. A runner that hangs looks like one that works, for ever."""

import time
from typing import Any

from plumbline.remediation.access.runner_client import RunnerAnswer
from plumbline.remediation.timings import job_timings


class ReceiptWatch:
    """The last change of a receipt and its values, against the time that a host may take between two changes.

    That time is the step's automatic rollback, which ends a runner that hangs, plus a margin for the rollback itself. A worker that takes
    the job up later counts from its own first look.
    """

    def __init__(self, deadman_seconds: int) -> None:
        self.patience_seconds = deadman_seconds + job_timings().unchanged_seconds
        self._seen: Any = None
        self._since = time.monotonic()

    def is_stuck(self, read: RunnerAnswer) -> bool:
        """Nothing of this answer has changed for longer than it may. Whether the runner is busy is no change."""
        now = (read.state, read.wrote, read.restart, read.deadman, read.boot_id, sorted((read.after or {}).items(), key=str))
        if now != self._seen:
            self._seen, self._since = now, time.monotonic()
        return time.monotonic() - self._since > self.patience_seconds
