"""The dead-man of the real ESXi runner: a step that nobody confirms is set back, whatever has become of its runner."""

import json
import time
from pathlib import Path

from lab.esxi.agent import EsxiMachine
from lab.esxi.setter import restart_host
from tests.agents.runner.workbench import VMK, Esxi, esxi

LRO = "host//net.lro"


def test_the_dead_man_sets_everything_back_once(host: Esxi) -> None:
    host.ready()
    step = [host.element(VMK, "8900"), host.element(LRO, "0")]
    assert host.ask("begin", step=step, deadman_s=2)["deadman"] == "armed"
    found = host.wait_for("reverted")
    assert (found["deadman"], found["after"]) == ("fired", {VMK: "9000", LRO: "1"})
    assert host.effects(reverting=True) == [(VMK, "8900", "9000"), ("host//net.lro", "0", "1")]
    assert host.ask("confirm")["state"] == "reverted"
    assert host.ask("begin", step=step)["state"] == "reverted"
    assert len(host.effects()) == 4


def test_a_confirmed_step_stays(host: Esxi) -> None:
    host.ready()
    host.ask("begin", step=[host.element(VMK, "8900")], deadman_s=3)
    host.settled()
    assert host.ask("confirm")["deadman"] == "disarmed"
    time.sleep(3.5)
    assert host.values(VMK) == {VMK: "8900"}
    assert len(host.effects()) == 1


def test_the_dead_man_fires_though_its_runner_was_killed(host: Esxi) -> None:
    host.ready()
    host.host.set("fault.die_after_set", 1, cause="test")
    host.ask("begin", step=[host.element(VMK, "8900"), host.element(LRO, "0")], deadman_s=8)
    assert host.settled()["state"] == "started"
    assert host.wait_for("reverted", 60)["after"] == {VMK: "9000", LRO: "1"}


def test_a_runner_that_dies_before_its_first_word_holds_nobody_up(tmp_path: Path) -> None:
    """Its dead-man stands by then, and must not keep open what the one who asked is listening to."""
    with esxi(tmp_path) as host:
        host.ready()
        source = (host.program / "host_runner.py").read_text()
        word = '        found = self.answer_from(receipt, is_busy=True)\n        found["health"] = figures\n'
        assert source.count(word) == 1
        dying = source.replace(word, "        os.kill(os.getpid(), signal.SIGKILL)\n")
        (host.program / "host_runner.py").write_text(dying)
        began = time.monotonic()
        found = host.ask("begin", step=[host.element(VMK, "8900")], deadman_s=8)
        assert (found["state"], found["deadman"]) == ("started", "armed")
        assert time.monotonic() - began < 60
        assert host.wait_for("reverted", 60)["deadman"] == "fired"
        assert host.effects() == []


def test_the_dead_man_obeys_no_fence_and_no_owner(host: Esxi) -> None:
    host.ready()
    host.ask("begin", step=[host.element(VMK, "8900")], deadman_s=3)
    host.settled()
    (host.program / "observe-only").touch()
    host.ask("fence", gen=99)
    assert host.wait_for("reverted")["after"] == {VMK: "9000"}


def test_while_a_dead_man_stands_no_other_operation_begins(host: Esxi) -> None:
    host.ready()
    host.ask("begin", step=[host.element(VMK, "8900")], deadman_s=600)
    host.settled()
    first = host.op
    host.new_operation()
    found = host.ask("begin", step=[host.element(LRO, "0")])
    assert (found["reason"], first in found["error"]) == ("busy", True)
    host.op = first
    host.ask("revert")
    assert host.wait_for("reverted")["deadman"] == "disarmed"


def test_after_a_restart_of_the_host_the_dead_man_is_gone(host: Esxi) -> None:
    host.ready()
    host.ask("begin", step=[host.element(VMK, "8900")], deadman_s=600)
    host.settled()
    _restart(host.machine)
    assert host.ask("confirm")["reason"] == "late"
    found = host.ask("receipt")
    assert (found["state"], found["deadman"]) == ("done", "gone")
    host.ready()
    assert json.loads((host.machine.folder / "run" / "runner-last.json").read_text())["op_id"] == host.op
    assert host.ask("confirm")["state"] == "confirmed"


def _restart(machine: EsxiMachine) -> None:
    restart_host(machine)
    time.sleep(0.2)
