"""A process without threads that forks a worker for each line of its input, so that many may die anywhere without the cost of a start.

Reads lines `run JOB QUEUE CRASH_AT` or `sweep 0 - CRASH_AT` (a dash: nowhere); answers `JOB CODE` as each child ends, in any order, the
code negative for a signal.
"""

import os
import select
import sys
import traceback

from plumbline.infra.database import get_engine
from plumbline.packs import in_force  # noqa: F401 (imported once, before any fork)
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs import run as running


def serve() -> None:
    """Forks until standard input ends and every child has."""
    children: dict[int, str] = {}
    waiting, is_open = b"", True
    while is_open or children:
        if is_open and select.select([0], [], [], 0.02)[0]:
            some = os.read(0, 4096)
            is_open = bool(some)
            *lines, waiting = (waiting + some).split(b"\n")
            for line in lines:
                act, number, queue, crash_at = line.decode().split()
                children[_fork(act, number, queue, crash_at)] = number
        elif not is_open:
            select.select([], [], [], 0.02)
        for process in list(children):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                print(children.pop(process), os.waitstatus_to_exitcode(status), flush=True)


def _fork(act: str, number: str, queue: str, crash_at: str) -> int:
    child = os.fork()
    if child:
        return child
    if crash_at != "-":
        os.environ["PLUMBLINE_CRASH_AT"] = crash_at
    # Only answers belong on standard output.
    os.dup2(2, 1)
    code = 1
    try:
        if act == "sweep":
            reconcile.reconcile_once()
        else:
            running.run(int(number), worker=f"child {os.getpid()}", queue=queue)
        get_engine().dispose()
        code = 0
    except Exception:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
