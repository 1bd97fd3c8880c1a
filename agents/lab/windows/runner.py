"""The runner of a Windows lab host: the same verbs, fence, receipts, mutex and dead-man as `Plumbline-Runner.ps1`, once, as one state
machine of the lab's own. No PowerShell runs here; that file has its own tests. What this is for: jobs over the real WS-Management wire
against a host whose state reacts, with its journal as the judge.
"""

import contextlib
import json
import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any

from lab import faults
from lab.host import LabHost
from lab.windows import values
from lab.windows.receipt import Receipt, is_armed, mark_of, new_receipt, read_file, write_file
from lab.windows.request import Refused, Request, compare, named, parsed, pass_floor

_POLL_SECONDS = 0.1
_MUTEX_SECONDS = 10.0
# Whoever is about to let go is waited for this long, as the real runner does.
_LOOKED_AT_SECONDS = 1.0
_AWAY_SECONDS = 120.0


class Killed(Exception):
    """The lab killed the runner here: nothing more of this process happens."""


class WindowsRunner:
    """One host's runner. Its files are in the host's folder, so that a restart of the lab acts on it like a crash on a real one."""

    def __init__(self, host: LabHost) -> None:
        self.host = host
        self.folder = host.folder / "runner"
        (self.folder / "receipts").mkdir(parents=True, exist_ok=True)
        self.mutex = threading.Lock()
        self.fence_lock = threading.Lock()
        for file in (self.folder / "receipts").glob("*.json"):
            receipt = json.loads(file.read_text())
            if is_armed(receipt):
                self._watch(receipt)

    # Boot, files.

    @property
    def boot(self) -> str:
        """The name of the boot, which check-ins carry too."""
        return boot_name(self.host)

    def restart_host(self) -> None:
        """The host is restarted: what waited for that is in force, and an armed dead-man fires at once."""
        with self.host.lock:
            (self.host.folder / "boot").unlink(missing_ok=True)
            for port in self.host.state["ports"].values():
                port.pop("running", None)
            self.host.state.pop("session_template", None)
            self.host.journal(cause="boot")
            self.host.save()

    def receipt(self, op_id: str) -> Receipt | None:
        """What an operation left."""
        found: Receipt | None = read_file(self.folder / "receipts" / f"{op_id}.json")
        return found

    def _save(self, receipt: Receipt) -> None:
        write_file(self.folder / "receipts" / f"{receipt['op_id']}.json", receipt)

    def fence(self) -> dict[str, int] | None:
        """The highest that this host has seen."""
        found: dict[str, int] | None = read_file(self.folder / "fence.json")
        return found

    # One request, one answer.

    def answer(self, data: bytes) -> dict[str, Any]:
        """The answer to one request. Never raises."""
        request: dict[str, Any] = {}
        found: dict[str, Any]
        try:
            request = parsed(data)
            found = getattr(self, f"_do_{request['verb']}")(request)
        except Refused as refusal:
            found = {"state": "refused", "reason": refusal.reason, "error": str(refusal)}
        except values.Unreadable as error:
            found = {"state": "refused", "reason": "failed", "error": str(error)}
        ids = {name: request.get(name) or named(data, name) for name in ("op_id", "nonce")}
        answer: dict[str, Any] = {
            "v": 1,
            **ids,
            "state": "none",
            "reason": None,
            "error": None,
            "wrote": [],
            "before": None,
            "after": None,
        }
        # A request that cannot be read is answered without reading the host, as by the real runners.
        boot, fence = (self.boot, self.fence()) if request else (None, None)
        answer |= {"restart": None, "deadman": None, "boot_id": boot, "uptime_s": int(time.monotonic()), "fence": fence}
        return answer | {"health": None} | found | {"end": "plumbline"}

    def _do_fence(self, request: Request) -> dict[str, Any]:
        self._pass_time(request)
        with self.fence_lock:
            if self.fence() is not None:
                self._pass_fence(request)
            write_file(self.folder / "fence.json", {"gen": request["gen"], "attempt": request["attempt"]})
        return self._from(self.receipt(request["op_id"]))

    def _do_read(self, request: Request) -> dict[str, Any]:
        found, fault = self._read([element["setting"] for element in request["step"]])
        base = self._from(self.receipt(request["op_id"]))
        return base | {"after": found, "error": fault, "health": values.health(self.host)}

    def _do_receipt(self, request: Request) -> dict[str, Any]:
        return self._from(self.receipt(request["op_id"]))

    def _do_confirm(self, request: Request) -> dict[str, Any]:
        if not self.mutex.acquire(timeout=_MUTEX_SECONDS):
            return self._from(self.receipt(request["op_id"]), is_busy=True)
        try:
            self._pass(request, is_change=False)
            receipt = self.receipt(request["op_id"])
            if receipt is not None and receipt["state"] == "done":
                receipt["state"] = "confirmed"
                if receipt["deadman"] is not None and receipt["deadman"]["state"] == "armed":
                    receipt["deadman"]["state"] = "disarmed"
                self._save(receipt)
        finally:
            self.mutex.release()
        return self._from(receipt, is_busy=False) | {"health": values.health(self.host)}

    def _do_begin(self, request: Request) -> dict[str, Any]:
        return self._apart(request, self._carry_out)

    def _do_revert(self, request: Request) -> dict[str, Any]:
        return self._apart(request, self._take_back)

    def _from(self, receipt: Receipt | None, *, is_busy: bool | None = None) -> dict[str, Any]:
        if receipt is None:
            return {"state": "none"}
        is_at_work = receipt["state"] == "started" or receipt.get("reverting")
        if is_at_work and is_busy is None:
            is_busy = self.mutex.locked()
            if not is_busy:
                # The operation may have ended between reading the receipt and checking the mutex.
                return self._from(self.receipt(receipt["op_id"]), is_busy=False)
        dead_man = receipt["deadman"]
        found = {key: receipt[key] for key in ("state", "wrote", "before", "after", "error")}
        found |= {"restart": receipt["restart_state"], "deadman": dead_man["state"] if dead_man else None}
        if is_at_work:
            found |= {"state": "started", "reason": "busy" if is_busy else None}
        return found

    # Gates.

    def _pass(self, request: Request, *, is_change: bool) -> None:
        if is_change and (self.folder / "observe-only").exists():
            raise Refused("not_allowed", "refused by the host's owner")
        self._pass_fence(request)
        self._pass_time(request)

    def _pass_time(self, request: Request) -> None:
        if request["boot_id"] != self.boot:
            raise Refused("late", "the host was restarted since the command was made")
        if time.monotonic() > request["not_after_uptime_s"]:
            raise Refused("late", f"the command was good until {request['not_after_uptime_s']} s of uptime")

    def _pass_fence(self, request: Request) -> None:
        fence = self.fence()
        if fence is None:
            raise Refused("fenced", "this host has no fence yet: a `fence` has to come first")
        if (request["gen"], request["attempt"]) < (fence["gen"], fence["attempt"]):
            self.host.journal(cause="runner", effect="refused", reason="fenced", gen=request["gen"], attempt=request["attempt"])
            raise Refused("fenced", f"this host has seen generation {fence['gen']}, attempt {fence['attempt']}")

    def _pass_other_dead_man(self, request: Request) -> None:
        for file in (self.folder / "receipts").glob("*.json"):
            receipt = read_file(file)
            if receipt is not None and receipt["op_id"] != request["op_id"] and is_armed(receipt):
                raise Refused("busy", f"operation {receipt['op_id']} may still undo itself")

    # A step.

    def _apart(self, request: Request, work: Any) -> dict[str, Any]:
        """Runs work(request, say) in a thread; returns its first answer, or the state on disk if it dies before."""
        shown: list[dict[str, Any]] = []
        heard = threading.Event()

        def say(answer: dict[str, Any]) -> None:
            if not heard.is_set():
                shown.append(answer)
                heard.set()

        def run() -> None:
            try:
                say(work(request, say))
            except Refused as refusal:
                say({"state": "refused", "reason": refusal.reason, "error": str(refusal)})
            except values.Unreadable as error:
                say({"state": "refused", "reason": "failed", "error": str(error)})
            except (Killed, OSError):
                # OSError: the folder of the host went away with the test that owned it.
                heard.set()

        threading.Thread(target=run, daemon=True).start()
        heard.wait(90)
        return shown[0] if shown else self._from(self.receipt(request["op_id"]))

    def _carry_out(self, request: Request, say: Any) -> dict[str, Any]:
        if not self.mutex.acquire(timeout=_LOOKED_AT_SECONDS):
            receipt = self.receipt(request["op_id"])
            if receipt is None:
                raise Refused("busy", "another change is at work on this host")
            return self._from(receipt, is_busy=True)
        try:
            return self._in_mutex(request, say)
        finally:
            self.mutex.release()

    def _in_mutex(self, request: Request, say: Any) -> dict[str, Any]:
        self._pass(request, is_change=True)
        receipt, step = self.receipt(request["op_id"]), list(request["step"])
        if receipt is not None and receipt["state"] != "started":
            return self._from(receipt, is_busy=False)
        if receipt is not None and (receipt["step"] != step or receipt["restart"] != request["restart"] or receipt.get("reverting")):
            raise Refused("bad_request", "this operation has begun with another step, or is being taken back")
        self._pass_other_dead_man(request)
        now, fault = self._read([element["setting"] for element in step])
        compare(step, now, fault)
        left = [element for element in step if now[element["setting"]] != element["target"]]
        receipt = receipt or new_receipt(request, step, now)
        receipt |= {"gen": request["gen"], "attempt": request["attempt"], "boot_id": self.boot, "after": None, "error": None}
        names = [element["setting"] for element in left]
        receipt["wrote"] = [name for name in receipt["mine"] if name not in names]
        receipt["mine"] += [name for name in names if name not in receipt["mine"]]
        if receipt["restart"] and receipt["mine"] and receipt["restart_state"] is None:
            receipt["restart_state"] = "owed"
        figures = values.health(self.host)
        is_owed = receipt["restart_state"] in ("owed", "begun")
        if (left or receipt["restart_state"] == "owed") and request["health_floor"]:
            pass_floor(request["health_floor"], figures)
        self._save(receipt)
        write_file(self.folder / "last.json", {"op_id": request["op_id"], "gen": request["gen"]})
        if (left or is_owed) and request["deadman_s"] is not None:
            self._arm(receipt, request["deadman_s"])
        say(self._from(receipt, is_busy=True) | {"health": figures})
        receipt["error"] = self._set_each(request, receipt, left, "target")
        if receipt["error"] is None:
            self._restart(receipt)
        now, fault = self._read([element["setting"] for element in step])
        receipt |= {"after": now, "error": receipt["error"] or fault}
        wrong = [element for element in step if now[element["setting"]] != element["target"]]
        if not wrong and receipt["restart_state"] in (None, "done") and receipt["error"] is None:
            receipt |= {"state": "done", "wrote": list(receipt["mine"])}
        elif wrong and receipt["error"] is None:
            receipt["error"] = f"{wrong[0]['setting']} reads {now[wrong[0]['setting']]} after it was set to {wrong[0]['target']}"
        self._save(receipt)
        if faults.strikes(self.host, "lose_receipt"):
            (self.folder / "receipts" / f"{receipt['op_id']}.json").unlink()
        return self._from(receipt, is_busy=False)

    def _read(self, addresses: list[str]) -> tuple[dict[str, str | None], str | None]:
        found: dict[str, str | None] = {}
        fault = None
        for address in addresses:
            try:
                with self.host.lock:
                    found[address] = values.read(self.host, address)
            except values.Unreadable as error:
                found[address], fault = None, fault or str(error)
        return found, fault

    def _set_each(self, request: Request | None, receipt: Receipt, elements: list[dict[str, str]], field: str) -> str | None:
        for element in elements:
            with self.fence_lock:
                if request is not None:
                    try:
                        self._pass(request, is_change=True)
                    except Refused as refusal:
                        return str(refusal)
                if faults.strikes(self.host, "die_before_set"):
                    raise Killed
                if faults.strikes(self.host, "refuse"):
                    return f"{element['setting']}: a general error occurred that is not covered by a more specific error code"
                self._set(receipt, element["setting"], element[field])
                if faults.strikes(self.host, "die_after_set"):
                    raise Killed
                if request is not None:
                    faults.cut_path(self.host)
                faults.go_dark(self.host)
            if field == "target":
                receipt["wrote"].append(element["setting"])
                self._save(receipt)
        return None

    def _set(self, receipt: Receipt, setting: str, value: str) -> None:
        if faults.strikes(self.host, "lie"):
            return
        with self.host.lock:
            old = values.read(self.host, setting)
            values.write(self.host, setting, value)
            self.host.effect(setting=setting, old=old, new=value, mark=mark_of(receipt))

    def _restart(self, receipt: Receipt) -> None:
        """The one restart of a step, where it is owed. One that was begun and not seen to end is waited for, and only repeated where the
        adapter still runs what it ran before."""
        if receipt["restart_state"] not in ("owed", "begun"):
            return
        identity = receipt["restart"].split("/", 1)[1]
        role = values.role_of(self.host, identity)
        if receipt["restart_state"] == "begun":
            self._wait_for_link(role)
        if receipt["restart_state"] == "owed" or not values.is_running(self.host, identity):
            receipt["restart_state"] = "begun"
            receipt["restart_record"] = {"boot_id": self.boot, "begun_uptime_s": int(time.monotonic())}
            self._save(receipt)
            with self.host.lock:
                values.restart(self.host, identity)
                self.host.effect(setting=f"adapter/{identity}", old=None, new=None, mark=mark_of(receipt), restart="adapter")
            self._wait_for_link(role)
        receipt["restart_state"] = "done"
        receipt.setdefault("restart_record", {})["done_uptime_s"] = int(time.monotonic())
        self._save(receipt)

    def _wait_for_link(self, role: str) -> None:
        until = time.monotonic() + _AWAY_SECONDS
        while time.monotonic() < until:
            self.host.heal()
            if role not in self.host.state.get("back_at", {}):
                return
            time.sleep(_POLL_SECONDS)

    # Taking back.

    def _take_back(self, request: Request, say: Any) -> dict[str, Any]:
        if not self.mutex.acquire(timeout=_MUTEX_SECONDS):
            return self._from(self.receipt(request["op_id"]), is_busy=True)
        try:
            self._pass(request, is_change=True)
            receipt = self.receipt(request["op_id"])
            if receipt is None or receipt["state"] == "reverted":
                return self._from(receipt)
            if receipt["state"] == "confirmed":
                raise Refused("conflict", "the operation is confirmed: it is undone by a plan, not by a revert")
            return self._revert(receipt, request, say)
        finally:
            self.mutex.release()

    def _revert(self, receipt: Receipt, request: Request | None, say: Any) -> dict[str, Any]:
        mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
        receipt["reverting"] = True
        self._save(receipt)
        if request is not None:
            write_file(self.folder / "last.json", {"op_id": request["op_id"], "gen": request["gen"]})
        say(self._from(receipt, is_busy=True))
        now, fault = self._read([element["setting"] for element in mine])
        back = [element for element in mine if now[element["setting"]] == element["target"]]
        for element in mine:
            if now[element["setting"]] not in (element["target"], element["inverse"], element["seen"]):
                fault = fault or f"{element['setting']} reads {now[element['setting']]}: somebody else set it, it stays"
        if back and receipt["restart"]:
            receipt["restart_state"] = "owed"
        fault = self._set_each(request, receipt, back, "inverse") or fault
        self._restart(receipt)
        now, unread = self._read([element["setting"] for element in receipt["step"]])
        receipt |= {"after": now, "error": fault or unread, "reverting": False}
        if all(now[element["setting"]] in (element["inverse"], element["seen"]) for element in mine):
            receipt |= {"state": "reverted", "error": None}
            if receipt["deadman"] is not None and receipt["deadman"]["state"] == "armed":
                receipt["deadman"]["state"] = "fired" if request is None else "disarmed"
        self._save(receipt)
        return self._from(receipt, is_busy=False)

    # The dead-man.

    def _arm(self, receipt: Receipt, seconds: int) -> None:
        due = time.monotonic() + seconds
        receipt["deadman"] = {"state": "armed", "due_uptime_s": due, "boot_id": self.boot, "token": secrets.token_hex(8)}
        self._save(receipt)
        self._watch(receipt)

    def _watch(self, receipt: Receipt) -> None:
        armed = dict(receipt["deadman"])
        threading.Thread(target=self._wait_and_fire, args=(receipt["op_id"], armed), daemon=True).start()

    def _wait_and_fire(self, op_id: str, armed: Mapping[str, Any]) -> None:
        while True:
            try:
                receipt = self.receipt(op_id)
            except OSError:
                return
            if receipt is None or not is_armed(receipt) or receipt["deadman"]["token"] != armed["token"]:
                return
            if time.monotonic() >= armed["due_uptime_s"] or self.boot != armed["boot_id"]:
                with self.mutex, contextlib.suppress(Killed, OSError):
                    receipt = self.receipt(op_id)
                    if receipt is not None and is_armed(receipt) and receipt["deadman"]["token"] == armed["token"]:
                        self._revert(receipt, None, lambda _: None)
            time.sleep(_POLL_SECONDS)


def boot_name(host: LabHost) -> str:
    """The name of a Windows lab host's boot."""
    file = host.folder / "boot"
    with host.lock:
        if not file.exists():
            file.write_text(secrets.token_hex(16))
        return file.read_text().strip()
