"""The runner of a Windows lab host: the same verbs, fence, receipts, mutex and dead-man as `Plumbline-Runner.ps1`, once, as one state
machine of the lab's own. No PowerShell runs here; that file has its own tests. What this is for: jobs over the real WS-Management wire
against a host whose state reacts, with its journal as the judge.
"""

import json
import secrets
import threading
from pathlib import Path
from typing import Any

from lab import faults, uptime
from lab.host import LabHost
from lab.windows import dead_man, values
from lab.windows.receipt import ADDED_FIELDS, Receipt, is_armed, read_file, write_file
from lab.windows.request import Refused, Request, named, parsed
from lab.windows.step import Killed, Work

_MUTEX_SECONDS = 10.0
# Whoever is about to let go is waited for this long, as the real runner does.
_LOOKED_AT_SECONDS = 1.0


class WindowsRunner:
    """One host's runner. Its files are in the host's folder, so that a restart of the lab acts on it like a crash on a real one."""

    def __init__(self, host: LabHost) -> None:
        self.host = host
        self.folder = host.folder / "runner"
        (self.folder / "receipts").mkdir(parents=True, exist_ok=True)
        self.mutex = threading.Lock()
        self.fence_lock = threading.Lock()
        self._holding = threading.Lock()
        self._holder: Work | None = None
        for file in (self.folder / "receipts").glob("*.json"):
            receipt = json.loads(file.read_text())
            if is_armed(receipt):
                dead_man.watch(self, receipt)

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
        found: Receipt | None = read_file(self.file_of(op_id))
        return None if found is None else {**ADDED_FIELDS, **found}

    def file_of(self, op_id: str) -> Path:
        """Where the receipt of an operation is."""
        return self.folder / "receipts" / f"{op_id}.json"

    def save(self, receipt: Receipt) -> None:
        """Keeps a receipt on disk."""
        write_file(self.file_of(receipt["op_id"]), receipt)

    def mark(self, request: Request) -> None:
        """Notes the operation that check-ins name from now on."""
        write_file(self.folder / "last.json", {"op_id": request["op_id"], "gen": request["gen"]})

    def last_op_id(self) -> str:
        """The operation that check-ins name; empty for none."""
        return str((read_file(self.folder / "last.json") or {}).get("op_id", ""))

    # The mutex, and who has it.

    def hold(self, work: Work, seconds: float) -> bool:
        """Takes the mutex for one process, waiting at most so long."""
        if not self.mutex.acquire(timeout=seconds) if seconds else not self.mutex.acquire(blocking=False):
            return False
        with self._holding:
            self._holder = work
        return True

    def let_go(self, work: Work) -> None:
        """Gives the mutex back, unless its process was ended, which does it as well."""
        with self._holding:
            if self._holder is work:
                self._holder = None
                self.mutex.release()

    def end_holder(self) -> None:
        """Ends the process that holds the mutex, as the dead-man does with one that hangs."""
        with self._holding:
            if self._holder is not None:
                self._holder.is_ended.set()
                self._holder = None
                self.mutex.release()

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
        answer |= {"restart": None, "deadman": None, "boot_id": boot, "uptime_s": int(uptime.seconds()), "fence": fence}
        return answer | {"health": None} | found | {"end": "plumbline"}

    def _do_fence(self, request: Request) -> dict[str, Any]:
        self._pass_time(request)
        if not self.fence_lock.acquire(timeout=_LOOKED_AT_SECONDS):
            raise Refused("busy", "a setting is being written")
        try:
            if self.fence() is not None:
                self._pass_fence(request)
            write_file(self.folder / "fence.json", {"gen": request["gen"], "attempt": request["attempt"]})
        finally:
            self.fence_lock.release()
        return self.shown(self.receipt(request["op_id"]))

    def _do_read(self, request: Request) -> dict[str, Any]:
        found, fault = self.read_each([element["setting"] for element in request["step"]])
        base = self.shown(self.receipt(request["op_id"]))
        return base | {"after": found, "error": fault, "health": values.health(self.host)}

    def _do_receipt(self, request: Request) -> dict[str, Any]:
        return self.shown(self.receipt(request["op_id"]))

    def _do_confirm(self, request: Request) -> dict[str, Any]:
        work = Work(self, request)
        if not self.hold(work, _MUTEX_SECONDS):
            return self.shown(self.receipt(request["op_id"]), is_busy=True)
        try:
            self.pass_gate(request, is_change=False)
            receipt = self.receipt(request["op_id"])
            if receipt is not None and receipt["state"] == "done" and not receipt["reverting"]:
                receipt["state"] = "confirmed"
                if receipt["deadman"] is not None and receipt["deadman"]["state"] == "armed":
                    receipt["deadman"]["state"] = "disarmed"
                self.save(receipt)
        finally:
            self.let_go(work)
        return self.shown(receipt, is_busy=False) | {"health": values.health(self.host)}

    def _do_begin(self, request: Request) -> dict[str, Any]:
        return self._apart(request, is_revert=False)

    def _do_revert(self, request: Request) -> dict[str, Any]:
        return self._apart(request, is_revert=True)

    def shown(self, receipt: Receipt | None, *, is_busy: bool | None = None) -> dict[str, Any]:
        """The fields of an answer that a receipt decides. `is_busy`: None to look whether a process holds the mutex."""
        if receipt is None:
            return {"state": "none"}
        is_at_work = receipt["state"] == "started" or receipt.get("reverting")
        if is_at_work and is_busy is None:
            is_busy = self.mutex.locked()
            if not is_busy:
                # The operation may have ended between reading the receipt and checking the mutex.
                return self.shown(self.receipt(receipt["op_id"]), is_busy=False)
        dead_man = receipt["deadman"]
        found = {key: receipt[key] for key in ("state", "wrote", "before", "after", "error")}
        found |= {"restart": receipt["restart_state"], "deadman": dead_man["state"] if dead_man else None}
        if is_at_work:
            found |= {"state": "started", "reason": "busy" if is_busy else None}
        return found

    # Gates.

    def pass_gate(self, request: Request, *, is_change: bool) -> None:
        """Raises Refused unless the request may act on this host now: owner, fence, boot and time."""
        if is_change and (self.folder / "observe-only").exists():
            raise Refused("not_allowed", "refused by the host's owner")
        self._pass_fence(request)
        self._pass_time(request)

    def _pass_time(self, request: Request) -> None:
        if request["boot_id"] != self.boot:
            raise Refused("late", "the host was restarted since the command was made")
        if uptime.seconds() > request["not_after_uptime_s"]:
            raise Refused("late", f"the command was good until {request['not_after_uptime_s']} s of uptime")

    def _pass_fence(self, request: Request) -> None:
        fence = self.fence()
        if fence is None:
            raise Refused("fenced", "this host has no fence yet: a `fence` has to come first")
        if (request["gen"], request["attempt"]) < (fence["gen"], fence["attempt"]):
            self.host.journal(cause="runner", effect="refused", reason="fenced", gen=request["gen"], attempt=request["attempt"])
            raise Refused("fenced", f"this host has seen generation {fence['gen']}, attempt {fence['attempt']}")

    def pass_other_dead_man(self, request: Request) -> None:
        """Raises Refused while another operation may still undo itself."""
        for file in (self.folder / "receipts").glob("*.json"):
            receipt = read_file(file)
            if receipt is not None and receipt["op_id"] != request["op_id"] and is_armed(receipt):
                raise Refused("busy", f"operation {receipt['op_id']} may still undo itself")

    # What goes on apart from the request.

    def _apart(self, request: Request, *, is_revert: bool) -> dict[str, Any]:
        """Works in a thread; returns its first answer, or the state on disk if it dies before."""
        shown: list[dict[str, Any]] = []
        heard = threading.Event()

        def say(answer: dict[str, Any]) -> None:
            if not heard.is_set():
                shown.append(answer)
                heard.set()

        def run() -> None:
            try:
                say(self._work(request, say, is_revert=is_revert))
            except Refused as refusal:
                say({"state": "refused", "reason": refusal.reason, "error": str(refusal)})
            except values.Unreadable as error:
                say({"state": "refused", "reason": "failed", "error": str(error)})
            except (Killed, OSError):
                # OSError: the folder of the host went away with the test that owned it.
                heard.set()

        threading.Thread(target=run, daemon=True).start()
        heard.wait(90)
        return shown[0] if shown else self.shown(self.receipt(request["op_id"]))

    def _work(self, request: Request, say: Any, *, is_revert: bool) -> dict[str, Any]:
        work = Work(self, request)
        if not self.hold(work, _MUTEX_SECONDS if is_revert else _LOOKED_AT_SECONDS):
            receipt = self.receipt(request["op_id"])
            if receipt is None and not is_revert:
                raise Refused("busy", "another change is at work on this host")
            return self.shown(receipt, is_busy=True)
        try:
            return work.take_back(say) if is_revert else work.carry_out(say)
        finally:
            self.let_go(work)

    def read_each(self, addresses: list[str]) -> tuple[dict[str, str | None], str | None]:
        """The values of settings, None for one that cannot be read, and the first reason."""
        found: dict[str, str | None] = {}
        fault = None
        for address in addresses:
            try:
                with self.host.lock:
                    found[address] = values.read(self.host, address)
            except values.Unreadable as error:
                found[address], fault = None, fault or str(error)
        return found, fault

    def arm(self, receipt: Receipt, seconds: int) -> None:
        """Arms the dead-man of an operation before anything is set. Raises Refused where it does not begin to run."""
        due = uptime.seconds() + seconds
        receipt["deadman"] = {
            "state": "armed",
            "due_uptime_s": due,
            "boot_id": self.boot,
            "token": secrets.token_hex(8),
            "seconds": seconds,
        }
        self.save(receipt)
        if faults.strikes(self.host, "no_dead_man"):
            raise Refused("failed", "the dead-man did not begin to run; nothing was set")
        dead_man.watch(self, receipt)


def boot_name(host: LabHost) -> str:
    """The name of a Windows lab host's boot."""
    file = host.folder / "boot"
    with host.lock:
        if not file.exists():
            file.write_text(secrets.token_hex(16))
        return file.read_text().strip()
