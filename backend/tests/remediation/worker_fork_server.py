"""A process without threads that forks a worker for each job that it is given, so that a worker may die anywhere without costing a start.

Reads lines `job queue crash_at` (a dash for none), answers each with the child's exit code, negative for a signal, as it ends.
"""

import os
import sys
import traceback

from plumbline.infra.database import get_engine
from plumbline.packs import in_force  # noqa: F401 (imported once, before any fork)
from plumbline.remediation.jobs import run as running


def serve() -> None:
    """Forks until standard input ends."""
    for line in sys.stdin:
        job_id, queue, crash_at = line.split()
        child = os.fork()
        if child == 0:
            if crash_at != "-":
                os.environ["PLUMBLINE_CRASH_AT"] = crash_at
            code = 1
            try:
                running.run(int(job_id), worker=f"child {os.getpid()}", queue=queue)
                get_engine().dispose()
                code = 0
            except Exception:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
