"""One request and one answer over SSH: the lab's ESXi hosts, the real runner, the channel's own text in between."""

import io
import json
from collections.abc import Callable
from typing import Any

import paramiko
import pytest

from lab.esxi.ssh import EsxiSsh
from plumbline.channels import CommandRefused, probes, runner
from plumbline.channels.runner import InstalledRunner, RunnerAltered, RunnerMissing, RunnerUnanswered
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget

FOLDER = "/vmfs/volumes/datastore1/plumbline"
Esxi = Callable[..., EsxiSsh]


def opened(server: EsxiSsh, key: paramiko.PKey) -> SshChannel:
    text = io.StringIO()
    key.write_private_key(text)
    return SshChannel(SshTarget("127.0.0.1", server.port, (server.public_key,)), SshCredential("root", private_key=text.getvalue()))


def request(verb: str, nonce: int = 1, **given: Any) -> dict[str, Any]:
    whole = {"v": 1, "verb": verb, "host_id": "ab" * 16, "job_id": "cd" * 16, "op_id": "ef" * 16, "nonce": f"{nonce:032x}"}
    whole |= {"gen": 7, "attempt": 1, "boot_id": None, "not_after_uptime_s": None, "step": [], "restart": None}
    return whole | {"deadman_s": None, "health_floor": None} | given


def test_a_runner_is_placed_installed_and_asked(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-b10")
    with opened(server, key) as channel:
        folder, why = runner.find_runner_folder(channel)
        assert (folder, why) == (FOLDER, "a local datastore")
        place = runner.install(channel, folder)
        found = runner.send_request(channel, place, request("read", step=[{"setting": "vnic/vmk1/mtu"}]))
        assert found.after == {"vnic/vmk1/mtu": "9000"}
        assert found.health is not None
        assert found.health.least_paths == 4
        assert found.fence is None
        fenced = runner.send_request(
            channel, place, request("fence", 2, boot_id=found.boot_id, not_after_uptime_s=(found.uptime_s or 0) + 60)
        )
        assert fenced.fence == runner.Fence(7, 1)


def test_without_a_runner_the_host_is_read_only(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    with opened(esxi(), key) as channel, pytest.raises(RunnerMissing, match="read-only"):
        runner.send_request(channel, runner.shipped_runner("esxi", FOLDER), request("read"))


def test_an_altered_runner_is_not_run(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with opened(server, key) as channel:
        place = runner.install(channel, FOLDER)
        file = server.machine.program / "host_runner.py"
        file.write_bytes(file.read_bytes() + b"\nopen('/tmp/never', 'w')\n")
        with pytest.raises(RunnerAltered):
            runner.send_request(channel, place, request("read"))


def test_line_ends_do_not_change_the_hash(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with opened(server, key) as channel:
        place = runner.install(channel, FOLDER)
        file = server.machine.program / "host_runner.py"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n") + b"\n\n")
        assert runner.send_request(channel, place, request("read")).state == "none"


def test_an_answer_that_is_lost_is_unknown_and_found_by_receipt(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-b10")
    with opened(server, key) as channel:
        place = runner.install(channel, FOLDER)
        read = runner.send_request(channel, place, request("read"))
        good = {"boot_id": read.boot_id, "not_after_uptime_s": (read.uptime_s or 0) + 100}
        runner.send_request(channel, place, request("fence", 2, **good))
        server.machine.host.set("fault.lose_answer", 1, cause="test")
        step = [{"setting": "host//net.lro", "seen": "1", "target": "0", "inverse": "1"}]
        with pytest.raises(RunnerUnanswered) as unknown:
            runner.send_request(channel, place, request("begin", 3, step=step, **good))
        assert not unknown.value.is_outcome_known
    with opened(server, key) as channel:
        found = runner.send_request(channel, place, request("receipt", 4))
        while found.state == "started" and found.reason == "busy":
            found = runner.send_request(channel, place, request("receipt", 5))
    assert found.state == "done"
    assert [row["setting"] for row in server.machine.host.read_journal() if row["cause"] == "runner"] == ["host//net.lro"]


def test_an_answer_to_another_nonce_is_not_ours(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with opened(server, key) as channel:
        runner.install(channel, FOLDER)
        file = server.machine.program / "host_runner.py"
        answer = {"v": 1, "op_id": "ef" * 16, "nonce": "0" * 32, "state": "done", "reason": None, "error": None, "wrote": []}
        answer |= dict.fromkeys(("before", "after", "restart", "deadman", "boot_id", "uptime_s", "fence", "health")) | {"end": "plumbline"}
        text = f"print({json.dumps(json.dumps(answer))})\n".encode()
        file.write_bytes(text)
        with pytest.raises(RunnerUnanswered, match="doesn't match the request"):
            runner.send_request(channel, InstalledRunner("esxi", runner.digest("esxi", text), FOLDER), request("read"))
        for cut in (text.replace(b"plumbline", b"plumb"), b"print('')\n", b"print('{')\n"):
            file.write_bytes(cut)
            with pytest.raises(RunnerUnanswered):
                runner.send_request(channel, InstalledRunner("esxi", runner.digest("esxi", cut), FOLDER), request("read"))


def test_a_place_that_a_restart_clears_is_refused(esxi: Esxi, key: paramiko.ECDSAKey) -> None:
    with opened(esxi(), key) as channel, pytest.raises(CommandRefused, match="outlives"):
        runner.install(channel, "/tmp/plumbline")


def test_the_command_lines_are_short_and_fixed() -> None:
    for file in (runner._CALL_ESXI, runner._START_ESXI, probes._ESXI):
        assert len(runner.fixed_python(file)) < 8000
    for file in (runner._CALL_WINDOWS, runner._START_AGENT, probes._WINDOWS):
        assert len(file.read_text()) < 2500
        command, arguments = runner.fixed_script(file)
        assert len(" ".join((command, *arguments))) < 8000
