"""Pins from what a host's own agent reported."""

from collections.abc import Callable
from pathlib import Path

import paramiko
import pytest

from lab import fleet
from lab.esxi.agent import AGENT
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost
from lab.windows.render import sections
from plumbline.channels.ssh import SshChannel, SshTarget
from plumbline.collection.host_keys import pins_of
from tests.channels.test_ssh_channel import _credential


def test_the_keys_an_esxi_agent_reads_open_the_channel(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-b10")
    known = SshTarget("127.0.0.1", server.port, (server.public_key,))
    with SshChannel(known, _credential(key)) as channel:
        lines = channel.run("python3 - --collect-only --want system", stdin=AGENT.read_bytes(), deadline_seconds=60).stdout.split(b"\n")
    pins = pins_of("esxi", lines[1])
    assert pins == [server.public_key]
    with SshChannel(SshTarget("127.0.0.1", server.port, tuple(pins)), _credential(key)) as channel:
        assert channel.run("true", deadline_seconds=10).exit == 0


def test_the_certificate_of_a_windows_host(tmp_path: Path) -> None:
    host = LabHost(next(spec for spec in fleet.load() if spec.name == "sql-03"), tmp_path)
    (pin,) = pins_of("windows", sections(host)["system"])
    assert len(pin) == 64


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"ssh host keys":{"status":"failed","output":"ssh-rsa AAAA"}}',
        b'{"WSMan:Listener":{"rows":[{"CertificateSha256":"zz"}]}}',
    ],
)
@pytest.mark.parametrize("platform", ["esxi", "windows"])
def test_anything_else_pins_nothing(platform: str, body: bytes) -> None:
    assert pins_of(platform, body) == []
