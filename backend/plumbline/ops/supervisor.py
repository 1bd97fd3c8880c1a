"""The parts of `plumbline up` under one supervisor: a part that ends by itself is started again, as systemd and compose would do.

Until everything has been up once, a part that fails (a wrong certificate, a port in use) ends everything with the reason, because somebody
has just typed the command and is watching.
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
from typing import Any

from honcho.manager import Manager
from honcho.printer import Printer
from honcho.process import Process

from plumbline.infra.clock import iso, utc_now
from plumbline.infra.pid_files import end_with_parent
from plumbline.ops.log_file import LogFile

# The wait doubles from the first to the last; after a part ran longer than STEADY_SECONDS, it begins with the first again.
FIRST_WAIT_SECONDS, LAST_WAIT_SECONDS = 1.0, 30.0
STEADY_SECONDS = 60.0

RESTART_LOG = "restarts.jsonl"


@dataclass(frozen=True)
class Restart:
    """A part that ended by itself: when (UTC, the clock of this machine), how, and after how long."""

    part: str
    at: str
    how: str
    lived_seconds: int


def restarts(run: Path) -> Iterator[Restart]:
    """The parts that ended by themselves since the last `plumbline up` with this `run` folder, oldest first."""
    log = run / RESTART_LOG
    for line in log.read_text(errors="replace").splitlines() if log.exists() else []:
        # A full disk may have taken half of a line.
        with contextlib.suppress(ValueError, TypeError):
            yield Restart(**json.loads(line))


def wait_before(failures: int) -> float:
    """Seconds to wait before a part is started again that has ended this many times in a row (1 and more)."""
    # The exponent is limited, so that it does not overflow when a part fails all night.
    return min(LAST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(failures - 1, 10))


def ended_how(returncode: int) -> str:
    """How a process ended, as text."""
    if returncode >= 0:
        return f"ended with code {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


class Supervisor(Manager):  # type: ignore[misc]
    """honcho's manager, which starts parts again once `is_up` is set. `returncode` is 130 or 143 where a person stopped it."""

    def __init__(self, log: LogFile, run: Path) -> None:
        super().__init__(printer=Printer(log, prefix=True, colour=False))
        (run / RESTART_LOG).unlink(missing_ok=True)
        self.is_up = multiprocessing.Event()
        self._stopping = multiprocessing.Event()
        self._process_ctor = lambda *arguments, **named: _Part(self.is_up, self._stopping, run / RESTART_LOG, *arguments, **named)

    def terminate(self) -> None:
        """Ends all parts; none is started again."""
        self._stopping.set()
        super().terminate()


class _Part(Process):  # type: ignore[misc]
    """One part: reads what its process prints, and starts it again when it ends by itself. Lives in a process of its own."""

    def __init__(self, is_up: Any, stopping: Any, restart_log: Path, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._is_up = is_up
        self._stopping = stopping
        self._restart_log = restart_log

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:
        # After a kill of the supervisor nothing would read this process' messages, and it would block for ever.
        end_with_parent()
        self._events = events
        if ignore_signals:
            # It ends when its process ends. A handler, unlike SIG_IGN, is not inherited by the process that is started.
            signal.signal(signal.SIGINT, lambda *_: None)
            signal.signal(signal.SIGTERM, lambda *_: None)
        failures = 0
        while True:
            started = time.monotonic()
            returncode = self._run_once()
            ran_seconds = time.monotonic() - started
            if self._stopping.is_set() or (returncode > 0 and not self._is_up.is_set()):
                break
            failures = 1 if ran_seconds > STEADY_SECONDS else failures + 1
            seconds = wait_before(failures)
            self._note(Restart(self.name, iso(utc_now()), ended_how(returncode), int(ran_seconds)))
            self._send_message(f"{ended_how(returncode)} after {ran_seconds:.0f} s; starts again in {seconds:.0f} s\n".encode())
            if self._stopping.wait(seconds):
                break
        self._send_message({"returncode": returncode}, type="stop")

    def _run_once(self) -> int:
        """Runs the process once; returns its exit code, negative for a signal."""
        child = self._child = self._child_ctor(self.cmd, env=self.env, cwd=self.cwd)
        self._send_message({"pid": child.pid}, type="start")
        if self._stopping.is_set():
            # The supervisor has counted this part as ended already and will not signal its process.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGTERM)
        for line in iter(child.stdout.readline, b""):
            self._send_message(line)
        child.stdout.close()
        return int(child.wait())

    def _note(self, restart: Restart) -> None:
        """Notes the restart. On a full disk it is only in the log, if there; the part is started again all the same."""
        with contextlib.suppress(OSError), self._restart_log.open("ab", buffering=0) as file:
            file.write((json.dumps(asdict(restart)) + "\n").encode())
