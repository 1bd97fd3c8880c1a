"""The parts of `plumbline up` under one supervisor: a part that ends by itself is started again, as systemd and compose do it elsewhere.

Until all of it was up once, a part that fails (a wrong certificate, a taken port) ends everything and says why, because somebody has
just typed the command and looks at it.
"""

import contextlib
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from honcho.manager import Manager
from honcho.printer import Printer
from honcho.process import Process

from plumbline.infra.clock import iso, utc_now
from plumbline.ops.pid_files import end_with_parent

# The wait doubles from the first to the last; whatever lived longer than STEADY_SECONDS begins with the first again.
FIRST_WAIT_SECONDS, LAST_WAIT_SECONDS = 1.0, 30.0
STEADY_SECONDS = 60.0

BOOK = "restarts.jsonl"


@dataclass(frozen=True)
class Restart:
    """A part that ended by itself: when (UTC, the clock of this machine), how, and after how long."""

    part: str
    at: str
    how: str
    lived_seconds: int


def restarts(run: Path) -> Iterator[Restart]:
    """What ended by itself since the last `plumbline up` from the home of this `run` folder, oldest first."""
    book = run / BOOK
    for line in book.read_text().splitlines() if book.exists() else []:
        yield Restart(**json.loads(line))


def wait_before(failures: int) -> float:
    """Seconds to wait before a part is started again that has ended this many times in a row (1 and more)."""
    # Bounded before it is raised to: a part that fails all night must not run out of numbers.
    return min(LAST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(failures - 1, 10))


def ended_how(returncode: int) -> str:
    """How a process ended, in words."""
    if returncode >= 0:
        return f"ended with code {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


class Supervisor(Manager):  # type: ignore[misc]
    """honcho's manager, which starts parts again once somebody has set `is_up`. `returncode` is 130 or 143 where a person stopped it."""

    def __init__(self, log: IO[str], run: Path) -> None:
        super().__init__(printer=Printer(log, prefix=True, colour=False))
        (run / BOOK).unlink(missing_ok=True)
        self.is_up = multiprocessing.Event()
        self._stopping = multiprocessing.Event()
        self._process_ctor = lambda *arguments, **named: _Part(self.is_up, self._stopping, run / BOOK, *arguments, **named)

    def terminate(self) -> None:
        """Ends all parts; none is started again."""
        self._stopping.set()
        super().terminate()


class _Part(Process):  # type: ignore[misc]
    """One part: reads what its process prints, and starts it again when it ends by itself. Lives in a process of its own."""

    def __init__(self, is_up: Any, stopping: Any, book: Path, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._is_up = is_up
        self._stopping = stopping
        self._book = book

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:
        # When the supervisor is killed nobody takes what this reads, and it would wait for ever.
        end_with_parent()
        self._events = events
        if ignore_signals:
            # It ends when its process does. A handler, unlike SIG_IGN, is not handed down to what is started next.
            signal.signal(signal.SIGINT, lambda *_: None)
            signal.signal(signal.SIGTERM, lambda *_: None)
        failures = 0
        while True:
            started = time.monotonic()
            returncode = self._live()
            lived = time.monotonic() - started
            if self._stopping.is_set() or (returncode > 0 and not self._is_up.is_set()):
                break
            failures = 1 if lived > STEADY_SECONDS else failures + 1
            seconds = wait_before(failures)
            self._note(Restart(self.name, iso(utc_now()), ended_how(returncode), int(lived)))
            self._send_message(f"{ended_how(returncode)} after {lived:.0f} s; starts again in {seconds:.0f} s\n".encode())
            if self._stopping.wait(seconds):
                break
        self._send_message({"returncode": returncode}, type="stop")

    def _live(self) -> int:
        """One life of the process; answers its code, a negative one for a signal."""
        child = self._child = self._child_ctor(self.cmd, env=self.env, cwd=self.cwd)
        self._send_message({"pid": child.pid}, type="start")
        if self._stopping.is_set():
            # The supervisor counted us among the ended ones a moment ago, so nobody else tells this process.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGTERM)
        for line in iter(child.stdout.readline, b""):
            self._send_message(line)
        child.stdout.close()
        return int(child.wait())

    def _note(self, restart: Restart) -> None:
        with self._book.open("a") as book:
            book.write(json.dumps(asdict(restart)) + "\n")
