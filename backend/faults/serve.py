"""The check-in endpoint alone in processes: `python -m faults.serve PORT`. The environment names the database and the keys.

For each line of standard input it forks one that serves on the port, and answers its process id: whoever kills that one has the next at
once, because nothing is imported again. What is forked has no thread, no connection and no state of the one before.
"""

import os
import signal
import sys

import uvicorn

from plumbline.checkin.asgi import CheckInApp
from plumbline.packs import in_force  # noqa: F401 (imported once, before any fork)
from plumbline.web.http_limits import LimitedProtocol


def serve(port: int) -> None:
    """Forks until standard input ends."""
    # Nobody waits for the dead: they are killed on purpose.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            # Only process ids belong on standard output, and the lines on standard input to the parent.
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 1)
            try:
                uvicorn.run(CheckInApp(), host="127.0.0.1", port=port, log_level="warning", loop="uvloop", http=LimitedProtocol, ws="none")
            finally:
                os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
