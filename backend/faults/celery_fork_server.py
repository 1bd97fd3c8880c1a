"""A process without threads that has everything imported and forks Celery workers from itself, so that a killed one is back in a moment.

Reads lines `kind log-file shift`, answers each with the worker's process id. What it forks is what `plumbline worker KIND` runs;
kind `ordinary` is the yardstick's. By `shift` seconds the clock of the worker is wrong, if this process was given such a clock.
"""

import os
import signal
import sys

from faults import plain_celery
from faults.processes import SHIFT
from plumbline.ops import worker
from plumbline.packs import in_force  # noqa: F401 (imported once, before any fork)


def serve() -> None:
    """Forks until standard input ends."""
    worker.load_tasks()
    # Nobody waits for the dead: they are killed on purpose.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        kind, log, shift = line.split()
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.environ[SHIFT] = shift
            file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            for stream in (1, 2):
                os.dup2(file, stream)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            try:
                if kind == "ordinary":
                    plain_celery.work()
                else:
                    worker.run_worker(kind)
            finally:
                os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    serve()
