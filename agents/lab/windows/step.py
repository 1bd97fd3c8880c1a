"""A step of a Windows lab host, or its taking back, as `Plumbline-Runner.ps1` makes it: compare, intent, set, look, restart, look."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lab import faults
from lab.windows import values
from lab.windows.receipt import Receipt, mark_of, new_receipt, renew
from lab.windows.request import Refused, Request, compare, floor_fault

if TYPE_CHECKING:
    from lab.windows.runner import WindowsRunner

_POLL_SECONDS = 0.1
_AWAY_SECONDS = 120.0
# How long after its runner was ended a set may still land, with the fault `late_set`.
_LATE_SECONDS = 1.0
_MOST_UNDO_RESTARTS = 3

Element = dict[str, str]
Say = Callable[[dict[str, Any]], None]


class Killed(Exception):
    """The process of the runner was ended here: nothing more of it happens."""


class Work:
    """One process of the runner at one operation. `request` is None for the dead-man, which asks neither fence nor owner nor time."""

    def __init__(self, runner: "WindowsRunner", request: Request | None) -> None:
        self.runner, self.host, self.request = runner, runner.host, request
        self.is_ended = threading.Event()

    def _still_alive(self) -> None:
        if self.is_ended.is_set():
            raise Killed

    # --- A step ---

    def carry_out(self, say: Say) -> dict[str, Any]:
        """The step of the request. The mutex is held. Raises Refused."""
        request = self.request
        assert request is not None
        runner = self.runner
        runner.pass_gate(request, is_change=True)
        receipt, step = runner.receipt(request["op_id"]), list(request["step"])
        if receipt is not None and receipt["state"] != "started":
            return runner.shown(receipt, is_busy=False)
        if receipt is not None and (receipt["step"] != step or receipt["restart"] != request["restart"] or receipt["reverting"]):
            raise Refused("bad_request", "this operation has begun with another step, or is being taken back")
        runner.pass_other_dead_man(request)
        now, fault = runner.read_each([element["setting"] for element in step])
        compare(step, now, fault)
        left = [element for element in step if now[element["setting"]] != element["target"]]
        figures = values.health(self.host)
        if left or (receipt is not None and receipt["restart_state"] == "owed"):
            why = self._path_fault(receipt, figures)
            if why:
                return self._put_off(receipt, left, why)
        receipt = receipt or new_receipt(request, step, now)
        mine, restart_state = list(receipt["mine"]), receipt["restart_state"]
        self._intend(receipt, [element["setting"] for element in left])
        runner.save(receipt)
        runner.mark(request)
        if (left or receipt["restart_state"] in ("owed", "begun")) and request["deadman_s"] is not None:
            try:
                runner.arm(receipt, request["deadman_s"])
            except Refused as refusal:
                receipt |= {"mine": mine, "restart_state": restart_state, "deadman": None, "error": str(refusal)}
                runner.save(receipt)
                raise
        say(runner.shown(receipt, is_busy=True) | {"health": figures})
        why_not = self._set_each(receipt, left)
        if why_not is None and left:
            # A driver that refuses in silence is found before its adapter stops for it.
            why_not = self._wrong(step)
        if why_not is None:
            why_not = self._restart_owed(receipt)
        self._complete(receipt, step, why_not)
        return runner.shown(receipt, is_busy=False)

    def _path_fault(self, receipt: Receipt | None, figures: dict[str, int | None]) -> str:
        assert self.request is not None
        fault = floor_fault(self.request["health_floor"], figures)
        if fault or self.request["restart"] is None:
            return fault
        role = values.role_of(self.host, self.request["restart"].split("/", 1)[1])
        name = self.host.state["ports"][role]["label"]
        if receipt is None and self.host.state["ports"][role]["link"] == "disabled":
            return f"{name} is disabled: a restart would start it"
        why = values.stop_fault(self.host, role)
        return f"a restart of {name} is not safe: {why}" if why else ""

    def _put_off(self, receipt: Receipt | None, left: list[Element], why: str) -> dict[str, Any]:
        """Nothing is set yet: refused. Something is set: no refusal, and the step goes on when the paths are back."""
        names = [element["setting"] for element in left]
        if receipt is None or not [name for name in receipt["mine"] if name not in names]:
            raise Refused("not_allowed", f"{why}; nothing was set")
        receipt["error"] = why
        self.runner.save(receipt)
        return self.runner.shown(receipt, is_busy=False)

    def _intend(self, receipt: Receipt, names: list[str]) -> None:
        request = self.request
        assert request is not None
        receipt |= {"gen": request["gen"], "attempt": request["attempt"], "boot_id": self.runner.boot, "after": None, "error": None}
        receipt["wrote"] = [name for name in receipt["mine"] if name not in names]
        receipt["mine"] += [name for name in names if name not in receipt["mine"]]
        if receipt["restart_for"] == "undo":
            receipt |= {"restart_for": "step", "restart_state": None, "undo_restarts": 0}
        if receipt["restart"] and receipt["mine"] and receipt["restart_state"] is None:
            receipt["restart_state"] = "owed"

    def _set_each(self, receipt: Receipt, elements: list[Element]) -> str | None:
        for element in elements:
            fault = self._set(receipt, element, "target")
            if fault is not None:
                return fault
            receipt["wrote"].append(element["setting"])
            renew(receipt)
            self.runner.save(receipt)
        return None

    def _set(self, receipt: Receipt, element: Element, way: str) -> str | None:
        """Compares and sets one element under the fence. Why it was not set; None where it was, or where the host has the value already."""
        setting = element["setting"]
        with self.runner.fence_lock:
            self._still_alive()
            try:
                if self.request is not None:
                    self.runner.pass_gate(self.request, is_change=True)
                now = values.read(self.host, setting)
            except (Refused, values.Unreadable) as error:
                return f"{setting}: {error}"
            if now == element[way]:
                return None
            if now != element["seen" if way == "target" else "target"]:
                return f"{setting} reads {now} now: somebody else set it"
            if values.is_cutting(setting):
                role = values.role_of(self.host, setting.split("/")[1])
                fault = values.stop_fault(self.host, role)
                fault = floor_fault((self.request or {}).get("health_floor"), values.health(self.host)) or fault
                if fault:
                    return f"{setting} put off: {fault}"
            if faults.strikes(self.host, "die_before_set"):
                raise Killed
            if faults.strikes(self.host, "refuse"):
                return f"{setting}: a general error occurred that is not covered by a more specific error code"
            self._hang(receipt, setting, element[way])
            self._write(receipt, setting, element[way])
            faults.lose_adapter(self.host)
            if faults.strikes(self.host, "die_after_set"):
                raise Killed
            if self.request is not None and way == "target":
                faults.cut_path(self.host)
            faults.go_dark(self.host)
        return None

    def _hang(self, receipt: Receipt, setting: str, value: str) -> None:
        seconds = faults.take_seconds(self.host, "hang_on_set_seconds")
        if seconds <= 0 or not self.is_ended.wait(seconds):
            return
        if faults.strikes(self.host, "late_set"):
            threading.Timer(_LATE_SECONDS, self._write, (receipt, setting, value)).start()
        raise Killed

    def _write(self, receipt: Receipt, setting: str, value: str) -> None:
        if faults.strikes(self.host, "lie"):
            return
        with self.host.lock:
            old = values.read(self.host, setting)
            values.write(self.host, setting, value)
            self.host.effect(setting=setting, old=old, new=value, mark=mark_of(receipt))

    def _wrong(self, step: list[Element]) -> str | None:
        now, fault = self.runner.read_each([element["setting"] for element in step])
        for element in step:
            found = now[element["setting"]]
            if found is None:
                return fault
            if found != element["target"]:
                return f"{element['setting']} reads {found} after it was set to {element['target']}"
        return None

    def _complete(self, receipt: Receipt, step: list[Element], why_not: str | None) -> None:
        self._still_alive()
        now, _ = self.runner.read_each([element["setting"] for element in step])
        receipt |= {"after": now, "error": why_not or self._wrong(step)}
        if receipt["error"] is None and receipt["restart_state"] in (None, "done"):
            receipt |= {"state": "done", "wrote": list(receipt["mine"])}
            renew(receipt)
        self.runner.save(receipt)
        if faults.strikes(self.host, "lose_receipt"):
            self.runner.file_of(receipt["op_id"]).unlink()

    # --- The restart that an operation owes ---

    def _restart_owed(self, receipt: Receipt) -> str | None:
        """Makes the one restart where it is owed. A restart that was started and not seen to end is repeated only where the adapter
        still runs what it ran before. Why it is still owed; None where it is not."""
        if receipt["restart_state"] not in ("owed", "begun"):
            return None
        identity = receipt["restart"].split("/", 1)[1]
        role = values.role_of(self.host, identity)
        if receipt["restart_state"] == "begun":
            self._wait_for_link(role)
        if receipt["restart_state"] == "owed" or not values.is_running(self.host, identity):
            with self.runner.fence_lock:
                self._still_alive()
                why = self._restart_fault(receipt, role)
                if why:
                    return f"restart of {receipt['restart']} put off: {why}"
                receipt["restart_state"] = "begun"
                if receipt["restart_for"] == "undo":
                    receipt["undo_restarts"] += 1
                else:
                    renew(receipt)
                self.runner.save(receipt)
                with self.host.lock:
                    values.restart(self.host, identity)
                    self.host.effect(setting=f"adapter/{identity}", old=None, new=None, mark=mark_of(receipt), restart="adapter")
            self._wait_for_link(role)
        receipt["restart_state"] = "done"
        self.runner.save(receipt)
        return None

    def _restart_fault(self, receipt: Receipt, role: str) -> str:
        if self.request is not None:
            try:
                self.runner.pass_gate(self.request, is_change=True)
            except Refused as refusal:
                return str(refusal)
        if receipt["restart_for"] == "undo" and receipt["undo_restarts"] >= _MOST_UNDO_RESTARTS:
            return f"it was restarted {receipt['undo_restarts']} times for this already: a person has to look"
        floor = self.request["health_floor"] if self.request is not None and receipt["restart_for"] == "step" else None
        if self.host.state["ports"][role]["link"] != "up":
            return ""
        return floor_fault(floor, values.health(self.host)) or values.stop_fault(self.host, role)

    def _wait_for_link(self, role: str) -> None:
        until = time.monotonic() + _AWAY_SECONDS
        while time.monotonic() < until:
            self._still_alive()
            self.host.heal()
            if role not in self.host.state.get("back_at", {}):
                return
            time.sleep(_POLL_SECONDS)

    # --- Taking back ---

    def take_back(self, say: Say) -> dict[str, Any]:
        """A revert on request. The mutex is held. Raises Refused."""
        request = self.request
        assert request is not None
        self.runner.pass_gate(request, is_change=True)
        receipt = self.runner.receipt(request["op_id"])
        if receipt is None or receipt["state"] == "reverted":
            return self.runner.shown(receipt, is_busy=False)
        if receipt["state"] == "confirmed":
            raise Refused("conflict", "the operation is confirmed: it is undone by a plan, not by a revert")
        self.revert(receipt, say)
        return self.runner.shown(receipt, is_busy=False)

    def revert(self, receipt: Receipt, say: Say) -> None:
        """Sets the inverse of whatever the operation wrote, as much of it as goes. Not at its end it stays open."""
        mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
        names = [element["setting"] for element in mine]
        receipt["reverting"] = True
        if self.request is not None:
            renew(receipt)
        self.runner.save(receipt)
        if self.request is not None:
            self.runner.mark(self.request)
        say(self.runner.shown(receipt, is_busy=True))
        now, fault = self.runner.read_each(names)
        for element in mine:
            if _standing(element, now[element["setting"]]) == "foreign":
                fault = fault or f"{element['setting']} reads {now[element['setting']]}: somebody else set it, it stays"
        back = [element for element in mine if _standing(element, now[element["setting"]]) == "new"]
        self._owe_for_undo(receipt, is_any_back=bool(back))
        for element in back:
            fault = self._set(receipt, element, "inverse") or fault
        now, _ = self.runner.read_each(names)
        if not back or any(_standing(element, now[element["setting"]]) == "old" for element in back):
            fault = self._restart_owed(receipt) or fault
        elif fault is None:
            fault = f"{back[0]['setting']} does not take its old value back"
        self._complete_revert(receipt, mine, fault)

    def _owe_for_undo(self, receipt: Receipt, *, is_any_back: bool) -> None:
        """Noted before anything is set back. A restart is owed where the adapter may have started with the new values."""
        if not receipt["restart"]:
            return
        is_first, was = receipt["restart_for"] != "undo", receipt["restart_state"]
        if not is_first and (not is_any_back or was == "owed"):
            return
        is_needed = is_any_back and was in ("begun", "done")
        if not is_first and not is_needed:
            return
        if not is_first and was == "done":
            # A late write after the adapter had started with the old values: only the value goes back.
            return
        receipt |= {"restart_for": "undo", "restart_state": "owed" if is_needed else None}
        self.runner.save(receipt)

    def _complete_revert(self, receipt: Receipt, mine: list[Element], fault: str | None) -> None:
        self._still_alive()
        now, unread = self.runner.read_each([element["setting"] for element in receipt["step"]])
        standing = {_standing(element, now[element["setting"]]) for element in mine}
        receipt |= {"after": now, "error": fault or unread}
        if not standing & {"new", "unread"} and receipt["restart_state"] not in ("owed", "begun"):
            if receipt["deadman"] is not None and receipt["deadman"]["state"] == "armed":
                receipt["deadman"]["state"] = "fired" if self.request is None else "disarmed"
            receipt["reverting"] = False
            receipt |= {"state": "started"} if "foreign" in standing else {"state": "reverted", "error": None}
        self.runner.save(receipt)


def _standing(element: Element, now: str | None) -> str:
    """The state of an element of ours: new (as we set it), old (as it was), unread, foreign (another person set it)."""
    if now is None:
        return "unread"
    if now == element["target"]:
        return "new"
    return "old" if now in (element["inverse"], element["seen"]) else "foreign"
