"""The server answers under its own names only: over a real socket, with the `Host` as it is sent."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from plumbline.infra.settings import Settings
from plumbline.web.app import create_app
from plumbline.web.host_names import HostNames
from tests.api.conftest import served


@pytest.fixture
def port(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    from plumbline.infra.settings import get_settings

    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", "https://Plumbline.Example:8443")
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "san.example, 192.0.2.7,[2001:DB8::7]")
    get_settings.cache_clear()
    with served(create_app()) as address:
        yield int(address.rpartition(":")[2])
    get_settings.cache_clear()


def ask(port: int, *hosts: str, path: str = "/api/v1/setup", method: str = "GET") -> tuple[int, str]:
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\nContent-Length: 0\r\n\r\n".encode("latin-1"))
        raw = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    return int(raw.split(" ", 2)[1]), raw


def test_own_names_are_answered_and_others_are_not(port: int) -> None:
    for host in (
        "plumbline.example", "PLUMBLINE.example:8443", "plumbline.example.", "plumbline.example:1", "san.example", "192.0.2.7:8443",
        "[2001:db8:0::7]", "localhost:8080", "127.0.0.1", f"127.0.0.1:{port}", "[::1]:8080",
    ):  # fmt: skip
        assert ask(port, host)[0] == 200, host
    for host in (
        "evil.example", "plumbline.example.evil.example", "evil-plumbline.example", "10.0.0.5", "169.254.169.254", "[2001:db8::8]",
        "localhost.evil.example", "127.0.0.1.nip.io", "192.0.2.7.evil.example",
    ):  # fmt: skip
        status, raw = ask(port, host)
        assert status == 421, host
        assert '"code":"foreign_host"' in raw
        assert "PLUMBLINE_ALLOWED_HOSTS" in raw
        assert "content-security-policy" in raw


@pytest.mark.parametrize("hosts", [(), ("",), ("a b",), ("plumbline.example/x",), ("user@plumbline.example",), ("plumbline.example:x",)])
def test_a_request_names_one_host(port: int, hosts: tuple[str, ...]) -> None:
    status, raw = ask(port, *hosts)
    assert status == 400
    assert "bad_host" in raw or "Invalid HTTP request" in raw


def test_two_hosts_are_refused(port: int) -> None:
    assert ask(port, "plumbline.example", "evil.example")[0] == 400
    assert ask(port, "plumbline.example", "plumbline.example")[0] == 400


def test_pages_files_and_metrics_are_refused_as_well_and_before_any_route(port: int) -> None:
    for path in ("/", "/assets/x.js", "/metrics", "/api/openapi.json", "/nothing", "/api/v1/session"):
        assert ask(port, "evil.example", path=path)[0] == 421, path
    assert ask(port, "evil.example", path="/api/v1/session", method="POST")[0] == 421


def test_agents_and_probes_are_answered_under_any_name(port: int) -> None:
    assert ask(port, "old-name.example", path="/healthz")[0] == 200
    assert ask(port, "old-name.example", path="/agent/v1/files/host_agent.py")[0] in (200, 404)
    # Refused for what it lacks, as under our own name.
    foreign, own = (ask(port, host, path="/agent/v1/check-in", method="POST")[0] for host in ("old-name.example", "plumbline.example"))
    assert foreign == own
    assert foreign not in (421, 404)


def test_the_address_of_the_connection_is_a_name_of_ours() -> None:
    names = HostNames(Settings(public_url="https://plumbline.example"))

    def scope(host: str, arrived: str) -> dict[str, object]:
        return {"path": "/", "headers": [(b"host", host.encode())], "server": (arrived, 8080)}

    assert names.problem(scope("10.1.2.3:8080", "10.1.2.3")) is None
    assert names.problem(scope("[fd00::3]", "fd00:0:0::3")) is None
    assert names.problem(scope("10.1.2.4", "10.1.2.3")) is not None
    assert names.problem({"path": "/", "headers": [(b"host", b"10.1.2.3")], "server": None}) is not None


@pytest.mark.parametrize("given", ["https://plumbline.example", "a b", "plumbline.example:8443", "*"])
def test_the_setting_takes_names_only(given: str) -> None:
    with pytest.raises(ValidationError):
        Settings(allowed_hosts=given)
