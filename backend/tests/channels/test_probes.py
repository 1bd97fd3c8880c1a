"""Do-not-fragment pings that a host sends itself, over the real wires."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import paramiko
import pytest

from lab import identity
from lab.esxi.ssh import EsxiSsh
from lab.windows.common import address_of
from lab.windows.wsman import WsManHost
from plumbline.channels import CommandRefused, OutcomeUnknown
from plumbline.channels.probes import Pair, send
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from plumbline.infra import resources
from tests.channels.conftest import Certificate


def test_an_esxi_host_tells_too_big_from_silent(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-b10")
    host = server.machine.host
    host.set("vmk2.mtu", 1500, cause="test")
    server.machine.refresh()
    here, there = identity.portals(host.spec.group)[:2]
    pairs = [Pair("vmk1", here), Pair("vmk2", there), Pair("vmk1", "10.99.99.99")]
    with SshChannel(SshTarget("127.0.0.1", server.port, (server.public_key,)), SshCredential("root", password="right")) as channel:
        # vmk2 sends no such frames itself, and nobody answers at the third address.
        assert send(channel, 9000, pairs) == ["ok", "too_big", "silent"]
        with pytest.raises(CommandRefused, match="no ping can be sent from 'vmk1;reboot'"):
            send(channel, 9000, [Pair("vmk1;reboot", here)])
    assert not [command for command in server.commands if "10.99" in command]


def test_a_windows_host_sends_them_from_its_own_addresses(
    windows: Callable[..., WsManHost], client_certificate: Certificate, server_certificate: Certificate
) -> None:
    endpoint = windows("ex-02")
    host = endpoint.host
    one, two = (address_of(host, role) for role, _ in host.ports("san"))
    portal = identity.portals(host.spec.group)[0]
    target = WinRmTarget("127.0.0.1", endpoint.port, certificate_sha256=server_certificate.sha256)
    credential = WinRmCredential("certificate", certificate=client_certificate.certificate, private_key=client_certificate.private_key)
    with WinRmChannel(target, credential) as channel:
        assert send(channel, 9000, [Pair(one, portal), Pair(two, portal), Pair(one, "10.99.99.99")]) == ["ok", "too_big", "silent"]
        host.set("switch.mtu", 1514, cause="test")
        assert send(channel, 9000, [Pair(one, portal)]) == ["too_big"]
        for wrong in (Pair(one, f"{portal} -t"), Pair("fd00::1", "fd00::9"), Pair("vmk1", portal)):
            with pytest.raises(CommandRefused):
                send(channel, 9000, [wrong])
        endpoint.faults.empty_success = True
        with pytest.raises(OutcomeUnknown):
            send(channel, 9000, [Pair(one, portal)])


_ESXCLI = """#!/bin/sh
echo '[{"Name": "vmk1", "Netstack Instance": "defaultTcpipStack"}, {"Name": "vmk3", "Netstack Instance": "san-a"}]'
"""
# Answers whole only what is asked as the host would have it: vmk3 by its stack, IPv6 with its own headers.
_VMKPING = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/asked"
case "$*" in
  "-d -c 1 -W 1 -s 8972 -I vmk1 10.0.0.1" | \\
  "-d -c 1 -W 1 -s 8972 -I vmk3 -S san-a 10.0.0.1" | \\
  "-6 -d -c 1 -W 1 -s 8952 -I vmk3 -S san-a fd00::1")
    echo "1 packets transmitted, 1 packets received, 0% packet loss";;
  *) echo "1 packets transmitted, 0 packets received, 100% packet loss"; exit 1;;
esac
"""


@pytest.mark.parametrize("is_listed", [True, False])
def test_an_interface_of_another_network_stack_is_pinged_in_it(tmp_path: Path, is_listed: bool) -> None:
    for name, script in (("esxcli", _ESXCLI if is_listed else "#!/bin/sh\nexit 1\n"), ("vmkping", _VMKPING)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, str(resources.AGENTS / "esxi" / "send_probes.py")],
        input="9000\nvmk1 10.0.0.1\nvmk3 10.0.0.1\nvmk3 fd00::1\n",
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    shown = json.loads(done.stdout)
    # Without the list it still pings, as an interface of the common stack.
    assert shown["outcomes"] == (["ok", "ok", "ok"] if is_listed else ["ok", "silent", "silent"])
    asked = (tmp_path / "asked").read_text().splitlines()
    assert is_listed == any("-S san-a" in line for line in asked)
    assert not [line for line in asked if "vmk1" in line and "-S" in line]
