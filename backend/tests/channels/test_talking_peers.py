"""A host or a vCenter that accepts a connection and never answers, drips, or sends without end holds no worker past the time limit, and
takes no memory."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import paramiko
import pytest

from faults.talking_peer import BEHAVIOURS, talking
from plumbline.channels import HostUnreachable, OutcomeUnknown, vcenter, winrm
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget, shown_fingerprint
from plumbline.channels.vcenter import VCenterChannel, VCenterTarget
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from tests.channels.conftest import Certificate, make_certificate

# Nothing at all, within the head of an HTTP answer, and within its body.
BEGINNINGS = (b"", b"HTTP/1.1 200 OK\r\nx-", b"HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\n\r\n<a>")
LIMIT_SECONDS = 1.0
# The limits above and a busy machine; without a limit of the whole a peer that drips is read for as long as it likes.
LONGEST_SECONDS = 15.0


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return make_certificate(tmp_path, "peer")


@pytest.fixture(autouse=True)
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winrm, "_END_SECONDS", 0.5)
    monkeypatch.setattr(winrm, "_READ_SECONDS", 7)
    monkeypatch.setattr(winrm, "_LARGEST_ANSWER", 1_000_000)
    monkeypatch.setattr(vcenter, "_LARGEST_ANSWER", 1_000_000)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_winrm(behaviour: str, beginning: bytes, certificate: Certificate) -> None:
    credential = WinRmCredential("certificate", certificate=certificate.certificate, private_key=certificate.private_key)
    with talking(behaviour, beginning, certificate=certificate.certificate_file, private_key=certificate.key_file) as port:
        began = time.monotonic()
        with (
            WinRmChannel(WinRmTarget("127.0.0.1", port, certificate_sha256=certificate.sha256), credential) as channel,
            pytest.raises(HostUnreachable, match="unusable response"),
        ):
            channel.run("hostname", deadline_seconds=LIMIT_SECONDS)
        assert time.monotonic() - began < LONGEST_SECONDS


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_vcenter(behaviour: str, beginning: bytes, certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its versions are read with a limit of size already; what follows is pyVmomi's.
    monkeypatch.setattr(VCenterChannel, "_version", lambda *_: "vim.version.version9")
    with talking(behaviour, beginning, certificate=certificate.certificate_file, private_key=certificate.key_file) as port:
        began = time.monotonic()
        with pytest.raises(HostUnreachable, match="unusable response"):
            VCenterChannel(VCenterTarget("127.0.0.1", port, certificate.sha256), "a", "b", call_seconds=LIMIT_SECONDS).__enter__()
        assert time.monotonic() - began < LONGEST_SECONDS


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
@pytest.mark.parametrize("beginning", [b"", b"no SSH\r\n", b"SSH-2.0-OpenSSH_8.8\r\n"])
def test_ssh_that_does_not_come_to_a_handshake(behaviour: str, beginning: bytes) -> None:
    target = ("127.0.0.1", "ssh-ed25519 AAAA")
    with talking(behaviour, beginning) as port:
        began = time.monotonic()
        channel = SshChannel(SshTarget(target[0], port, (target[1],)), SshCredential("root", password="x"), connect_seconds=LIMIT_SECONDS)
        with pytest.raises(HostUnreachable):
            channel.open()
        with pytest.raises(HostUnreachable):
            shown_fingerprint("127.0.0.1", port, seconds=LIMIT_SECONDS)
        assert time.monotonic() - began < LONGEST_SECONDS


class _Deaf(paramiko.ServerInterface):
    """Lets everybody in and opens sessions; what is to be started there is never answered."""

    def __init__(self, done: threading.Event) -> None:
        self.done = done

    def check_auth_password(self, _username: str, _password: str) -> int:
        return paramiko.AUTH_SUCCESSFUL

    def get_allowed_auths(self, _username: str) -> str:
        return "password"

    def check_channel_request(self, _kind: str, _number: int) -> int:
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, _channel: paramiko.Channel, _command: bytes) -> bool:
        self.done.wait(60)
        return False


@pytest.fixture
def deaf() -> Iterator[SshTarget]:
    done, key = threading.Event(), paramiko.ECDSAKey.generate()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            transport = paramiko.Transport(server.accept()[0])
            transport.add_server_key(key)
            transport.start_server(server=_Deaf(done))
            done.wait(60)
            transport.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield SshTarget("127.0.0.1", server.getsockname()[1], (f"{key.get_name()} {key.get_base64()}",))
        done.set()
        thread.join(10)


def test_ssh_that_never_answers_whether_the_command_began(deaf: SshTarget) -> None:
    began = time.monotonic()
    with SshChannel(deaf, SshCredential("root", password="x")) as channel, pytest.raises(OutcomeUnknown, match="gave no answer"):
        channel.run("esxcli system version get", deadline_seconds=LIMIT_SECONDS)
    assert time.monotonic() - began < LONGEST_SECONDS
