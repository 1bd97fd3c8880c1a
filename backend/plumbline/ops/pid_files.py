"""Process ids of the supervised children, kept so that a later start, or the watcher, can find and end exactly those."""

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def note_pid() -> None:
    """Writes this process's id where PLUMBLINE_PID_FILE says; without it nothing."""
    path = os.environ.get("PLUMBLINE_PID_FILE")
    if path:
        Path(path).write_text(f"{os.getpid()} {start_time(os.getpid())}\n")


def start_time(pid: int) -> str:
    """Start time of a process from /proc, so that a reused process id is never taken for ours; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""


def is_alive(file: Path) -> bool:
    """Whether the process that noted itself in this file still lives."""
    words = file.read_text().split() if file.exists() else []
    return len(words) == 2 and words[0].isdigit() and start_time(int(words[0])) == words[1]


def end_with_parent() -> None:
    """Asks the kernel (Linux) to kill this process when the one that made it dies, however hard that was."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
