"""The API in a process that can be killed and restarted at once: a parent without threads imports everything and forks it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from faults.sending import PATH


@dataclass
class ServedApi:
    """A uvicorn process with the check-in endpoint; the environment names the database and the keys."""

    port: int
    pid: int = 0
    starts: int = 0
    parent: "subprocess.Popen[str] | None" = None
    # Variables that this one does without; its environment is else that of the run.
    without: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it and waits until it answers."""
        if self.parent is None:
            self.parent = subprocess.Popen(
                [sys.executable, "-m", "faults.serve", str(self.port)],
                cwd=Path(__file__).resolve().parents[1],
                env={name: value for name, value in os.environ.items() if name not in self.without},
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        self.parent.stdin.write("start\n")
        self.parent.stdin.flush()
        self.pid = int(self.parent.stdout.readline())
        self.starts += 1
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(self.url + PATH, timeout=2).status_code == 405:
                    return
            time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        """kill -9; returns once the process is gone."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Asks it to end, and its parent after it."""
        self._end(signal.SIGTERM)
        if self.parent is not None:
            assert self.parent.stdin is not None
            self.parent.stdin.close()
            self.parent.wait(30)
            self.parent = None

    def _end(self, how: signal.Signals) -> None:
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)
            limit = time.monotonic() + 30
            while Path(f"/proc/{self.pid}").exists() and time.monotonic() < limit:
                time.sleep(0.002)
            self.pid = 0

    def is_alive(self) -> bool:
        """Whether the process that was started last still runs; one that has ended and was not waited for does not."""
        try:
            return bool(self.pid) and Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    def memory_bytes(self) -> int:
        """Resident memory."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@contextlib.contextmanager
def served_api(without: tuple[str, ...] = ()) -> Iterator[ServedApi]:
    """A server process for one fault, without some variables of the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        api = ServedApi(free.getsockname()[1], without=without)
    api.start()
    try:
        yield api
    finally:
        api.stop()
