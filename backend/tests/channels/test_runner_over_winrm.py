"""One request and one answer over WS-Management: the lab's Windows hosts, whose runner is the lab's own state machine."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from lab.windows.common import mac_of
from lab.windows.scripts import runner_of
from lab.windows.wsman import WsManHost
from plumbline.channels import HostUnreachable, OutcomeUnknown, probes, runner
from plumbline.channels.runner import ConstrainedLanguage, InstalledRunner, RunnerAltered, RunnerMissing, RunnerUnanswered
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from tests.channels.conftest import Certificate
from tests.channels.test_runner_over_ssh import request

Windows = Callable[..., WsManHost]


@pytest.fixture
def opened(client_certificate: Certificate, server_certificate: Certificate) -> Callable[[WsManHost], WinRmChannel]:
    def make(endpoint: WsManHost) -> WinRmChannel:
        place = WinRmTarget("127.0.0.1", endpoint.port, certificate_sha256=server_certificate.sha256)
        signed = WinRmCredential("certificate", certificate=client_certificate.certificate, private_key=client_certificate.private_key)
        return WinRmChannel(place, signed)

    return make


Opened = Callable[[WsManHost], WinRmChannel]
PLACE = runner.shipped_runner("windows")


def settled(channel: WinRmChannel) -> runner.RunnerAnswer:
    found = runner.send_request(channel, PLACE, request("receipt", 90))
    while found.state == "started" and found.reason == "busy":
        found = runner.send_request(channel, PLACE, request("receipt", 91))
    return found


def ready(channel: WinRmChannel) -> dict[str, Any]:
    read = runner.send_request(channel, PLACE, request("read"))
    good = {"boot_id": read.boot_id, "not_after_uptime_s": (read.uptime_s or 0) + 100}
    assert runner.send_request(channel, PLACE, request("fence", 2, **good)).fence == runner.Fence(7, 1)
    return good


def test_a_step_is_carried_out_with_one_restart(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    host = endpoint.host
    host.set("fault.restart_seconds", 1, cause="test")
    mac = mac_of(host, host.ports("san")[0][0])
    settings = [f"adapter/{mac}/mtu", f"adapter/{mac}/flow_control"]
    with opened(endpoint) as channel:
        good = ready(channel)
        read = runner.send_request(channel, PLACE, request("read", 3, step=[{"setting": one} for one in settings]))
        assert read.after == {settings[0]: "1514", settings[1]: "3"}
        step = [{"setting": settings[0], "seen": "1514", "target": "9014", "inverse": "1514"}]
        step += [{"setting": settings[1], "seen": "3", "target": "0", "inverse": "3"}]
        began = runner.send_request(channel, PLACE, request("begin", 4, step=step, restart=f"adapter/{mac}", deadman_s=60, **good))
        assert (began.state, began.restart, began.deadman) == ("started", "owed", "armed")
        done = settled(channel)
        assert (done.state, done.restart, done.wrote) == ("done", "done", settings)
        assert runner.send_request(channel, PLACE, request("confirm", 5, **good)).deadman == "disarmed"
    effects = [(row["setting"], row["restart"]) for row in host.read_journal() if row["cause"] == "runner"]
    assert effects == [(settings[0], ""), (settings[1], ""), (f"adapter/{mac}", "adapter")]


def test_a_lost_answer_is_unknown_and_no_shell_stays_open(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    with opened(endpoint) as channel:
        good = ready(channel)
        endpoint.host.set("fault.lose_answer", 1, cause="test")
        step = [{"setting": "host//tcp.rss", "seen": "Enabled", "target": "Disabled", "inverse": "Enabled"}]
        with pytest.raises(RunnerUnanswered):
            runner.send_request(channel, PLACE, request("begin", 3, step=step, **good))
        assert settled(channel).state == "done"
    assert endpoint.shells == {}


def test_darkness_in_the_middle_is_unknown_and_the_dead_man_sets_back(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    host = endpoint.host
    with opened(endpoint) as channel:
        good = ready(channel)
        host.set("fault.dark_on_set_seconds", 300, cause="test")
        step = [{"setting": "host//tcp.rss", "seen": "Enabled", "target": "Disabled", "inverse": "Enabled"}]
        with pytest.raises((OutcomeUnknown, HostUnreachable)):
            _begin_and_ask(channel, request("begin", 3, step=step, deadman_s=1, **good))
        assert host.state["dark_until"] > time.time()
        until = time.monotonic() + 60
        while host.state["host"]["tcp.rss"] != "Enabled":
            assert time.monotonic() < until
            time.sleep(0.05)
        host.state["dark_until"] = 0.0
        found = settled(channel)
        assert (found.state, found.deadman) == ("reverted", "fired")
    assert host.state["host"]["tcp.rss"] == "Enabled"


def _begin_and_ask(channel: WinRmChannel, begin: dict[str, Any]) -> None:
    """Darkness falls with the set: either the answer to this or to the next question is lost."""
    runner.send_request(channel, PLACE, begin, deadline_seconds=10)
    runner.send_request(channel, PLACE, request("receipt", 4), deadline_seconds=2)


def test_without_a_runner_or_with_another_one_nothing_is_done(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    with opened(endpoint) as channel:
        with pytest.raises(RunnerAltered):
            runner.send_request(channel, InstalledRunner("windows", "0" * 64), request("read"))
        (endpoint.host.folder / "no-runner").touch()
        with pytest.raises(RunnerMissing):
            runner.send_request(channel, PLACE, request("read"))
        with pytest.raises(RunnerMissing):
            runner.start_agent(channel, PLACE)


def test_a_host_in_constrained_language_says_so_and_nothing_is_done(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    (endpoint.host.folder / "constrained").touch()
    with opened(endpoint) as channel:
        for act in (
            lambda: runner.send_request(channel, PLACE, request("read")),
            lambda: runner.start_agent(channel, PLACE),
            lambda: probes.send(channel, 1500, [probes.Pair("10.0.0.1", "10.0.0.2")]),
        ):
            with pytest.raises(ConstrainedLanguage, match="constrained language") as caught:
                act()
            assert caught.value.is_outcome_known
            assert not caught.value.is_retryable


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"call": "not_delivered", "exit": 3, "end": "plumbline"}', "it will retry"),
        ('{"call": "not_delivered", "exit": 4, "end": "plumbline"}', "another run of the host's agent is under way"),
        ('{"call": "not_delivered", "exit": 5, "end": "plumbline"}', "constrained language"),
        ('{"call": "not_delivered", "exit": 2, "end": "plumbline"}', "not enrolled"),
        ('{"call": "not_delivered", "exit": 1, "end": "plumbline"}', "its log on the host"),
        ('{"call": "not_delivered", "exit": null, "end": "plumbline"}', "was stopped"),
        # A start script of before, a code of later, and no answer at all.
        ('{"call": "not_delivered", "end": "plumbline"}', "it will retry"),
        ('{"call": "not_delivered", "exit": 99, "end": "plumbline"}', "it will retry"),
        ("not json", "it will retry"),
    ],
)
def test_why_an_agent_brought_no_check_in_follows_its_exit_code(line: str, words: str) -> None:
    assert words in runner.why_not_delivered(line)


def test_a_restart_of_the_host_fires_the_dead_man_at_once(windows: Windows, opened: Opened) -> None:
    endpoint = windows("sql-05")
    with opened(endpoint) as channel:
        good = ready(channel)
        step = [{"setting": "host//tcp.rss", "seen": "Enabled", "target": "Disabled", "inverse": "Enabled"}]
        runner.send_request(channel, PLACE, request("begin", 3, step=step, deadman_s=600, **good))
        assert settled(channel).state == "done"
        runner_of(endpoint.host).restart_host()
        until = time.monotonic() + 20
        while runner.send_request(channel, PLACE, request("receipt", 5)).state != "reverted":
            assert time.monotonic() < until
        assert runner.send_request(channel, PLACE, request("confirm", 6, **good)).reason == "late"
