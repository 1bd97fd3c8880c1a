"""The lab's own runner of Windows hosts: the semantics that jobs are tested against, by the host's journal."""

import json
import secrets
import time
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
import yaml

from lab import fleet
from lab.checkin import WindowsClient
from lab.host import LabHost
from lab.windows import values
from lab.windows.common import mac_of
from lab.windows.runner import WindowsRunner
from plumbline.infra import resources

Make = Callable[[str], LabHost]
SCHEMA = json.loads((resources.SCHEMA / "runner.schema.json").read_text())
ANSWER = jsonschema.Draft202012Validator({"$ref": "#/$defs/answer", "$defs": SCHEMA["$defs"]})
RSS, TASK = "host//tcp.rss", "host//tcp.task_offload"


class Asked:
    """A runner and one operation on it."""

    def __init__(self, host: LabHost) -> None:
        self.host = host
        self.runner = WindowsRunner(host)
        self.op = secrets.token_hex(16)
        self.good = {"boot_id": self.runner.boot, "not_after_uptime_s": int(time.monotonic()) + 600}

    def ask(self, verb: str, **given: Any) -> dict[str, Any]:
        whole = {"v": 1, "verb": verb, "host_id": "ab" * 16, "job_id": "cd" * 16, "op_id": self.op, "nonce": secrets.token_hex(16)}
        whole |= {"gen": 7, "attempt": 1, "step": [], "restart": None, "deadman_s": None, "health_floor": None, **self.good} | given
        answer = self.runner.answer(json.dumps(whole).encode())
        ANSWER.validate(answer)
        return answer

    def settled(self) -> dict[str, Any]:
        until = time.monotonic() + 20
        while (found := self.ask("receipt"))["reason"] == "busy":
            assert time.monotonic() < until
            time.sleep(0.02)
        return found

    def effects(self) -> list[tuple[str, str, bool]]:
        rows = [row for row in self.host.read_journal() if row["cause"] == "runner" and row.get("op_id") == self.op]
        return [(row["setting"], row["restart"] or row["new"], row["reverting"]) for row in rows]


@pytest.fixture
def asked(lab_host: Make) -> Asked:
    found = Asked(lab_host("sql-05"))
    found.host.set("fault.restart_seconds", 0, cause="test")
    found.ask("fence")
    return found


def _step(*settings: str) -> list[dict[str, str]]:
    return [{"setting": one, "seen": "Enabled", "target": "Disabled", "inverse": "Enabled"} for one in settings]


def _restarting(host: LabHost) -> tuple[str, list[dict[str, str]]]:
    mac = mac_of(host, host.ports("san")[0][0])
    return f"adapter/{mac}", [{"setting": f"adapter/{mac}/mtu", "seen": "1514", "target": "9014", "inverse": "1514"}]


def test_a_step_is_set_restarted_and_confirmed_once(asked: Asked) -> None:
    adapter, step = _restarting(asked.host)
    assert asked.ask("begin", step=step, restart=adapter)["restart"] == "owed"
    assert (asked.settled()["state"], asked.settled()["restart"]) == ("done", "done")
    assert asked.ask("begin", step=step, restart=adapter)["state"] == "done"
    assert asked.ask("confirm")["state"] == "confirmed"
    assert asked.effects() == [(step[0]["setting"], "9014", False), (adapter, "adapter", False)]
    role = asked.host.ports("san")[0][0]
    assert asked.host.frame_size(asked.host.state["ports"][role]) == 9000


@pytest.mark.parametrize("fault", ["die_before_set", "die_after_set"])
def test_a_killed_runner_is_resumed_and_nothing_is_set_twice(fault: str, asked: Asked) -> None:
    asked.host.set(f"fault.{fault}", 1, cause="test")
    asked.ask("begin", step=_step(RSS, TASK))
    assert asked.settled()["state"] == "started"
    asked.ask("fence", attempt=2)
    asked.ask("begin", step=_step(RSS, TASK), attempt=2)
    assert asked.settled()["state"] == "done"
    assert asked.settled()["wrote"] == [RSS, TASK]
    assert asked.effects() == [(RSS, "Disabled", False), (TASK, "Disabled", False)]


def test_an_operation_that_ends_while_it_is_asked_for_has_ended(asked: Asked) -> None:
    class Ending:
        """The mutex of work that ends just before somebody looks at it."""

        def locked(self) -> bool:
            asked.runner.save(receipt | {"state": "done"})
            return False

    asked.host.set("fault.die_after_set", 1, cause="test")
    asked.ask("begin", step=_step(RSS))
    assert asked.settled()["state"] == "started"
    receipt = asked.runner.receipt(asked.op)
    assert receipt is not None
    asked.runner.mutex = Ending()  # type: ignore[assignment]
    found = asked.ask("receipt")
    assert (found["state"], found["reason"]) == ("done", None)


def test_a_restart_that_is_owed_is_made_up_for_alone(asked: Asked) -> None:
    adapter, step = _restarting(asked.host)
    asked.host.set("fault.die_after_set", 1, cause="test")
    asked.ask("begin", step=step, restart=adapter)
    found = asked.settled()
    assert (found["state"], found["restart"]) == ("started", "owed")
    asked.ask("begin", step=step, restart=adapter)
    assert asked.settled()["state"] == "done"
    assert asked.effects() == [(step[0]["setting"], "9014", False), (adapter, "adapter", False)]


def test_a_restart_that_was_begun_is_not_made_again_where_the_adapter_runs_the_new_value(asked: Asked) -> None:
    adapter, step = _restarting(asked.host)
    asked.ask("begin", step=step, restart=adapter)
    asked.settled()
    receipt = asked.runner.receipt(asked.op) or {}
    receipt |= {"state": "started", "restart_state": "begun"}
    asked.runner.save(receipt)
    asked.ask("begin", step=step, restart=adapter)
    assert asked.settled()["restart"] == "done"
    assert len(asked.effects()) == 2


def test_late_fenced_and_foreign_commands_do_nothing(asked: Asked) -> None:
    asked.ask("fence", gen=9)
    assert asked.ask("begin", step=_step(RSS), gen=8)["reason"] == "fenced"
    assert asked.ask("begin", step=_step(RSS), gen=9, boot_id="0" * 32)["reason"] == "late"
    assert asked.ask("begin", step=_step(RSS), gen=9, not_after_uptime_s=1)["reason"] == "late"
    assert asked.ask("begin", step=_step("host//firewall"), gen=9)["reason"] == "not_allowed"
    (asked.runner.folder / "observe-only").touch()
    assert asked.ask("begin", step=_step(RSS), gen=9)["error"] == "refused by the host's owner"
    assert asked.effects() == []


def test_a_third_value_is_a_conflict(asked: Asked) -> None:
    step = _step(RSS, TASK)
    step[1] |= {"seen": "Disabled", "target": "Disabled"}
    assert asked.ask("begin", step=step)["reason"] == "conflict"
    assert asked.effects() == []


def test_too_few_paths_stop_it(asked: Asked) -> None:
    least = values.health(asked.host)["least_paths"] or 0
    assert asked.ask("begin", step=_step(RSS), health_floor={"least_paths": least + 1})["reason"] == "not_allowed"
    assert asked.ask("begin", step=_step(RSS), health_floor={"least_paths": least})["state"] == "started"


def test_the_dead_man_fires_once_and_a_confirmed_one_never(asked: Asked) -> None:
    asked.ask("begin", step=_step(RSS), deadman_s=1)
    until = time.monotonic() + 10
    while asked.ask("receipt")["state"] != "reverted":
        assert time.monotonic() < until
        time.sleep(0.05)
    assert asked.ask("confirm")["deadman"] == "fired"
    assert asked.effects() == [(RSS, "Disabled", False), (RSS, "Enabled", True)]
    asked.op = secrets.token_hex(16)
    asked.ask("begin", step=_step(TASK), deadman_s=1)
    asked.settled()
    assert asked.ask("confirm")["deadman"] == "disarmed"
    time.sleep(1.5)
    assert asked.effects() == [(TASK, "Disabled", False)]


def test_a_lab_that_is_started_again_keeps_what_was_armed(asked: Asked) -> None:
    asked.ask("begin", step=_step(RSS), deadman_s=2)
    asked.settled()
    again = WindowsRunner(asked.host)
    time.sleep(3)
    assert (again.receipt(asked.op) or {})["state"] == "reverted"
    assert [row[2] for row in asked.effects()] == [False, True]


def test_an_operation_without_a_receipt_is_told_by_its_values(asked: Asked) -> None:
    asked.host.set("fault.lose_receipt", 1, cause="test")
    asked.ask("begin", step=_step(RSS))
    until = time.monotonic() + 10
    while asked.ask("receipt")["state"] != "none":
        assert time.monotonic() < until
    asked.ask("begin", step=_step(RSS))
    found = asked.settled()
    assert (found["state"], found["wrote"]) == ("done", [])
    assert len(asked.effects()) == 1


def test_check_ins_carry_the_mark_of_the_last_act(asked: Asked) -> None:
    asked.ask("begin", step=_step(RSS))
    asked.settled()
    _, line, _ = WindowsClient.show(asked.host)
    envelope = json.loads(line)
    assert envelope["runner_before"] == envelope["runner_after"] == {"op_id": asked.op, "gen": 7}


def _windows_of(name: str) -> list[tuple[str, str]]:
    agreement = yaml.safe_load((resources.SCHEMA / "runner-settings.yaml").read_text())
    return [(name, key) for key in agreement["windows"]]


OTHER = {
    "adapter.mtu": "4088", "adapter.flow_control": "1", "adapter.rss_profile": "2", "adapter.netbios": "2", "host.mpio.policy": "LQD",
    "transport_filter.template": "DatacenterCustom", "tcp_template.delayed_ack_frequency": "1", "qos_policy.rule": "445:3",
    "qos_class.share": "ets:40:3", "adapter.delayed_ack_registry": "1", "adapter.nagle_registry": "1",
}  # fmt: skip
SWAP = {"0": "1", "1": "0", "3": "0", "Enabled": "Disabled", "Disabled": "Enabled", "True": "False", "False": "True", "Normal": "Disabled"}


@pytest.mark.parametrize("name", [spec.name for spec in fleet.load() if spec.name in ("sql-05", "hv-11", "sql-03")])
def test_every_setting_that_the_host_has_is_set_and_put_back(name: str, lab_host: Make) -> None:
    host = lab_host(name)
    role = next(iter([*host.ports("san"), *host.ports("s2d")]))[0]
    ids = {"adapter": mac_of(host, role), "none": "", "interface": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "template": "DatacenterCustom"}
    ids |= {"filter": "TCP,0-65535,3260-3260,*", "qos": "smb"}
    done = 0
    for key, entry in values.agreement()["windows"].items():
        kind, _, rest = key.partition(".")
        address = f"{kind}/{ids[entry['id']]}/{rest}"
        try:
            old = values.read(host, address)
        except values.Unreadable:
            continue
        assert values.is_value(address, old), (address, old)
        new = OTHER.get(key) or SWAP.get(old) or str(int(old) + 1)
        assert values.is_value(address, new), (address, new)
        values.write(host, address, new)
        assert values.read(host, address) == new, address
        values.write(host, address, old)
        assert values.read(host, address) == old, address
        done += 1
    assert done >= 25
