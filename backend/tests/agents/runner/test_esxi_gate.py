"""The ESXi runner never takes the last path of a target: before anything is set, and before each set that cuts, it looks up the uplinks."""

import time
from pathlib import Path

import pytest

from lab import identity
from lab.esxi.common import mac_of
from tests.agents.runner.workbench import VMK, Esxi, esxi

LRO = "host//net.lro"
SWITCH = "vswitch/vSwitch1/mtu"


@pytest.fixture
def quick(host: Esxi) -> Esxi:
    """A host whose runner does not wait long for paths to come back."""
    host.alter(SETTLE_SECONDS=1)
    host.host.set("fault.restart_seconds", 0, cause="test")
    return host


def _uplinks(host: Esxi) -> list[str]:
    return [name for name, _ in host.host.ports("san")]


def _target(host: Esxi, volume: str) -> str:
    return identity.target_iqn(host.host.spec.group, volume)


def _lose(host: Esxi, place: str, *, is_back: bool = False) -> None:
    """Loses one path, or has it back: the link stays up."""
    host.host.set(f"path.{place}", "healthy" if is_back else "dead", cause="test")
    host.machine.refresh()


def _cutting(host: Esxi, what: str) -> dict[str, str]:
    mac = mac_of(host.host, _uplinks(host)[0])
    setting, target = {
        "pause": (f"adapter/{mac}/flow_control", "false,false,true"),
        "ring": (f"adapter/{mac}/receive_buffers", "1024"),
        "vmk": (VMK, "8900"),
        "switch": (SWITCH, "8000"),
    }[what]
    return host.element(setting, target)


@pytest.mark.parametrize("what", ["pause", "ring", "vmk", "switch"])
def test_a_change_that_would_take_the_last_path_of_a_target_sets_nothing(what: str, quick: Esxi) -> None:
    quick.ready()
    # Two sessions of each target over each uplink: one target loses both over the second one, so both that remain go over the first.
    _lose(quick, f"{_uplinks(quick)[1]}/ds-erp")
    element = _cutting(quick, what)
    assert quick.ask("read")["health"]["least_paths"] == 2
    found = quick.ask("begin", step=[quick.element(LRO, "0"), element], health_floor={"least_paths": 2})
    assert (found["state"], found["reason"]) == ("refused", "not_allowed")
    target = _target(quick, "ds-erp")
    # A switch carries every path of this host.
    assert found["error"] == f"a change of {element['setting']} is not safe: it would take the last path of {target}; nothing was set"
    assert quick.effects() == []
    assert quick.ask("receipt")["state"] == "none"


@pytest.mark.parametrize("what", ["pause", "ring", "vmk"])
def test_a_change_is_made_where_each_target_keeps_a_session_over_another_uplink(what: str, quick: Esxi) -> None:
    quick.ready()
    quick.ask("begin", step=[_cutting(quick, what)], health_floor={"least_paths": 2})
    assert quick.settled()["state"] == "done"


def test_what_drops_no_traffic_asks_for_no_second_path(quick: Esxi) -> None:
    quick.ready()
    _lose(quick, f"{_uplinks(quick)[1]}/ds-erp")
    quick.ask("begin", step=[quick.element(LRO, "0")])
    assert quick.settled()["state"] == "done"


@pytest.mark.parametrize(
    "command",
    ["iscsi session connection list", "network ip interface ipv4 get", "network vswitch standard portgroup policy failover get -p iSCSI-2"],
)
def test_paths_that_cannot_be_told_shut_the_gate(command: str, quick: Esxi) -> None:
    quick.ready()
    element = _cutting(quick, "vmk")
    for form in ("xml", "text"):
        (quick.machine.folder / "answers" / form / f"esxcli {command}").unlink(missing_ok=True)
    networkportals = quick.machine.folder / "answers" / "xml" / "esxcli iscsi networkportal list"
    text = networkportals.read_text()
    networkportals.write_text(text.replace("MACAddress", "NoAddress"))  # so that only the teaming can show the adapter
    found = quick.ask("begin", step=[element])
    assert (found["state"], found["reason"]) == ("refused", "not_allowed")
    assert "the paths over it cannot be told: " in found["error"]
    assert command in found["error"]
    assert quick.effects() == []


def test_an_uplink_without_link_may_be_changed_though_the_other_carries_everything(quick: Esxi) -> None:
    quick.ready()
    element = _cutting(quick, "ring")
    quick.host.set(f"{_uplinks(quick)[0]}.link", "down", cause="test")
    quick.machine.refresh()
    quick.ask("begin", step=[element])
    found = quick.settled()
    assert (found["state"], found["wrote"]) == ("done", [element["setting"]]), found


def _cut_with_the_first_set(host: Esxi, place: str) -> None:
    original = host.setter._apply

    def cutting(words: list[str]) -> list[str]:
        bounced = original(words)
        host.host.set(f"path.{place}", "dead", cause="test")
        return bounced

    host.setter._apply = cutting  # type: ignore[method-assign]


@pytest.mark.parametrize("floor", [None, {"least_paths": 4}], ids=["last path", "floor"])
def test_paths_are_looked_at_again_right_before_each_set_that_cuts(floor: dict[str, int] | None, quick: Esxi) -> None:
    quick.ready()
    second = _uplinks(quick)[1]
    step = [quick.element(LRO, "0"), _cutting(quick, "vmk")]
    _cut_with_the_first_set(quick, f"{second}/ds-erp")
    quick.ask("begin", step=step, health_floor=floor)
    found = quick.settled()
    # Started and put off: one element is set, so that the answer is no refusal.
    assert (found["state"], found["reason"], found["wrote"]) == ("started", None, [LRO])
    why = "least_paths: 2, and 4 are asked for" if floor else f"it would take the last path of {_target(quick, 'ds-erp')}"
    assert found["error"] == f"{VMK} put off: {why}"
    assert quick.values(VMK) == {VMK: "9000"}
    again = quick.ask("begin", step=step, health_floor=floor)
    assert (again["state"], again["reason"]) == ("started", None)
    assert "nothing was set" not in again["error"]
    _lose(quick, f"{second}/ds-erp", is_back=True)
    del quick.setter._apply  # type: ignore[method-assign]
    quick.ask("begin", step=step, health_floor=floor)
    assert quick.settled()["state"] == "done"


def test_a_step_waits_until_the_paths_of_its_first_set_are_back(host: Esxi) -> None:
    host.ready()
    host.host.set("fault.restart_seconds", 4, cause="test")
    mac = mac_of(host.host, _uplinks(host)[0])
    step = [_cutting(host, "ring"), host.element(f"adapter/{mac}/transmit_buffers", "2048")]
    host.ask("begin", step=step, health_floor={"least_paths": 4})
    found = host.settled(60)
    assert (found["state"], found["error"]) == ("done", None)


def test_a_taking_back_that_would_take_the_last_path_is_put_off_and_stays_open(quick: Esxi) -> None:
    quick.ready()
    step = [_cutting(quick, "vmk"), quick.element(LRO, "0")]
    quick.ask("begin", step=step)
    assert quick.settled()["state"] == "done"
    second = _uplinks(quick)[1]
    _lose(quick, f"{second}/ds-vdi")
    quick.ask("revert")
    found = quick.settled()
    assert (found["state"], found["reason"], found["after"]) == ("started", None, {VMK: "8900", LRO: "1"})
    assert found["error"] == f"{VMK} put off: it would take the last path of {_target(quick, 'ds-vdi')}"
    assert quick.ask("confirm")["state"] == "started"
    begun = quick.ask("begin", step=step)
    assert (begun["reason"], begun["error"]) == ("bad_request", "this operation is being taken back")
    _lose(quick, f"{second}/ds-vdi", is_back=True)
    quick.ask("revert")
    assert quick.wait_for("reverted")["after"] == {VMK: "9000", LRO: "1"}


def test_the_dead_man_waits_for_a_second_path_and_keeps_others_away_meanwhile(quick: Esxi) -> None:
    quick.alter(FIRST_PAUSE_SECONDS=0.5)
    quick.ready()
    quick.ask("begin", step=[_cutting(quick, "vmk")], deadman_s=3)
    assert quick.settled()["state"] == "done"
    second = _uplinks(quick)[1]
    _lose(quick, f"{second}/ds-vdi")
    until = time.monotonic() + 20
    while "put off" not in (quick.ask("receipt")["error"] or ""):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert quick.values(VMK) == {VMK: "8900"}
    first = quick.op
    quick.new_operation()
    assert quick.ask("begin", step=[quick.element(LRO, "0")])["reason"] == "busy"
    quick.op = first
    _lose(quick, f"{second}/ds-vdi", is_back=True)
    assert quick.wait_for("reverted")["deadman"] == "fired"
    assert quick.effects(reverting=True) == [(VMK, "8900", "9000")]


def test_paths_that_nobody_shows_are_not_counted_as_none(tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        empty = '<output><root><list type="structure"></list></root></output>'
        answers = host.machine.folder / "answers" / "xml"
        (answers / "esxcli storage core path list").write_text(empty)
        found = host.ask("read")["health"]
        assert (found["sessions"], found["paths_healthy"], found["least_paths"], found["volumes"]) == (8, None, None, None)
        (answers / "esxcli iscsi session list").write_text(empty)
        found = host.ask("read")["health"]
        assert (found["sessions"], found["paths_healthy"], found["least_paths"], found["volumes"]) == (0, 0, 0, 0)
