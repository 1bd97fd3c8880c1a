"""The real ESXi runner as a process on lab hosts, under the Pythons that are here: every verb, and everything that must not happen."""

import json
import re
import secrets
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab.esxi import iscsi
from lab.esxi.common import mac_of
from tests.agents.esxi.workbench import AGENT, REPOSITORY, _load
from tests.agents.runner.workbench import RUNNER, VMK, Esxi, esxi

SETTINGS = yaml.safe_load((REPOSITORY / "agents" / "schema" / "runner-settings.yaml").read_text())
module = _load(RUNNER, "host_runner")
LRO = "host//net.lro"
BETWEEN = str(Path(__file__).with_name("between.py"))


# The file.


def test_it_changes_exactly_what_the_agreement_lists() -> None:
    assert set(module.SETTINGS) == set(SETTINGS["esxi"])


@pytest.mark.parametrize("key", sorted(SETTINGS["esxi"]))
def test_patterns_are_those_of_the_agreement(key: str) -> None:
    entry, how = SETTINGS["esxi"][key], module.SETTINGS[key]
    assert how.value.pattern.removeprefix("\\A").removesuffix("\\Z").removeprefix("(?:").removesuffix(")") in (
        entry["value"],
        entry["value"].removeprefix("(?:").removesuffix(")"),
        f"inherit|{entry['value'].removeprefix('inherit|')}",
    )
    expected = SETTINGS["ids"][entry["id"]]
    for text in (
        "vmk1",
        "vSwitch 1",
        "001b21aabb01",
        "0000:83:00.0",
        "vmhba64",
        "iqn.1998-01.com:x",
        "vmhba1>iqn.2001-05.com.eql:0-a",
        "naa.60",
    ):
        assert bool(how.identity.match(text)) == bool(re.fullmatch(expected, text)), (key, text)


# Reading and refusing.


def test_a_read_tells_values_health_and_boot_and_changes_nothing(host: Esxi) -> None:
    found = host.ask("read", step=[{"setting": VMK}, {"setting": "vnic/vmk9/mtu"}, {"setting": LRO}])
    assert found["after"] == {VMK: "9000", "vnic/vmk9/mtu": None, LRO: "1"}
    assert "vmk9" in found["error"]
    assert found["health"] == {"sessions": 8, "paths_healthy": 8, "least_paths": 4, "volumes": 2, "adapters_up": 3}
    assert (found["state"], found["fence"], found["before"]) == ("none", None, None)
    assert not [row for row in host.host.read_journal() if row["cause"] == "runner"]


@pytest.mark.parametrize("name", ["esx-a01", "esx-b07", "esx-a03", "esx-c01"])
def test_every_release_reads_every_setting_that_it_has(name: str, tmp_path: Path) -> None:
    with esxi(tmp_path, name) as host:
        nics = host.host.ports("san")
        hba = next(iter(host.host.state["initiators"]))
        _, naa = iscsi.volumes(host.host)[0]
        target = f"{hba}>{iscsi.live_paths(host.host)[0]['iqn']}"
        wanted = [VMK, "vswitch/vSwitch1/mtu", LRO, "host//net.hw_tso", "host//net.hw_tso6", f"initiator/{hba}/delayed_ack"]
        wanted += [f"initiator/{hba}/login_timeout_seconds", f"target/{target}/delayed_ack", f"target/{target}/login_timeout_seconds"]
        wanted += [f"volume/{naa}/policy"]
        if host.host.spec.data["release"] != "5.5":
            wanted += [f"adapter/{mac_of(host.host, nics[0][0])}/{key}" for key in ("flow_control", "receive_buffers", "transmit_buffers")]
        assert None not in host.values(*wanted).values()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"v": 2}, "bad_request"),
        ({"verb": "run"}, "bad_request"),
        ({"op_id": "../../etc/passwd"}, "bad_request"),
        ({"gen": -1}, "bad_request"),
        ({"gen": True}, "bad_request"),
        ({"extra": 1}, "bad_request"),
        ({"boot_id": None}, "bad_request"),
        ({"step": []}, "bad_request"),
        ({"step": [{"setting": VMK}]}, "bad_request"),
        ({"step": [{"setting": "vnic/vmk1;reboot/mtu", "seen": "1500", "target": "9000", "inverse": "1500"}]}, "bad_request"),
        ({"step": [{"setting": "vnic/vmk1%0areboot/mtu", "seen": "1500", "target": "9000", "inverse": "1500"}]}, "bad_request"),
        ({"step": [{"setting": "vnic/vmk1/mtu", "seen": "1500", "target": "9000\n", "inverse": "1500"}]}, "bad_request"),
        ({"step": [{"setting": "vnic/vmk1/mtu", "seen": "1500", "target": "$(reboot)", "inverse": "1500"}]}, "bad_request"),
        ({"step": [{"setting": "vnic/vmk1/mtu", "seen": "1500", "target": "9000", "inverse": "1500"}] * 2}, "bad_request"),
        ({"step": [{"setting": "host//firewall", "seen": "1", "target": "0", "inverse": "1"}]}, "not_allowed"),
        ({"restart": "adapter/001b21aabb01"}, "bad_request"),
        ({"deadman_s": 0}, "bad_request"),
        ({"health_floor": {}}, "bad_request"),
        ({"health_floor": {"paths": 1}}, "bad_request"),
    ],
    ids=lambda value: json.dumps(value)[:60] if isinstance(value, dict) else value,
)
def test_a_bad_request_is_told_apart_and_does_nothing(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        host.ready()
        request = host.request("begin", step=[host.element(LRO, "0")]) | change
        data = json.dumps(request).encode()
        answer = host.send(data)
        assert (answer["state"], answer["reason"]) == ("refused", reason)
        assert host.effects() == []


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"v":1,"v":1}', b"\xff", b'{"op_id":"' + b"a" * 70000 + b'"}', b"null"])
def test_what_is_no_request_is_answered_too(data: bytes, tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        assert host.send(data)["reason"] == "bad_request"


# The fence.


def test_without_a_fence_nothing_is_carried_out(host: Esxi) -> None:
    read = host.ask("read")
    host.good = {"boot_id": read["boot_id"], "not_after_uptime_s": read["uptime_s"] + 60}
    assert host.ask("begin", step=[host.element(LRO, "0")])["reason"] == "fenced"
    assert host.ask("revert")["reason"] == "fenced"
    assert host.ask("fence")["fence"] == {"gen": 7, "attempt": 1}
    assert host.ask("begin", step=[host.element(LRO, "0")])["state"] == "started"
    assert host.settled()["state"] == "done"


@pytest.mark.parametrize(("gen", "attempt"), [(6, 9), (7, 1), (0, 0)])
def test_the_fence_only_rises(gen: int, attempt: int, host: Esxi) -> None:
    host.ready(7, 2)
    for verb in ("fence", "begin", "confirm", "revert"):
        step = [host.element(LRO, "0")] if verb == "begin" else []
        found = host.ask(verb, gen=gen, attempt=attempt, step=step)
        assert (found["state"], found["reason"], found["fence"]) == ("refused", "fenced", {"gen": 7, "attempt": 2}), verb
    assert host.effects() == []
    assert host.ready(8, 0)["fence"] == {"gen": 8, "attempt": 0}


def test_a_fence_raised_in_the_middle_stops_the_rest_of_a_step(host: Esxi) -> None:
    host.ready()
    hba = next(iter(host.host.state["initiators"]))
    step = [host.element(LRO, "0"), host.element("host//net.hw_tso", "0"), host.element(f"initiator/{hba}/delayed_ack", "true")]
    file = host.state / "fence.json"
    original = host.setter._apply

    def raise_after_first(words: list[str]) -> list[str]:
        bounced = original(words)
        file.write_text('{"gen": 8, "attempt": 0}')
        return bounced

    host.setter._apply = raise_after_first  # type: ignore[method-assign]
    host.ask("begin", step=step)
    found = host.settled()
    assert (found["state"], found["wrote"]) == ("started", [LRO])
    assert "generation 8" in found["error"]
    assert [row[0] for row in host.effects()] == [LRO]


def test_a_command_of_another_boot_or_too_late_is_refused(host: Esxi) -> None:
    host.ready()
    step = [host.element(LRO, "0")]
    for change in ({"boot_id": "0" * 32}, {"not_after_uptime_s": 1}):
        for verb in ("fence", "begin", "confirm", "revert"):
            assert host.ask(verb, step=step if verb == "begin" else [], **change)["reason"] == "late", (verb, change)
    assert host.effects() == []


def test_the_owner_of_the_host_has_the_last_word(host: Esxi) -> None:
    host.ready()
    step = [host.element(LRO, "0")]
    (host.program / "observe-only").touch()
    for verb in ("begin", "revert"):
        found = host.ask(verb, step=step if verb == "begin" else [])
        assert (found["reason"], found["error"]) == ("not_allowed", "refused by the host's owner")
    assert host.values(LRO) == {LRO: "1"}


def test_a_runner_on_a_datastore_of_the_san_takes_no_fence(tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        san = host.program.parent.parent / host.host.state["volumes"][0] / "plumbline"
        san.mkdir(parents=True)
        (san / "host_runner.py").write_bytes(RUNNER.read_bytes())
        host.program = san
        found = host.ready()
        assert found["reason"] == "not_allowed"
        assert "not on a local disk" in found["error"]


# A step.


def test_a_step_is_carried_out_once(host: Esxi) -> None:
    host.ready()
    step = [host.element(VMK, "8900"), host.element(LRO, "0")]
    began = host.ask("begin", step=step, health_floor={"least_paths": 2})
    assert (began["state"], began["reason"], began["before"]) == ("started", "busy", {VMK: "9000", LRO: "1"})
    done = host.settled()
    assert (done["state"], done["after"], done["wrote"], done["error"]) == ("done", {VMK: "8900", LRO: "0"}, [VMK, LRO], None)
    again = host.ask("begin", step=step)
    assert again["state"] == "done"
    assert host.effects() == [(VMK, "9000", "8900"), ("host//net.lro", "1", "0")]
    mark = {"op_id": host.op, "gen": 7}
    assert json.loads((host.state / "last.json").read_text()) == mark
    assert json.loads((host.machine.folder / "run" / "runner-last.json").read_text()) == mark
    confirmed = host.ask("confirm")
    assert (confirmed["state"], confirmed["deadman"]) == ("confirmed", None)
    assert host.ask("revert")["reason"] == "conflict"


def test_a_collection_over_ssh_carries_the_mark_without_being_told_where_it_lies(tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        host.ready()
        host.ask("begin", step=[host.element(LRO, "0")])
        host.settled()
        command = [*host.engine, "-", "--collect-only", "--want", "mem"]
        done = subprocess.run(
            command, input=AGENT.read_bytes(), capture_output=True, env=host.machine.environment(), check=True, timeout=100
        )
        envelope = json.loads(done.stdout.split(b"\n", 1)[0])
        assert envelope["runner_before"] == envelope["runner_after"] == {"op_id": host.op, "gen": 7}


def test_what_stood_at_target_before_is_not_ours(host: Esxi) -> None:
    host.ready()
    step = [{"setting": LRO, "seen": "0", "target": "1", "inverse": "0"}, host.element(VMK, "8900")]
    host.ask("begin", step=step)
    assert host.settled()["wrote"] == [VMK]
    host.ask("revert")
    assert host.wait_for("reverted")["after"] == {LRO: "1", VMK: "9000"}


def test_a_third_value_is_a_conflict_and_nothing_is_set(host: Esxi) -> None:
    host.ready()
    step = [host.element(LRO, "0"), host.element(VMK, "8900", seen="1500")]
    found = host.ask("begin", step=step)
    assert (found["state"], found["reason"]) == ("refused", "conflict")
    assert "reads 9000" in found["error"]
    assert host.effects() == []
    assert host.ask("receipt")["state"] == "none"


def test_too_few_paths_or_unknown_health_stop_before_anything_is_set(host: Esxi) -> None:
    host.ready()
    step = [host.element(VMK, "8900")]
    assert host.ask("begin", step=step, health_floor={"least_paths": 5})["error"].startswith("least_paths: 4")
    host.machine.hang("esxcli", is_hanging=False)
    answers = host.machine.folder / "answers" / "xml"
    (answers / "esxcli iscsi session list").write_text("Connection failed")
    found = host.ask("begin", step=step, health_floor={"sessions": 1})
    assert (found["reason"], found["error"][:18]) == ("not_allowed", "sessions: unknown,")
    assert host.effects() == []


def test_the_same_operation_with_another_step_is_refused(host: Esxi) -> None:
    host.ready()
    host.host.set("fault.refuse", 1, cause="test")
    host.ask("begin", step=[host.element(LRO, "0")])
    assert host.settled()["state"] == "started"
    found = host.ask("begin", step=[host.element("host//net.hw_tso", "0")])
    assert found["reason"] == "bad_request"


def test_a_driver_that_refuses_leaves_the_rest_alone(host: Esxi) -> None:
    host.ready()
    step = [host.element(LRO, "0"), host.element(VMK, "8900")]
    host.host.set("fault.refuse", 1, cause="test")
    host.ask("begin", step=step)
    found = host.settled()
    assert (found["state"], found["wrote"], found["after"]) == ("started", [], {LRO: "1", VMK: "9000"})
    assert "Sysinfo" in found["error"]
    host.ready(7, 2)
    host.ask("begin", step=step)
    assert host.settled()["state"] == "done"


def test_a_driver_that_lies_is_found_out_by_reading(host: Esxi) -> None:
    host.ready()
    host.host.set("fault.lie", 1, cause="test")
    host.ask("begin", step=[host.element(LRO, "0")])
    found = host.settled()
    assert (found["state"], found["after"]) == ("started", {LRO: "1"})
    assert "reads 1 after it was set to 0" in found["error"]


def test_one_change_at_a_time(host: Esxi) -> None:
    host.ready()
    original, may_set = host.setter._apply, threading.Event()

    def when_allowed(words: list[str]) -> list[str]:
        may_set.wait(15)
        return original(words)

    host.setter._apply = when_allowed  # type: ignore[method-assign]
    step = [host.element(LRO, "0")]
    host.ask("begin", step=step)
    first = host.op
    assert host.ask("begin", step=step)["reason"] == "busy"
    host.new_operation()
    found = host.ask("begin", step=[host.element(VMK, "8900")])
    assert (found["state"], found["reason"]) == ("refused", "busy")
    may_set.set()
    host.op = first
    assert host.settled()["state"] == "done"
    assert len(host.effects()) == 1


def test_work_that_ends_between_the_look_at_its_receipt_and_at_the_mutex_has_ended(host: Esxi) -> None:
    host.ready()
    may_set = threading.Event()
    original = host.setter._apply

    def when_allowed(words: list[str]) -> list[str]:
        assert may_set.wait(60)
        return original(words)

    host.setter._apply = when_allowed  # type: ignore[method-assign]
    assert host.ask("begin", step=[host.element(LRO, "0")])["state"] == "started"
    mark = host.machine.folder / "between"
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(host.send, host.request("receipt"), before=[BETWEEN, str(mark)])
        try:
            while not mark.exists():
                assert not asked.done(), "nobody looked at the mutex"
                time.sleep(0.02)
            may_set.set()
            assert host.settled()["state"] == "done"
        finally:
            may_set.set()
            mark.unlink(missing_ok=True)
        found = asked.result()
    assert (found["state"], found["reason"], found["wrote"]) == ("done", None, [LRO])


@pytest.mark.parametrize(
    ("setting", "target"),
    [
        ("vswitch/vSwitch0/mtu", "8000"),
        ("host//net.hw_tso6", "0"),
        ("initiator/{hba}/delayed_ack", "true"),
        ("initiator/{hba}/login_timeout_seconds", "30"),
        ("target/{hba}>{iqn}/delayed_ack", "true"),
        ("target/{hba}>{iqn}/login_timeout_seconds", "20"),
        ("adapter/{mac}/flow_control", "false,false,true"),
        ("adapter/{mac}/receive_buffers", "1024"),
        ("adapter/{mac}/transmit_buffers", "2048"),
        ("volume/{naa}/policy", "VMW_PSP_FIXED"),
        ("volume/{naa}/round_robin_iops", "3"),
    ],
)
def test_every_setting_is_set_and_taken_back(setting: str, target: str, tmp_path: Path) -> None:
    with esxi(tmp_path) as host:
        lab = host.host
        names = {
            "hba": next(iter(lab.state["initiators"])),
            "iqn": iscsi.live_paths(lab)[0]["iqn"],
            "mac": mac_of(lab, lab.ports("san")[0][0]),
            "naa": iscsi.volumes(lab)[0][1],
        }
        address = setting.format(**names)
        host.ready()
        old = host.values(address)[address]
        host.ask("begin", step=[host.element(address, target)])
        found = host.settled()
        assert (found["state"], found["after"]) == ("done", {address: target}), found
        host.ask("revert")
        assert host.wait_for("reverted")["after"] == {address: old}


def test_a_value_that_somebody_else_set_is_left_alone_by_a_revert(host: Esxi) -> None:
    host.ready()
    host.ask("begin", step=[host.element(VMK, "8900"), host.element(LRO, "0")])
    host.settled()
    host.host.set("vmk1.mtu", 4000, cause="a person")
    host.machine.refresh()
    host.ask("revert")
    found = host.settled()
    # The taking back is at its end, and what it could not take back is reported: neither done nor reverted.
    assert (found["state"], found["reason"]) == ("started", None)
    assert found["error"] == f"{VMK} reads 4000: somebody else set it, it stays"
    assert host.values(VMK, LRO) == {VMK: "4000", LRO: "1"}


def test_a_damaged_fence_is_no_fresh_start(host: Esxi) -> None:
    host.ready()
    (host.state / "fence.json").write_text("{")
    found = host.ask("begin", step=[host.element(LRO, "0", seen="1")], op_id=secrets.token_hex(16))
    assert (found["state"], found["reason"]) == ("refused", "failed")
    assert "damaged" in found["error"]
