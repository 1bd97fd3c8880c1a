"""Do-not-fragment pings that a host sends itself, over the real wires."""

from collections.abc import Callable

import paramiko
import pytest

from lab import identity
from lab.esxi.ssh import EsxiSsh
from lab.windows.parts import address_of
from lab.windows.wsman import WsManHost
from plumbline.channels import CommandRefused, OutcomeUnknown
from plumbline.channels.probes import Pair, send
from plumbline.channels.ssh import SshChannel, SshCredential, SshPlace
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmPlace
from tests.channels.conftest import Certificate


def test_an_esxi_host_tells_too_big_from_silent(esxi: Callable[..., EsxiSsh], key: paramiko.ECDSAKey) -> None:
    server = esxi("esx-b10")
    host = server.machine.host
    host.set("vmk2.mtu", 1500, cause="test")
    server.machine.refresh()
    here, there = identity.portals(host.spec.group)[:2]
    pairs = [Pair("vmk1", here), Pair("vmk2", there), Pair("vmk1", "10.99.99.99")]
    with SshChannel(SshPlace("127.0.0.1", server.port, (server.public_key,)), SshCredential("root", password="right")) as channel:
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
    place = WinRmPlace("127.0.0.1", endpoint.port, certificate_sha256=server_certificate.sha256)
    credential = WinRmCredential("certificate", certificate=client_certificate.certificate, private_key=client_certificate.private_key)
    with WinRmChannel(place, credential) as channel:
        assert send(channel, 9000, [Pair(one, portal), Pair(two, portal), Pair(one, "10.99.99.99")]) == ["ok", "too_big", "silent"]
        host.set("switch.mtu", 1514, cause="test")
        assert send(channel, 9000, [Pair(one, portal)]) == ["too_big"]
        for wrong in (Pair(one, f"{portal} -t"), Pair("fd00::1", "fd00::9"), Pair("vmk1", portal)):
            with pytest.raises(CommandRefused):
                send(channel, 9000, [wrong])
        endpoint.faults.empty_success = True
        with pytest.raises(OutcomeUnknown):
            send(channel, 9000, [Pair(one, portal)])
