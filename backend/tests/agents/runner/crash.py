"""Runs the real runner file and kills its detached process, as kill -9 would, just before one chosen line.

    python crash.py host_runner.py          with CRASH_AT=<number> and CRASH_COUNT=<file> in the environment

Lines are counted in the process that carries out a step, from its first to its last, each line of the file at most twice (a loop's second
round is another place than its first). The dead-man's process is never killed. With CRASH_AT=0 nothing is killed and the number of places
is written to CRASH_COUNT. The runner itself knows nothing of this: the interpreter's own trace does it.
"""

import os
import signal
import sys
from types import FrameType
from typing import Any

path = sys.argv[1]
crash_at = int(os.environ["CRASH_AT"])
seen: dict[int, int] = {}
state = {"worker": 0, "places": 0}


def on_line(frame: FrameType, event: str, argument: Any) -> Any:
    if event == "line" and state["worker"] == os.getpid():
        seen[frame.f_lineno] = seen.get(frame.f_lineno, 0) + 1
        if seen[frame.f_lineno] <= 2:
            state["places"] += 1
            if state["places"] == crash_at:
                os.kill(os.getpid(), signal.SIGKILL)
            if crash_at == 0:
                draft = os.environ["CRASH_COUNT"] + ".draft"
                with open(draft, "w") as file:
                    file.write(str(state["places"]))
                os.replace(draft, os.environ["CRASH_COUNT"])
    return on_line


def on_call(frame: FrameType, event: str, argument: Any) -> Any:
    if frame.f_code.co_filename != path:
        return None
    if frame.f_code.co_name in ("carry_out", "take_back"):
        # By its number: the dead-man forks out of this process and is another one.
        state["worker"] = os.getpid()
    if frame.f_code.co_name == "watch":
        sys.settrace(None)
        return None
    return on_line


sys.settrace(on_call)
with open(path, "rb") as source:
    text = source.read()
sys.argv = [path]
exec(compile(text, path, "exec"), {"__name__": "__main__", "__file__": path})
