"""The SSH channel against the lab's SSH servers and the machine's own OpenSSH."""

import contextlib
import getpass
import io
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import paramiko
import pytest

from lab.esxi.agent import AGENT
from lab.esxi.ssh import EsxiSsh
from plumbline.channels import (
    AuthenticationRejected,
    CommandFailed,
    CommandRefused,
    HostIdentityUnknown,
    HostIdentityWrong,
    HostUnreachable,
    OutcomeUnknown,
)
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget, fingerprint


def _credential(key: paramiko.PKey) -> SshCredential:
    text = io.StringIO()
    key.write_private_key(text)
    return SshCredential("root", private_key=text.getvalue())


def _place(server: EsxiSsh, *pins: str) -> SshTarget:
    return SshTarget("127.0.0.1", server.port, pins or (server.public_key,))


def test_the_real_agent_piped_over_ssh_answers_a_check_in(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-a03")
    with SshChannel(_place(server), _credential(key)) as channel:
        done = channel.run("python - --collect-only", stdin=AGENT.read_bytes(), deadline_seconds=60)
    lines = done.text(what="the agent").splitlines()
    envelope = json.loads(lines[0])
    assert done.exit == 0
    assert {name for name, section in envelope["sections"].items() if section["status"] == "ok"} == set(envelope["sections"])
    assert len(lines) == 1 + len(envelope["sections"])


def test_a_fingerprint_pins_as_well_as_a_public_key(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with SshChannel(_place(server, fingerprint(server.host_key.asbytes())), _credential(key)) as channel:
        assert channel.run("esxcli system version get", deadline_seconds=10).text(what="esxcli").startswith("   Product: VMware ESXi")


def test_keyboard_interactive_is_asked_once(esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi()
    with SshChannel(_place(server), SshCredential("root", password="right")) as channel:
        assert channel.run("echo in", deadline_seconds=10).stdout == b"in\n"
    assert server.failed_log_ins == 0


def test_a_wrong_password_is_one_failed_log_in(esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi()
    with pytest.raises(AuthenticationRejected):
        SshChannel(_place(server), SshCredential("root", password="wrong")).open()
    assert server.failed_log_ins == 1


def test_without_a_pin_nothing_is_sent(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with pytest.raises(HostIdentityUnknown):
        SshChannel(SshTarget("127.0.0.1", server.port), _credential(key)).open()
    assert server.machine.host.read_journal() == []


def test_a_changed_host_key_stops_before_any_credential(esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi()
    target = _place(server)
    server.change_host_key()
    with pytest.raises(HostIdentityWrong):
        SshChannel(target, SshCredential("root", password="wrong")).open()
    # A wrong password that had been sent would stand here.
    assert server.failed_log_ins == 0
    assert server.commands == []


def test_a_key_of_another_kind_than_pinned_is_refused(esxi: Callable[..., EsxiSsh]) -> None:
    server = esxi()
    with pytest.raises(HostIdentityWrong):
        SshChannel(_place(server, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO"), SshCredential("root", password="wrong")).open()
    assert server.failed_log_ins == 0


def test_exit_code_and_both_streams_come_back(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    with SshChannel(_place(esxi()), _credential(key)) as channel:
        done = channel.run("echo out; echo err >&2; exit 3", deadline_seconds=10)
        assert (done.exit, done.stdout, done.stderr) == (3, b"out\n", b"err\n")
        with pytest.raises(CommandFailed, match="exit code 3: err"):
            done.text(what="it")


def test_much_output_on_both_streams_does_not_block(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    size = 3_000_000
    with SshChannel(_place(esxi()), _credential(key)) as channel:
        done = channel.run(f"head -c {size} /dev/zero >&2; head -c {size} /dev/zero; cat | wc -c", stdin=b"x" * size, deadline_seconds=60)
    assert len(done.stderr) == size
    assert done.stdout[size:].strip() == str(size).encode()


def test_a_silent_command_ends_at_the_deadline_as_unknown(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    with SshChannel(_place(esxi()), _credential(key)) as channel:
        began = time.monotonic()
        with pytest.raises(OutcomeUnknown, match="within 1 s"):
            channel.run("sleep 20", deadline_seconds=1)
        assert time.monotonic() - began < 5


def test_a_connection_that_breaks_after_the_start_is_unknown(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey, tmp_path: Path) -> None:
    server = esxi()
    server.faults.drop_after_start = True
    mark = tmp_path / "done"
    with SshChannel(_place(server), _credential(key)) as channel, pytest.raises(OutcomeUnknown):
        channel.run(f"sleep 0.3; touch {mark}", deadline_seconds=20)
    # The command went on on the host: that is why the outcome is unknown and not failed.
    for _ in range(100):
        if mark.exists():
            break
        time.sleep(0.05)
    assert mark.exists()


def test_no_exit_code_is_unknown_and_never_success(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi()
    server.faults.no_exit_status = True
    with SshChannel(_place(server), _credential(key)) as channel, pytest.raises(OutcomeUnknown):
        channel.run("echo fine", deadline_seconds=10)


def test_success_without_output_is_unknown(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    with SshChannel(_place(esxi()), _credential(key)) as channel, pytest.raises(OutcomeUnknown):
        channel.run("true", deadline_seconds=10).text(what="it")


def test_an_over_long_command_is_not_sent(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi()
    with SshChannel(_place(server), _credential(key)) as channel, pytest.raises(CommandRefused):
        channel.run("x" * 8001, deadline_seconds=10)
    assert server.commands == []


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(HostUnreachable) as caught:
        SshChannel(SshTarget("127.0.0.1", port, ("SHA256:x",)), SshCredential("root", password="x")).open()
    assert caught.value.is_retryable


def test_a_listener_that_says_nothing_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        target = SshTarget("127.0.0.1", mute.getsockname()[1], ("SHA256:x",))
        began = time.monotonic()
        with pytest.raises(HostUnreachable):
            SshChannel(target, SshCredential("root", password="x"), connect_seconds=1.5).open()
        assert time.monotonic() - began < 10


@pytest.fixture
def openssh(tmp_path: Path, key: paramiko.ECDSAKey) -> Iterator[SshTarget]:
    """The machine's own OpenSSH server on a high loopback port, as an ordinary process with a configuration of its own."""
    program = shutil.which("sshd", path=f"/usr/sbin:/usr/local/sbin:{os.environ.get('PATH', '')}")
    if program is None:
        pytest.skip("no sshd on this machine (package openssh-server)")
    separation = Path("/run/sshd")
    is_ours = os.getuid() == 0 and not separation.exists()
    if is_ours:
        # What the service's start script does; in a container that never started it, the folder is missing.
        separation.mkdir(mode=0o755)
    host_key = paramiko.ECDSAKey.generate()
    host_key.write_private_key_file(str(tmp_path / "host_key"))
    (tmp_path / "authorized").write_text(f"{key.get_name()} {key.get_base64()}\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path / 'host_key'}\nAuthorizedKeysFile {tmp_path / 'authorized'}\n"
        f"PidFile {tmp_path / 'pid'}\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n"
    )
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen([program, "-D", "-e", "-f", str(tmp_path / "config")], stderr=log)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            assert server.poll() is None, (tmp_path / "log").read_text()
            time.sleep(0.05)
        yield SshTarget("127.0.0.1", port, (f"{host_key.get_name()} {host_key.get_base64()}",))
    finally:
        server.terminate()
        server.wait(timeout=10)
        if is_ours:
            separation.rmdir()


def test_the_machines_own_openssh_runs_the_real_agent(openssh: SshTarget, key: paramiko.ECDSAKey) -> None:
    text = io.StringIO()
    key.write_private_key(text)
    with SshChannel(openssh, SshCredential(getpass.getuser(), private_key=text.getvalue())) as channel:
        done = channel.run("python3 - --collect-only", stdin=AGENT.read_bytes(), deadline_seconds=90)
        assert channel.run("exit 7", deadline_seconds=10).exit == 7
    # No esxcli here: the agent still answers a whole check-in that says what it lacks.
    envelope = json.loads(done.text(what="the agent").splitlines()[0])
    assert envelope["agent"]["platform"] == "esxi"
    assert envelope["sections"]["nics"]["status"] != "ok"


def test_openssh_with_another_key_is_refused(openssh: SshTarget, key: paramiko.ECDSAKey) -> None:
    other = paramiko.ECDSAKey.generate()
    target = SshTarget(openssh.address, openssh.port, (f"{other.get_name()} {other.get_base64()}",))
    with pytest.raises(HostIdentityWrong):
        SshChannel(target, _credential(key)).open()
