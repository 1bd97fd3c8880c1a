"""Names of the Celery tasks of remediation, for the code that enqueues them, and the check of what a task message carries.

The tasks themselves are in `tasks.py` of each part.
"""

import structlog

log = structlog.get_logger()

RUN_JOB = "remediation.run"
BUILD_PLAN = "remediation.build"
RAISE_FENCE = "remediation.raise_fence"
INSTALL_RUNNER = "remediation.install_runner"
SEND_PINGS = "remediation.probe"
PURGE = "remediation.purge"
# Of the package of watches, which is above this one.
WATCH_JOB = "watches.watch_job"

_LARGEST_ID = 2**31 - 1


def is_row_id(task: str, number: object) -> bool:
    """Whether this can be the id of a row. Anybody who reaches the broker can send anything: other values are logged and ignored."""
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number <= _LARGEST_ID:
        return True
    log.warning("task message without a row id", task=task, argument=repr(number)[:100])
    return False
