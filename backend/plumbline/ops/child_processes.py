"""The small children of `plumbline up` (the two servers and the watcher), and ending the processes that an earlier start left behind."""

import os
import signal
import time
from pathlib import Path

from plumbline.infra.errors import BadInput, Unavailable
from plumbline.infra.pid_files import is_alive, note_pid, start_time
from plumbline.ops import embedded_servers


def run_child(name: str, home: Path, parent: int | None = None) -> None:
    """Body of the children `postgres`, `valkey` and `watch`; the first two replace this process."""
    note_pid()
    cluster = embedded_servers.postgres_cluster(home)
    if name == "postgres":
        embedded_servers.run_postgres(cluster)
    elif name == "valkey":
        command = embedded_servers.prepare_valkey(home, cluster.socket)
        os.execv(command[0], command)  # noqa: S606
    elif name == "watch" and parent is not None:
        _watch(home / "run", parent)
    else:
        raise BadInput(f"no child of that name: {name}")


def _watch(run: Path, parent: int) -> None:
    started = start_time(parent)
    while start_time(parent) == started:
        time.sleep(1)
    end_leftovers(run)


def end_leftovers(run: Path) -> None:
    """Ends children that outlived their supervisor. Each is identified by process id and start time."""
    own_pid = os.getpid()
    leftovers = []
    for path in sorted(run.glob("*.pid")):
        fields = path.read_text().split()
        if not is_alive(path):
            path.unlink(missing_ok=True)
        elif int(fields[0]) != own_pid:
            # The database is sorted last, since the others may still write to it.
            leftovers.append((path.stem == "postgres", int(fields[0]), fields[1]))
    for is_postgres, pid, started in sorted(leftovers):
        _end(pid, started, signal.SIGINT if is_postgres else signal.SIGTERM)


def _end(pid: int, started: str, first: signal.Signals) -> None:
    for number, limit_seconds in ((first, 10.0), (signal.SIGKILL, 5.0)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + limit_seconds
        while start_time(pid) == started:
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        else:
            return
    raise Unavailable(f"process {pid} of an earlier start cannot be ended")
