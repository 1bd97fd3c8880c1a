"""The lab's Windows runner: last paths, restarts that are put off, a step that hangs, and what lands late."""

import secrets
import time
from collections.abc import Callable
from typing import Any

import pytest

from lab.host import LabHost
from lab.windows import values
from lab.windows.common import mac_of
from tests.lab.test_windows_runner import RSS, TASK, Asked

Make = Callable[[str], LabHost]


@pytest.fixture
def asked(lab_host: Make) -> Asked:
    found = Asked(lab_host("ex-02"))
    found.host.set("fault.restart_seconds", 0, cause="test")
    found.ask("fence")
    return found


def restarting(asked: Asked, at: int = 0) -> dict[str, Any]:
    mac = mac_of(asked.host, asked.host.ports("san")[at][0])
    now = values.read(asked.host, f"adapter/{mac}/transmit_buffers")
    step = [{"setting": f"adapter/{mac}/transmit_buffers", "seen": now, "target": "1024", "inverse": now}]
    return {"step": step, "restart": f"adapter/{mac}"}


def settings_step(*settings: str) -> list[dict[str, str]]:
    return [{"setting": one, "seen": "Enabled", "target": "Disabled", "inverse": "Enabled"} for one in settings]


def wait_for(asked: Asked, state: str, seconds: float = 15) -> dict[str, Any]:
    until = time.monotonic() + seconds
    while (found := asked.ask("receipt"))["state"] != state:
        assert time.monotonic() < until, found
        time.sleep(0.05)
    return found


def test_both_paths_over_the_adapter_that_would_stop(asked: Asked) -> None:
    first, second = (name for name, _ in asked.host.ports("san"))
    asked.host.set(f"session.{second}", first, cause="test")
    answer = asked.ask("begin", **restarting(asked), health_floor={"least_paths": 2})
    assert (answer["state"], answer["reason"]) == ("refused", "not_allowed")
    assert answer["error"].startswith("a restart of SAN1 is not safe: it would take the last path of iqn.")
    assert answer["error"].endswith("; nothing was set")
    assert asked.effects() == []
    # The one that carries nothing may stop.
    asked.op = secrets.token_hex(16)
    asked.ask("begin", **restarting(asked, 1))
    assert asked.settled()["state"] == "done"


def test_health_does_not_count_standby_paths_and_is_null_behind_another_module(asked: Asked) -> None:
    volumes = asked.host.state["volumes"]
    whole = values.health(asked.host)
    asked.host.set(f"path.{asked.host.ports('san')[1][0]}/{volumes[0]}", "standby", cause="test")
    standby = values.health(asked.host)
    assert standby["sessions"] == whole["sessions"]
    assert (standby["paths_healthy"], standby["least_paths"]) == ((whole["paths_healthy"] or 0) - 1, 1)
    asked.host.set(f"dsm.{volumes[0]}", "other", cause="test")
    hidden = values.health(asked.host)
    assert (hidden["paths_healthy"], hidden["least_paths"], hidden["volumes"]) == (None, None, None)
    answer = asked.ask("begin", **restarting(asked), health_floor={"least_paths": 1})
    assert (answer["reason"], answer["error"]) == ("not_allowed", "least_paths: unknown, and 1 are asked for; nothing was set")


def test_a_restart_is_put_off_while_the_other_adapter_is_down_and_goes_on_afterwards(asked: Asked) -> None:
    second = asked.host.ports("san")[1][0]
    step = restarting(asked)
    asked.host.set("fault.die_after_set", 1, cause="test")
    asked.ask("begin", **step)
    assert asked.settled()["restart"] == "owed"
    asked.host.set(f"{second}.link", "down", cause="test")
    # Something is set: no refusal, and the values stay.
    answer = asked.ask("begin", **step)
    assert (answer["state"], answer["reason"], answer["restart"]) == ("started", None, "owed")
    assert "is not safe" in answer["error"]
    asked.host.set(f"{second}.link", "up", cause="test")
    asked.ask("begin", **step)
    assert (asked.settled()["state"], asked.settled()["restart"]) == ("done", "done")


def test_a_taking_back_puts_its_restart_off_and_stays_open(asked: Asked) -> None:
    second = asked.host.ports("san")[1][0]
    step = restarting(asked)
    asked.ask("begin", **step)
    asked.settled()
    asked.host.set(f"{second}.link", "down", cause="test")
    asked.ask("revert")
    found = asked.settled()
    assert (found["state"], found["reason"], found["restart"]) == ("started", None, "owed")
    assert found["error"].startswith(f"restart of {step['restart']} put off: it would take the last path of iqn.")
    # It is being taken back: no confirm confirms it, no begin goes on with it.
    assert asked.ask("confirm")["state"] == "started"
    assert (asked.ask("begin", **step)["state"], len(asked.effects())) == ("started", 3)
    asked.host.set(f"{second}.link", "up", cause="test")
    asked.ask("revert")
    assert (asked.settled()["state"], asked.settled()["restart"]) == ("reverted", "done")
    assert [row[1:] for row in asked.effects()] == [("1024", False), ("adapter", False), ("2048", True), ("adapter", True)]


def test_no_restart_where_the_adapter_never_started_with_the_new_value(asked: Asked) -> None:
    asked.host.set("fault.die_after_set", 1, cause="test")
    asked.ask("begin", **restarting(asked))
    asked.settled()
    asked.ask("revert")
    assert (asked.settled()["state"], asked.settled()["restart"]) == ("reverted", None)
    assert [row[1] for row in asked.effects()] == ["1024", "2048"]


def test_a_driver_that_refuses_in_silence_is_found_before_its_adapter_stops(asked: Asked) -> None:
    asked.host.set("fault.lie", 1, cause="test")
    asked.ask("begin", **restarting(asked))
    found = asked.settled()
    assert (found["state"], found["restart"]) == ("started", "owed")
    assert "after it was set to 1024" in found["error"]
    assert asked.effects() == []


def test_a_step_that_hangs_is_ended_by_its_dead_man_and_a_late_write_is_taken_back(asked: Asked) -> None:
    asked.host.set("fault.hang_on_set_seconds", 60, cause="test")
    asked.host.set("fault.late_set", 1, cause="test")
    asked.ask("begin", step=settings_step(RSS), deadman_s=1)
    found = wait_for(asked, "reverted")
    assert found["deadman"] == "fired"
    until = time.monotonic() + 10
    while not (found := asked.ask("receipt"))["error"]:
        assert time.monotonic() < until, found
        time.sleep(0.05)
    assert found["error"] == f"{RSS} became Disabled once more after it was taken back, and was taken back again"
    assert values.read(asked.host, RSS) == "Enabled"
    # The mutex is free: another operation goes on.
    asked.op = secrets.token_hex(16)
    asked.ask("begin", step=settings_step(TASK))
    assert asked.settled()["state"] == "done"


def test_a_dead_man_that_does_not_begin_to_run_means_that_nothing_is_set(asked: Asked) -> None:
    asked.host.set("fault.no_dead_man", 1, cause="test")
    answer = asked.ask("begin", step=settings_step(RSS), deadman_s=60)
    assert (answer["state"], answer["reason"]) == ("refused", "failed")
    assert answer["error"] == "the dead-man did not begin to run; nothing was set"
    found = asked.ask("receipt")
    assert (found["deadman"], found["wrote"]) == (None, [])
    assert asked.effects() == []


def test_a_third_value_ends_the_taking_back_and_lets_others_in(asked: Asked) -> None:
    mac = mac_of(asked.host, asked.host.ports("san")[0][0])
    setting = f"adapter/{mac}/flow_control"
    now = values.read(asked.host, setting)
    step = [{"setting": setting, "seen": now, "target": "1", "inverse": now}]
    asked.ask("begin", step=step, deadman_s=2)
    asked.settled()
    with asked.host.lock:
        values.write(asked.host, setting, "2")
    until = time.monotonic() + 15
    # The automatic rollback holds the host's lock until it has ended; a receipt says "busy" meanwhile.
    while (found := asked.ask("receipt"))["deadman"] != "fired" or found["reason"] == "busy":
        assert time.monotonic() < until, found
        time.sleep(0.05)
    assert (found["state"], found["reason"]) == ("started", None)
    assert found["error"] == f"{setting} reads 2: somebody else set it, it stays"
    asked.op = secrets.token_hex(16)
    assert asked.ask("begin", step=settings_step(TASK))["state"] in ("started", "done")
