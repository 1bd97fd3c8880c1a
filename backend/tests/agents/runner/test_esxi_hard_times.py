"""The ESXi runner when something resists: hung steps, hung and full disks, killed processes, lost receipts, late writes."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.esxi.setter import Refusal
from tests.agents.runner.workbench import VMK, Esxi

LRO = "host//net.lro"
TSO = "host//net.hw_tso"


@pytest.fixture
def quick(host: Esxi) -> Esxi:
    """A host whose runner is in a hurry."""
    host.alter(SETTLE_SECONDS=1, MUTEX_SECONDS=1, DISK_SECONDS=1, FIRST_PAUSE_SECONDS=0.3, LATE_SECONDS=8, LATE_POLL_SECONDS=0.3)
    host.host.set("fault.restart_seconds", 0, cause="test")
    host.ready()
    return host


def _with_each_set(host: Esxi, act: Callable[[int, list[str]], None], *, is_before: bool = False) -> None:
    """Calls act(number of the set, its words) with each set, after it has worked or before."""
    original, count = host.setter._apply, [0]

    def setting(words: list[str]) -> list[str]:
        count[0] += 1
        if is_before:
            act(count[0], words)
        bounced = original(words)
        if not is_before:
            act(count[0], words)
        return bounced

    host.setter._apply = setting  # type: ignore[method-assign]


def _until(found: Callable[[], bool], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until
        time.sleep(0.1)


def _receipt(host: Esxi) -> Path:
    return host.state / "receipts" / f"{host.op}.json"


# What resists a taking back.


def test_a_driver_that_does_not_take_its_old_value_is_tried_three_times_only(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(VMK, "8900"), quick.element(LRO, "0")], deadman_s=2)
    quick.settled()
    tries = []

    def refuse(_: int, words: list[str]) -> None:
        if "interface" in words:
            tries.append(time.monotonic())
            raise Refusal("Unable to complete Sysinfo operation.")

    _with_each_set(quick, refuse, is_before=True)
    _until(lambda: "does not stay" in (quick.ask("receipt")["error"] or ""), 40)
    assert len(tries) == 3
    assert tries[2] - tries[0] >= 0.3 + 0.6  # the first pause, and twice as long
    found = quick.ask("receipt")
    # What can be taken back is, the rest is reported, and the dead-man stays: other operations wait for a person.
    assert (found["state"], found["deadman"], found["after"]) == ("started", "armed", {VMK: "8900", LRO: "1"})
    assert f"{VMK} was set back 3 times" in found["error"]
    del quick.setter._apply  # type: ignore[method-assign]
    quick.ask("revert")
    assert quick.wait_for("reverted")["deadman"] == "disarmed"


def test_a_third_value_ends_the_dead_man_and_lets_others_in(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(VMK, "8900"), quick.element(LRO, "0")], deadman_s=3)
    quick.settled()
    quick.host.set("vmk1.mtu", 4000, cause="a person")
    quick.machine.refresh()
    _until(lambda: quick.ask("receipt")["deadman"] == "fired")
    found = quick.settled()
    assert (found["state"], found["reason"], found["after"]) == ("started", None, {VMK: "4000", LRO: "1"})
    assert found["error"] == f"{VMK} reads 4000: somebody else set it, it stays"
    quick.new_operation()
    quick.ask("begin", step=[quick.element(TSO, "0")])
    assert quick.settled()["state"] == "done"


def test_a_write_that_lands_after_the_taking_back_is_taken_back_too(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=2)
    assert quick.wait_for("reverted")["error"] is None
    quick.host.set("host.net.lro", "disabled", cause="a write that was on its way")
    quick.machine.refresh()
    _until(lambda: bool(quick.ask("receipt")["error"]))
    found = quick.settled()
    assert (found["state"], found["error"]) == ("reverted", f"{LRO} became 0 once more after it was taken back, and was taken back again")
    assert quick.values(LRO) == {LRO: "1"}


def test_a_requested_taking_back_looks_for_late_writes_as_well(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")])
    quick.settled()
    quick.ask("revert")
    quick.wait_for("reverted")
    quick.host.set("host.net.lro", "disabled", cause="a write that was on its way")
    quick.machine.refresh()
    _until(lambda: "once more" in (quick.ask("receipt")["error"] or ""))
    assert quick.values(LRO) == {LRO: "1"}


def test_what_another_operation_set_since_is_no_late_write(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=2)
    quick.wait_for("reverted")
    first = quick.op
    quick.new_operation()
    quick.ask("begin", step=[quick.element(LRO, "0")])
    assert quick.settled()["state"] == "done"
    _until(lambda: quick.processes() == [], 30)
    assert quick.values(LRO) == {LRO: "0"}
    quick.op = first
    assert quick.ask("receipt")["error"] is None


# A step or a disk that hangs.


def test_a_step_that_hangs_is_ended_at_the_dead_mans_time_and_taken_back(quick: Esxi) -> None:
    began = time.monotonic()
    original = quick.setter.act

    def hang(words: list[str], parent: int) -> tuple[int, str]:
        answer = original(words, parent)
        if time.monotonic() - began < 30 and not stopped:
            stopped.append(parent)
            os.kill(parent, signal.SIGSTOP)
        return answer

    stopped: list[int] = []
    quick.setter.act = hang  # type: ignore[method-assign]
    quick.ask("begin", step=[quick.element(LRO, "0"), quick.element(VMK, "8900")], deadman_s=3)
    found = quick.wait_for("reverted", 40)
    assert (found["deadman"], found["after"]) == ("fired", {LRO: "1", VMK: "9000"})
    assert stopped
    assert stopped[0] not in quick.processes()


def test_a_disk_that_hangs_does_not_keep_the_dead_man_from_it(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=4)
    quick.settled()
    receipt = _receipt(quick)
    text = receipt.read_bytes()
    receipt.unlink()
    os.mkfifo(receipt)  # a process that opens it to read waits for a writer
    _until(lambda: quick.host.state["host"]["net.lro"] == "enabled", 30)
    with receipt.open("wb") as stream:  # the disk answers again, also to the process that waited for it
        receipt.unlink()
        receipt.write_bytes(text)
        stream.write(text)
    _until(lambda: json.loads(receipt.read_text())["state"] == "reverted" if receipt.is_file() else False, 30)
    assert quick.ask("receipt")["deadman"] == "fired"


@pytest.mark.parametrize("left", ["{", "", None], ids=["damaged", "empty", "missing"])
def test_the_dead_man_needs_no_receipt(left: str | None, quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=3)
    quick.settled()
    if left is None:
        _receipt(quick).unlink()
        # An operation that began is no fresh start because its receipt is gone; whether another one may begin is not known.
        found = quick.ask("begin", step=[quick.element(LRO, "0", seen="1")])
        assert (found["reason"], found["error"]) == ("failed", "the receipt of this operation is gone: a person has to look")
        other = quick.ask("begin", step=[quick.element(LRO, "0", seen="1")], op_id="ab" * 16)
        assert other["reason"] == "busy"
    else:
        _receipt(quick).write_text(left)
    _until(lambda: quick.host.state["host"]["net.lro"] == "enabled")
    found = quick.wait_for("reverted")
    assert (found["deadman"], found["after"]) == ("fired", {LRO: "1"})


def _may_be_full(host: Esxi) -> Path:
    """A file whose presence makes every write of the runner's find the disk full, after half of it is written."""
    mark = host.machine.folder / "disk-is-full"
    half = f"""        os.write(handle, data[:9])
        if os.path.exists({str(mark)!r}):
            raise OSError(errno.ENOSPC, "No space left on device")
        data = data[9:]
"""
    place = "    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)\n    try:\n"
    host.alter(swaps={place: place + half})
    return mark


def test_a_full_disk_does_not_keep_the_dead_man_from_it(quick: Esxi) -> None:
    mark = _may_be_full(quick)
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=3)
    assert quick.settled()["state"] == "done"
    mark.touch()
    found = quick.ask("revert")
    assert (found["state"], found["reason"]) == ("refused", "failed")
    assert "No space left" in found["error"]
    _until(lambda: quick.host.state["host"]["net.lro"] == "enabled")
    assert list(quick.state.rglob("*.tmp")) == []
    assert quick.ask("receipt")["state"] in ("done", "started")
    mark.unlink()
    assert quick.wait_for("reverted")["deadman"] == "fired"
    assert quick.effects(op_id=quick.op)[1:] == [(LRO, "0", "1")]


def test_leftovers_of_killed_processes_are_taken_away(quick: Esxi) -> None:
    old, new = (quick.state / "receipts" / f"{name}.1.tmp" for name in ("old", "new"))
    for file in (old, new):
        file.write_text("{")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    quick.ask("begin", step=[quick.element(LRO, "0")])
    quick.settled()
    assert (old.exists(), new.exists()) == (False, True)


# The dead-man's own processes.


def test_a_dead_man_that_cannot_be_started_leaves_nothing_armed(quick: Esxi) -> None:
    quick.alter(swaps={"            self.begin_to_watch(receipt)\n": '            raise OSError(errno.EAGAIN, "no process")\n'})
    found = quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=60)
    assert (found["state"], found["reason"]) == ("refused", "failed")
    assert found["error"].startswith("the dead-man did not begin to run; nothing was set (")
    assert (quick.settled()["deadman"], quick.ask("receipt")["wrote"], quick.effects()) == (None, [], [])
    quick.new_operation()
    quick.ask("begin", step=[quick.element(LRO, "0")])
    assert quick.settled()["state"] == "done"


@pytest.mark.parametrize("which", [0, 1])
def test_a_dead_man_of_which_one_process_is_killed_is_begun_again(which: int, quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=8)
    quick.settled()
    _until(lambda: len(quick.processes()) == 2)
    os.kill(quick.processes()[which], signal.SIGKILL)
    _until(lambda: len(quick.processes()) == 2)
    found = quick.wait_for("reverted", 30)
    assert (found["deadman"], found["after"]) == ("fired", {LRO: "1"})
    _until(lambda: quick.processes() == [], 30)
    assert len(quick.effects()) == 2


def test_a_confirmed_operation_leaves_no_process_behind(quick: Esxi) -> None:
    quick.ask("begin", step=[quick.element(LRO, "0")], deadman_s=60)
    quick.settled()
    assert quick.ask("confirm")["state"] == "confirmed"
    _until(lambda: quick.processes() == [], 10)


def test_a_slow_step_that_shows_signs_of_life_is_not_taken_back(quick: Esxi) -> None:
    _with_each_set(quick, lambda number, words: time.sleep(3.0))
    step = [quick.element(name, "0") for name in (LRO, TSO, "host//net.hw_tso6")]
    quick.ask("begin", step=step, deadman_s=8)
    found = quick.settled(60)
    assert (found["state"], found["deadman"]) == ("done", "armed")
    assert quick.ask("confirm")["deadman"] == "disarmed"


# Compared right before each set.


def test_a_value_that_a_person_changes_during_the_step_stays_his(quick: Esxi) -> None:
    def meddle(number: int, words: list[str]) -> None:
        if number == 1:
            quick.host.set("vmk1.mtu", 4000, cause="a person")

    _with_each_set(quick, meddle)
    quick.ask("begin", step=[quick.element(LRO, "0"), quick.element(VMK, "8900")])
    found = quick.settled()
    assert (found["state"], found["reason"], found["wrote"]) == ("started", None, [LRO])
    assert found["error"] == f"{VMK} reads 4000 now: somebody else set it"
    assert quick.effects() == [(LRO, "1", "0")]


def test_what_a_person_sets_to_the_target_during_the_step_is_not_taken_back(quick: Esxi) -> None:
    def help_out(number: int, words: list[str]) -> None:
        if number == 1:
            quick.host.set("vmk1.mtu", 8900, cause="a person")

    _with_each_set(quick, help_out)
    quick.ask("begin", step=[quick.element(LRO, "0"), quick.element(VMK, "8900")])
    found = quick.settled()
    assert (found["state"], found["wrote"]) == ("done", [LRO])
    quick.ask("revert")
    assert quick.wait_for("reverted")["after"] == {LRO: "1", VMK: "8900"}


def test_a_holder_is_known_only_while_it_works(quick: Esxi) -> None:
    may_go = threading.Event()
    _with_each_set(quick, lambda number, words: may_go.wait(20) and None)
    quick.ask("begin", step=[quick.element(LRO, "0")])
    lock = next((quick.machine.folder / "run").glob("runner-*.lock"))
    holder = int(lock.read_text())
    assert holder in quick.processes()
    quick.ask("receipt")  # looks whether the mutex is free, and leaves the name of its holder alone
    assert int(lock.read_text()) == holder
    may_go.set()
    quick.settled()
    _until(lambda: lock.read_text() == "")
