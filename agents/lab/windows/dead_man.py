"""The dead-man of a Windows lab host: it ends a step that hangs past its time, sets everything back, and looks for what lands late."""

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from lab import uptime
from lab.windows.receipt import Receipt, is_armed
from lab.windows.request import Refused
from lab.windows.step import Killed, Work

if TYPE_CHECKING:
    from lab.windows.runner import WindowsRunner

_POLL_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 5.0
# A real one waits 10 s for the mutex, and looks for 60 s whether a late write lands.
_MUTEX_SECONDS = 1.0
_LATE_SECONDS = 3.0


def watch(runner: "WindowsRunner", receipt: Receipt) -> None:
    """Starts the dead-man of an operation that was armed."""
    threading.Thread(target=_live, args=(runner, receipt["op_id"], receipt["deadman"]["token"]), daemon=True).start()


def _live(runner: "WindowsRunner", op_id: str, token: str) -> None:
    pause, reverted_at = _POLL_SECONDS, None
    while True:
        try:
            receipt = runner.receipt(op_id)
        except OSError:
            # The folder of the host went away with the test that owned it.
            return
        if receipt is None or receipt["deadman"] is None or receipt["deadman"]["token"] != token:
            return
        if is_armed(receipt):
            if _is_due(runner, receipt):
                with contextlib.suppress(Killed, OSError, Refused):
                    _fire(runner, op_id, token)
                pause = min(_LONGEST_PAUSE_SECONDS, pause * 2)
        elif receipt["state"] != "reverted" or receipt["deadman"]["state"] != "fired":
            return
        else:
            pause, reverted_at = _POLL_SECONDS * 2, reverted_at or uptime.seconds()
            if uptime.seconds() - reverted_at > _LATE_SECONDS:
                return
            with contextlib.suppress(Killed, OSError, Refused):
                _look_again(runner, receipt)
        time.sleep(pause)


def _is_due(runner: "WindowsRunner", receipt: Receipt) -> bool:
    return bool(uptime.seconds() >= receipt["deadman"]["due_uptime_s"] or runner.boot != receipt["deadman"]["boot_id"])


def _fire(runner: "WindowsRunner", op_id: str, token: str) -> None:
    """Takes the mutex, from a step that hangs by force, and sets everything back."""
    work = Work(runner, None)
    if not runner.hold(work, _MUTEX_SECONDS):
        receipt = runner.receipt(op_id)
        if receipt is None or not is_armed(receipt) or not _is_due(runner, receipt):
            return  # a step that lives has moved its time meanwhile
        runner.end_holder()
        if not runner.hold(work, _MUTEX_SECONDS):
            return
    try:
        receipt = runner.receipt(op_id)
        if receipt is not None and is_armed(receipt) and receipt["deadman"]["token"] == token and _is_due(runner, receipt):
            work.revert(receipt, lambda _: None)
    finally:
        runner.let_go(work)


def _look_again(runner: "WindowsRunner", receipt: Receipt) -> None:
    """A write that was on its way when its process was ended may land after it was taken back: then it is taken back once more."""
    work = Work(runner, None)
    if runner.last_op_id() != receipt["op_id"] or not runner.hold(work, 0):
        return
    try:
        mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
        now, _ = runner.read_each([element["setting"] for element in mine])
        late = next((element for element in mine if now[element["setting"]] == element["target"]), None)
        if late is None:
            return
        work.revert(receipt, lambda _: None)
        if receipt["state"] == "reverted":
            receipt["error"] = f"{late['setting']} became {late['target']} once more after it was taken back, and was taken back again"
            runner.save(receipt)
    finally:
        runner.let_go(work)
