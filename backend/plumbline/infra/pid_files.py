"""Process ids of the supervised children, stored so that a later start, or the watcher, can end exactly those processes."""

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def note_pid() -> None:
    """Writes this process's id to the file named in PLUMBLINE_PID_FILE, if it is set. On a full disk the process goes on without."""
    path = os.environ.get("PLUMBLINE_PID_FILE")
    if not path:
        return
    try:
        # Over what is there, and cut afterwards: a disk that is full has room for that.
        with Path(path).open("r+" if Path(path).exists() else "w") as file:
            file.write(f"{os.getpid()} {start_time(os.getpid())}\n")
            file.truncate()
    except OSError as error:
        sys.stderr.write(f"the process id cannot be written to {path}: {error}\n")


def start_time(pid: int) -> str:
    """Start time of a process from /proc, which distinguishes a reused process id from the original; empty where the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""


def is_alive(file: Path) -> bool:
    """Whether the process that wrote this file is still running."""
    try:
        fields = file.read_text().split()
    except (OSError, UnicodeDecodeError):
        return False
    return len(fields) == 2 and fields[0].isdigit() and start_time(int(fields[0])) == fields[1]


def end_with_parent() -> None:
    """Has the kernel (Linux) kill this process when its parent ends, also when the parent is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
