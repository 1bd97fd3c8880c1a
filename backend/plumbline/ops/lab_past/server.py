"""The check-in endpoint for hosts that check in while the past is written: a process of its own with the same simulated time. It also folds
counters into what charts are drawn from.

A second process, since hosts and server in one would share one core of a machine that has two.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime

import time_machine
import uvicorn

from plumbline.checkin.asgi import CheckInApp
from plumbline.infra.database import session_scope
from plumbline.performance import hours
from plumbline.performance.fold import fold_counters

# Hosts keep their connections over the whole past. By default one that rests for 5 s is closed, perhaps just when it is used again.
_KEEP_ALIVE_SECONDS = 10**8
# What is asked besides a time.
_START, _FINISH = "start charts", "finish charts"
# Days of hosts whose counters are folded in one go.
_FOLDED_AT_ONCE = 500


class ServerFailed(Exception):
    """The server's process ended or did not start; the log of the past has its last words."""


class PastServer:
    """The server's process, seen from the one that writes the past. They speak in lines over the server's standard input and output."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def wait(self) -> str:
        """Waits until it serves, and returns its address."""
        return self._answer()

    def move_to(self, instant: datetime) -> None:
        """Sets the server's clock, and returns when it is set."""
        self._ask(instant.isoformat())

    def start_charts(self) -> None:
        """Starts to fold the counters that were sent so far, and does not wait for it."""
        self._ask(_START)

    def finish_charts(self) -> None:
        """Folds all counters that were sent, and returns when charts have them."""
        self._ask(_FINISH)

    def _ask(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise ServerFailed("the check-in endpoint of the past ended")
        return line


@contextmanager
def serving(now: datetime) -> Iterator[PastServer]:
    """Serves from the simulated time `now` on, until the end of the block. Does not wait until it serves, which takes seconds."""
    command = [sys.executable, "-m", "plumbline.ops.lab_past.server", now.isoformat()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield PastServer(process)
        finally:
            # The end of its input ends the server, also where this process is killed. Popen waits for it.
            assert process.stdin is not None
            process.stdin.close()


class _Charts:
    """Folds counters on a thread of its own, one fold at a time."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None

    def start(self) -> None:
        if self._running is not None and not self._running.done():
            return
        if self._running is not None:
            self._running.result()  # Raises what went wrong in it.
        self._running = self._pool.submit(_fold)

    def finish(self) -> None:
        if self._running is not None:
            self._running.result()
        self._pool.submit(_fold).result()


def _fold() -> None:
    """The hours that the Performance page is drawn from, and the chunks that charts of days before the last two are drawn from. A run of a
    task folds a few of them.
    """
    is_more = True
    while is_more:
        with session_scope() as session:
            is_more = bool(hours.fold_hours(session))
    with session_scope() as session:
        while fold_counters(session, most=_FOLDED_AT_ONCE) == _FOLDED_AT_ONCE:
            pass


def _serve(now: datetime) -> None:
    """Serves on a port of loopback, prints its address, and does what each line of standard input says, until it ends: `_START`, `_FINISH`,
    or a time to set the clock to.
    """
    # Answers only: whatever logs to standard output goes to standard error, which is the log of the past.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1, encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with time_machine.travel(now, tick=True) as clock:
        config = uvicorn.Config(
            CheckInApp(), host="127.0.0.1", port=0, log_level="warning", ws="none", timeout_keep_alive=_KEEP_ALIVE_SECONDS
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        limit = time.monotonic() + 30
        while not server.started:
            if time.monotonic() > limit or not thread.is_alive():
                raise ServerFailed("the check-in endpoint of the past did not start")
            time.sleep(0.01)
        answers.write(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}\n")
        charts = _Charts()
        for line in map(str.strip, sys.stdin):
            if line == _START:
                charts.start()
            elif line == _FINISH:
                charts.finish()
            else:
                clock.move_to(datetime.fromisoformat(line))
            answers.write("done\n")
        server.should_exit = True
        thread.join(30)


if __name__ == "__main__":
    _serve(datetime.fromisoformat(sys.argv[1]))
