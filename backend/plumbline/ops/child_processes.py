"""The light children of `plumbline up`: the two servers and the watcher; and the ending of what an earlier start left behind."""

import os
import signal
import time
from pathlib import Path

from plumbline.infra.errors import BadInput, Unavailable
from plumbline.ops import embedded_servers
from plumbline.ops.pid_files import is_alive, note_pid, start_time


def run_child(name: str, home: Path, parent: int | None = None) -> None:
    """Body of the children `postgres`, `valkey` and `watch`; the first two replace this process."""
    note_pid()
    place = embedded_servers.postgres_place(home)
    if name == "postgres":
        embedded_servers.run_postgres(place)
    elif name == "valkey":
        command = embedded_servers.valkey_command(home, place.socket / "valkey.sock")
        os.execv(command[0], command)  # noqa: S606
    elif name == "watch" and parent is not None:
        _watch(home / "run", parent)
    else:
        raise BadInput(f"no child of that name: {name}")


def _watch(run: Path, parent: int) -> None:
    born = start_time(parent)
    while start_time(parent) == born:
        time.sleep(1)
    end_leftovers(run)


def end_leftovers(run: Path) -> None:
    """Ends processes of ours that outlived their supervisor. Each is known by process id and start time."""
    mine = os.getpid()
    found = []
    for path in sorted(run.glob("*.pid")):
        words = path.read_text().split()
        if not is_alive(path):
            path.unlink(missing_ok=True)
        elif int(words[0]) != mine:
            # The database last: the others may still want to write.
            found.append((path.stem == "postgres", int(words[0]), words[1]))
    for is_postgres, pid, born in sorted(found):
        _end(pid, born, signal.SIGINT if is_postgres else signal.SIGTERM)


def _end(pid: int, born: str, first: signal.Signals) -> None:
    for number, limit_seconds in ((first, 10.0), (signal.SIGKILL, 5.0)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + limit_seconds
        while start_time(pid) == born:
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        else:
            return
    raise Unavailable(f"process {pid} of an earlier start cannot be ended")
