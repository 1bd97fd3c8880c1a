"""No host's address leads Plumbline to its own machine, to link-local addresses or to a cloud's metadata service."""

import ast
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plumbline
from plumbline.channels.errors import HostUnreachable
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget, shown_fingerprint
from plumbline.channels.vcenter import VCenterChannel, VCenterTarget
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget, shown_certificate
from plumbline.infra.connection_watch import watching
from plumbline.infra.outbound import HostAddressRefused, HostWatch, connect_to_host, is_refused
from plumbline.infra.settings import get_settings

# Every place that opens a connection, and what keeps it from being led astray.
PLACES = {
    "infra/http_client.py": "checks each address itself",
    "infra/outbound.py": "checks each address itself",
    "channels/ssh.py": "connect_to_host",
    "channels/winrm.py": "connect_to_host, and HostWatch for the library",
    "channels/vcenter.py": "connect_to_host, and HostWatch for the library",
    "notify/transports.py": "http_client, and guarded_connections for the library",
    "auth/oidc_client.py": "http_client",
    "collection/collect.py": "posts to Plumbline's own address, which is a setting",
    "collection/send_file.py": "a command of an operator, who names the address",
    "collection/post_check_in.py": "uses the client of collect.py and send_file.py",
    "cli/remote/connection.py": "a command of a person, who names the address of their Plumbline",
    "ops/lab_past/hosts.py": "lab hosts check in at the process that writes their past",
    "ops/up.py": "looks whether the server that it started answers",
}
OPENERS = {
    "socket.create_connection", "http.client.HTTPConnection", "http.client.HTTPSConnection", "httpx.Client", "httpx.AsyncClient",
    "httpx.get", "httpx.post", "httpx.request", "httpx.stream", "httpx.HTTPTransport", "requests.Session", "requests.get",
    "requests.post", "smtplib.SMTP", "smtplib.SMTP_SSL", "urllib.request.urlopen", "Transport", "paramiko.SSHClient",
    "paramiko.Transport", "SoapStubAdapter", "Protocol", "asyncio.open_connection",
}  # fmt: skip


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A server on this machine that must see no connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        yield server


@pytest.fixture
def _as_shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PLUMBLINE_HOSTS_ON_LOOPBACK")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


def _ssh(port: int) -> None:
    SshChannel(SshTarget("localhost", port, ("SHA256:x",)), SshCredential("root", password="x")).open()


def _winrm(port: int) -> None:
    with WinRmChannel(WinRmTarget("localhost", port, certificate_sha256="00"), WinRmCredential("ntlm", "a", "b")):
        pass


def _vcenter(port: int) -> None:
    with VCenterChannel(VCenterTarget("localhost", port, "00"), "a", "b"):
        pass


CALLS: dict[str, Callable[[int], object]] = {
    "ssh": _ssh,
    "the key of a host": lambda port: shown_fingerprint("127.0.0.1", port),
    "winrm": _winrm,
    "the certificate of a host": lambda port: shown_certificate("127.0.0.1", port),
    "vcenter": _vcenter,
}


@pytest.mark.usefixtures("_as_shipped")
@pytest.mark.parametrize("call", CALLS)
def test_no_host_leads_to_this_machine(call: str, listening: socket.socket) -> None:
    with pytest.raises(HostUnreachable, match="Plumbline does not connect to those"):
        CALLS[call](listening.getsockname()[1])
    with pytest.raises(TimeoutError):
        listening.accept()


@pytest.mark.usefixtures("_as_shipped")
def test_the_address_that_a_library_connects_to_is_checked(listening: socket.socket) -> None:
    watch = HostWatch()
    with pytest.raises(HostAddressRefused), watching(watch, 5), socket.create_connection(listening.getsockname()):
        pass
    watch.end()


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "0.0.0.0", "224.0.0.1", "::ffff:169.254.169.254"]
)
def test_no_setting_allows_link_local_and_metadata_addresses(address: str) -> None:
    assert is_refused(address, is_loopback_allowed=True)
    with pytest.raises(HostAddressRefused):
        connect_to_host(address, 22, seconds=1)


@pytest.mark.parametrize("address", ["10.1.2.3", "192.168.7.1", "172.16.0.9", "fd12:3456::1"])
def test_addresses_of_a_site_are_allowed(address: str) -> None:
    assert not is_refused(address, is_loopback_allowed=False)


def test_every_place_that_opens_a_connection_is_known() -> None:
    package = Path(plumbline.__file__).parent
    found = {}
    for path in sorted(package.rglob("*.py")):
        calls = {ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)}
        if opened := calls & OPENERS:
            found[str(path.relative_to(package))] = opened
    assert set(found) <= set(PLACES), {name: found[name] for name in set(found) - set(PLACES)}
    channels = {name: calls for name, calls in found.items() if name.startswith("channels/")}
    assert channels
    assert not any("socket.create_connection" in calls for calls in channels.values())
